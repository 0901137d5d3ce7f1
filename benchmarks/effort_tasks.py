"""The collections of the study of effort, and the tasks that it sets on them.

A folder holds cranfield/, dl-hard/, trec-covid-r1/ and robust03/, each with a qrels file and
runs/*.run, and, if they are there, four more in more/, on which nothing was chosen. A document that
is not in the qrels has grade 0 where runs were judged deep enough for that; else runs are cut to
their judged documents first, so that the truth is whole.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from pathlib import Path

import numpy as np

from rubric import Measure, Rules
from rubric.arrays import FloatArray, GradeArray, ratio
from rubric.choose.survey import drawn_sums
from rubric.choose.target import Target
from rubric.gains import Gain
from rubric.measures.ndcg import ideal_dcg
from rubric.model.grade_model import GradeModel
from rubric.model.pooled_ranks import PooledRanks

CUTOFF, DEPTH = 10, 100
STRATA = (0.0, 0.02, 0.06, 9.0)
"""Near ties, moderate and clear differences of the mean nDCG@10."""
PER_STRATUM = 7
TWICE = "bm25.full.run"
"""dl-hard holds this run twice."""


@dataclass(frozen=True)
class Source:
    """Where a collection's labels stand, their top grade, and whether runs are cut to them.

    ``folder`` is that of its qrels and runs, the collection's name by default.
    """

    qrels: str
    top: int
    cut: bool
    folder: str = ""


SOURCES = {
    "cranfield": Source("qrels.0-3.txt", 3, False),
    "dl-hard": Source("qrels.passage.txt", 3, True),
    "trec-covid-r1": Source("qrels.rnd1.txt", 2, True),
    "robust03": Source("qrels.robust03.txt", 2, False),
}
MORE = {
    "codec-doc": Source("qrels.txt", 3, True, "more/codec-doc"),
    "codec-ent": Source("qrels.txt", 3, True, "more/codec-ent"),
    "covid-r5": Source("qrels.txt", 2, True, "more/covid-r5"),
    "ehealth16": Source("qrels.txt", 2, True, "more/ehealth16"),
}


@dataclass(frozen=True)
class Collection:
    """Labels by query and document; rankings by system and query."""

    name: str
    top: int
    qrels: dict[str, dict[str, int]]
    runs: dict[str, dict[str, list[str]]]

    @property
    def queries(self) -> list[str]:
        """Every judged query, in order."""
        return sorted(self.qrels)

    @property
    def systems(self) -> list[str]:
        """Every system, in order."""
        return sorted(self.runs)


def load(folder: Path, name: str) -> Collection:
    """Read a collection; rankings are in trec_eval's order, to rank 100."""
    source = (SOURCES | MORE)[name]
    place = folder / (source.folder or name)
    qrels: dict[str, dict[str, int]] = {}
    for line in (place / source.qrels).open():
        query, _, document, grade = line.split()
        qrels.setdefault(query, {})[document] = max(0, int(grade))
    runs = {}
    for path in sorted((place / "runs").glob("*.run")):
        if path.name != TWICE:
            system = path.name.split(".d100")[0].split(".full")[0].removesuffix(".run")
            runs[system] = dict(_rankings(path, qrels, cut=source.cut))
    return Collection(name, source.top, qrels, runs)


def _rankings(
    path: Path, qrels: dict[str, dict[str, int]], *, cut: bool
) -> Iterator[tuple[str, list[str]]]:
    scores: dict[str, dict[str, float]] = {}
    for line in path.open():
        query, _, document, _, score, *_ = line.split()
        if query in qrels and (not cut or document in qrels[query]):
            scores.setdefault(query, {}).setdefault(document, float(score))
    for query, of in scores.items():
        ordered = sorted(sorted(of, reverse=True), key=lambda document: -of[document])
        yield query, ordered[:DEPTH]


