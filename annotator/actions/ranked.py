"""The stored rankings as one array over systems, queries and ranks, in the order asked for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeAlias

import numpy as np

from annotator.ordering import score_order, trec_order
from annotator.records import Int32Array, IntArray
from annotator.scoring.options import Ties
from annotator.store import Project, Ranking
from rubric import first_of_ties

Order: TypeAlias = "Callable[[Ranking], IntArray | slice]"


def ranked_documents(
    project: Project,
    systems: Sequence[int],
    queries: IntArray,
    ties: Ties,
    deepest: int | None = None,
) -> tuple[Int32Array, IntArray | None]:
    """Document numbers, 0 where there is none, and where ties begin if they are averaged.

    Both have shape (S, Q, depth) for the systems and the rising query numbers given; what is ranked
    below ``deepest`` is left out, unless a tie may lift it.
    """
    deepest = None if ties is Ties.AVERAGE else deepest
    order = _order(project, ties)
    read = project.systems.rankings
    if deepest and ties is Ties.DISPLAYED:
        read = partial(project.systems.tops, depth=deepest)
    rankings = [list(read(system)) for system in systems]
    depth = max((len(one.documents) for each in rankings for one in each), default=1)
    depth = min(depth, deepest or depth)
    documents = np.zeros((len(systems), len(queries), depth), dtype=np.int32)
    shape = documents.shape if ties is Ties.AVERAGE else (0, 0, 0)
    scores = np.full(shape, np.nan)
    for at, each in enumerate(rankings):
        for ranking in each:
            row, chosen = np.searchsorted(queries, ranking.query), order(ranking)
            count = min(depth, len(ranking.documents))
            documents[at, row, :count] = ranking.documents[chosen][:count]
            if ties is Ties.AVERAGE:
                scores[at, row, :count] = ranking.scores[chosen][:count]
    if ties is not Ties.AVERAGE:
        return documents, None
    return documents, first_of_ties(scores.reshape(-1, depth)).reshape(documents.shape)


def _order(project: Project, ties: Ties) -> Order:
    if ties is Ties.DISPLAYED:
        return lambda _: slice(None)
    if ties is Ties.TREC:
        places = _id_places(project)
        return lambda ranking: trec_order(ranking.scores, places[ranking.documents])
    return lambda ranking: score_order(ranking.scores)


def _id_places(project: Project) -> IntArray:
    """Each document number's place in the order of ids by their bytes."""
    ordered = np.array([0, *project.documents.in_id_order()], dtype=np.int64)
    places = np.empty(ordered.max(initial=0) + 1, dtype=np.int64)
    places[ordered] = np.arange(len(ordered))
    return places
