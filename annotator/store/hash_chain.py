"""The hash chain of the judgment log: what stands in an entry, and all before it, is in its link.

link(n) = blake2b-256(link(n-1) + the entry as a JSON array), over ids that people know, so that the
chain does not depend on the numbers inside the file; seconds count in whole milliseconds. It shows
an entry that was altered, removed, put in or moved from outside. Who writes the whole chain anew
is found only by a head that was kept elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from hashlib import blake2b

LINK_SIZE = 32

START = bytes(LINK_SIZE)
"""What stands before the first entry."""

_BEFORE = (
    "judgment.id, qid, docid, assessor.name, kind, fingerprint, grade, mark, note, at",
    "position, blind, undoes, restates, evidence_start, evidence_end, chosen, text_hash",
)
_JOINED = (
    "FROM judgment LEFT JOIN pair ON pair.id = pair_id LEFT JOIN query ON query.id = query_id"
    " LEFT JOIN document ON document.id = document_id"
    " LEFT JOIN assessor ON assessor.id = assessor_id"
    " LEFT JOIN rubric_version ON rubric_version.id = rubric_version_id"
)


def _array(first: str, seconds: str, rest: str) -> str:
    """An entry as JSON; SQLite makes it in a third of the time that Python takes."""
    return f"json_array({first}, CAST(round({seconds} * 1000) AS INTEGER), {rest})"


EVENTS = f"SELECT {_BEFORE[0]}, seconds, {_BEFORE[1]} {_JOINED}"
"""Entries with the fields of a JudgmentEvent, in their order."""

LINKS = (
    f"SELECT judgment.id, {_array(_BEFORE[0], 'seconds', _BEFORE[1])}, chain {_JOINED}"
    " WHERE judgment.id > ? ORDER BY judgment.id LIMIT ?"
)
"""Number, content and stored link of the entries, in pieces."""

CONTENT = f"SELECT {_array(','.join('?' * 10), '?', ','.join('?' * 8))}"
"""The content of the link of an entry that is about to be stored, from a JudgmentEvent's values."""

_GIVEN = _array(
    "entry.id + :last, qid, docid, assessor.name, kind, :fingerprint, entry.grade, NULL, '', at",
    "entry.seconds",
    "NULL, 0, NULL, NULL, NULL, NULL, NULL, hash",
)
STAGED = (
    f"SELECT entry.id + :last, pair, assessor, entry.grade, entry.at, entry.seconds, hash,"  # noqa: S608 -- only names
    f" {_GIVEN} FROM temp.staged_entry AS entry CROSS JOIN pair ON pair.id = pair"
    " CROSS JOIN query ON query.id = query_id CROSS JOIN document ON document.id = document_id"
    " CROSS JOIN assessor ON assessor.id = assessor ORDER BY entry.id"
)
"""Number, pair, assessor, grade, time, seconds, hash of the text and content of grades about to be
stored."""


def link(before: bytes, content: str) -> bytes:
    """The link of an entry, from the link before it and what stands in the entry."""
    return blake2b(before + content.encode(), digest_size=LINK_SIZE).digest()


def breaks(
    links: Iterable[tuple[int, str, bytes | None]], last_stored: Callable[[], int]
) -> Iterator[str]:
    """Where the chain breaks: nothing, or the first such place.

    ``last_stored`` gives the number of the last entry that was ever stored; it is asked when all
    entries have come, so that it may be read in one go with the last of them.
    """
    before, expected = START, 1
    for number, content, stored in links:
        if number != expected:
            yield _missing(expected, number - 1)
            return
        if link(before, content) != stored:
            yield (
                f"entry {expected} is not as it was stored: it was altered, put in or moved from "
                "outside, or an entry before it was"
            )
            return
        before, expected = stored, expected + 1
    last = last_stored()
    if expected <= last:
        yield _missing(expected, last)
    elif expected > last + 1:
        yield f"the file's own count of entries is {last}, and {expected - 1} are there"


def _missing(first: int, last: int) -> str:
    one = first == last
    return f"entry {first} is missing" if one else f"entries {first} to {last} are missing"
