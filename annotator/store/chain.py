"""The hash chain of the judgment log: what stands in an entry, and all before it, is in its link.

link(n) = blake2b-256(link(n-1) + the entry as JSON), over ids that people know, so that the chain
does not depend on the numbers inside the file. It shows an entry that was altered, removed,
inserted or moved from outside. Who rewrites the whole chain is found only by a head kept elsewhere.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from hashlib import blake2b
from typing import Any

START = bytes(32)
"""What stands before the first entry."""

_ENCODE = json.JSONEncoder(separators=(",", ":"), allow_nan=False).encode

EVENTS = (
    "SELECT judgment.id, qid, docid, assessor.name, kind, fingerprint, grade, mark, note,"
    " at, seconds, position, blind, undoes, restates, evidence_start, evidence_end, chosen,"
    " text_hash, chain FROM judgment"
    " LEFT JOIN pair ON pair.id = pair_id LEFT JOIN query ON query.id = query_id"
    " LEFT JOIN document ON document.id = document_id"
    " LEFT JOIN assessor ON assessor.id = assessor_id"
    " LEFT JOIN rubric_version ON rubric_version.id = rubric_version_id ORDER BY judgment.id"
)
"""Every entry in the order of the fields of a JudgmentEvent, and its link."""


def link(before: bytes, entry: Iterable[Any]) -> bytes:
    """The link of an entry, given as the stored values of a JudgmentEvent, in their order."""
    return blake2b(before + _ENCODE(list(entry)).encode("ascii"), digest_size=32).digest()


def breaks(rows: Iterable[tuple[Any, ...]], last: int) -> Iterator[str]:
    """Where the chain of these rows of EVENTS breaks: nothing, or the first such place.

    ``last`` is the number of the last entry that was ever stored.
    """
    before, expected = START, 1
    for *entry, stored in rows:
        if entry[0] != expected:
            yield _missing(expected, entry[0] - 1)
            return
        if link(before, entry) != stored:
            yield (
                f"entry {expected} is not as it was stored: it was altered, put in or moved from "
                "outside, or an entry before it was"
            )
            return
        before, expected = stored, expected + 1
    if expected <= last:
        yield _missing(expected, last)


def _missing(first: int, last: int) -> str:
    return (
        f"entry {first} is missing" if first == last else f"entries {first} to {last} are missing"
    )
