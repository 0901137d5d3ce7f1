"""Campaigns with and without labels of language models: labels to a verdict, and how often wrong.

    python benchmarks/model_labels.py DATA [--seeds 100-103] [--worlds llmjudge,…]

DATA holds llmjudge/ (people's grades and those of 12 judges, 25 queries) and trec-qrels/ (rag25: 22
queries and one judge). There are no runs for either, so the systems are simulated, as the sum of
people's grades, other judges' labels and noise: some lexical, some that share a noise, and for
`circular` two that rank by the very judge whose labels the grade model is given. People's grades
and judges' labels are real. `permuted` shuffles the labels within each query: what a worthless
judge costs. `jury` gives three judges.

Each pair of systems is decided twice from the beginning by `decide`, without and with the labels.
The priors were set on seeds 0 to 9 of such systems: take others here.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from rubric import Measure, Rules
from rubric.arrays import GradeArray, IntArray
from rubric.choose.campaign import campaign
from rubric.choose.chooser import Chooser
from rubric.choose.orders import Decide
from rubric.choose.survey import survey
from rubric.choose.target import Target
from rubric.model.expectation import NORMAL_95, SPREAD, Estimate
from rubric.model.grade_model import GradeModel
from rubric.model.model_labels import ModelLabels
from rubric.model.pooled_ranks import PooledRanks
from rubric.model.stopping import Verdict, bears_out, is_credible

TOP, CUTOFF, DEPTH, MOST = 3, 10, 100, 0.7
JUDGE, JURY = "willia-umbrela1", ("willia-umbrela1", "h2oloo-fewself", "Olz-gpt4o")
WORLDS = ("llmjudge", "jury", "circular", "permuted", "rag25")
STRATA = ((1e-9, 0.02), (0.02, 0.06), (0.06, 9.0))
PER_STRATUM = 2
LOOKS = (30, 60)
"""Numbers of labels at which estimates are compared with the truth."""


class Collection(NamedTuple):
    """By query: people's grades (n,), and each judge's labels (J, n), -1 where it gave none."""

    human: list[IntArray]
    labels: list[GradeArray]
    judges: list[str]


def load(data: Path, name: str) -> Collection:
    """Read people's grades and those of the judges; what is no grade is no label."""
    if name == "rag25":
        people = data / "trec-qrels" / "qrels.rag25.test.txt"
        files = {"umbrela2": data / "trec-qrels" / "qrels.rag25.test-umbrela2.txt"}
    else:
        people = data / "llmjudge" / "llmjudge_test_qrel_idx.txt"
        files = {file.stem: file for file in sorted((data / "llmjudge/llm-labels").glob("*.txt"))}
    human, judged = _grades(people), {judge: _grades(file) for judge, file in files.items()}
    queries = sorted({query for query, _ in human})
    pools = [sorted(document for one, document in human if one == query) for query in queries]
    named = list(zip(queries, pools, strict=True))
    return Collection(
        [np.array([min(human[q, d], TOP) for d in pool]) for q, pool in named],
        [
            np.array(
                [[_valid(of.get((q, d), -1)) for d in pool] for of in judged.values()], np.int8
            )
            for q, pool in named
        ],
        list(judged),
    )


def _grades(file: Path) -> dict[tuple[str, str], int]:
    rows = (line.split() for line in file.open())
    return {(query, document): int(float(grade)) for query, _, document, grade in rows}


def _valid(grade: int) -> int:
    return grade if 0 <= grade <= TOP else -1


@dataclass(frozen=True, eq=False)
class Pair:
    """Two systems: their pool, the true grades (Q, P), and the judges' labels (J, Q, P)."""

    pooled: PooledRanks
    truth: GradeArray
    labels: GradeArray

    @property
    def target(self) -> Target:
        """What is decided on."""
        return Target.of(Measure("nDCG", CUTOFF), Rules(), TOP)

    @property
    def difference(self) -> float:
        """The true difference of the two."""
        known = np.where(self.pooled.known, self.truth, -1).astype(np.int8)
        found = survey(GradeModel(self.pooled, TOP), known, self.target, draws=1)
        return float(found.means[0, 0] - found.means[0, 1])


def pairs(collection: Collection, world: str, seed: int) -> Iterator[Pair]:
    """Pairs of simulated systems, some of each band of true differences."""
    rng = np.random.default_rng(seed)
    given = [collection.judges.index(one) for one in _given(collection, world)]
    others = [at for at in range(len(collection.judges)) if at not in given] or given
    kinds = ["lexical"] * 4 + ["neural"] * 6 + ["circular"] * 2
    taste = [(rng.uniform(0, 0.3), rng.uniform(0.05, 0.8), int(rng.choice(others))) for _ in kinds]
    ranked = [[] for _ in kinds]
    for human, labels in zip(collection.human, collection.labels, strict=True):
        said = np.maximum(labels, 0)
        shared = {"lexical": rng.standard_normal(len(human))}
        shared["neural"] = shared["circular"] = rng.standard_normal(len(human))
        for at, (kind, (own, other, judge)) in enumerate(zip(kinds, taste, strict=True)):
            liked = said[given[0]] if kind == "circular" else said[others].mean(axis=0)
            if kind == "neural":
                liked = (liked + said[judge]) / 2
            noise = 0.7 * shared[kind] + 0.6 * rng.standard_normal(len(human))
            ranked[at].append(np.argsort(-(own * human + other * liked + noise), kind="stable"))
    wanted = world == "circular"
    made = [
        _pair(collection, ranked[one], ranked[two], given)
        for one in range(len(kinds))
        for two in range(one + 1, len(kinds))
        if ("circular" in (kinds[one], kinds[two])) == wanted
    ]
    sized = sorted(((abs(one.difference), at) for at, one in enumerate(made)))
    for low, high in STRATA:
        inside = [at for size, at in sized if low <= size < high]
        for at in (
            sorted({int(x) for x in np.linspace(0, len(inside) - 1, PER_STRATUM)}) if inside else []
        ):
            one = made[inside[at]]
            yield _permuted(one, rng) if world == "permuted" else one


