"""Campaigns of the study of effort: what is recorded of one task under one strategy."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from effort_tasks import CUTOFF, Collection, Task, ndcg, sample, task

from rubric.arrays import BoolArray, FloatArray, GradeArray
from rubric.choose.campaign import campaign
from rubric.choose.chooser import Chooser
from rubric.choose.orders import NEAR, Best, Decide, Depth, MoveToFront, Random, Rank, Strategy
from rubric.choose.survey import Survey, drawn_sums
from rubric.model.expectation import SPREAD, Estimate
from rubric.model.grade_model import GradeModel
from rubric.model.stopping import is_credible

Record = dict[str, Any]

SHARES = (
    *(0.01, 0.015, 0.02, 0.03, 0.04, 0.05, 0.06, 0.08, 0.1, 0.125, 0.15, 0.175, 0.2, 0.225),
    *(0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0),
)
"""Shares of the pool at which the best of all systems is looked for."""


def strategy(name: str, seed: int) -> Strategy:
    """A strategy by the name it has in the tables."""
    made: dict[str, Strategy] = {
        "depth, query by query": Depth(seed),
        "depth, in turn": Depth(seed, in_turn=True),
        "random": Random(seed),
        "move-to-front": MoveToFront(seed),
        "decide": Decide(0, 1),
        "best": Best(),
        "rank": Rank(),
    }
    return made[name]


def pair_campaign(made: Task, name: str, seed: int, *, until: str) -> list[list[float]]:
    """A campaign for two systems: what is known at each look.

    That is the labels, mean and deviation of the difference, its bounds, and the rest of what
    supports it. It ends when the difference is proved, or when
    nothing is left; under "credible" when it is so.
    """
    staying = name.removesuffix(", staying")
    chooser = _chooser(made, strategy(staying, seed), stay=staying != name)
    rows: list[list[float]] = []
    for found in _surveys(chooser, made, seed):
        apart = (found.sums[:, 0] - found.sums[:, 1]) / len(made.truth)
        lower, upper = found.bounds(0, 1)
        mean, deviation = float(apart.mean()), float(apart.std())
        support = Decide(0, 1).support(found)
        rows.append([support.labels, mean, deviation, lower, upper, *support[1:]])
        sure = until == "credible" and is_credible(Estimate(mean, deviation), support)
        if lower > 0 or upper < 0 or sure:
            break
    return rows


def best_campaign(made: Task, name: str, seed: int) -> list[Record]:
    """A campaign for all systems: how sure the best is, how right, and the ranking."""
    true = made.scores.mean(axis=1)
    chooser = _chooser(made, strategy(name, seed))
    at = [max(10, int(share * made.size)) for share in SHARES]
    records = []
    for found in _surveys(chooser, made, seed, at=at, draws=200):
        drawn = found.sums / len(made.truth)
        mean = drawn.mean(axis=0)
        leader = int(mean.argmax())
        wide = mean + SPREAD * (drawn - mean)
        behind = wide.max(axis=1) - wide[:, leader]
        zero = ndcg(made.pooled, found.grades, made.gains).mean(axis=1)
        records.append(
            {
                "share": int((found.grades[made.pooled.known] >= 0).sum()) / made.size,
                "best": float((behind <= 0).mean()),
                "near": float((behind <= NEAR).mean()),
                "regret": float(true.max() - true[leader]),
                "tau": {"expected": tau(mean, true), "zero-filled": tau(zero, true)},
                "error": {
                    "expected": float(np.abs(mean - true).mean()),
                    "zero-filled": float(np.abs(zero - true).mean()),
                },
            }
        )
    return records


def left_out(collection: Collection) -> Iterator[Record]:
    """Each system's own documents taken out of the labels: its score and place found again."""
    made = task(collection, collection.systems, collection.queries)
    true = made.scores.mean(axis=1)
    in_top = (made.pooled.ranks > 0) & (made.pooled.ranks <= CUTOFF)
    for at, name in enumerate(made.systems):
        others: BoolArray = np.delete(in_top, at, axis=0).any(axis=0)
        grades = np.where(others & made.pooled.known, made.truth, -1).astype(np.int8)
        model = GradeModel(made.pooled, made.top)
        model.fit(grades)
        rng = np.random.default_rng(at)
        drawn = drawn_sums(model, grades, made.target, 400, rng) / len(made.truth)
        values = {
            "expected": drawn.mean(axis=0),
            "zero-filled": ndcg(made.pooled, grades, made.gains).mean(axis=1),
        }
        yield {
            "system": name,
            "true": float(true[at]),
            "unjudged": float((in_top[at] & (grades < 0) & made.pooled.known).mean()),
            "z": float((true[at] - values["expected"][at]) / max(drawn[:, at].std(), 1e-9)),
            "error": {key: float(value[at] - true[at]) for key, value in values.items()},
            "moved": {key: place(value, at) - place(true, at) for key, value in values.items()},
        }


def place(values: FloatArray, at: int) -> int:
    """How many are ahead of one."""
    return int((values > values[at]).sum())


def tau(values: FloatArray, true: FloatArray) -> float:
    """Kendall's tau, a tie counting as neither."""
    one, two = np.triu_indices(len(values), 1)
    return float((np.sign(values[one] - values[two]) * np.sign(true[one] - true[two])).mean())


def best_tasks(collection: Collection, seeds: Sequence[int]) -> Iterator[tuple[Task, int]]:
    """All systems of a collection, on a sample of queries for each seed."""
    for seed in seeds:
        yield task(collection, collection.systems, sample(collection, seed)), seed


def _chooser(made: Task, how: Strategy, *, stay: bool = False) -> Chooser:
    nothing: GradeArray = np.full(made.truth.shape, -1, dtype=np.int8)
    return Chooser(made.pooled, nothing, how, stay=stay)


def _surveys(
    chooser: Chooser,
    made: Task,
    seed: int,
    at: Sequence[int] | None = None,
    draws: int | None = None,
) -> Iterator[Survey]:
    """The surveys of a campaign that the truth answers, but for the one before any label."""
    surveys = campaign(
        chooser,
        GradeModel(made.pooled, made.top),
        made.target,
        lambda row, column: int(made.truth[row, column]),
        at=at,
        seed=seed,
        draws=draws,
    )
    next(surveys)
    return surveys
