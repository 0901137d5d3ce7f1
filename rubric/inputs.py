"""What people hand in as judgments and rankings: dicts, lists, or what behaves like them.

Numbers may be of numpy or pandas; neither is asked for by name. A table is what has ``columns`` and
``itertuples``, as pandas and its like do.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np

from rubric.arrays import FloatArray
from rubric.errors import RubricError, short
from rubric.evaluation.measure import HIGHEST
from rubric.rankings import UNJUDGED

Qrels: TypeAlias = Mapping[Any, Any]
"""Grades by query and document, or a table of query, document and grade."""
Ranked: TypeAlias = Mapping[Any, Any]
"""For each query scores by document, or documents in rank order; or a table of them."""

_QUERY = ("query_id", "qid", "q_id", "query", "topic")
_DOCUMENT = ("doc_id", "docid", "docno", "document_id", "document", "doc")
_GRADE = ("relevance", "grade", "rel", "label", "score")
_SCORE = ("score", "sim", "relevance")


def qrels_of(given: Qrels) -> dict[Any, dict[Any, int]]:
    """Grades by query and document; -1, for any below 0, is pooled and not judged.

    Raises
    ------
    RubricError
        For what is no grade, with its type, value, query and document.
    """
    rows = _by_query(given, "qrels", _GRADE)
    found: dict[Any, dict[Any, int]] = {}
    for query, documents in rows.items():
        if _are_grades(documents):
            found[query] = documents
            continue
        pairs = _pairs(documents)
        if pairs is None:
            raise RubricError(
                f"qrels, query {query!r}",
                [f"expected grades by document, not {_named(documents)}"],
            )
        found[query] = {
            document: max(
                UNJUDGED, grade if type(grade) is int else grade_of(grade, query, document)
            )
            for document, grade in pairs
        }
        for document, grade in found[query].items():
            if grade > HIGHEST:
                raise RubricError(
                    _place("qrels", query, document),
                    [f"grade {short(str(grade))} is above {HIGHEST}"],
                )
    return found


def _are_grades(documents: object) -> bool:
    """Whether these are plain grades by document, as nearly always: then no one is looked at."""
    if type(documents) is not dict or not set(map(type, documents.values())) <= {int}:
        return False
    grades = documents.values()
    return not grades or (min(grades) >= UNJUDGED and max(grades) <= HIGHEST)


def grade_of(value: object, query: object, document: object) -> int:
    """A whole number: true or false, an integer or a float of any library."""
    if not isinstance(value, (str, bytes)) and (number := _number(value)) is not None:
        whole = int(number) if math.isfinite(number) else None
        if whole is not None and whole == number:
            return whole
    raise RubricError(
        _place("qrels", query, document),
        [
            f"a grade must be a whole number, true or false, not {_named(value)}; leave out what "
            "nobody judged, or give it -1 if it is pooled"
        ],
    )


def documents_of(query: object, ranked: object) -> tuple[list[Any], FloatArray | None]:
    """The documents of one query as given, each once, and their scores if they have any.

    Raises
    ------
    RubricError
        For a score that is not a finite number, or a ranking that is none.
    """
    if type(ranked) is dict and set(map(type, ranked.values())) <= {float}:
        found = np.array(list(ranked.values()), dtype=np.float64)
        if np.isfinite(found).all():  # as nearly always: the rest is to find and name what is not
            return list(ranked), found
    pairs = _pairs(ranked)
    if pairs is None:
        if isinstance(ranked, (str, bytes)) or not isinstance(ranked, Iterable):
            raise RubricError(
                f"run, query {query!r}",
                [f"expected scores by document, or documents in order, not {_named(ranked)}"],
            )
        listed = list(ranked)
        if not any(isinstance(one, (tuple, list, Mapping)) for one in listed):
            return list(dict.fromkeys(map(_plain, listed))), None
        pairs = [_scored(query, one) for one in listed]
    scores = dict[Any, float]()
    for document, score in pairs:
        scores.setdefault(document, _score(score, query, document))
    return list(scores), np.array(list(scores.values()), dtype=np.float64)


def rankings_of(given: Ranked) -> Mapping[Any, Any]:
    """The run by query."""
    return _by_query(given, "run", _SCORE)


def check_common(qrels: Iterable[Any], run: Iterable[Any]) -> None:
    """Refuse a run that has no query of the qrels.

    Raises
    ------
    RubricError
        With both sets of ids.
    """
    judged, ranked = list(qrels), list(run)
    if ranked and judged and not set(judged) & set(ranked):
        said = f"none of its queries ({_some(ranked)}) is in the qrels ({_some(judged)})"
        if {str(one) for one in judged} & {str(one) for one in ranked}:
            said += f"; {type(judged[0]).__name__} and {type(ranked[0]).__name__} are not the same"
        raise RubricError("run", [said])


def _by_query(given: object, what: str, values: Sequence[str]) -> Mapping[Any, Any]:
    if hasattr(given, "columns") and hasattr(given, "itertuples"):
        return _table(given, what, values)
    if isinstance(given, Mapping):
        return given
    raise RubricError(what, [f"expected a dict by query, or a table, not {_named(given)}"])


def _table(table: Any, what: str, values: Sequence[str]) -> Mapping[Any, Any]:
    """A table's rows by query and document."""
    columns = [str(name) for name in table.columns]
    places = []
    for wanted in (_QUERY, _DOCUMENT, values):
        place = next((columns.index(name) for name in wanted if name in columns), None)
        if place is None:
            raise RubricError(
                what, [f"the table has no column {wanted[0]}; it has: {', '.join(columns)}"]
            )
        places.append(place)
    found: dict[Any, dict[Any, Any]] = {}
    for row in table.itertuples(index=False, name=None):
        query, document, value = (row[place] for place in places)
        if found.setdefault(query, {}).setdefault(document, value) != value and what == "qrels":
            raise RubricError(
                _place(what, query, document),
                [f"it has two grades, {found[query][document]!r} and {value!r}"],
            )
    return found


def _pairs(given: object) -> list[tuple[Any, Any]] | None:
    """The items of a mapping or of what behaves like one."""
    items = getattr(given, "items", None)
    return [(document, value) for document, value in items()] if callable(items) else None


def _scored(query: object, one: object) -> tuple[Any, Any]:
    if isinstance(one, (tuple, list)) and len(one) == 2:
        return one[0], one[1]
    raise RubricError(
        f"run, query {query!r}",
        [f"expected documents, or pairs of document and score, not {short(repr(one))}"],
    )


def _score(value: object, query: object, document: object) -> float:
    number = None if isinstance(value, (str, bytes)) else _number(value)
    if number is None or not math.isfinite(number):
        raise RubricError(
            _place("run", query, document),
            [f"a score must be a finite number, not {_named(value)}"],
        )
    return float(number)


def _number(value: Any) -> float | None:
    """The number that a value is; None where it is none."""
    try:
        return value if isinstance(value, (int, float)) else float(value)
    except (TypeError, ValueError, OverflowError):
        return None


def _plain(document: Any) -> Any:
    """An element of an array as what it stands for."""
    return document.item() if hasattr(document, "item") else document


def _place(what: str, query: object, document: object) -> str:
    return f"{what}, query {short(repr(query))}, document {short(repr(document))}"


def _named(value: object) -> str:
    return f"{short(repr(value))} ({type(value).__name__})"


def _some(ids: Sequence[Any]) -> str:
    return ", ".join(short(repr(one)) for one in ids[:3]) + (", …" if len(ids) > 3 else "")
