"""The library on plain dicts: ``{query: {document: grade}}`` and ``{query: {document: score}}``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import repeat
from typing import Any

import numpy as np
import numpy.typing as npt

from rubric import html
from rubric.arrays import FloatArray, GradeArray, IntArray
from rubric.bounds.pair import Pair, same_places
from rubric.errors import RubricError
from rubric.evaluation.measure import Measure
from rubric.evaluation.scores import Rules, Scores, evaluate
from rubric.frames import frame
from rubric.inputs import Qrels, Ranked, check_common, documents_of, qrels_of, rankings_of
from rubric.model.library_estimates import expected_scores
from rubric.rankings import EMPTY, UNPOOLED, JudgedRankings, first_of_ties
from rubric.results.comparison import Comparison, compare
from rubric.results.summary import summarise
from rubric.tools import TOOLS, Tool

TIES = ("displayed", "score", "trec", "id", "average")
"""The orders of documents that have scores: as given; by score, then as given; as trec_eval; by
score, then rising id; the mean over all orders of tied scores."""


class ScoresByMeasure(dict[str, Scores]):
    """Scores by the spelling of their measure; any other spelling finds them too."""

    def __missing__(self, key: str | Measure) -> Scores:
        found = str(key if isinstance(key, Measure) else Measure.parse(key))
        if found not in self:
            raise KeyError(key)
        return self[found]

    def columns(self) -> dict[str, Any]:
        """The columns that all measures have, one below the other, and the measure of each row."""
        parts = [
            {"measure": np.full(len(one.zero_filled), name, object)} | one.columns()
            for name, one in self.items()
        ]
        shared = [key for key in parts[0] if all(key in one for one in parts)] if parts else []
        return {key: np.concatenate([one[key] for one in parts]) for key in shared}

    def frame(self) -> Any:
        """:meth:`columns` as a frame of pandas or polars, a row a measure and query."""
        return frame(self.columns())

    def _repr_html_(self) -> str:
        """What a notebook shows: a row a measure, with means over the queries."""
        sums = [(name, summarise(one)) for name, one in self.items()]
        rows = [
            (
                name,
                one.value,
                html.within(one.lower, one.upper),
                one.zero_filled,
                one.judged,
                one.scored,
            )
            for name, one in sums
        ]
        headers = ["measure", "value", "[lower, upper]", "zero-filled", "judged", "queries"]
        return html.table(headers, rows)


def score(
    qrels: Qrels,
    run: Ranked,
    measures: str | Measure | Iterable[str | Measure],
    *,
    top: int | None = None,
    rules: Rules | None = None,
    ties: str | None = None,
    like: str | None = None,
    draws: int = 0,
) -> ScoresByMeasure:
    """Score one run against judgments.

    Parameters
    ----------
    qrels
        Grades 0..``top`` by query and document; below 0 is "pooled, not judged". A document that
        is not there is outside the pool. A table with these as columns will do as well.
    run
        For each query scores by document, pairs of these, or the documents in rank order; or a
        table. A query it lacks is one without results.
    measures
        One or more, as text (``nDCG@10``, ``AP(rel=2)``, ``recip_rank``) or as :class:`Measure`.
    top
        The highest grade that there is, which no threshold may exceed; None: the highest that the
        judgments have.
    rules
        Gain, threshold and what becomes of a query without a relevant document.
    ties
        Where there are scores: ``score`` (the default: ties as given), ``displayed`` (the order
        given), ``trec``, ``id`` or ``average``.
    like
        A tool whose rules are to be followed in all: ``trec_eval``, ``ir_measures``, ``ranx`` or
        ``sklearn``. What it would print is ``zero_filled``.
    draws
        From how many drawn gradings ``expected`` is taken; 0: from none. There is none either where
        documents look as if they had been chosen for judging by what they are: where hardly any
        judged one has grade 0, say.

    Returns
    -------
    For each measure, in its one spelling, the :class:`Scores` of the queries of the qrels, in
    their order; ``queries`` holds their ids.

    Raises
    ------
    RubricError
        For a measure that is not known, a grade or score that is none, a run that has no query of
        the qrels.

    >>> qrels = {"1": {"a": 1, "b": -1}, "2": {"c": 3, "d": 0}}
    >>> run = {"1": {"a": 2.0, "b": 1.0}, "2": ["d", "c"]}
    >>> ndcg = score(qrels, run, "nDCG@2")["nDCG@2"]
    >>> ndcg.value.round(3)  # the first is not settled: b is not judged
    array([  nan, 0.631])
    >>> ndcg.lower.round(3), ndcg.upper.round(3)
    (array([0.71 , 0.631]), array([1.   , 0.631]))
    """
    asked, tool = _measures(measures), _tool(rules, ties, like)
    tables, found = _Tables.of(qrels, [run], asked, tool, top), ScoresByMeasure()
    names = tables.names()
    orders = {order: tables.ranked(order) for order in {tool.order(one) for one in asked}}
    numbers = {order: tables.numbered(order) for order in orders} if draws else {}
    for measure in asked:
        order = tool.order(measure)
        [rankings] = orders[order]
        scores = evaluate(measure, rankings, tool.rules)
        if draws:
            [documents] = numbers[order]
            likely = expected_scores(
                measure, rankings, tool.rules, documents, tables.pooled(), scores, draws
            )
            scores = replace(scores, expected=likely)
        found[str(measure)] = replace(scores, queries=names)
    return found


def compare_runs(
    qrels: Qrels,
    first: Ranked,
    second: Ranked,
    measure: str | Measure,
    *,
    top: int | None = None,
    rules: Rules | None = None,
    ties: str | None = None,
    like: str | None = None,
    seed: int = 0,
) -> Comparison:
    """Compare two runs on one measure over the queries of the qrels; see :func:`score`.

    >>> qrels = {"1": {"a": 3, "b": 0}, "2": {"c": 3, "d": 0}}
    >>> good, bad = {"1": ["a"], "2": ["c"]}, {"1": ["b", "a"], "2": ["d", "c"]}
    >>> result = compare_runs(qrels, good, bad, "nDCG@10")
    >>> print(result.verdict, round(result.value, 3))
    proved 0.369
    """
    asked, tool = _measures(measure), _tool(rules, ties, like)
    if len(asked) != 1:
        raise RubricError("measure", [f"expected one, not {len(asked)}"])
    tables = _Tables.of(qrels, [first, second], asked, tool, top)
    order = tool.order(asked[0])
    (one, two), documents = tables.ranked(order), tables.numbered(order)
    pair = Pair(one, two, same_places(documents[0], documents[1]))
    found = compare(asked[0], pair, tool.rules, seed=seed)
    return replace(found, queries=tables.names())


def _measures(given: str | Measure | Iterable[str | Measure]) -> list[Measure]:
    if isinstance(given, Measure):
        return [given]
    if isinstance(given, str):
        found = Measure.parse_all(given)
    else:
        found = [one if isinstance(one, Measure) else Measure.parse(one) for one in given]
    if not found:
        raise RubricError("measures", ["none is named"])
    return found


def _tool(rules: Rules | None, ties: str | None, like: str | None) -> Tool:
    """The rules and orders that are asked for."""
    if like is None:
        chosen = "score" if ties is None else ties
        if chosen not in TIES:
            raise RubricError(f"ties {chosen!r}", [f"expected {', '.join(TIES)}"])
        return Tool(rules or Rules(), chosen)
    if rules is not None or ties is not None:
        raise RubricError(f"like {like!r}", ["it sets every rule: leave rules and ties out"])
    if like not in TOOLS:
        raise RubricError(f"like {like!r}", [f"expected {', '.join(TOOLS)}"])
    return TOOLS[like]


@dataclass(frozen=True, eq=False)
class _Tables:
    """Judgments and runs: ``runs`` hold documents and scores of each query of the qrels."""

    qrels: dict[Any, dict[Any, int]]
    runs: list[list[tuple[list[Any], FloatArray | None]]]
    top: int
    numbers: dict[Any, int] = field(default_factory=dict)

    @classmethod
    def of(
        cls, qrels: Qrels, runs: Sequence[Ranked], measures: Sequence[Measure], tool: Tool,
        top: int | None,
    ) -> _Tables:  # fmt: skip
        judged = qrels_of(qrels)
        highest = max((max(of.values(), default=0) for of in judged.values()), default=0)
        if top is None:
            top = max(1, highest)
        elif highest > top:
            raise RubricError("qrels", [f"grade {highest} is above {top}, the highest (top)"])
        asked = [("threshold", tool.rules.threshold)]
        for what, grade in [*asked, *((str(one), one.rel or 1) for one in measures)]:
            if grade > top:
                fault = f"no grade {grade} here, only 0 to {top}; top= says how high they go"
                raise RubricError(what, [fault])
        read = []
        for run in runs:
            by_query: Mapping[Any, Any] = rankings_of(run)
            check_common(judged, by_query)
            read.append([documents_of(qid, by_query.get(qid, ())) for qid in judged])
        return cls(judged, read, top)

    def names(self) -> npt.NDArray[np.object_]:
        """The ids of the queries."""
        found = np.empty(len(self.qrels), dtype=object)
        found[:] = list(self.qrels)
        return found

    def pooled(self) -> list[list[tuple[int, int]]]:
        """The number and grade of every document of the qrels, query by query."""
        return [[(self._number(one), grade) for one, grade in of.items()]
                for of in self.qrels.values()]  # fmt: skip

    def ranked(self, ties: str) -> list[JudgedRankings]:
        """The runs' judged rankings over the queries."""
        judged = np.zeros((len(self.qrels), self.top + 1), dtype=np.int64)
        unjudged = np.zeros(len(self.qrels), dtype=np.int64)
        for row, grades in enumerate(self.qrels.values()):
            every = np.fromiter(grades.values(), dtype=np.int64, count=len(grades))
            judged[row] = np.bincount(every[every >= 0], minlength=self.top + 1)
            unjudged[row] = np.count_nonzero(every < 0)
        tables = [self._table(run, ties) for run in self.runs]
        unjudged += self._strangers([grades for grades, _ in tables])
        return [JudgedRankings(grades, judged, unjudged, tied) for grades, tied in tables]

    def _strangers(self, tables: Sequence[GradeArray]) -> IntArray:
        """How many documents of each query that some run returned are not in the qrels."""
        if len(tables) == 1:
            return np.asarray(np.sum(tables[0] == UNPOOLED, axis=1))
        counts = np.zeros(len(self.qrels), dtype=np.int64)
        for row, (grades, *ranked) in enumerate(zip(self.qrels.values(), *self.runs, strict=True)):
            seen = set[Any]().union(*(documents for documents, _ in ranked))
            counts[row] = len(seen - grades.keys())
        return counts

    def _table(
        self, run: Sequence[tuple[list[Any], FloatArray | None]], ties: str
    ) -> tuple[GradeArray, IntArray | None]:
        depth = max((len(documents) for documents, _ in run), default=0)
        table = np.full((len(run), depth), EMPTY, dtype=np.int8)
        average = ties == "average"
        scores = np.full((len(run), depth) if average else (0, 0), np.nan)
        for row, ((documents, given), known) in enumerate(
            zip(run, self.qrels.values(), strict=True)
        ):
            count, order = len(documents), _order(documents, given, ties)
            grades = np.fromiter(map(known.get, documents, repeat(UNPOOLED)), np.int8, count)
            table[row, :count] = grades[order]
            if average:
                scores[row, :count] = np.arange(count) if given is None else given[order]
        return table, first_of_ties(scores) if average else None

    def numbered(self, ties: str) -> list[IntArray]:
        """The numbers of the documents of each run, by query and rank, 0 where there is none."""
        depths = [max((len(documents) for documents, _ in run), default=0) for run in self.runs]
        tables = [np.zeros((len(self.qrels), depth), dtype=np.int64) for depth in depths]
        for run, table in zip(self.runs, tables, strict=True):
            for row, (documents, given) in enumerate(run):
                numbers = np.array(list(map(self._number, documents)), dtype=np.int64)
                table[row, : len(documents)] = numbers[_order(documents, given, ties)]
        return tables

    def _number(self, document: Any) -> int:
        return self.numbers.setdefault(document, len(self.numbers) + 1)


def _order(documents: list[Any], scores: FloatArray | None, ties: str) -> IntArray | slice:
    """The order asked for of one query's documents."""
    if scores is None or ties == "displayed":
        return slice(None)
    if ties == "trec":
        with np.errstate(over="ignore"):
            scores = scores.astype(np.float32)
    order = np.argsort(-scores, kind="stable")
    if ties not in ("trec", "id") or (scores[order[1:]] != scores[order[:-1]]).all():
        return order
    by_id = sorted(range(len(documents)), key=lambda at: str(documents[at]), reverse=ties == "trec")
    return np.array(by_id)[np.argsort(-scores[by_id], kind="stable")]
