"""Nothing is claimed from labels that were given to documents because of what they are."""

from __future__ import annotations

import numpy as np
import pytest

from annotator.scoring.board import Board
from annotator.scoring.pairs import BoardData
from rubric import Measure, Rules, Verdict
from rubric.arrays import BoolArray, GradeArray, IntArray
from rubric.model.evidence import (
    FEWEST,
    Evidence,
    Withheld,
    chosen_by_grade,
    evidence,
    richness_of_coverage,
)
from rubric.model.pooled_ranks import PooledRanks
from rubric.model.stopping import LEAST_LABELS

QUERIES, DEPTH, SYSTEMS = 60, 10, 3


def world(seed: int, share: float = 0.45) -> tuple[PooledRanks, GradeArray]:
    """Three systems' tens of documents on queries of different richness, and all grades."""
    rng = np.random.default_rng(seed)
    size = 16
    rich = rng.normal(np.log(share / (1 - share)), 1.0, (QUERIES, 1))
    good = rng.normal(0, 1, (QUERIES, size))
    order = np.argsort(-(good + rng.normal(0, 1, (SYSTEMS, QUERIES, size))), axis=2)
    ranks = np.argsort(order, axis=2) + 1
    ranks[ranks > DEPTH] = 0
    known = np.asarray((ranks > 0).any(axis=0))
    chance = 1 / (1 + np.exp(-(rich + good)))
    relevant = rng.random((QUERIES, size)) < chance
    grades = np.where(relevant, rng.integers(1, 4, relevant.shape), 0)
    return PooledRanks(ranks, known, DEPTH), np.where(known, grades, -1).astype(np.int8)


def best_rank(pooled: PooledRanks) -> IntArray:
    best: IntArray = np.where(pooled.ranks > 0, pooled.ranks, 99).min(axis=0)
    return best


def selected(kind: str, pooled: PooledRanks, grades: GradeArray, seed: int) -> BoolArray:
    rng = np.random.default_rng(seed)
    luck, shape = rng.random(grades.shape), grades.shape
    kinds = {
        "a random tenth": luck < 0.1,
        "a random half": luck < 0.5,
        "first ranks": best_rank(pooled) <= 1,
        "by depth": best_rank(pooled) <= 4,
        "half of the queries": np.broadcast_to(rng.random((shape[0], 1)) < 0.5, shape),
        "one system": pooled.in_top[0],
        "one depth": (pooled.ranks == 3).any(axis=0),
        "all but a new system": pooled.in_top[1:].any(axis=0),
        "relevant": grades > 0,
        "some of the relevant": (grades > 0) & (luck < 0.4),
        "best": grades == 3,
        "one relevant a query": (grades > 0) & (np.cumsum(grades > 0, axis=1) == 1),
        "relevant and a few others": (grades > 0) | (luck < 0.05),
        "liked by a model": luck < np.array([0.2, 0.8, 0.95, 1.0])[np.maximum(grades, 0)],
    }
    return np.asarray(kinds[kind] & pooled.known)


@pytest.mark.parametrize(
    "kind",
    [
        *("a random tenth", "a random half", "first ranks", "by depth", "half of the queries"),
        *("one system", "one depth", "all but a new system"),
    ],
)
def test_labels_chosen_by_ranks_are_believed(kind: str) -> None:
    refused = 0
    for seed in range(12):
        pooled, grades = world(seed)
        judged = selected(kind, pooled, grades, seed)
        refused += chosen_by_grade(pooled, np.where(judged, grades, -1).astype(np.int8))
    assert refused <= 2


@pytest.mark.parametrize(
    "kind",
    [
        *("relevant", "some of the relevant", "best", "one relevant a query"),
        *("relevant and a few others", "liked by a model"),
    ],
)
def test_labels_chosen_by_what_documents_are_are_not_believed(kind: str) -> None:
    believed = 0
    for seed in range(12):
        pooled, grades = world(seed)
        judged = selected(kind, pooled, grades, seed)
        believed += not chosen_by_grade(pooled, np.where(judged, grades, -1).astype(np.int8))
    assert believed <= 2


