"""The rankings of several systems as one array over systems, queries and ranks."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from annotator.displayed_order import id_order, score_order, trec_order
from annotator.domain import Int32Array, IntArray, Ranking
from annotator.scoring.options import Ties
from rubric import first_of_ties


def ranked(
    systems: Iterable[Iterable[Ranking]],
    queries: IntArray,
    ties: Ties,
    id_places: Callable[[], IntArray],
    deepest: int | None = None,
) -> tuple[Int32Array, IntArray | None]:
    """Document numbers, 0 where there is none, and where ties begin if they are averaged.

    Parameters
    ----------
    systems
        The rankings of each of S systems in displayed order, documents by their numbers from 1.
    queries
        The Q query numbers, rising; rankings of others are left out.
    ties
        The order that is asked for.
    id_places
        Gives the place of each document, by its number, in the order of ids by their bytes.
    deepest
        The last rank that counts, None for all; where ties are averaged a tie may lift any.

    Returns
    -------
    Both of shape (S, Q, depth), depth at least 1.
    """
    deepest = None if ties is Ties.AVERAGE else deepest
    every = [_known(rankings, queries) for rankings in systems]
    depth = max((len(one.documents) for each in every for one in each), default=1)
    depth = max(1, min(depth, deepest or depth))
    documents = np.zeros((len(every), len(queries), depth), dtype=np.int32)
    shape = documents.shape if ties is Ties.AVERAGE else (0, 0, 0)
    scores = np.full(shape, np.nan)
    for at, each in enumerate(every):
        for ranking in each:
            row, chosen = np.searchsorted(queries, ranking.query), _order(ranking, ties, id_places)
            count = min(depth, len(ranking.documents))
            documents[at, row, :count] = ranking.documents[chosen][:count]
            if ties is Ties.AVERAGE:
                scores[at, row, :count] = ranking.scores[chosen][:count]
    if ties is not Ties.AVERAGE:
        return documents, None
    return documents, first_of_ties(scores.reshape(-1, depth)).reshape(documents.shape)


def _known(rankings: Iterable[Ranking], queries: IntArray) -> list[Ranking]:
    known = set(queries.tolist())
    return [one for one in rankings if one.query in known]


def _order(ranking: Ranking, ties: Ties, id_places: Callable[[], IntArray]) -> IntArray | slice:
    if ties is Ties.DISPLAYED:
        return slice(None)
    if ties in (Ties.TREC, Ties.ID):
        by_id = trec_order if ties is Ties.TREC else id_order
        return by_id(ranking, id_places)
    return score_order(ranking)
