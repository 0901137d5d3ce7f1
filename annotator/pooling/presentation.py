"""The order in which an assessor sees a query's documents: shuffled, seeded, and never disturbed.

Each document's place comes from a hash of seed, query and document, so a document that joins the
pool later takes a place of its own and leaves the order of the others as it was. Neither system,
rank nor score has any part in it.
"""

from __future__ import annotations

import hashlib


def presentation_key(seed: int, qid: str, docid: str) -> bytes:
    """The sort key of a document within its query."""
    said = f"{seed}\0{qid}\0{docid}".encode("utf-8", "surrogatepass")
    return hashlib.blake2b(said, digest_size=16).digest()
