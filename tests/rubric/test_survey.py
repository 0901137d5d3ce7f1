"""Scores drawn from the grade model: every draw is an exact score, and labels are kept."""

from __future__ import annotations

import numpy as np
import pytest

from rubric.arrays import GradeArray
from rubric.choose.survey import drawn_sums, free_pairs, survey
from tests.rubric.worlds import GAINS, World, world


def summed_by_hand(made: World, grades: GradeArray) -> list[float]:
    """Each system's nDCG@k summed over queries, from the definition."""
    sums = [0.0] * len(made.pooled.ranks)
    for row, known in enumerate(made.pooled.known):
        gains = sorted((GAINS[grade] for grade in grades[row][known]), reverse=True)
        ideal = sum(gain / np.log2(place + 2) for place, gain in enumerate(gains[: made.pooled.k]))
        for system, ranks in enumerate(made.pooled.ranks[:, row]):
            total = sum(
                GAINS[grade] / np.log2(rank + 1)
                for grade, rank in zip(grades[row], ranks, strict=True)
                if 0 < rank <= made.pooled.k
            )
            sums[system] += total / ideal if ideal else 0.0
    return sums


@pytest.mark.parametrize("share", [0.0, 0.4, 0.9])
def test_every_draw_is_scored_exactly(share: float) -> None:
    made = world(systems=3, queries=6)
    grades = made.some_labels(share)
    grades[1] = np.where(made.pooled.known[1], made.truth[1], -1)  # a query with nothing left
    model = made.model()
    model.fit(grades)
    rows, columns = np.nonzero(free_pairs(made.pooled, grades))
    drawn = model.draw(5, np.random.default_rng(7), rows, columns)
    found = drawn_sums(model, grades, made.target, 5, np.random.default_rng(7))
    for sums, one in zip(found, drawn, strict=True):
        world_grades = grades.copy()
        world_grades[rows, columns] = one
        assert sums == pytest.approx(summed_by_hand(made, world_grades))


def test_with_everything_judged_all_draws_are_the_score() -> None:
    made = world(systems=3)
    grades = np.where(made.pooled.known, made.truth, -1).astype(np.int8)
    found = survey(made.model(), grades, made.target, draws=4)
    assert found.sums == pytest.approx(np.array([summed_by_hand(made, made.truth)] * 4))


def test_no_claim_rests_on_a_label_picked_by_eye_nor_on_any_beside_too_many() -> None:
    made = world(queries=12)
    grades = made.some_labels(0.7)
    by_eye = np.zeros(grades.shape, dtype=bool)
    row, column = np.argwhere(grades >= 0)[0]
    by_eye[row, column] = True
    some = survey(made.model(), grades, made.target, by_eye=by_eye, draws=4)
    assert some.supporting.sum() == (grades >= 0).sum() - 1
    without = np.where(by_eye, -1, grades).astype(np.int8)
    assert some.probabilities == pytest.approx(
        survey(made.model(), without, made.target, draws=4).probabilities
    )
    many = survey(made.model(), grades, made.target, by_eye=grades > 0, draws=4)
    assert many.labels == some.labels
    assert not many.supporting.any()


def test_the_same_labels_and_seed_give_the_same_survey() -> None:
    made = world()
    one, two = (survey(made.model(), made.some_labels(0.3), made.target, seed=5) for _ in range(2))
    assert (one.sums == two.sums).all()
    other = survey(made.model(), made.some_labels(0.3), made.target, seed=6)
    assert (one.sums != other.sums).any()


def test_a_survey_does_not_hang_on_the_pieces_in_which_it_is_reckoned(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made = world(systems=3, queries=30, documents=12)
    whole = survey(made.model(), made.some_labels(0.3), made.target, draws=40)
    for module in ("rubric.model.grade_model", "rubric.choose.survey"):
        monkeypatch.setattr(f"{module}._CACHED", 200)  # five documents at a time
    monkeypatch.setattr("rubric.arrays._SMALL", 700)
    pieces = survey(made.model(), made.some_labels(0.3), made.target, draws=40)
    assert pieces.sums == pytest.approx(whole.sums, rel=1e-9)
    assert pieces.probabilities == pytest.approx(whole.probabilities, rel=1e-9)
    assert pieces.precision.coefficients == pytest.approx(whole.precision.coefficients, rel=1e-9)


def test_a_survey_makes_more_draws_of_a_small_pool_and_as_many_as_it_is_told() -> None:
    drawn = {}
    for queries, documents in ((10, 8), (40, 20), (80, 50)):
        made = world(queries=queries, documents=documents)
        pairs = int(made.pooled.known.sum())
        drawn[pairs] = len(survey(made.model(), made.some_labels(0.2), made.target).sums)
    small, middle, large = sorted(drawn)
    assert (drawn[small], drawn[middle], drawn[large]) == (1000, 400_000 // middle, 160)
    assert len(survey(made.model(), made.some_labels(0.2), made.target, draws=70).sums) == 70
