"""How well "about n more labels" foresees what a campaign of `decide` then takes.

    python benchmarks/forecasts.py [FOLDER] [--seeds 0-3]

FOLDER (or ANNOTATOR_COLLECTIONS) holds the collections of effort_tasks.py. At the first look from
so many labels on, what is foreseen is divided by what the campaign took from there until its
verdict was credible or within the margin; campaigns that end at that look are left out.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np

sys.path[:0] = [str(Path(__file__).parents[1]), str(Path(__file__).parent)]

from effort_tasks import SOURCES, Task, load, pair_tasks  # noqa: E402

from rubric.arrays import FloatArray  # noqa: E402
from rubric.choose.campaign import campaign  # noqa: E402
from rubric.choose.chooser import Chooser  # noqa: E402
from rubric.choose.orders import Decide, reached  # noqa: E402
from rubric.choose.survey import Survey, free_pairs  # noqa: E402
from rubric.measures.ndcg import ideal_dcg  # noqa: E402
from rubric.model.grade_model import GradeModel  # noqa: E402
from rubric.model.stopping import Support, labels_to_verdict, likely_range  # noqa: E402

POINTS = (0, 10, 30, 60, 120, 240)
NEAR = 1.3
"""A look at more than so many times the labels of a point is not one at that point."""


def shares(found: Survey) -> FloatArray:
    """About what each unjudged document adds to the variance of the two systems' difference."""
    pooled, gains = found.pooled, found.target.gains
    free, chances = free_pairs(pooled, found.grades), found.probabilities
    variance = chances @ gains**2 - (chances @ gains) ** 2
    reached = np.cumsum(chances[:, :, :0:-1], axis=2)[:, :, ::-1]
    judged = (found.grades[:, :, None] >= np.arange(1, len(gains))) & pooled.known[:, :, None]
    counts = np.where(free[:, :, None], reached, judged).sum(axis=1)
    ideal = ideal_dcg(np.rint(counts).astype(np.int64), gains, pooled.k)
    lead = (pooled.discounts[0] - pooled.discounts[1]) / np.maximum(ideal, gains.max())[:, None]
    each: FloatArray = (lead**2 * variance)[free]
    return each[each > 0]


def looks(made: Task, seed: int) -> Iterator[tuple[Support, int, int]]:
    """Labels, what is foreseen and how many documents are open, at each look; the last is 0, 0."""
    decide = Decide(0, 1)
    nothing = np.full(made.truth.shape, -1, dtype=np.int8)
    surveys = campaign(
        Chooser(made.pooled, nothing, decide),
        GradeModel(made.pooled, made.top),
        made.target,
        lambda row, column: int(made.truth[row, column]),
        seed=seed,
        draws=None,
    )
    for found in surveys:
        support = decide.support(found)
        if reached(decide, found):
            yield support, 0, 0
            return
        apart, each = found.means[:, 0] - found.means[:, 1], shares(found)
        yield support, labels_to_verdict(apart, each, support), len(each)
    yield Support(made.size, 0, 0, 0, 0), 0, 0


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "folder", nargs="?", type=Path, default=os.environ.get("ANNOTATOR_COLLECTIONS")
    )
    parser.add_argument("--seeds", default="0-3")
    options = parser.parse_args()
    if options.folder is None:
        parser.error("name the folder of the collections, or set ANNOTATOR_COLLECTIONS")
    first, _, last = options.seeds.partition("-")
    seeds = range(int(first), int(last or first) + 1)
    ratios: dict[int, list[float]] = {point: [] for point in POINTS}
    inside: dict[int, list[bool]] = {point: [] for point in POINTS}
    for name in SOURCES:
        for made, seed in pair_tasks(load(Path(options.folder), name), seeds):
            every = list(looks(made, seed))
            for point in POINTS:
                support, more, left = next(
                    (look for look in every if look[0].labels >= point), every[-1]
                )
                took = every[-1][0].labels - support.labels
                if took > 0 and support.labels <= max(point * NEAR, point + 1):
                    least, most = likely_range(more, support, left)
                    ratios[point].append(more / took)
                    inside[point].append(least <= took <= most)
    print("labels  tasks  foreseen / taken: quartiles    within the range told")
    for point, found in ratios.items():
        if found:
            low, median, high = np.quantile(found, [0.25, 0.5, 0.75])
            told = f"{np.mean(inside[point]):.0%}"
            print(f"{point:6}  {len(found):5}  {low:8.2f} {median:8.2f} {high:8.2f}  {told:>22}")


if __name__ == "__main__":
    main()
