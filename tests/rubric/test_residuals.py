"""Grades that come out as foreseen leave residuals as chance does; a misleading judge does not."""

from __future__ import annotations

import numpy as np
import pytest

from rubric.arrays import GradeArray, IntArray
from rubric.model.expectation import Estimate
from rubric.model.residuals import MISLED, UNSEEN, is_misled, residuals
from rubric.model.stopping import Verdict, verdict
from tests.rubric.test_model_labels import ENOUGH, answers, with_labels
from tests.rubric.worlds import TOP, World, world


def in_some_order(of: World, labels: int, seed: int) -> tuple[GradeArray, IntArray]:
    """So many labels of random documents, and when each was given."""
    rng = np.random.default_rng(seed)
    places = rng.permutation(np.flatnonzero(of.pooled.known.ravel()))[:labels]
    given = np.zeros(of.truth.shape, dtype=np.int64)
    given.ravel()[places] = np.arange(1, labels + 1)
    return np.where(given > 0, of.truth, -1).astype(np.int8), given


def test_residuals_are_of_the_labels_in_the_order_they_were_given() -> None:
    of = world(queries=8, documents=12, k=5)
    grades, given = in_some_order(of, 30, 3)
    found = residuals(of.model(), grades, given)
    assert given[found.row, found.column].tolist() == list(range(UNSEEN + 1, 31))
    changed = grades.copy()  # a later label has no part in an earlier residual
    changed[found.row[-1], found.column[-1]] = TOP - changed[found.row[-1], found.column[-1]]
    again = residuals(of.model(), changed, given)
    assert again.off[:-1] == pytest.approx(found.off[:-1], abs=1e-3)
    assert again.off[-1] != pytest.approx(found.off[-1])


@pytest.mark.parametrize("helped", [False, True])
def test_where_the_model_is_right_sums_of_residuals_are_about_standard_normal(
    helped: bool,
) -> None:
    found = []
    for seed in range(16):
        of = world(systems=2, queries=20, documents=14, k=10, seed=seed)
        grades, given = in_some_order(of, 70, seed + 50)
        model = with_labels(of, answers(of, 1.0, seed)) if helped else of.model()
        seen = residuals(model, grades, given)
        lead = of.pooled.discounts[0] - of.pooled.discounts[1]
        found += [seen.z(), seen.z(lead[seen.row, seen.column])]
    assert np.std(found) < 1.4
    assert np.mean(np.abs(found) > MISLED) <= 0.07


def test_a_judge_that_is_made_to_prefer_one_system_is_noticed() -> None:
    noticed = []
    for seed in range(8):
        of = world(systems=2, queries=40, documents=14, k=10, seed=seed)
        lead = of.pooled.discounts[0] - of.pooled.discounts[1]
        honest = answers(of, 0.5, seed)
        bribed = np.clip(honest + np.where(lead > 0.1, 2, 0), 0, TOP).astype(np.int8)
        grades, given = in_some_order(of, 160, seed + 50)
        found = []
        for said in (honest, np.where(honest < 0, honest, bribed)):
            seen = residuals(with_labels(of, said), grades, given)
            found.append(seen.z(lead[seen.row, seen.column]))
        noticed.append(found)
    honest_z, bribed_z = np.mean(noticed, axis=0)
    assert abs(honest_z) < 1
    assert bribed_z < honest_z - 1


@pytest.mark.parametrize("difference", [Estimate(0.1, 0.03), Estimate(0.001, 0.004)])
def test_where_labels_mislead_nothing_is_claimed_but_what_is_proved(difference: Estimate) -> None:
    assert verdict(-1, 1, difference, ENOUGH, difference) is not Verdict.OPEN
    assert verdict(-1, 1, difference, ENOUGH, difference, misled=True) is Verdict.OPEN
    assert verdict(0.1, 1, difference, ENOUGH, difference, misled=True) is Verdict.PROVED
    assert [is_misled(one) for one in (None, (2.4, -2.4), (2.6, 0.0), (0.0, -2.6))] == [
        False, False, True, True,
    ]  # fmt: skip


def test_without_labels_there_is_nothing_to_tell_by() -> None:
    of = world()
    found = residuals(of.model(), of.nothing, np.zeros(of.truth.shape, dtype=np.int64))
    assert (len(found.off), found.z()) == (0, 0.0)
