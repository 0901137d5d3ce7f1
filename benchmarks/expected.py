"""What a fit and its draws take, beside the exact bounds of the same scores.

    python benchmarks/expected.py [--queries 50] [--systems 2] [--pool 15]

A pool of so many documents a query is made up and a third of it judged; medians of 15 rounds, in
processor time, so that they hold on a busy machine too. 12 systems of one kind pool about 50.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable

import numpy as np

from rubric import EMPTY, JudgedRankings, Measure, evaluate
from rubric.choose.survey import DRAWS, survey
from rubric.choose.target import Target
from rubric.gains import Gain
from rubric.model.drawn_scores import DrawnGrades, drawn_scores
from rubric.model.expectation import SHOWN_DRAWS
from rubric.model.grade_model import GradeModel
from rubric.model.pooled_ranks import PooledRanks

TOP, DEPTH, ROUNDS = 3, 10, 15
NDCG = Measure("nDCG", DEPTH)


def median_ms(work: Callable[[], object]) -> float:
    """Median milliseconds of processor time of a few rounds."""
    took = []
    for _ in range(ROUNDS):
        begun = time.process_time()
        work()
        took.append((time.process_time() - begun) * 1000)
    return statistics.median(took)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--queries", type=int, default=50)
    parser.add_argument("--systems", type=int, default=2)
    parser.add_argument("--pool", type=int, default=15, help="documents a query")
    options = parser.parse_args()
    rng = np.random.default_rng(0)
    shape = (options.systems, options.queries, options.pool)
    ranks = rng.permuted(np.broadcast_to(np.arange(1, options.pool + 1), shape), axis=2)
    known = np.ones(shape[1:], dtype=np.bool_)
    judged = rng.random(known.shape) < 1 / 3
    grades = np.where(judged, rng.integers(0, TOP + 1, known.shape), -1).astype(np.int8)
    pooled = PooledRanks(ranks, known, DEPTH)
    rows, columns = np.nonzero(~judged)
    gains = Gain().values(TOP)

    order = np.argsort(ranks, axis=2)[:, :, :DEPTH]
    ranked = np.take_along_axis(np.broadcast_to(grades, shape), order, axis=2)
    counts = np.stack([(grades == grade).sum(axis=1) for grade in range(TOP + 1)], axis=1)
    rankings = JudgedRankings(
        np.where(ranked == EMPTY, -1, ranked).reshape(-1, DEPTH),
        np.tile(counts, (options.systems, 1)),
        np.tile((~judged).sum(axis=1), options.systems),
    )
    places = ranks[:, rows, columns] - 1
    places = np.where(places < DEPTH, places, -1)

    def check(draws: int) -> None:
        model = GradeModel(pooled, TOP)
        model.fit(grades)
        drawn = model.draw(draws, np.random.default_rng(0), rows, columns)
        drawn_scores(NDCG, rankings, DrawnGrades(rows, places, drawn))

    def look() -> None:
        survey(GradeModel(pooled, TOP), grades, Target.ndcg(gains, DEPTH))

    bounds = median_ms(lambda: evaluate(NDCG, rankings))
    print(f"{options.systems} systems, {options.queries} queries, {int(judged.sum())} labels")
    print(f"{'exact bounds of the scores':40}{bounds:8.1f} ms   1.0")
    took = median_ms(look)
    print(f"{'fit from nothing and survey of an order':40}{took:8.1f} ms  {took / bounds:4.1f}")
    for draws in (DRAWS, SHOWN_DRAWS):
        took = median_ms(lambda draws=draws: check(draws))  # type: ignore[misc]
        print(
            f"{f'fit from nothing, {draws} draws, scores':40}{took:8.1f} ms  {took / bounds:4.1f}"
        )


if __name__ == "__main__":
    main()
