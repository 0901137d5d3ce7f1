"""How many labels a goal is likely to take."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import pytest

from rubric.choose.forecast import Forecast, forecast
from rubric.choose.orders import Best, Decide, Depth, Strategy
from rubric.choose.survey import Survey
from rubric.model.stopping import Verdict
from tests.rubric.worlds import world


@dataclass(frozen=True)
class AfterSome(Depth):
    """Depth order that has enough after so many labels."""

    enough: int = 0

    def is_known(self, verdicts: Iterable[Verdict], survey: Survey) -> bool:
        return survey.labels >= self.enough


def test_nothing_more_is_needed_where_the_goal_is_reached() -> None:
    made = world()
    found = forecast(made.pooled, made.some_labels(0.5), made.target, AfterSome())
    assert set(found.labels) == {0}
    assert found.median == 0


def test_the_labels_there_are_count() -> None:
    made = world(queries=8)
    grades = made.some_labels(0.5)
    labels = int((grades >= 0).sum())
    found = forecast(made.pooled, grades, made.target, AfterSome(enough=labels + 5), worlds=3)
    assert found.labels == (6, 6, 6)  # surveys come every other label


def test_what_is_never_reached_takes_all_that_is_left() -> None:
    made = world(queries=8)
    grades = made.some_labels(0.5)
    left = int(made.pooled.known.sum() - (grades >= 0).sum())
    found = forecast(made.pooled, grades, made.target, Depth(), worlds=2)
    assert found.labels == (left, left)


@pytest.mark.parametrize("strategy", [Decide(0, 1), Best()])
def test_a_forecast_is_reproducible_and_within_what_is_left(strategy: Strategy) -> None:
    made = world(systems=3, queries=20, documents=9, seed=2)
    grades = made.some_labels(0.3)
    left = int(made.pooled.known.sum() - (grades >= 0).sum())
    found = forecast(made.pooled, grades, made.target, strategy, worlds=4)
    assert found == forecast(made.pooled, grades, made.target, strategy, worlds=4)
    assert len(found.labels) == 4
    assert 0 <= found.range[0] <= found.range[1] <= left


def test_the_worlds_keep_to_the_labels_there_are() -> None:
    made = world(queries=6)
    found = forecast(
        made.pooled, np.where(made.pooled.known, made.truth, -1), made.target, Decide(0, 1)
    )
    assert set(found.labels) == {0}


def test_labels_picked_by_eye_reach_a_goal_by_a_proof_alone() -> None:
    made = world(queries=40, documents=9, seed=2)
    grades = made.some_labels(0.8)
    blind = forecast(made.pooled, grades, made.target, Decide(0, 1), worlds=2)
    assert blind.median == 0
    by_eye = (grades >= 0) & (np.arange(9) % 2 == 0)
    picked = forecast(made.pooled, grades, made.target, Decide(0, 1), by_eye=by_eye, worlds=2)
    assert 0 < picked.range[0] < made.pooled.known.sum() - (grades >= 0).sum()


def test_when_time_is_up_it_says_what_is_not_known() -> None:
    made = world(queries=8)
    asked = iter([False] * 3 + [True] * 100)
    found = forecast(
        made.pooled, made.nothing, made.target, Depth(), time_is_up=lambda: next(asked)
    )
    assert found.unfinished == 1
    assert len(found.labels) == 1
    assert found.median is None


def test_time_that_is_up_between_two_surveys_ends_a_forecast_before_the_next_label() -> None:
    made, asked = world(queries=8), list[int]()

    def up_at_the_fifth() -> bool:
        asked.append(1)
        return len(asked) >= 5

    found = forecast(made.pooled, made.nothing, made.target, Depth(), time_is_up=up_at_the_fifth)
    assert (found.unfinished, len(found.labels)) == (1, 1)
    assert found.labels[0] < 5
    assert len(asked) <= 7


def test_the_median_of_finished_and_unfinished_worlds_is_known_if_it_is_a_finished_one() -> None:
    assert Forecast((3, 5, 9, 4), unfinished=1).median == 9
    assert Forecast((3, 4), unfinished=1).median is None
    assert Forecast((3, 5, 9, 4), unfinished=1).range == (3, 9)


def test_a_world_left_early_makes_the_fewest_labels_no_fewer() -> None:
    assert Forecast((5, 9, 0), unfinished=1).range == (5, 9)
    assert Forecast((4,), unfinished=1).range == (4, 4)
