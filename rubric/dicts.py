"""The library on plain dicts: ``{query: {document: grade}}`` and ``{query: {document: score}}``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from rubric.arrays import IntArray
from rubric.comparison import Comparison, compare
from rubric.differences import Pair, same_places
from rubric.evaluation import Rules, Scores, evaluate
from rubric.measures import Measure
from rubric.rankings import EMPTY, UNJUDGED, UNPOOLED, JudgedRankings

Qrels = Mapping[str, Mapping[str, int]]
Ranked = Mapping[str, Mapping[str, float] | Sequence[str]]


def score(
    qrels: Qrels, run: Ranked, measures: Sequence[str], *, top: int = 3, rules: Rules | None = None
) -> dict[str, Scores]:
    """Score one run against judgments.

    Parameters
    ----------
    qrels
        Grades 0..``top`` by query and document; below 0 is "pooled, not judged". A document that
        is not there is outside the pool.
    run
        For each query scores by document (highest first, ties in the order given) or the
        documents in rank order. A query it lacks is one without results.
    measures
        Spellings such as ``nDCG@10`` or ``AP(rel=2)``.

    Returns
    -------
    For each spelling the :class:`Scores` of the queries of the qrels, in their order.

    Raises
    ------
    RubricError
        For a measure that is not known.
    ValueError
        For a grade above ``top``, or a score that is not a number.

    >>> qrels = {"1": {"a": 1, "b": -1}, "2": {"c": 3, "d": 0}}
    >>> run = {"1": {"a": 2.0, "b": 1.0}, "2": ["d", "c"]}
    >>> ndcg = score(qrels, run, ["nDCG@2"])["nDCG@2"]
    >>> ndcg.value.round(3)  # the first is not settled: b is not judged
    array([  nan, 0.631])
    >>> ndcg.lower.round(3), ndcg.upper.round(3)
    (array([0.71 , 0.631]), array([1.   , 0.631]))
    """
    parsed = {text: Measure.parse(text) for text in measures}
    rankings, _ = _arrays(qrels, [run], top)
    return {text: evaluate(measure, rankings[0], rules) for text, measure in parsed.items()}


def compare_runs(
    qrels: Qrels,
    first: Ranked,
    second: Ranked,
    measure: str,
    *,
    top: int = 3,
    rules: Rules | None = None,
    seed: int = 0,
) -> Comparison:
    """Compare two runs on one measure over the queries of the qrels; see :func:`score`.

    >>> qrels = {"1": {"a": 3, "b": 0}, "2": {"c": 3, "d": 0}}
    >>> good, bad = {"1": ["a"], "2": ["c"]}, {"1": ["b", "a"], "2": ["d", "c"]}
    >>> result = compare_runs(qrels, good, bad, "nDCG@10")
    >>> print(result.verdict, round(result.value, 3))
    proved 0.369
    """
    (one, two), documents = _arrays(qrels, [first, second], top)
    pair = Pair(one, two, same_places(documents[0], documents[1]))
    return compare(Measure.parse(measure), pair, rules, seed=seed)


def _arrays(
    qrels: Qrels, runs: Sequence[Ranked], top: int
) -> tuple[list[JudgedRankings], list[IntArray]]:
    """The runs' judged rankings over the queries of the qrels, and their document numbers."""
    ordered = [[_order(qid, run.get(qid, ())) for qid in qrels] for run in runs]
    judged = np.zeros((len(qrels), top + 1), dtype=np.int64)
    unjudged = np.zeros(len(qrels), dtype=np.int64)
    for row, (qid, grades) in enumerate(qrels.items()):
        for document, grade in grades.items():
            if grade > top:
                raise ValueError(f"grade {grade} of {qid} {document} is above {top}")
            if grade >= 0:
                judged[row, grade] += 1
        seen = {document for run in ordered for document in run[row]}
        open_ = {document for document, grade in grades.items() if grade < 0}
        unjudged[row] = len(open_ | (seen - grades.keys()))
    numbers: dict[str, int] = {}
    tables = [_table(qrels, run, numbers) for run in ordered]
    rankings = [JudgedRankings(grades, judged, unjudged) for grades, _ in tables]
    return rankings, [documents for _, documents in tables]


def _order(qid: str, ranked: Mapping[str, float] | Sequence[str]) -> list[str]:
    if not isinstance(ranked, Mapping):
        return list(dict.fromkeys(ranked))
    if not all(np.isfinite(value) for value in ranked.values()):
        raise ValueError(f"a score of query {qid} is not a finite number")
    return sorted(ranked, key=lambda document: -ranked[document])


def _table(
    qrels: Qrels, run: Sequence[Sequence[str]], numbers: dict[str, int]
) -> tuple[np.ndarray[tuple[int, int], np.dtype[np.int8]], IntArray]:
    depth = max((len(ranked) for ranked in run), default=0)
    grades = np.full((len(run), depth), EMPTY, dtype=np.int8)
    documents = np.zeros((len(run), depth), dtype=np.int64)
    for row, (ranked, known) in enumerate(zip(run, qrels.values(), strict=True)):
        for rank, document in enumerate(ranked):
            grade = known.get(document)
            grades[row, rank] = UNPOOLED if grade is None else UNJUDGED if grade < 0 else grade
            documents[row, rank] = numbers.setdefault(document, len(numbers) + 1)
    return grades, documents
