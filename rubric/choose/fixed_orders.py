"""Orders of judging that look at ranks alone, or at ranks and at what was relevant so far.

A priority is above 0 and the largest is judged next. Ranks are counted from 1; 0 stands where a
system did not return the document.
"""

from __future__ import annotations

import numpy as np

from rubric.arrays import FloatArray, GradeArray, IntArray
from rubric.model.pooled_ranks import Ranks

_LAST = 2**31 - 1


def best_first(ranks: Ranks) -> IntArray:
    """Each document's place (from 0) in its query by the best rank any system gave it.

    Shapes (S, Q, P) and (Q, P); ties go to the system that comes first.
    """
    ranks = np.where(ranks > 0, ranks, _LAST)
    order = np.lexsort((ranks.argmin(axis=0), ranks.min(axis=0)), axis=1)
    return order.argsort(axis=1)


def query_by_query(places: IntArray, turns: IntArray) -> FloatArray:
    """Priorities that finish a query before the next; ``turns`` is each query's, shape (Q,)."""
    return np.asarray(1.0 / (1 + turns[:, None] * places.shape[1] + places))


def round_robin(places: IntArray, turns: IntArray) -> FloatArray:
    """Priorities that take every query's next document in turn."""
    return np.asarray(1.0 / (1 + places * np.int64(turns.max(initial=0) + 1) + turns[:, None]))


def move_to_front(ranks: IntArray, grades: GradeArray, threshold: int = 1) -> IntArray:
    """Each document's place (from 0) under move-to-front pooling of one query.

    A system is followed down its ranking as long as it brings relevant documents; then the one with
    the fewest failures is (Cormack, Palmer and Clarke 1998). The labels so far steer it: the judged
    are passed again as they were met, and what is not judged yet counts as a failure.

    Parameters
    ----------
    ranks
        int, shape (S, P).
    grades
        int8, shape (P,), below 0 where there is no grade.
    threshold
        The least grade that is relevant.
    """
    systems, documents = ranks.shape
    ahead = np.where(ranks > 0, ranks, _LAST).argsort(axis=1, kind="stable")
    found = (ranks > 0).sum(axis=1).tolist()
    relevant = (grades >= threshold).tolist()
    place = np.full(documents, documents, dtype=np.int64)
    at, failures = [0] * systems, [0] * systems
    follow, met = 0, 0
    queue = ahead.tolist()
    while True:
        for system in range(systems):
            while at[system] < found[system] and place[queue[system][at[system]]] < documents:
                at[system] += 1
        left = [system for system in range(systems) if at[system] < found[system]]
        if not left:
            return place
        if follow not in left:
            follow = min(left, key=failures.__getitem__)
        document = queue[follow][at[follow]]
        place[document] = met
        met += 1
        if not relevant[document]:
            failures[follow] += 1
            follow = min(left, key=failures.__getitem__)
