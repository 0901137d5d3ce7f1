"""An explanation adds up to the score, whatever the measure; what a place could add is tried."""

from __future__ import annotations

import numpy as np
import pytest

from rubric import (
    EMPTY,
    KINDS,
    UNJUDGED,
    UNPOOLED,
    JudgedRankings,
    Measure,
    Rules,
    best_ranking,
    evaluate,
    explain,
)
from rubric.gains import Gain

TOP = 3
SPELLINGS = [
    *("nDCG@3", "nDCG@10", "nDCG", "nDCG@4(gain=linear)", "nDCG@4(gain=0:0:1:10)", "DCG@5", "DCG"),
    *("P@1", "P@5", "P@20", "P@5(rel=2)", "R@3", "R", "F@4", "F", "F@4(beta=2)", "Hit@3", "Hit"),
    *("RR@2", "RR", "RR(rel=3)", "AP@4", "AP", "AP(rel=2)", "Rprec", "RBP", "RBP@3(p=0.5)"),
    *("RBP(rel=2)", "RBP(gain=exponential)", "ERR@5", "ERR", "bpref", "bpref(rel=2)", "infAP"),
    *("Judged@5",),
]


def worlds(count: int, seed: int = 0) -> list[JudgedRankings]:
    """Single rankings with judged, unjudged and unpooled places, beside judged ones elsewhere."""
    rng = np.random.default_rng(seed)
    made = []
    for _ in range(count):
        depth = int(rng.integers(0, 9))
        choices = [0, 1, 2, 3, UNJUDGED, UNPOOLED]
        grades = np.full((1, depth + int(rng.integers(0, 3))), EMPTY, dtype=np.int8)
        grades[0, :depth] = rng.choice(choices, depth, p=[0.3, 0.15, 0.15, 0.1, 0.15, 0.15])
        counts = np.array([(grades == grade).sum() for grade in range(TOP + 1)])
        beside = rng.integers(0, 3, TOP + 1) * rng.integers(0, 2)
        holes = int(((grades == UNJUDGED) | (grades == UNPOOLED)).sum()) + int(rng.integers(0, 3))
        made.append(JudgedRankings(grades, (counts + beside)[None], np.array([holes])))
    return made


def test_every_measure_has_an_explanation() -> None:
    assert {Measure.parse(one).name for one in SPELLINGS} == set(KINDS)


@pytest.mark.parametrize("spelling", SPELLINGS)
@pytest.mark.parametrize("rules", [Rules(), Rules(Gain("linear"), 2)])
def test_the_shares_add_up_to_the_score(spelling: str, rules: Rules) -> None:
    measure = Measure.parse(spelling)
    for world in worlds(150):
        told = explain(measure, world, rules)
        [score] = evaluate(measure, world, rules).zero_filled
        if np.isnan(score):
            assert told.score is None
            assert not told.share.any()
        else:
            assert told.score == pytest.approx(score, abs=1e-12)


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_what_an_unjudged_place_could_add_is_what_its_grades_would(spelling: str) -> None:
    measure = Measure.parse(spelling)
    for world in worlds(40, seed=1):
        told = explain(measure, world)
        now = np.nan_to_num(evaluate(measure, world).zero_filled)[0]
        for place, grade in enumerate(world.grades[0, : len(told.gain)].tolist()):
            if grade not in (UNJUDGED, UNPOOLED):
                assert (told.least[place], told.most[place]) == (0, 0)
                continue
            changes = []
            for given in range(TOP + 1):
                grades, judged = world.grades.copy(), world.judged.copy()
                grades[0, place], judged[0, given] = given, judged[0, given] + 1
                then = evaluate(measure, JudgedRankings(grades, judged, world.unjudged - 1))
                changes.append(np.nan_to_num(then.zero_filled)[0] - now)
            assert told.least[place] == pytest.approx(min(changes), abs=1e-12)
            assert told.most[place] == pytest.approx(max(changes), abs=1e-12)


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_no_order_of_the_judged_documents_beats_the_ideal(spelling: str) -> None:
    measure = Measure.parse(spelling)
    rng = np.random.default_rng(2)
    for world in worlds(40, seed=2):
        best = best_ranking(world)
        assert [int((best.grades == grade).sum()) for grade in range(TOP + 1)] == list(
            world.judged[0]
        )
        most = explain(measure, best).score
        if most is None:
            continue
        for _ in range(5):
            other = JudgedRankings(rng.permuted(best.grades, axis=1), world.judged, world.unjudged)
            assert (explain(measure, other).score or 0.0) <= most + 1e-12


def test_a_ranking_whose_ties_are_averaged_has_none() -> None:
    tied = JudgedRankings(
        np.array([[1]], dtype=np.int8), np.array([[0, 1]]), np.array([0]), np.array([[0]])
    )
    with pytest.raises(ValueError, match="averaged"):
        explain(Measure.parse("P@1"), tied)
