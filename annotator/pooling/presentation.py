"""The order in which an assessor sees a query's documents: shuffled, seeded, and never disturbed.

Each document's place comes from a hash of seed, query and document, so a document that joins the
pool later takes a place of its own and leaves the order of the others as it was. Neither system,
rank nor score has any part in it.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # the first document does not wait for numpy
    from annotator.domain import Int32Array, IntArray

_ODD = 0x9E3779B97F4A7C15
"""The golden ratio in 64 bits, as SplitMix64 (Steele, Lea and Flood 2014) has it."""


def presentation_key(seed: int, qid: str, docid: str) -> bytes:
    """The sort key of a document within its query."""
    said = f"{seed}\0{qid}\0{docid}".encode("utf-8", "surrogatepass")
    return hashlib.blake2b(said, digest_size=16).digest()


def shuffling(seed: int, query: Int32Array, document: Int32Array) -> IntArray:
    """Sort keys by the numbers of queries and documents alone, for many pairs at once.

    They come from the finaliser of SplitMix64, so they tell as little of rank or import as a hash.
    """
    import numpy as np

    pair = query.astype(np.uint64) << np.uint64(32) | document.astype(np.uint64)
    mixed = pair + np.uint64(seed % 2**64 * _ODD % 2**64)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        mixed = (mixed ^ mixed >> np.uint64(shift)) * np.uint64(factor)
    return np.asarray((mixed ^ mixed >> np.uint64(31)).view(np.int64))
