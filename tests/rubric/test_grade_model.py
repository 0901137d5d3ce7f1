from __future__ import annotations

import numpy as np
import pytest

from rubric.arrays import FloatArray, GradeArray, inner_product, product, wide_product
from rubric.model.grade_model import GradeModel, _Labels
from rubric.model.logit import logistic
from rubric.model.pooled_ranks import PooledRanks

TOP = 3


def pool(seed: int = 0, systems: int = 2, queries: int = 6, size: int = 8) -> PooledRanks:
    """Each system returns most documents of each query, in an order of its own."""
    rng = np.random.default_rng(seed)
    order = rng.permuted(np.tile(np.arange(1, size + 1), (systems, queries, 1)), axis=2)
    ranks = np.where(rng.random(order.shape) < 0.2, 0, order)
    known = np.ones((queries, size), dtype=bool)
    known[0, size // 2 :] = False
    return PooledRanks(np.where(known, ranks, 0), known, k=4)


def some_grades(pooled: PooledRanks, share: float, seed: int = 1) -> GradeArray:
    rng = np.random.default_rng(seed)
    grades = rng.integers(0, TOP + 1, pooled.known.shape)
    judged = (rng.random(pooled.known.shape) < share) & pooled.known
    return np.where(judged, grades, -1).astype(np.int8)


def log_posterior(
    model: GradeModel, grades: GradeArray, parameters: FloatArray, effects: FloatArray
) -> float:
    """The logarithm of what the mode maximises, written as the definition has it."""
    total = 0.0
    for query, document in np.argwhere(grades >= 0):
        worth = model.pooled.features[query, document] @ parameters[TOP:] + effects[query]
        for level in range(1, TOP + 1):
            if grades[query, document] < level - 1:
                break
            chance = 1 / (1 + np.exp(-(parameters[level - 1] + worth)))
            total += float(np.log(chance if grades[query, document] >= level else 1 - chance))
    means = [-4.0, -1.5, -1.5, 4.0, 0, 0, 0, 5.0] + [0.0] * (2 * model.pooled.systems)
    sds = [1.5, 1, 1, 2.5, 1.5, 1.5, 1, 2] + [1.0] * model.pooled.systems
    sds += [1.0] * model.pooled.systems
    total -= float(np.sum(((parameters - np.array(means)) / np.array(sds)) ** 2)) / 2
    return total - float(np.sum(effects**2)) / (2 * model.query_variance)


def gradient(model: GradeModel, grades: GradeArray) -> FloatArray:
    at = np.concatenate([model.parameters, model.query_effects])
    size, step = len(model.parameters), 1e-5
    return np.array(
        [
            log_posterior(model, grades, (at + one)[:size], (at + one)[size:])
            - log_posterior(model, grades, (at - one)[:size], (at - one)[size:])
            for one in np.eye(len(at)) * step
        ]
    ) / (2 * step)


def test_features_are_those_of_the_definition() -> None:
    ranks = np.array([[[1, 3, 0]], [[2, 0, 101]]])
    features = PooledRanks(ranks, np.array([[True, True, True]]), k=10).features[0]
    near = 1 / np.log2(1 + np.array([[1.0, 2], [3, np.inf], [np.inf, np.inf]]))
    for row, h, alone in zip(features, near, ([0, 0], [1, 0], [0, 0]), strict=True):
        by_log = np.where(h > 0, 1 - np.log(2 ** (1 / np.maximum(h, 0.1)) - 1) / np.log(101), 0)
        shared = [h.mean(), h.max(), np.mean(h > 0), max(alone), by_log.mean()]
        assert row == pytest.approx([*shared, *(h - h.mean()), *alone])


@pytest.mark.parametrize("share", [0.1, 0.5, 1.0])
def test_the_fit_is_the_mode_of_the_posterior(share: float) -> None:
    pooled = pool()
    model, grades = GradeModel(pooled, TOP), some_grades(pooled, share)
    model.fit(grades)
    assert gradient(model, grades) == pytest.approx(0, abs=0.02)


def test_the_precision_is_the_curvature_with_query_effects_integrated_out() -> None:
    pooled = pool(queries=3, size=6)
    model, grades = GradeModel(pooled, TOP), some_grades(pooled, 0.7)
    model.fit(grades)
    at, size, step = (
        np.concatenate([model.parameters, model.query_effects]),
        len(model.parameters),
        1e-3,
    )

    def value(point: FloatArray) -> float:
        return log_posterior(model, grades, point[:size], point[size:])

    eye = np.eye(len(at)) * step
    curvature = np.array(
        [
            [
                value(at + a + b) - value(at + a - b) - value(at - a + b) + value(at - a - b)
                for b in eye
            ]
            for a in eye
        ]
    ) / (-4 * step**2)
    covariance = np.linalg.inv(curvature)[:size, :size]
    assert np.linalg.inv(model.precision) == pytest.approx(covariance, rel=0.02, abs=0.005)


def test_without_labels_the_model_is_its_prior() -> None:
    pooled = pool()
    model = GradeModel(pooled, TOP)
    model.fit(np.full(pooled.known.shape, -1, dtype=np.int8))
    assert model.parameters[: TOP + 5].tolist() == [-4, -1.5, -1.5, 4, 0, 0, 0, 5]
    assert not model.query_effects.any()
    assert model.query_variance == pytest.approx(1)


def test_a_fit_does_not_depend_on_the_fits_before_it() -> None:
    pooled = pool()
    grades, more = some_grades(pooled, 0.5), some_grades(pooled, 0.9)
    fresh, used = GradeModel(pooled, TOP), GradeModel(pooled, TOP)
    used.fit(grades)
    used.fit(more)
    fresh.fit(more)
    assert used.probabilities() == pytest.approx(fresh.probabilities(), abs=0.005)


def test_probabilities_are_those_of_the_levels() -> None:
    pooled = pool()
    model = GradeModel(pooled, TOP)
    model.fit(some_grades(pooled, 0.5))
    each, chances = model.probabilities(), model.chances()
    assert each.sum(axis=-1) == pytest.approx(1)
    assert each[..., 0] == pytest.approx(1 - chances[..., 0])
    assert each[..., -1] == pytest.approx(chances.prod(axis=-1))


def test_draws_follow_the_posterior() -> None:
    pooled = pool()
    model = GradeModel(pooled, TOP)
    model.fit(some_grades(pooled, 1.0))
    model.precision = np.eye(len(model.precision)) * 1e8  # nearly no doubt about parameters
    model.query_precision = np.full(len(model.query_precision), 1e8)
    rows, columns = np.nonzero(pooled.known)
    grades = model.draw(4000, np.random.default_rng(0), rows, columns)
    shares = np.stack([(grades == grade).mean(axis=0) for grade in range(TOP + 1)], axis=-1)
    assert shares == pytest.approx(model.probabilities()[rows, columns], abs=0.04)


def test_a_seed_gives_the_same_draws() -> None:
    pooled = pool()
    model = GradeModel(pooled, TOP)
    model.fit(some_grades(pooled, 0.5))
    rows, columns = np.nonzero(pooled.known)
    one, two, other = (
        model.draw(50, np.random.default_rng(seed), rows, columns) for seed in (3, 3, 4)
    )
    assert (one == two).all()
    assert (one != other).any()
    assert one.dtype == np.int8
    assert one.min() >= 0
    assert one.max() <= TOP


def test_what_is_drawn_for_one_document_does_not_hang_on_which_others_are_drawn() -> None:
    pooled = pool()
    model = GradeModel(pooled, TOP)
    model.fit(some_grades(pooled, 0.5))
    rows, columns = np.nonzero(pooled.known)
    every = model.draw(50, np.random.default_rng(3), rows, columns)
    some = model.draw(50, np.random.default_rng(3), rows[5:], columns[5:])
    assert (every[:, 5:] == some).all()


def test_more_relevant_documents_make_the_unjudged_ones_more_likely() -> None:
    pooled = pool()
    chances, effects = [], []
    for grade in (0, 3):
        model = GradeModel(pooled, TOP)
        grades = np.full(pooled.known.shape, -1, dtype=np.int8)
        grades[3, :4] = grade
        model.fit(grades)
        chances.append(model.chances()[..., 0])
        effects.append(float(model.query_effects[3]))
    assert (chances[1] > chances[0])[pooled.known].all()
    assert effects[0] < 0 < effects[1]


def test_a_huge_pull_overflows_nothing() -> None:
    assert logistic(np.array([-1e6, 0.0, 1e6])) == pytest.approx([0, 0.5, 1])


@pytest.mark.parametrize("share", [0.1, 0.5])
def test_a_fit_to_few_labels_of_many_systems_is_the_fit_in_all_directions(
    share: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    pooled = pool(systems=70, queries=6, size=12)
    grades = some_grades(pooled, share)
    solved: list[int] = []
    solve = np.linalg.solve

    def counted(left: FloatArray, right: FloatArray) -> FloatArray:
        solved.append(len(left))
        return np.asarray(solve(left, right))

    monkeypatch.setattr(np.linalg, "solve", counted)
    for settled in ("_SETTLED", "_VARIANCE_SETTLED"):  # each stops by steps in its own directions
        monkeypatch.setattr(f"rubric.model.grade_model.{settled}", 1e-9)
    few = GradeModel(pooled, TOP)
    few.fit(grades)
    assert max(solved) <= int((grades >= 0).sum()) + 1 + TOP
    monkeypatch.setattr("rubric.model.grade_model._MANY", 10**9)
    every = GradeModel(pooled, TOP)
    every.fit(grades)
    assert max(solved) == len(every.parameters)
    for name in ("parameters", "query_effects", "precision", "query_precision", "cross"):
        assert getattr(few, name) == pytest.approx(getattr(every, name), abs=1e-6)


@pytest.mark.parametrize("size", [5, 60, 200, 400])
def test_products_of_any_size_are_those_of_the_definition(size: int) -> None:
    rng = np.random.default_rng(size)
    tall, square = rng.random((30, size)), rng.random((size, size))
    assert product(tall, square) == pytest.approx(tall @ square)
    assert inner_product(tall, tall) == pytest.approx(tall.T @ tall)
    assert wide_product(square, tall.T) == pytest.approx(square @ tall.T)


def test_a_fit_settles_in_a_few_steps_where_all_queries_are_alike(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rng = np.random.default_rng(2)
    ranks = np.stack([np.stack([rng.permutation(200) + 1 for _ in range(40)]) for _ in range(3)])
    model = GradeModel(PooledRanks(ranks, np.ones((40, 200), dtype=np.bool_), k=10), 1)
    steps, step = list[float](), GradeModel._step

    def counted(self: GradeModel, labels: _Labels) -> float:
        steps.append(step(self, labels))
        return steps[-1]

    monkeypatch.setattr(GradeModel, "_step", counted)
    model.fit(rng.integers(0, 2, (40, 200)).astype(np.int8))
    assert len(steps) < 30
    assert model.query_variance < 0.5
