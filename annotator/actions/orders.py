"""From a project to an order of judging."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from annotator.actions.ranked import ranked_documents
from annotator.actions.scoring import named_systems
from annotator.errors import UsageError
from annotator.judging import Order, PoolOrder
from annotator.judging.order import Background
from annotator.records import Card, IntArray
from annotator.scoring.options import Ties
from annotator.store import Desk, Project
from rubric.pooled_ranks import PooledRanks
from rubric.strategies import Best, Decide, MoveToFront, Random, Rank, Strategy

DECIDE = "decide"
ORDERS = ("depth", "random", "mtf", DECIDE, "best", "rank")
"""The orders by name; depth, query by query, needs nothing chosen."""
CUTOFF = 10
"""Verdicts are on nDCG at this cutoff."""


def load_order(
    project: Project,
    desk: Desk,
    name: str,
    systems: Sequence[str] = (),
    *,
    stay: bool = False,
    background: Background | None = None,
) -> Order | None:
    """An order of judging as the pool and the labels are now; None is query by query.

    Parameters
    ----------
    systems
        The two systems that ``decide`` is to tell apart.
    stay
        Whether to judge up to five documents of a query in a row.
    background
        How to work beside the assessor; None: in a thread of its own.

    Raises
    ------
    UsageError
        If ``decide`` has not got two different systems of the project, or another order has any.
    """
    strategy = _strategy(project, name, systems)
    if strategy is None:
        return None
    rubric, as_of = project.rubrics.active().rubric, desk.last_event()
    cards = [desk.cards(one.query) for one in desk.progress()]
    cards = [of for of in cards if of]
    pooled, pairs = pooled_cards(project, cards)
    return PoolOrder(
        " ".join([name, *systems]),
        strategy,
        pooled,
        np.array([of[0].query for of in cards], dtype=np.int64),
        pairs,
        [card for of in cards for card in of],
        rubric.gain.values(rubric.top),
        as_of=as_of,
        stay=stay,
        background=background,
        seed=project.pool.seed(),
    )


def pooled_cards(project: Project, cards: Sequence[Sequence[Card]]) -> tuple[PooledRanks, IntArray]:
    """Where every system ranked the pooled documents of Q queries, and their numbers as pairs.

    The pairs have shape (Q, P), 0 where a query has fewer.
    """
    queries = np.array([of[0].query for of in cards], dtype=np.int64)
    width = max(map(len, cards), default=0)
    pairs = np.zeros((len(cards), width), dtype=np.int64)
    documents = np.zeros((len(cards), width), dtype=np.int64)
    for row, of in enumerate(cards):
        pairs[row, : len(of)] = [card.pair for card in of]
        documents[row, : len(of)] = [card.document for card in of]
    systems = named_systems(project, None)
    ranked, _ = ranked_documents(project, list(systems.values()), queries, Ties.DISPLAYED)
    ranks = np.zeros((len(systems), *pairs.shape), dtype=np.int64)
    for row in range(len(cards)):
        for system in range(len(systems)):
            found = np.argsort(ranked[system, row])
            at = np.searchsorted(ranked[system, row], documents[row], sorter=found)
            at = found[np.minimum(at, len(found) - 1)]
            hit = (ranked[system, row, at] == documents[row]) & (documents[row] > 0)
            ranks[system, row] = np.where(hit, at + 1, 0)
    return PooledRanks(ranks, pairs > 0, CUTOFF), pairs


def _strategy(project: Project, name: str, systems: Sequence[str]) -> Strategy | None:
    if name != DECIDE:
        if systems:
            raise UsageError(f"the order {name} takes no systems; `decide A B` does")
        seed = project.pool.seed()
        others: dict[str, Strategy] = {
            "random": Random(seed),
            "mtf": MoveToFront(seed),
            "best": Best(),
            "rank": Rank(),
        }
        return others.get(name)
    if len(systems) != 2 or systems[0] == systems[1]:
        raise UsageError("the order decide takes two systems: `--order decide A B`")
    known = list(named_systems(project, None))
    named_systems(project, systems)
    return Decide(*(known.index(system) for system in systems))
