"""Making and extending the pool."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from annotator.actions.scoring import named_systems
from annotator.pooling.depth import Place, depth_pool, strangers
from annotator.store import Project

METHOD = "depth"


@dataclass(frozen=True)
class PoolMade:
    """What making or extending the pool did: pairs added, pairs in all, pairs left to judge.

    ``strangers`` are systems that share no document with any other, which is odd.
    """

    depth: int
    systems: list[str]
    added: int
    pooled: int
    unjudged: int
    without_text: int
    strangers: list[str]


def make_pool(
    project: Project, depth: int, *, systems: Sequence[str] | None = None, seed: int = 0
) -> PoolMade:
    """Pool the first ``depth`` documents of every (named) system; only missing pairs are added.

    Raises
    ------
    UsageError
        If there is no system, or a named one is not stored.
    """
    stored = named_systems(project, systems)
    names = list(stored)
    candidates = depth_pool(
        (
            Place(name, ranking.query, ranking.documents)
            for name in names
            for ranking in project.systems.rankings(stored[name])
        ),
        depth,
    )
    with project.file.writing():
        added = project.pool.extend(METHOD, depth, seed, names, candidates, project.now())
        pooled = list(zip(*(column.tolist() for column in project.pool.pairs()), strict=True))
        labels = project.judgments.labels(project.rubrics.counted())
    judged = set(zip(labels.query.tolist(), labels.document.tolist(), strict=True))
    return PoolMade(
        depth=depth,
        systems=names,
        added=added,
        pooled=len(pooled),
        unjudged=sum(pair not in judged for pair in pooled),
        without_text=project.documents.pooled_without_text(),
        strangers=strangers(candidates),
    )
