"""How often 95% intervals hold the truth, by what was judged, by measure and by collection.

    python benchmarks/calibration.py [FOLDER] [--samples 8] [--collections cranfield,more/covid-r5]

FOLDER (or ANNOTATOR_COLLECTIONS) holds collections whose labels are all known (effort_tasks.py);
those below more/ hold qrels.txt and runs/*.run. A sample is some systems on 25 or 50 queries, its
pool their top tens. Some of the labels are taken away; what a board then expects of means and of
differences is held against the scores with all labels. Labels "chosen" for what documents are
should be refused: then nothing is expected.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import argparse
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from tabulate import tabulate

sys.path[:0] = [str(Path(__file__).parents[1]), str(Path(__file__).parent)]

from effort_tasks import CUTOFF, SOURCES, Collection, Source, Task, load, task  # noqa: E402

from annotator.scoring.board import Board  # noqa: E402
from annotator.scoring.pairs import BoardData  # noqa: E402
from rubric import Measure, Rules  # noqa: E402
from rubric.arrays import BoolArray, GradeArray  # noqa: E402
from rubric.choose.campaign import campaign  # noqa: E402
from rubric.choose.chooser import Chooser  # noqa: E402
from rubric.choose.orders import Decide  # noqa: E402
from rubric.model.grade_model import GradeModel  # noqa: E402

MEASURES = tuple(map(Measure.parse, ("nDCG@3", "nDCG@10", "P@10", "RR@10")))
LIKED = (0.3, 0.7, 0.9, 0.97)
"""The chance of each grade that a document is liked by a language model."""
Held = dict[tuple[str, ...], list[bool]]


def collection(folder: Path, name: str) -> Collection:
    """A collection of the study of effort, or one with qrels.txt."""
    if name not in SOURCES:
        grades = [int(line.split()[3]) for line in (folder / name / "qrels.txt").open()]
        SOURCES[name] = Source("qrels.txt", max(grades), cut=True)
    return load(folder, name)


def sampled(every: Collection, rng: np.random.Generator) -> Task:
    """Two to seven systems on some queries."""
    count = int(rng.integers(2, min(7, len(every.systems)) + 1))
    systems = [every.systems[at] for at in rng.permutation(len(every.systems))[:count]]
    size = min(int(rng.choice([25, 50])), len(every.queries))
    queries = [every.queries[at] for at in sorted(rng.permutation(len(every.queries))[:size])]
    return task(every, systems, queries)


def selections(made: Task, rng: np.random.Generator) -> Iterator[tuple[str, BoolArray]]:
    """What is judged, by name."""
    ranks, known, grades = made.pooled.ranks, made.pooled.known, made.truth
    luck, best = rng.random(known.shape), np.where(ranks > 0, ranks, 99).min(axis=0)
    some = np.broadcast_to(rng.random((len(known), 1)) < 0.5, known.shape)
    for share in (0.1, 0.3, 0.7):
        yield f"random {share:.0%}", luck < share
    for depth in (1, 3, 5):
        yield f"depth {depth}", best <= depth
    yield "half of the queries", some
    yield "half of the queries to 5", some & (best <= 5)
    yield "one system", made.pooled.in_top[0]
    yield "ranks 6 to 10", best >= 6
    if made.pooled.systems > 2:
        yield "a new system", made.pooled.in_top[1:].any(axis=0)
        yield "a new system, half judged", made.pooled.in_top[1:].any(axis=0) & (luck < 0.5)
    for share in (0.1, 0.25, 0.5):
        yield f"decide, {share:.0%}", decided(made, share)
    yield "chosen: relevant", grades > 0
    yield "chosen: one relevant a query", (grades > 0) & (np.cumsum(grades > 0, axis=1) == 1)
    yield "chosen: relevant and few others", (grades > 0) | (luck < 0.1)
    yield "chosen: liked by a model", luck < np.array(LIKED)[np.maximum(grades, 0)]


def decided(made: Task, share: float) -> BoolArray:
    """What the order decide asks for first on the first two systems."""
    nothing: GradeArray = np.full(made.truth.shape, -1, dtype=np.int8)
    chooser = Chooser(made.pooled, nothing, Decide(0, 1))
    model, target = GradeModel(made.pooled, made.top), max(10, int(share * made.size))
    looks = campaign(
        chooser, model, made.target, lambda row, column: int(made.truth[row, column]),
        at=[target // 2, target], draws=60,
    )  # fmt: skip
    *_, last = (found.grades for found, _ in zip(looks, range(3), strict=False))
    return np.asarray(last >= 0)


def board(made: Task, judged: BoolArray) -> Board:
    """The systems with only these labels, as if they came from a file."""
    systems, queries, _ = made.pooled.ranks.shape
    depth = int(made.pooled.ranks.max())
    documents = np.zeros((systems, queries, depth), dtype=np.int32)
    system, query, column = np.nonzero(made.pooled.ranks)
    documents[system, query, made.pooled.ranks[system, query, column] - 1] = column + 1
    pooled, labels = np.nonzero(made.pooled.known), np.nonzero(judged & made.pooled.known)
    data = BoardData(
        queries=np.arange(queries),
        qids=[f"{one:04d}" for one in range(queries)],
        systems=list(made.systems),
        documents=documents,
        pooled_query=pooled[0].astype(np.int32),
        pooled_document=(pooled[1] + 1).astype(np.int32),
        label_query=labels[0].astype(np.int32),
        label_document=(labels[1] + 1).astype(np.int32),
        label_grade=made.truth[labels].astype(np.int32),
        top=made.top,
        pool_depth=CUTOFF,
    )
    return Board(data, MEASURES, Rules())


def holds(made: Task, judged: BoolArray) -> Iterator[tuple[str, str, bool]]:
    """Of each interval its measure, what it is of, and whether it holds; none where refused."""
    true, found = board(made, made.pooled.known), board(made, judged)
    found.estimate(300)
    if found.basis is not None and found.basis.withheld is not None:
        return
    for at, measure in enumerate(MEASURES):
        for one, other in zip(true.table(), found.table(), strict=True):
            value, ends = one.measures[at].summary.value, other.measures[at].summary.expected95
            if value is not None and ends is not None:
                yield str(measure), "mean", ends[0] - 1e-9 <= value <= ends[1] + 1e-9
        for first in range(len(made.systems) - 1):
            known = true.compare(first, first + 1, measure, tests=False).value
            ends = found.compare(first, first + 1, measure, tests=False).expected95
            if known is not None and ends is not None:
                yield str(measure), "difference", ends[0] - 1e-9 <= known <= ends[1] + 1e-9


def main() -> None:
    """Run what is asked for and print its tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    default = os.environ.get("ANNOTATOR_COLLECTIONS")
    parser.add_argument("folder", nargs="?", type=Path, default=default)
    parser.add_argument("--samples", type=int, default=8)
    parser.add_argument("--first", type=int, default=0, help="the first sample")
    parser.add_argument("--collections")
    options = parser.parse_args()
    if options.folder is None:
        parser.error("name the folder of the collections, or set ANNOTATOR_COLLECTIONS")
    folder = Path(options.folder)
    more = sorted(f"more/{path.parent.name}" for path in folder.glob("more/*/qrels.txt"))
    names = options.collections.split(",") if options.collections else [*SOURCES, *more]
    held: Held = defaultdict(list)
    tries: dict[str, list[bool]] = defaultdict(list)
    for name in names:
        every = collection(folder, name)
        for seed in range(options.first, options.first + options.samples):
            rng = np.random.default_rng(seed)
            made = sampled(every, rng)
            for kind, judged in selections(made, rng):
                if (judged | ~made.pooled.known).all():
                    continue
                intervals = list(holds(made, judged))
                tries[kind].append(not intervals)
                for measure, of, inside in intervals:
                    held[kind, measure, of].append(inside)
                    held[kind, name].append(inside)
    columns = [(str(one), of) for of in ("mean", "difference") for one in MEASURES]
    show("measure", tries, held, columns, [f"{of} {one}" for one, of in columns])
    show("collection", tries, held, [(name,) for name in names], [Path(n).name for n in names])


def show(
    by: str,
    tries: dict[str, list[bool]],
    held: Held,
    columns: Sequence[tuple[str, ...]],
    heads: Sequence[str],
) -> None:
    """Print the share of intervals that hold, and of selections that were refused, in percent."""

    def share(found: list[bool]) -> str:
        return f"{100 * np.mean(found):.0f}" if found else "-"

    rows = [
        [kind, len(refused), share(refused), *(share(held[kind, *column]) for column in columns)]
        for kind, refused in tries.items()
    ]
    print(tabulate(rows, [f"judged (by {by})", "samples", "refused", *heads]), end="\n\n")


if __name__ == "__main__":
    main()
