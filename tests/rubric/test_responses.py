"""What a label is expected to move: against its definition, trying everything."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from rubric.arrays import FloatArray
from rubric.choose.label_value import Slope, lesson, sensitivity
from rubric.choose.proof_gain import expected_rise, least_difference
from rubric.choose.responses import Outlook, expected_variance, responses
from rubric.choose.survey import Survey, free_pairs, survey
from rubric.measures.ndcg import discount_sums
from tests.rubric.worlds import GAINS, TOP, World, world

SEEDS = range(6)


def surveyed(made: World, share: float = 0.3) -> Survey:
    return survey(made.model(), made.some_labels(share), made.target, draws=20)


def ideal(counts: list[float], sums: list[float]) -> float:
    """The ideal DCG of so many documents that reach each grade, fractions on a straight line."""
    total = 0.0
    for level, count in enumerate(counts, start=1):
        count = min(count, len(sums) - 1.0)
        low = min(int(count), len(sums) - 2)
        weight = sums[low] + (count - low) * (sums[low + 1] - sums[low])
        total += (GAINS[level] - GAINS[level - 1]) * weight
    return total


def moved_by(outlook: Outlook, system: int, row: int, column: int, grade: int) -> float:
    """The expected nDCG if one document has a grade, from the definition."""
    total, counts = 0.0, [0.0] * TOP
    for place in range(outlook.probabilities.shape[1]):
        chances = outlook.probabilities[row, place].tolist()
        if place == column:
            chances = [float(level == grade) for level in range(TOP + 1)]
        total += outlook.weights[system, row, place] * sum(
            chance * gain for chance, gain in zip(chances, GAINS, strict=True)
        )
        for level in range(1, TOP + 1):
            counts[level - 1] += sum(chances[level:])
    return float(total / max(ideal(counts, outlook.ideal_sums.tolist()), 1e-9))


@pytest.mark.parametrize("seed", SEEDS)
def test_responses_follow_their_definition(seed: int) -> None:
    made = world(seed=seed)
    found = surveyed(made)
    outlook = found.outlook(made.pooled.discounts, found.grades, np.arange(4))
    moved = responses(outlook)
    for row, column in np.argwhere(free_pairs(made.pooled, found.grades)):
        for system in range(2):
            values = [moved_by(outlook, system, row, column, grade) for grade in range(TOP + 1)]
            mean = float(outlook.probabilities[row, column] @ values)
            assert moved[system, row, column] == pytest.approx([one - mean for one in values])


def test_the_last_document_of_a_query_responds_as_enumeration_says() -> None:
    made = world(queries=12, seed=4)
    grades = np.where(made.pooled.known, made.truth, -1).astype(np.int8)
    grades[:, 2] = -1
    found = survey(made.model(), grades, made.target, draws=20)
    moved = responses(found.outlook(made.pooled.discounts, grades, np.arange(12)))
    sums = discount_sums(made.pooled.k).tolist()
    for row in range(12):
        values: list[float] = []
        for grade in range(TOP + 1):
            every = grades[row].copy()
            every[2] = grade
            gained = np.where(made.pooled.known[row], GAINS[np.maximum(every, 0)], 0.0)
            counts = [float(np.sum((every >= t) & made.pooled.known[row])) for t in (1, 2, 3)]
            total = float(made.pooled.discounts[0, row] @ gained)
            values.append(total / max(ideal(counts, sums), 1e-9))
        mean = float(found.probabilities[row, 2] @ values)
        assert moved[0, row, 2] == pytest.approx([one - mean for one in values], abs=1e-6)


def test_a_judged_document_has_nothing_left_to_say() -> None:
    made = world(seed=2)
    found = surveyed(made, share=0.5)
    outlook = found.outlook(made.pooled.discounts, found.grades, np.arange(4))
    worth = expected_variance(
        responses(outlook), outlook.probabilities, np.ones((2, 2)) - np.eye(2)
    )
    assert worth[~free_pairs(made.pooled, found.grades)] == pytest.approx(0, abs=1e-12)


def test_the_weighted_variance_is_the_sum_over_pairs_of_systems() -> None:
    made = world(systems=4, seed=3)
    found = surveyed(made)
    outlook = found.outlook(made.pooled.discounts, found.grades, np.arange(4))
    moved = responses(outlook)
    weights = np.random.default_rng(0).random((4, 4))
    weights = weights + weights.T
    np.fill_diagonal(weights, 0)
    expected = sum(
        weights[one, two] * ((moved[one] - moved[two]) ** 2 * outlook.probabilities).sum(axis=-1)
        for one, two in itertools.combinations(range(4), 2)
    )
    assert expected_variance(moved, outlook.probabilities, weights) == pytest.approx(expected)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_sensitivity_is_the_slope_of_the_expected_difference(seed: int) -> None:
    made = world(queries=6, seed=seed)
    model = made.model()
    found = survey(model, made.some_labels(0.3), made.target, draws=20)
    every, lead = np.arange(6), made.pooled.discounts[0] - made.pooled.discounts[1]

    def expected_difference(parameters: FloatArray) -> float:
        known = found.grades[:, :, None] >= 0
        given = found.grades[:, :, None] == np.arange(TOP + 1)
        each = np.where(known, given, model.probabilities(parameters))
        each = each * made.pooled.known[:, :, None]
        outlook = Outlook(lead[None], each, made.target)
        counts = outlook.at_least().sum(axis=1)
        ideals = np.maximum(outlook.discount_sum(counts) @ np.diff(GAINS), 1e-9)
        return float((outlook.totals()[0] / ideals).sum())

    slope = sensitivity(
        found.outlook(lead[None], found.grades, every),
        made.pooled.features,
        found.chances,
        free_pairs(made.pooled, found.grades),
    )
    at, size = model.parameters, 1e-5
    numeric = [
        (expected_difference(at + one) - expected_difference(at - one)) / (2 * size)
        for one in size * np.eye(len(at))
    ]
    assert slope.coefficients == pytest.approx(numeric, rel=1e-4, abs=1e-6)
    effects, moved = model.query_effects, []
    for one in size * np.eye(len(effects)):
        for model.query_effects in (effects + one, effects - one):
            moved.append(expected_difference(at))
    numeric = (np.diff(moved)[::2] / (-2 * size)).tolist()
    assert slope.effects == pytest.approx(numeric, rel=1e-4, abs=1e-6)


def test_covariance_is_the_inverse_of_the_whole_matrix() -> None:
    precision = surveyed(world(seed=5)).precision
    cross, effects = precision.cross, np.diag(precision.effects)
    outer = precision.coefficients + cross.T @ np.diag(1 / precision.effects) @ cross
    whole = np.block([[outer, cross.T], [cross, effects]])
    vector = np.random.default_rng(0).normal(size=len(whole))
    moved = precision.covariance_times(Slope(vector[: len(outer)], vector[len(outer) :]))
    found = np.concatenate([moved.coefficients, moved.effects])
    assert found == pytest.approx(np.linalg.solve(whole, vector))


def test_a_lesson_is_the_residual_times_the_direction() -> None:
    made = world(seed=5)
    found = surveyed(made)
    rng = np.random.default_rng(0)
    coefficients, effects = rng.normal(size=TOP + made.pooled.features.shape[2]), rng.normal(size=4)
    taught = lesson(Slope(coefficients, effects), made.pooled.features, found.chances)
    row, column = 1, 2
    features, chances = made.pooled.features[row, column], found.chances[row, column]
    for grade in range(TOP + 1):
        total = 0.0
        for level in range(1, min(grade + 1, TOP) + 1):
            residual = float(grade >= level) - chances[level - 1]
            total += residual * (
                coefficients[level - 1] + coefficients[TOP:] @ features + effects[row]
            )
        assert taught[row, column, grade] == pytest.approx(total)
    mean = (taught * found.probabilities).sum(axis=-1)
    assert mean == pytest.approx(np.zeros_like(mean), abs=1e-9)


def least_by_trying(made: World, grades: list[int], row: int, lead: FloatArray) -> float:
    """The least a query can add to the sum of differences, over all gradings; undefined adds 0."""
    columns = np.flatnonzero(made.pooled.known[row]).tolist()
    free = [column for column in columns if grades[column] < 0]
    sums = discount_sums(made.pooled.k).tolist()
    values = []
    for tried in itertools.product(range(TOP + 1), repeat=len(free)):
        given = {column: grades[column] for column in columns} | dict(zip(free, tried, strict=True))
        counts = [float(sum(grade >= t for grade in given.values())) for t in (1, 2, 3)]
        total = sum(lead[row, column] * GAINS[grade] for column, grade in given.items())
        values.append(total / ideal(counts, sums) if counts[0] else 0.0)
    return float(min(values))


@pytest.mark.parametrize("seed", SEEDS)
def test_the_least_difference_and_its_expected_rise_equal_enumeration(seed: int) -> None:
    made = world(queries=3, documents=5, seed=seed)
    found = surveyed(made, share=0.4)
    lead = made.pooled.discounts[0] - made.pooled.discounts[1]
    lead[0, :2] = lead[0, 0]  # two documents with one coefficient
    free = free_pairs(made.pooled, found.grades)
    least = least_difference(lead, free, found.grades, made.target)
    rise = expected_rise(lead, free, found.grades, found.probabilities, made.target)
    for row in range(3):
        before = least_by_trying(made, found.grades[row].tolist(), row, lead)
        assert least[row] == pytest.approx(before, abs=1e-9)
        for column in range(5):
            if not free[row, column]:
                assert rise[row, column] == -np.inf
                continue
            after = 0.0
            for grade, chance in enumerate(found.probabilities[row, column]):
                judged = found.grades[row].tolist()
                judged[column] = grade
                after += chance * least_by_trying(made, judged, row, lead)
            assert rise[row, column] == pytest.approx(after - before, abs=1e-9)
