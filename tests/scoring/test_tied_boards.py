"""Boards that average over tied scores, against every order of the ties and every grading."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotator.domain import Int32Array
from annotator.scoring.board import Board
from rubric import Measure, Rules, first_of_ties
from tests.rubric.enumeration import plain_ndcg, plain_score
from tests.scoring.boards import QUERIES, Pair, all_rankings, data_of

GAINS = [0.0, 1.0, 3.0, 7.0]
MEASURES = st.sampled_from([
    Measure.parse(text)
    for text in ("nDCG@1", "nDCG@2", "R@1", "R@2", "P@2", "DCG@2", "RBP@2", "nDCG@4", "R@3")
])  # fmt: skip
P2 = Measure.parse("P@2")
Ranking = tuple[int, ...]


@dataclass(frozen=True)
class TiedQuery:
    """One query: each system's documents in all orders that the ties allow, and what is open."""

    orders: list[list[Ranking]]
    labels: dict[int, int]
    open_: list[int]

    def gradings(self) -> Iterator[dict[int, int]]:
        for grades in itertools.product(range(4), repeat=len(self.open_)):
            yield self.labels | dict(zip(self.open_, grades, strict=True))

    def score(self, measure: Measure, system: int, grades: Mapping[int, int]) -> float | None:
        given = dict(grades)
        values = []
        for order in self.orders[system]:
            known = dict.fromkeys(order, 0) | given  # what is not open counts as grade 0
            values.append(
                plain_ndcg(order, known, measure.k, GAINS)
                if measure.name == "nDCG"
                else plain_score(measure.name, order, known, measure.k, 1)
            )
        if any(value is None for value in values):
            return None
        return math.fsum(value or 0.0 for value in values) / len(values)


def query_of(
    rankings: list[list[int]], scores: list[list[int]], pooled: set[int], labels: dict[int, int],
    k: int,
) -> TiedQuery:  # fmt: skip
    orders, may = [], set(pooled)
    for ranking, values in zip(rankings, scores, strict=True):
        groups = [
            [document for document, value in zip(ranking, values, strict=False) if value == one]
            for one in sorted(set(values[: len(ranking)]), reverse=True)
        ]
        permuted = itertools.product(*(itertools.permutations(group) for group in groups))
        every = [tuple(itertools.chain(*order)) for order in permuted]
        orders.append(every)
        may |= {document for order in every for document in order[:k]}
    return TiedQuery(orders, labels, sorted(may - set(labels)))


def begins(
    rankings: Int32Array, scores: list[list[list[int]]]
) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
    table = np.where(rankings > 0, np.array(scores, dtype=np.float64), np.nan)
    return first_of_ties(table.reshape(-1, table.shape[2])).reshape(table.shape)


SCORES = st.lists(
    st.lists(
        st.lists(st.integers(0, 2), min_size=5, max_size=5).map(
            lambda row: sorted(row, reverse=True)
        ),
        min_size=3, max_size=3,
    ),
    min_size=2, max_size=2,
)  # fmt: skip
LABELS = st.dictionaries(
    st.tuples(st.sampled_from([3, 5, 8]), st.integers(1, 9)), st.integers(0, 3), max_size=20
)


@settings(max_examples=40, deadline=None, derandomize=True)
@given(
    rankings=all_rankings(),
    scores=SCORES,
    labels=LABELS,
    pooled=st.sets(st.tuples(st.sampled_from([3, 5, 8]), st.integers(1, 9)), max_size=2),
    measure=MEASURES,
)
def test_bounds_values_and_counts_of_averaged_ties_are_those_of_all_orders_and_gradings(
    rankings: Int32Array,
    scores: list[list[list[int]]],
    labels: dict[Pair, int],
    pooled: set[Pair],
    measure: Measure,
) -> None:
    # Few documents are left open, so that all gradings can be tried.
    for row, qid in enumerate(QUERIES.tolist()):
        for document in sorted({*rankings[:, row].ravel().tolist()} - {0})[2:]:
            labels = {(qid, document): document % 4} | labels
    data = replace(data_of(rankings, pooled, labels), tied=begins(rankings, scores))
    board = Board(data, [measure], Rules())
    result = board.compare(0, 1, measure, tests=False)
    for row, qid in enumerate(QUERIES.tolist()):
        ranked = [[one for one in system[row].tolist() if one] for system in rankings]
        mine = {document: grade for (query, document), grade in labels.items() if query == qid}
        query = query_of(
            ranked,
            [system[row] for system in scores],
            {document for query, document in pooled if query == qid},
            mine,
            measure.k or 0,
        )
        table = [
            [query.score(measure, system, grades) for system in range(2)]
            for grades in query.gradings()
        ]
        for system in range(2):
            found = board.scores(system, measure)
            values = [line[system] for line in table if line[system] is not None]
            least, most = (min(values), max(values)) if values else (math.nan, math.nan)  # type: ignore[type-var]
            assert found.lower[row] == pytest.approx(least, abs=1e-12, nan_ok=True)
            assert found.upper[row] == pytest.approx(most, abs=1e-12, nan_ok=True)
            weighed = {
                document for order in query.orders[system] for document in order[: measure.k]
            }
            assert found.places[row] == len(weighed)
            assert found.judged[row] == len(weighed & mine.keys())
        pairs = [one - two for one, two in table if one is not None and two is not None]
        least, most = (min(pairs), max(pairs)) if pairs else (math.nan, math.nan)
        assert result.query_lower[row] == pytest.approx(least, abs=1e-12, nan_ok=True)
        assert result.query_upper[row] == pytest.approx(most, abs=1e-12, nan_ok=True)
        both = {
            document
            for orders in query.orders
            for order in orders
            for document in order[: measure.k]
        }
        assert result.query_unjudged[row] == len(both - mine.keys())


def test_what_is_drawn_of_a_tie_that_reaches_beyond_the_cutoff_moves_the_score() -> None:
    """Every document of the tie is drawn: without them the score would be too low."""
    rankings = np.zeros((2, 3, 30), dtype=np.int32)
    rankings[:, :] = np.arange(1, 31)
    tied = np.zeros(rankings.shape, dtype=np.int64)
    labels = {(3, document): 3 * (document % 2) for document in range(1, 13)}
    board = Board(replace(data_of(rankings, set(), labels), tied=tied), [P2], Rules())
    board.estimate(draws=200)
    scores = board.scores(0, P2)
    assert scores.expected is not None
    assert (scores.places[0], scores.judged[0]) == (30, 12)
    assert scores.lower[0] == pytest.approx(6 / 30)
    assert scores.upper[0] == pytest.approx(24 / 30)
    assert scores.expected[0] > 6 / 30 + 0.1