def _given(collection: Collection, world: str) -> Sequence[str]:
    if world == "rag25":
        return collection.judges
    return JURY if world == "jury" else (JUDGE,)


def _pair(
    collection: Collection, one: list[IntArray], two: list[IntArray], given: list[int]
) -> Pair:
    pools = [np.unique([*a[:CUTOFF], *b[:CUTOFF]]) for a, b in zip(one, two, strict=True)]
    shape = len(pools), max(map(len, pools))
    ranks, truth = np.zeros((2, *shape), dtype=np.int64), np.zeros(shape, dtype=np.int8)
    labels = np.full((len(given), *shape), -1, dtype=np.int8)
    known = np.arange(shape[1]) < np.array([len(pool) for pool in pools])[:, None]
    for row, pool in enumerate(pools):
        truth[row, : len(pool)] = collection.human[row][pool]
        labels[:, row, : len(pool)] = collection.labels[row][given][:, pool]
        for system, ranking in enumerate((one[row], two[row])):
            place = np.empty(len(ranking), dtype=np.int64)
            place[ranking] = np.arange(1, len(ranking) + 1)
            ranks[system, row, : len(pool)] = np.where(place[pool] <= DEPTH, place[pool], 0)
    return Pair(PooledRanks(ranks, known, CUTOFF), truth, labels)


def _permuted(pair: Pair, rng: np.random.Generator) -> Pair:
    labels = pair.labels.copy()
    for row, size in enumerate(pair.pooled.known.sum(axis=1)):
        labels[:, row, :size] = rng.permuted(labels[:, row, :size], axis=1)
    return replace(pair, labels=labels)


class End(NamedTuple):
    """How a campaign ended, and its estimates at some numbers of labels: mean and deviation."""

    labels: int
    wrong: bool
    seen: dict[int, Estimate]


def decided(pair: Pair, true: float, seed: int, *, with_models: bool) -> End:
    """Judge in the order `decide` until a claim is made, or 70% of the pool is judged."""
    models = ModelLabels.of(pair.labels, pair.pooled.known, TOP) if with_models else None
    pooled = pair.pooled.with_models(models)
    chooser = Chooser(pooled, np.full(pair.truth.shape, -1, dtype=np.int8), Decide(0, 1))
    looks = campaign(
        chooser, GradeModel(pooled, TOP), pair.target,
        lambda row, column: int(pair.truth[row, column]), seed=seed, draws=None,
    )  # fmt: skip
    plain, seen = GradeModel(pair.pooled, TOP), dict[int, Estimate]()
    size = int(pair.pooled.known.sum())
    end = End(size, False, seen)
    for found in looks:
        apart = found.difference(0, 1)
        for look in LOOKS:
            if found.labels >= look:
                seen.setdefault(look, apart)
        if end.labels == size and is_credible(apart, Decide(0, 1).support(found)):
            other = None
            if with_models:
                other = survey(plain, found.grades, pair.target, seed=seed).difference(0, 1)
            if bears_out(other, Verdict.CREDIBLE, apart):
                end = End(found.labels, apart.mean * true < 0, seen)
        if found.labels > MOST * size or (end.labels < size and len(seen) == len(LOOKS)):
            break
    return end


def row(world: str, ends: list[tuple[float, End, End]]) -> str:
    """One line of the table."""
    true = np.array([one[0] for one in ends])
    plain, helped = ([one[at] for one in ends] for at in (1, 2))
    labels = [np.array([end.labels for end in each]) for each in (plain, helped)]
    ratio = float(np.exp(np.log(labels[1] / labels[0]).mean()))
    errors, inside = [], []
    for look in LOOKS:
        off = [np.array([end.seen[look].mean for end in each]) - true for each in (plain, helped)]
        wide = np.array([end.seen[look].sd for end in helped]) * SPREAD * NORMAL_95
        errors.append(f"{np.sqrt((off[1] ** 2).mean() / (off[0] ** 2).mean()):.2f}")
        inside.append(f"{np.mean(np.abs(off[1]) <= wide):.0%}")
    wrong = [sum(end.wrong for end in each) for each in (plain, helped)]
    means = [f"{np.median(each):.0f} / {each.mean():.0f}" for each in labels]
    cells = [world, len(ends), *means, f"{ratio:.2f}", *wrong, " ".join(errors), " ".join(inside)]
    return "| " + " | ".join(map(str, cells)) + " |"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--seeds", default="100-102")
    parser.add_argument("--worlds", default=",".join(WORLDS))
    asked = parser.parse_args()
    first, _, last = asked.seeds.partition("-")
    print("| world | pairs | labels without, median / mean | with | ratio | wrong without | wrong "
          f"with | rms error, ratio at {LOOKS} | true in 95% interval |")  # fmt: skip
    print("|" + " --- |" * 9)
    for world in asked.worlds.split(","):
        collection = load(asked.data, "rag25" if world == "rag25" else "llmjudge")
        ends = []
        for seed in range(int(first), int(last or first) + 1):
            for pair in pairs(collection, world, seed):
                true = pair.difference
                both = (decided(pair, true, seed, with_models=one) for one in (False, True))
                ends.append((true, *both))
        print(row(world, ends), flush=True)


if __name__ == "__main__":
    main()
