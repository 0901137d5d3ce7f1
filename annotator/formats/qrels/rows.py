"""Qrels as a table or JSON: a row a rating, or a row a query with the list of what is relevant.

Exports of annotation tools are such, with the parts of a row inside each other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from annotator.domain import Qrel
from annotator.formats import json_values
from annotator.formats.fields import standing
from annotator.formats.grades import RELEVANT, grade_of, remark_on_lists
from annotator.formats.input.source import Head, Source
from annotator.formats.json.document_lists import id_of, ids, texts
from annotator.formats.problems import Problems
from annotator.formats.reader import Kind, Reader
from annotator.formats.tables.columns import Columns
from annotator.formats.tables.rows import Row, columns_of, is_json, rows
from annotator.formats.timestamps import duration, judged_at

NO_JUDGMENT = {"reject", "ignore", "discarded", "draft", "true"}


def _fits(head: Head) -> bool:
    """There is a query, a document and a grade, but no rank; or a query with what is relevant."""
    columns, sample = columns_of(Kind.QRELS, head)
    if columns.missing or ("event",) in sample.paths:
        return False
    ranked = columns_of(Kind.RUN, head)[0].has("rank")
    return not ranked or columns.has("relevant", "goldtexts") or _is_surely_graded(columns)


def _is_surely_graded(columns: Columns) -> bool:
    """Whether what is taken for the grade is called so, and no score."""
    grades = columns.places.get("grade", ())
    return bool(columns.raters) or any(standing("grade", path) == (0, len(path)) for path in grades)


def recognise_table(head: Head) -> bool:
    """It is a table with such headings."""
    return not is_json(head) and _fits(head)


def recognise_json(head: Head) -> bool:
    """It has objects with such keys."""
    return is_json(head) and _fits(head)


def read(source: Source, problems: Problems) -> Iterator[Qrel]:
    """Read the ratings; where there is no id of a query its text is the id.

    A column such as ``ann_rating`` is what the assessor ``ann`` says. A row without a rating stays
    unjudged.
    """
    binary = False
    for row in rows(source, problems, Kind.QRELS):
        columns = row.columns
        try:
            qid = row.id("query")
            if columns.has("relevant", "goldtexts"):
                binary = True
                found = [(docid, grade, "") for docid, grade in _relevant(row.values)]
            else:
                docid = row.id("docid")
                found = [(docid, grade, who) for grade, who in grades_of(columns, row)]
            when = time_of(row, source, problems)
            made = [
                Qrel(qid, docid, grade_of(grade, source.hints.grades), row.line, who, *when)
                for docid, grade, who in found
            ]
        except ValueError as fault:
            problems.add(row.line, str(fault), row.shown())
        else:
            yield from made
    if binary and not source.hints.grades:
        problems.notes.append(remark_on_lists("what it lists as relevant"))


def _relevant(values: Mapping[str, object]) -> list[tuple[str, object]]:
    """The documents that are relevant, by their ids or texts, with their grades."""
    if "relevant" not in values:
        return [(id_of(one), RELEVANT) for one in texts(values.get("goldtexts"), "the list")]
    listed = values["relevant"]
    if isinstance(listed, dict):
        return list(listed.items())
    if isinstance(listed, str | int):
        listed = [listed]
    return [(docid, RELEVANT) for docid in dict.fromkeys(ids(listed, "the list"))]


def time_of(row: Row, source: Source, problems: Problems) -> tuple[str, float | None]:
    """When a row's labels were given, and how long that took; a person's word for it is binding.

    Raises
    ------
    ValueError
        If what a person calls the time is none, or what took time is no number.
    """
    called = "at" if "at" in source.hints.columns else row.columns.names.get("at", "at")
    at = judged_at(row.values.get("at"), called, problems)
    return at, duration(row.values.get("seconds"), "seconds")


def grades_of(columns: Columns, row: Row) -> Iterator[tuple[object, str]]:
    """Each grade of a row with whose it is; None where the row has none."""
    if row.raters:
        yield from ((_grade(one), who) for who, one in row.raters.items() if one not in ("", None))
        return
    if "grade" not in row.values and len(columns.places["grade"][0]) > 1:
        return  # another entry of a list than that of the grade
    value, who = _grade(row.values.get("grade")), row.values.get("assessor")
    name = "" if who in (None, "") else json_values.identifier({"assessor": who}, ("assessor",))
    judged = str(row.values.get("state")).lower() not in NO_JUDGMENT and value != ""
    yield value if judged else None, name.strip()


def _grade(value: object) -> object:
    """A grade, also where it is the only one of a list of choices."""
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    if isinstance(value, list):
        raise ValueError(f"expected one grade, found {len(value)} in a list")
    return value.strip() if isinstance(value, str) else value


QRELS_TABLE = Reader(
    name="csv",
    title="a table with headings such as query, docid, rating (CSV or TSV, Quepid)",
    recognise=recognise_table,
    read=read,
)
QRELS_JSON = Reader(
    name="jsonl",
    title="JSON (lines or a list) with qid, docid and grade, or lists of what is relevant",
    recognise=recognise_json,
    read=read,
)
