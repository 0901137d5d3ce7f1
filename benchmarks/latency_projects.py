"""The projects that the benchmark of waiting is measured on."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from annotator.domain import Document, Query, Ranking
from annotator.rubric_files import presets
from annotator.store import Project

SYSTEMS, DEPTH, POOLED = 20, 100, 200
BIG = 8  # documents of a project of long ones
WORDS = ["flow", "of", "heat", "over", "thin", "wings", "at", "high", "speed", "was", "measured",
         "and", "compared", "with", "theory"]  # fmt: skip
MARK = b"Document-"
"""What every title begins with, and so what shows that a document is there."""


def make(path: Path, *, queries: int) -> None:
    """Write a project whose queries each have 200 pooled documents, found by 20 systems."""
    random = np.random.default_rng(7)
    project = Project.create(path, presets()["general"])
    with project.file.writing():
        project.queries.store(
            Query(f"q{at:04d}", " ".join(random.choice(WORDS, 5)), "What is meant.")
            for at in range(queries)
        )
        project.documents.store(
            Document(f"d{at}", f"{MARK.decode()}{at}", " ".join(random.choice(WORDS, 800)))
            for at in range(2_000)
        )
        numbers = list(project.documents.ids([f"d{at}" for at in range(2_000)]).values())
        entries = []
        rankings = []
        for query in project.queries.all():
            pooled = random.choice(numbers, POOLED, replace=False)
            entries += [(query, int(one), 1, ["s0"]) for one in pooled]
            rankings.append((query, [random.permutation(pooled)[:DEPTH] for _ in range(SYSTEMS)]))
        scores = np.arange(DEPTH, 0, -1, dtype=np.float64)
        for system in range(SYSTEMS):
            each = [
                Ranking(query, ranked[system].astype(np.int32), scores)
                for query, ranked in rankings
            ]
            project.systems.add(f"s{system}", "", "rank", {}, each, project.now())
        names = [f"s{system}" for system in range(SYSTEMS)]
        project.pool.extend("depth", DEPTH, 0, names, entries, project.now())
    project.close()


def make_sized(path: Path, size: int, *, lines: bool) -> None:
    """Write a project of one query with a few documents of so many characters."""
    random = np.random.default_rng(7)
    project = Project.create(path, presets()["general"])
    with project.file.writing():
        project.queries.store([Query("q1", "heat of thin wings")])
        for at in range(BIG):
            text = " ".join(random.choice(WORDS, size // 5))[:size]
            if lines:
                text = "\n".join(text[one : one + 500] for one in range(0, size, 500))
            project.documents.store([Document(f"d{at}", f"{MARK.decode()}{at}", text)])
        entries = [(1, number, 1, ["s0"]) for number in range(1, BIG + 1)]
        project.pool.extend("depth", DEPTH, 0, ["s0"], entries, project.now())
    project.close()