@dataclass(frozen=True, eq=False)
class Task:
    """Systems on queries: what may be seen of the pool, and the grades, which may not.

    ``pooled`` holds the ranks, ``truth`` the grade of every pooled document, shape (Q, P).
    """

    systems: tuple[str, ...]
    top: int
    pooled: PooledRanks
    truth: GradeArray
    measure: str = f"nDCG@{CUTOFF}"

    @property
    def target(self) -> Target:
        """The measure that is to be decided on."""
        return Target.of(Measure.parse(self.measure), Rules(), self.top)

    @property
    def gains(self) -> FloatArray:
        """Gain of each grade."""
        return Gain().values(self.top)

    @property
    def size(self) -> int:
        """How many pairs are pooled."""
        return int(self.pooled.known.sum())

    @property
    def in_question(self) -> int:
        """How many of these the first two systems have in their top ten."""
        return int((self.pooled.known & self.pooled.in_top_of(0, 1)).sum())

    @cached_property
    def scores(self) -> FloatArray:
        """The true nDCG@10 of each system and query, 0 where nothing is relevant: (S, Q)."""
        return ndcg(self.pooled, self.truth, self.gains)

    @property
    def difference(self) -> float:
        """The true mean of the first system less that of the second, by the measure."""
        every = np.where(self.pooled.known, self.truth, -1).astype(np.int8)
        model = GradeModel(self.pooled, self.top)
        sums = drawn_sums(model, every, self.target, 1, np.random.default_rng(0))[0]
        return float(sums[0] - sums[1]) / len(self.truth)


def ndcg(pooled: PooledRanks, grades: GradeArray, gains: FloatArray) -> FloatArray:
    """The nDCG of each system and query, whatever has no grade gaining nothing: shape (S, Q)."""
    gained = np.where(grades >= 0, gains[np.maximum(grades, 0)], 0.0) * pooled.known
    levels = np.arange(1, len(gains))
    judged = ((grades[:, :, None] >= levels) & pooled.known[:, :, None]).sum(axis=1)
    ideal = ideal_dcg(judged, gains, pooled.k)
    total = (pooled.discounts * gained).sum(axis=2)
    return ratio(total, np.broadcast_to(ideal, total.shape), undefined=0.0)


def task(collection: Collection, systems: Sequence[str], queries: Sequence[str]) -> Task:
    """Pool the systems' top 10 on these queries."""
    runs = [[collection.runs[name].get(query, []) for query in queries] for name in systems]
    pools = [
        sorted({document for run in runs for document in run[at][:CUTOFF]})
        for at in range(len(queries))
    ]
    width = max(map(len, pools))
    known = np.arange(width) < np.array([len(pool) for pool in pools])[:, None]
    ranks = np.zeros((len(systems), len(queries), width), dtype=np.int64)
    truth = np.zeros(known.shape, dtype=np.int8)
    for at, (query, pool) in enumerate(zip(queries, pools, strict=True)):
        truth[at, : len(pool)] = [collection.qrels[query].get(document, 0) for document in pool]
        for system, run in enumerate(runs):
            rank = {document: place for place, document in enumerate(run[at], start=1)}
            ranks[system, at, : len(pool)] = [rank.get(document, 0) for document in pool]
    return Task(tuple(systems), collection.top, PooledRanks(ranks, known, CUTOFF), truth)


def pairs(collection: Collection) -> list[tuple[str, str]]:
    """Pairs of systems, up to seven from each stratum of their true difference."""
    everything = task(collection, collection.systems, collection.queries)
    mean = dict(zip(collection.systems, everything.scores.mean(axis=1), strict=True))
    names = collection.systems
    apart = sorted(
        (abs(mean[first] - mean[second]), first, second)
        for at, first in enumerate(names)
        for second in names[at + 1 :]
    )
    chosen = []
    for low, high in pairwise(STRATA):
        inside = [(first, second) for gap, first, second in apart if low <= gap < high]
        spread = np.linspace(0, len(inside) - 1, min(PER_STRATUM, len(inside)))
        chosen += [inside[at] for at in sorted({int(place) for place in spread})]
    return chosen


def sample(collection: Collection, seed: int, size: int = 50) -> list[str]:
    """Queries drawn without replacement, at most four fifths of the collection's."""
    queries = collection.queries
    size = min(size, int(0.8 * len(queries)))
    drawn = np.random.default_rng(seed).choice(len(queries), size, replace=False)
    return [queries[at] for at in sorted(drawn)]


def pair_tasks(
    collection: Collection, seeds: Sequence[int], size: int = 50, *, whole: bool = False
) -> Iterator[tuple[Task, int]]:
    """Every pair on its own sample of queries for each seed; ties in truth are left out.

    Pooled is what the two found, or, in a ``whole`` pool, what every system of the collection did.
    """
    for first, second in pairs(collection):
        for seed in seeds:
            queries = sample(collection, zlib.crc32(f"{first}{second}{seed}".encode()), size)
            order = (first, second) if seed % 2 else (second, first)
            others = [name for name in collection.systems if whole and name not in order]
            made = task(collection, [*order, *others], queries)
            if abs(made.difference) >= 1e-9:
                yield made, seed
