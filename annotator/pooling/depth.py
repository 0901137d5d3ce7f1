"""The depth-k pool: the union of every system's first k documents.

Sparck Jones and van Rijsbergen 1975.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from annotator.domain import Int32Array

ENOUGH = 50
"""Pooled pairs of a system from which on it is odd that no other system has any of them."""


class Place(NamedTuple):
    """One system's ranking of one query: document numbers in displayed order."""

    system: str
    query: int
    documents: Int32Array


class Candidate(NamedTuple):
    """A pair to be pooled: its best rank (from 1) and the systems that brought it."""

    query: int
    document: int
    best_rank: int
    systems: tuple[str, ...]


def depth_pool(rankings: Iterable[Place], depth: int) -> list[Candidate]:
    """Pool the first ``depth`` documents of every ranking.

    Returns
    -------
    One candidate a pair, ordered by query and document number; systems in the order given.
    """
    found: dict[tuple[int, int], tuple[int, list[str]]] = {}
    for system, query, documents in rankings:
        for rank, document in enumerate(documents[:depth].tolist(), start=1):
            best, systems = found.setdefault((query, document), (rank, []))
            systems.append(system)
            if rank < best:
                found[query, document] = (rank, systems)
    return [
        Candidate(query, document, best, tuple(systems))
        for (query, document), (best, systems) in sorted(found.items())
    ]


def strangers(candidates: Iterable[Candidate]) -> list[str]:
    """The systems with 50 pairs or more of which no other system brought any."""
    counts, shared = Counter[str](), set[str]()
    for one in candidates:
        counts.update(one.systems)
        if len(one.systems) > 1:
            shared.update(one.systems)
    several = len(counts) > 1
    return [name for name in counts if several and counts[name] >= ENOUGH and name not in shared]
