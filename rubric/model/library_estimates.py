"""What one run is expected to score once everything is judged, by the grade model."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rubric.arrays import FloatArray, IntArray
from rubric.evaluation.measure import Measure
from rubric.evaluation.scores import Rules, Scores
from rubric.model.drawn_scores import DrawnGrades, drawn_scores
from rubric.model.evidence import evidence
from rubric.model.expectation import expected
from rubric.model.grade_model import GradeModel
from rubric.model.pooled_ranks import DEEPEST, PooledRanks
from rubric.rankings import JudgedRankings

CUTOFF = 10
"""The depth down to which a document can be one system's alone, as in a pool of ten."""


def expected_scores(
    measure: Measure,
    rankings: JudgedRankings,
    rules: Rules,
    documents: IntArray,
    pooled: Sequence[Sequence[tuple[int, int]]],
    scores: Scores,
    draws: int,
) -> FloatArray | None:
    """The mean score of each query over gradings drawn for what is unjudged: shape (N,).

    Parameters
    ----------
    documents
        int64, shape (N, depth): the documents of the rankings by their numbers from 1, 0 for none.
    pooled
        The number and grade of each document of the qrels, query by query.

    Returns
    -------
    None where the labels can carry no claim (:mod:`rubric.model.evidence`): documents look as if
    they had been chosen for judging by what they are.
    """
    place = [
        {document: at for at, document in enumerate(row) if document} for row in documents.tolist()
    ]
    known = [dict(of) for of in pooled]
    listed = [
        [one for one in ranks if ranks[one] < DEEPEST] + [one for one, g in of.items() if g < 0
                                                         and ranks.get(one, DEEPEST) >= DEEPEST]
        for ranks, of in zip(place, known, strict=True)
    ]  # fmt: skip
    shape = len(listed), max(map(len, listed), default=0)
    ranks, held = np.zeros((1, *shape), dtype=np.int64), np.zeros(shape, dtype=np.bool_)
    labels = np.full(shape, -1, dtype=np.int8)
    for row, of in enumerate(listed):
        held[row, : len(of)] = True
        ranks[0, row, : len(of)] = [place[row].get(one, -1) + 1 for one in of]
        labels[row, : len(of)] = [max(known[row].get(one, -1), -1) for one in of]
    table = PooledRanks(ranks, held, CUTOFF)
    usable = evidence(table, labels, foreign=labels >= 0)
    if usable.withheld is not None:
        return None
    model = GradeModel(table, rankings.top)
    model.fit(np.where(usable.learned, labels, -1).astype(np.int8))
    reach = DEEPEST if measure.k is None or rankings.tied is not None else measure.k
    outside = [[one not in known[row] for one in of] for row, of in enumerate(listed)]
    far = np.zeros(shape, dtype=np.bool_)
    for row, of in enumerate(outside):
        far[row, : len(of)] = of
    far &= ranks[0] > reach  # outside the pool and the top k: not counted, here as in the bounds
    rows, columns = np.nonzero(held & (labels < 0) & ~far)
    grades = model.draw(draws, np.random.default_rng(0), rows, columns)
    drawn = DrawnGrades(rows, ranks[:, rows, columns] - 1, grades)
    found = drawn_scores(measure, rankings, drawn, rules)[:, 0]
    return expected(found, scores.lower, scores.upper)
