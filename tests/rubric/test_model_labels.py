"""Labels of language models in the grade model: worth what people's grades show them to be."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from rubric.arrays import FloatArray, GradeArray
from rubric.model.expectation import SPREAD, Estimate
from rubric.model.grade_model import GradeModel
from rubric.model.logit import logistic
from rubric.model.model_labels import ModelLabels
from rubric.model.stopping import MARGIN, Support, Verdict, verdict
from tests.rubric.worlds import TOP, World, world


def answers(of: World, noise: float, seed: int = 5, lack: float = 0.0) -> GradeArray:
    """What a judge says who sees the grades through noise, and says nothing of a share of them."""
    rng = np.random.default_rng(seed)
    seen = np.clip(np.rint(of.truth + rng.normal(0, noise, of.truth.shape)), 0, TOP)
    silent = (rng.random(seen.shape) < lack) | ~of.pooled.known
    return np.where(silent, -1, seen).astype(np.int8)


def with_labels(of: World, *labels: GradeArray) -> GradeModel:
    models = ModelLabels.of(np.stack(labels), of.pooled.known, TOP)
    return GradeModel(replace(of.pooled, models=models), TOP)


def log_score(model: GradeModel, of: World, grades: GradeArray) -> float:
    """The mean log probability of the grades that the model has not seen."""
    unseen = of.pooled.known & (grades < 0)
    each = np.take_along_axis(model.probabilities(), of.truth[..., None].astype(int), axis=2)
    return float(np.log(each[..., 0][unseen]).mean())


def test_the_steps_are_those_of_the_definition() -> None:
    labels = np.array([[[0, 1, 3, -1, 2]]], dtype=np.int8)
    known = np.array([[True, True, True, True, False]])
    found = ModelLabels.of(labels, known, TOP)
    assert found is not None
    assert found.columns[0].tolist() == [
        [0, 0, 0, 0], [1, 0, 0, 0], [1, 1, 1, 0], [0, 0, 0, 1], [0, 0, 0, 0],
    ]  # fmt: skip
    assert found.priors.tolist() == [[1.2, 0.8], [0.7, 0.6], [0.7, 0.6], [0, 1]]


@pytest.mark.parametrize(("judges", "prior"), [(2, [1.0, 0.5]), (3, [1.5, 0.7]), (5, [1.5, 0.7])])
def test_of_several_judges_the_mean_of_those_who_spoke_counts(
    judges: int, prior: list[float]
) -> None:
    labels = np.tile(np.array([[0, 1, 3, 2]], dtype=np.int8), (judges, 1, 1))
    labels[0, 0] = [2, -1, 3, 2]
    known = np.ones((1, 4), dtype=bool)
    found = ModelLabels.of(labels, known, TOP)
    assert found is not None
    means = np.array([2 / judges, 1, 3, 2])
    assert found.columns[0, :, 0] == pytest.approx(means - means.mean())
    assert found.priors.tolist() == [prior]


def test_without_a_single_label_there_is_nothing() -> None:
    known = np.array([[True, False]])
    assert ModelLabels.of(np.array([[[-1, 2]]], dtype=np.int8), known, TOP) is None


@pytest.mark.parametrize("judges", [1, 3])
def test_the_fit_with_labels_of_models_is_the_mode_of_the_posterior(judges: int) -> None:
    of = world(queries=6, documents=8)
    model = with_labels(of, *(answers(of, 1.0, seed, lack=0.2) for seed in range(judges)))
    grades = of.some_labels(0.5)
    model.fit(grades)
    assert model.pooled.models is not None
    priors = model.pooled.models.priors
    size, own = len(model.parameters), len(priors)
    means = np.array([-4, -1.5, -1.5, 4, 0, 0, 0, 5, *[0.0] * 4, *priors[:, 0]])
    sds = np.array([1.5, 1, 1, 2.5, 1.5, 1.5, 1, 2, *[1.0] * 4, *priors[:, 1]])

    def log_posterior(at: FloatArray) -> float:
        total = -float((((at[:size] - means) / sds) ** 2).sum()) / 2
        total -= float((at[size:] ** 2).sum()) / (2 * model.query_variance)
        for query, document in np.argwhere(grades >= 0):
            worth = model.pooled.features[query, document] @ at[TOP:size] + at[size + query]
            for level in range(1, grades[query, document] + 2):
                if level <= TOP:
                    chance = float(logistic(np.array(at[level - 1] + worth)))
                    reached = grades[query, document] >= level
                    total += float(np.log(chance if reached else 1 - chance))
        return total

    at = np.concatenate([model.parameters, model.query_effects])
    steps = np.eye(len(at)) * 1e-5
    slope = [(log_posterior(at + one) - log_posterior(at - one)) / 2e-5 for one in steps]
    assert np.array(slope) == pytest.approx(0, abs=0.02)
    assert own == (4 if judges == 1 else len(priors))


@pytest.mark.parametrize("judges", [1, 3])
@pytest.mark.parametrize("lack", [0.0, 0.3])
def test_a_judge_who_sees_something_makes_unseen_grades_more_likely(
    judges: int, lack: float
) -> None:
    gains = []
    for seed in range(6):
        of = world(systems=3, queries=25, documents=20, k=10, seed=seed)
        grades = of.some_labels(60 / 500, seed + 100)
        without, with_them = (
            of.model(),
            with_labels(of, *(answers(of, 1.0, seed * 9 + one, lack) for one in range(judges))),
        )
        for model in (without, with_them):
            model.fit(grades)
        gains.append(log_score(with_them, of, grades) - log_score(without, of, grades))
    assert np.mean(gains) > 0.1


@pytest.mark.parametrize("judges", [1, 3])
def test_a_judge_who_sees_nothing_costs_next_to_nothing(judges: int) -> None:
    gains = []
    for seed in range(8):
        of = world(systems=3, queries=25, documents=20, k=10, seed=seed)
        grades, rng = of.some_labels(120 / 500, seed + 100), np.random.default_rng(seed)
        blind = [rng.permuted(answers(of, 1.0, one), axis=1) for one in range(judges)]
        without, with_them = of.model(), with_labels(of, *blind)
        for model in (without, with_them):
            model.fit(grades)
        gains.append(log_score(with_them, of, grades) - log_score(without, of, grades))
    assert np.mean(gains) > -0.03


ENOUGH = Support(labels=60, queries=20, every_query=25, lower=40, every_lower=200)
SURE_OF = 1.96 * SPREAD


@pytest.mark.parametrize(
    ("without", "said"),
    [
        (None, Verdict.CREDIBLE),
        (Estimate(0.1, 0.05), Verdict.CREDIBLE),
        (Estimate(0.51 * SURE_OF * 0.05, 0.05), Verdict.CREDIBLE),
        (Estimate(0.49 * SURE_OF * 0.05, 0.05), Verdict.OPEN),
        (Estimate(-0.1, 0.05), Verdict.OPEN),
        (Estimate(0.0, 0.05), Verdict.OPEN),
    ],
)
@pytest.mark.parametrize("sign", [1, -1])
def test_a_claim_needs_the_model_without_labels_of_models_to_agree_half_as_surely(
    without: Estimate | None, said: Verdict, sign: int
) -> None:
    difference = Estimate(sign * 0.1, 0.03)
    other = without and Estimate(sign * without.mean, without.sd)
    assert verdict(-1, 1, difference, ENOUGH, other) is said


@pytest.mark.parametrize(
    ("without", "said"),
    [
        (Estimate(0.0, 0.004), Verdict.WITHIN),
        (Estimate(-0.005, 0.01), Verdict.WITHIN),
        (Estimate(0.005, 0.02), Verdict.OPEN),
        (Estimate(MARGIN, 0.0), Verdict.WITHIN),
        (Estimate(0.03, 0.001), Verdict.OPEN),
    ],
)
def test_so_does_a_claim_that_two_systems_are_near(without: Estimate, said: Verdict) -> None:
    assert verdict(-1, 1, Estimate(0.001, 0.004), ENOUGH, without) is said


def test_what_is_proved_needs_nobody_to_agree() -> None:
    against = Estimate(-0.5, 0.01)
    assert verdict(0.1, 1, Estimate(0.3, 0.1), ENOUGH, against) is Verdict.PROVED
    assert verdict(0, 0, Estimate(0.0, 0.1), ENOUGH, against) is Verdict.EQUAL
