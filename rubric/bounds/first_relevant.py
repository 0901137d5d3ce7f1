"""The greatest difference of two systems on a measure of the first relevant document's rank."""

from __future__ import annotations

import numpy as np

from rubric.arrays import FloatArray, IntArray
from rubric.bounds.tops import Tops


def first_relevant(tops: Tops, worth: FloatArray) -> FloatArray:
    """Of what the rank of the first relevant document is worth, falling rank by rank.

    If the first's is at a rank, all that is unjudged elsewhere is best not relevant: the second's
    then stands at its first known one, or where it holds this same document. ``worth`` has shape
    (w,), for the deeper of the two tops; no relevant document is worth 0.
    """
    worth = np.append(worth, 0.0)
    found, other = tops.relevant
    none, size = len(worth) - 1, found.shape[1]
    theirs = np.where(other.any(axis=1), np.argmax(other, axis=1), none) if other.size else none
    theirs = np.broadcast_to(theirs, len(found))[:, None]
    before: IntArray = np.cumsum(found, axis=1) - found
    may = (before == 0) & (found | tops.open_[0])
    there = np.where(tops.in_second >= 0, tops.in_second, none)
    each = np.where(may, worth[:size] - worth[np.minimum(there, theirs)], -np.inf)
    nothing = np.where(found.any(axis=1), -np.inf, -worth[theirs[:, 0]])
    return np.asarray(np.maximum(each.max(axis=1, initial=-np.inf), nothing))
