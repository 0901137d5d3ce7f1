"""The stored rankings as one array over systems, queries and ranks, in the order asked for."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, partial

import numpy as np

from annotator.domain import Int32Array, IntArray
from annotator.scoring.options import Ties
from annotator.scoring.rankings import ranked
from annotator.store import Project


def ranked_documents(
    project: Project,
    systems: Sequence[int],
    queries: IntArray,
    ties: Ties,
    deepest: int | None = None,
) -> tuple[Int32Array, IntArray | None]:
    """Document numbers and where ties begin, as `annotator.scoring.rankings.ranked` gives them."""

    @cache
    def id_places() -> IntArray:
        ordered = np.array([0, *project.documents.in_id_order()], dtype=np.int64)
        places = np.empty(ordered.max(initial=0) + 1, dtype=np.int64)
        places[ordered] = np.arange(len(ordered))
        return places

    read = project.systems.rankings
    if deepest and ties is Ties.DISPLAYED:
        read = partial(project.systems.tops, depth=deepest)
    return ranked(map(read, systems), queries, ties, id_places, deepest)
