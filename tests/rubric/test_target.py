"""What an order of judging decides on is the measure that the scorer knows by this name."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from rubric import Measure, RubricError, Rules, score
from rubric.choose.orders import Best, Decide, Rank, reached
from rubric.choose.survey import Survey, free_pairs, survey
from rubric.choose.target import Target
from rubric.model.stopping import LEAST_LABELS, Verdict
from tests.rubric.worlds import TOP, World, world

MEASURES = [
    *("nDCG@1", "nDCG@3", "nDCG@10", "nDCG@3(gain=linear)", "P@1", "P@5", "P@3(rel=2)"),
    *("RR", "RR@2", "RR@10(rel=3)", "Hit@3", "RBP(p=0.8)", "RBP@3"),
]
every_measure = pytest.mark.parametrize("name", MEASURES)


def surveyed(made: World, name: str, grades: np.ndarray, draws: int = 40) -> Survey:
    return survey(made.model(), grades, Target.of(Measure.parse(name), Rules(), TOP), draws=draws)


def ranked_without_gaps(systems: int, queries: int, documents: int, seed: int) -> World:
    made = world(systems=systems, queries=queries, documents=documents, seed=seed)
    ranks = np.where(made.pooled.ranks > 0, made.pooled.ranks, documents + 1)
    ranks = np.where(made.pooled.ranks > 0, ranks.argsort(axis=2).argsort(axis=2) + 1, 0)
    return replace(made, pooled=replace(made.pooled, ranks=ranks))


def scored(made: World, name: str) -> list[float]:
    """The mean of every system by the scorer, queries without a relevant document counted as 0."""
    qrels = {
        f"q{row}": {f"d{at}": int(made.truth[row, at]) for at in np.flatnonzero(known)}
        for row, known in enumerate(made.pooled.known)
    }
    means = []
    for ranks in made.pooled.ranks:
        run = {
            f"q{row}": {f"d{at}": -float(one[at]) for at in np.flatnonzero(one)}
            for row, one in enumerate(ranks)
        }
        each = score(qrels, run, name, top=TOP)[name].zero_filled
        means.append(float(np.nan_to_num(each).sum()) / len(qrels))
    return means


@every_measure
@pytest.mark.parametrize("seed", range(3))
def test_with_all_labels_every_draw_is_what_the_scorer_says(name: str, seed: int) -> None:
    made = ranked_without_gaps(3, 5, 9, seed)
    whole = np.where(made.pooled.known, made.truth, -1).astype(np.int8)
    found = surveyed(made, name, whole, draws=2)
    assert found.means == pytest.approx(np.tile(scored(made, name), (2, 1)))


@every_measure
@pytest.mark.parametrize("seed", [1, 5])
def test_bounds_of_two_systems_are_those_of_every_grading(name: str, seed: int) -> None:
    made = ranked_without_gaps(2, 2, 4, seed)
    grades = made.some_labels(0.5)
    free = np.argwhere(free_pairs(made.pooled, grades))
    assert 1 <= len(free) <= 5
    seen = []
    for values in product(range(TOP + 1), repeat=len(free)):
        whole = made.truth.copy()
        whole[tuple(free.T)] = values
        one, other = scored(replace(made, truth=whole), name)
        seen.append(one - other)
    found = surveyed(made, name, grades)
    assert found.bounds(0, 1) == pytest.approx((min(seen), max(seen)))
    assert min(seen) - 1e-9 <= found.difference(0, 1).mean <= max(seen) + 1e-9


@every_measure
def test_a_measure_that_is_proved_ends_every_goal_on_a_few_labels(name: str) -> None:
    """The first system's documents are all relevant, the second one's are not."""
    made = world(systems=2, queries=2, documents=6)
    ranks = np.zeros((2, 2, 6), dtype=np.int64)
    ranks[0, :, :3] = ranks[1, :, 3:] = np.arange(1, 4)
    pooled = replace(made.pooled, ranks=ranks, known=np.ones((2, 6), dtype=np.bool_))
    made = World(pooled, np.repeat([[TOP] * 3 + [0] * 3], 2, axis=0).astype(np.int8))
    goals = Decide(0, 1), Decide(1, 0), Best(), Rank()
    assert not any(reached(one, surveyed(made, name, made.nothing)) for one in goals)
    found = surveyed(made, name, made.truth)
    assert found.labels < LEAST_LABELS
    assert all(reached(one, found) for one in goals)


@every_measure
def test_only_what_counts_for_the_measure_is_asked_about_first(name: str) -> None:
    made = world(systems=2, queries=6, documents=12, seed=2)
    found = surveyed(made, name, made.some_labels(0.1))
    goal = Decide(0, 1)
    worth = goal.rule(found)(found.grades, np.arange(6))
    counts, free = found.counts_for(0, 1), free_pairs(made.pooled, found.grades)
    if (free & counts).any() and (free & ~counts).any():
        assert worth[free & counts].max() > worth[free & ~counts].max()
    assert goal.is_known([Verdict.OPEN], found) is False


@pytest.mark.parametrize("name", ["AP", "R@10", "nDCG@100", "DCG@10", "ERR@10", "Rprec", "F@5"])
def test_what_no_order_decides_on_is_refused_with_what_one_can(name: str) -> None:
    with pytest.raises(RubricError) as caught:
        Target.of(Measure.parse(name), Rules(), TOP)
    said = str(caught.value)
    assert name in said
    for possible in ("nDCG@10", "P@10", "RR@10", "Hit@10", "RBP@10"):
        assert possible in said
        Target.of(Measure.parse(possible), Rules(), TOP)
    assert "DCG@10," not in said.replace("nDCG@10,", "")