def test_coverage_by_ranks_tells_nothing_of_richness() -> None:
    found = []
    for seed in range(40):
        pooled, grades = world(seed)
        judged = selected("a random half", pooled, grades, seed)
        found.append(richness_of_coverage(pooled, np.where(judged, grades, -1).astype(np.int8)))
    assert np.mean(found) == pytest.approx(0, abs=0.4)
    assert np.std(found) == pytest.approx(1, abs=0.3)


def weigh(foreign: int, own: int) -> Evidence:
    """So many foreign labels, all of them relevant, and so many that were given in an order."""
    pooled, grades = world(0)
    rng = np.random.default_rng(0)
    relevant = rng.permutation(np.argwhere(grades > 0))[:foreign]
    others = rng.permutation(np.argwhere(grades == 0))[:own]
    given = np.full(grades.shape, -1, dtype=np.int8)
    from_file = np.zeros(grades.shape, dtype=np.bool_)
    for row, column in (*relevant, *others):
        given[row, column] = grades[row, column]
    for row, column in relevant:
        from_file[row, column] = True
    return evidence(pooled, given, foreign=from_file)


def test_enough_labels_of_ones_own_are_learned_from_beside_those_that_are_not_believed() -> None:
    assert weigh(FEWEST - 1, 0).withheld is None
    assert weigh(100, 0).withheld is Withheld.BY_GRADE
    assert weigh(100, LEAST_LABELS - 1).withheld is Withheld.BY_GRADE
    enough = weigh(100, LEAST_LABELS)
    assert enough.withheld is None
    assert int(enough.learned.sum()) == LEAST_LABELS
    assert (enough.zeros, enough.foreign) == (0, 100)


def test_labels_given_in_an_order_are_believed_whatever_they_are() -> None:
    pooled, grades = world(0)
    only_relevant = np.where(grades > 0, grades, -1).astype(np.int8)
    assert evidence(pooled, only_relevant).withheld is None
    assert evidence(pooled, np.full_like(grades, -1)).withheld is Withheld.NO_LABELS


def board(pooled: PooledRanks, grades: GradeArray, judged: BoolArray) -> Board:
    """The three systems on a board whose labels come from a file."""
    documents = np.zeros((SYSTEMS, QUERIES, DEPTH), dtype=np.int32)
    system, query, column = np.nonzero(pooled.ranks)
    documents[system, query, pooled.ranks[system, query, column] - 1] = column + 1
    row, at = np.nonzero(judged)
    data = BoardData(
        queries=np.arange(QUERIES),
        qids=[f"{one:02d}" for one in range(QUERIES)],
        systems=["a", "b", "c"],
        documents=documents,
        pooled_query=row.astype(np.int32),
        pooled_document=(at + 1).astype(np.int32),
        label_query=row.astype(np.int32),
        label_document=(at + 1).astype(np.int32),
        label_grade=grades[row, at].astype(np.int32),
        top=3,
    )
    made = Board(data, [Measure("nDCG", 10), Measure("AP")], Rules())
    made.estimate(100)
    return made


def test_where_nothing_can_be_learned_a_board_has_bounds_and_zero_filled_scores_only() -> None:
    pooled, grades = world(3)
    made = board(pooled, grades, selected("relevant", pooled, grades, 3))
    assert made.basis is not None
    assert made.basis.withheld is Withheld.BY_GRADE
    assert "look chosen by what the documents are" in made.basis.line()
    for system in made.table():
        one = system.measures[0].summary
        assert one.expected is None
        assert one.expected95 is None
        assert one.point == one.zero_filled
        assert one.lower is not None
        assert one.upper is not None
    found = made.compare(0, 1, Measure("nDCG", 10))
    assert found.verdict is Verdict.OPEN
    assert found.better is None
    assert found.expected is None


def test_what_counts_every_relevant_document_is_not_expected() -> None:
    pooled, grades = world(3)
    made = board(pooled, grades, selected("a random half", pooled, grades, 3))
    ndcg, precision = (one.summary for one in made.table()[0].measures)
    assert ndcg.expected is not None
    assert precision.expected is None
    assert made.basis is not None
    assert made.basis.without == ("AP",)
