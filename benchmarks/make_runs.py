"""Makes TREC run files with judgments to measure scoring on: one large run, or a whole campaign.

    python benchmarks/make_runs.py FOLDER [--workload many-queries|many-systems] [--small]

``many-queries``: 6,980 queries, one system, 1,000 documents a query, 1 to 30 judgments a query.
``many-systems``: 50 queries, 100 systems, 1,000 documents a query, 500 judgments a query; every
fourth system prints its scores with three digits, so that many are tied.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

QRELS = "qrels.txt"
COLLECTION = 8_841_823
DEPTH = 1000


@dataclass(frozen=True)
class Workload:
    """How much of what: ``candidates`` documents a query, of which each system returns 1,000."""

    queries: int
    systems: int
    candidates: int
    first_query: int
    docid: str


WORKLOADS = {
    "many-queries": Workload(6980, 1, DEPTH, 1_000_000, "{}"),
    "many-systems": Workload(50, 100, 4 * DEPTH, 401, "passage_{}"),
}
SMALL = {
    "many-queries": replace(WORKLOADS["many-queries"], queries=500),
    "many-systems": replace(WORKLOADS["many-systems"], systems=8),
}


def make(folder: Path, workload: Workload, seed: int = 8) -> None:
    """Write ``run.000.txt`` and so on, and the judgments of pooled documents."""
    random = np.random.default_rng(seed)
    folder.mkdir(parents=True, exist_ok=True)
    skill = random.uniform(0.3, 1.5, workload.systems)
    runs = [
        (folder / f"run.{system:03d}.txt").open("w", encoding="ascii")
        for system in range(workload.systems)
    ]
    with (folder / QRELS).open("w", encoding="ascii") as qrels:
        for query in range(workload.queries):
            qid = workload.first_query + query * 37
            documents = random.choice(COLLECTION, workload.candidates, replace=False)
            quality = random.normal(0, 1, workload.candidates)
            names = [_name(workload, number) for number in documents.tolist()]
            best_place = np.full(workload.candidates, DEPTH)
            for system, run in enumerate(runs):
                noise = random.normal(0, 1, workload.candidates)
                score = quality * skill[system] + noise + 12
                order = np.argsort(-score)[:DEPTH]
                digits = 3 if system % 4 == 3 else 6
                run.writelines(
                    f"{qid} Q0 {names[document]} {rank} {value:.{digits}f} sys{system:03d}\n"
                    for rank, (document, value) in enumerate(
                        zip(order.tolist(), score[order].tolist(), strict=True), start=1
                    )
                )
                best_place[order] = np.minimum(best_place[order], np.arange(DEPTH))
            judged = _judged(workload, best_place, random)
            grades = np.clip(np.round(quality[judged] + random.normal(0, 1, len(judged))), 0, 3)
            qrels.writelines(
                f"{qid} 0 {names[document]} {int(grade)}\n"
                for document, grade in zip(judged.tolist(), grades.tolist(), strict=True)
            )
    for run in runs:
        run.close()


def _name(workload: Workload, number: int) -> str:
    """As MS MARCO names passages: a bare number, or one with its part of the collection."""
    return workload.docid.format(
        number if workload.docid == "{}" else f"{number % 70:02d}_{number:09d}"
    )


def _judged(
    workload: Workload, best_place: npt.NDArray[np.int64], random: np.random.Generator
) -> npt.NDArray[np.int64]:
    """A pool's head where there are many systems, else a few documents, most from the top."""
    order = np.argsort(best_place, kind="stable")
    if workload.systems > 1:
        return order[:500]
    places = random.exponential(60, random.integers(1, 31)).astype(np.int64)
    return order[np.unique(np.minimum(places, DEPTH - 1))]


def main() -> None:
    """Make one workload in a folder."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--workload", choices=list(WORKLOADS), default="many-queries")
    parser.add_argument("--small", action="store_true")
    arguments = parser.parse_args()
    make(arguments.folder, (SMALL if arguments.small else WORKLOADS)[arguments.workload])


if __name__ == "__main__":
    main()
