"""From a project to an order of judging."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from annotator.actions.ranked import ranked_documents
from annotator.actions.scoring import named_systems
from annotator.errors import UsageError
from annotator.judging import Order
from annotator.judging.order import Background, PoolOrder
from annotator.records import IntArray
from annotator.scoring.options import Ties
from annotator.store import Desk, Project
from rubric.pooled_ranks import PooledRanks
from rubric.strategies import Best, Decide, MoveToFront, Random, Rank, Strategy

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
    strategy = strategy_of(project, name, systems)
    if strategy is None:
        return None
    rubric, as_of = project.rubrics.active().rubric, desk.last_event()
    cards = [desk.cards(one.query) for one in desk.progress()]
    queries = np.array([of[0].query for of in cards], dtype=np.int64)
    shape = len(cards), max(map(len, cards), default=0)
    pairs, documents = np.zeros(shape, dtype=np.int64), np.zeros(shape, dtype=np.int64)
    for row, of in enumerate(cards):
        pairs[row, : len(of)] = [card.pair for card in of]
        documents[row, : len(of)] = [card.document for card in of]
    return PoolOrder(
        " ".join([name, *systems]),
        strategy,
        pooled_ranks(project, queries, documents),
        queries,
        pairs,
        [card for of in cards for card in of],
        rubric.gain.values(rubric.top),
        as_of=as_of,
        stay=stay,
        background=background,
        seed=project.pool.seed(),
    )


def pooled_ranks(project: Project, queries: IntArray, documents: IntArray) -> PooledRanks:
    """Where every system of the project ranked documents.

    Parameters
    ----------
    queries
        The number of each query, rising: shape (Q,).
    documents
        Numbers of pooled documents, 0 where a query has fewer: shape (Q, P).
    """
    systems = named_systems(project, None)
    ranked, _ = ranked_documents(project, list(systems.values()), queries, Ties.DISPLAYED)
    ranks = np.zeros((len(systems), *documents.shape), dtype=np.int64)
    for system, of_system in enumerate(ranked):
        for row, ranking in enumerate(of_system):
            order = np.argsort(ranking)
            at = np.searchsorted(ranking, documents[row], sorter=order)
            place = order[np.minimum(at, len(order) - 1)]
            ranks[system, row] = np.where(ranking[place] == documents[row], place + 1, 0)
    return PooledRanks(ranks * (documents > 0), documents > 0, CUTOFF)


def strategy_of(project: Project, name: str, systems: Sequence[str]) -> Strategy | None:
    """How an order chooses; None is query by query. Raises as :func:`load_order`."""
    if name != "decide":
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
