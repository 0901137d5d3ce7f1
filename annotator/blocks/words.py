"""Fields of a text as 64-bit words, so that thousands are compared or hashed by a few passes."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from annotator.domain import BoolArray, IntArray

WordArray: TypeAlias = npt.NDArray[np.uint64]
ByteArray: TypeAlias = npt.NDArray[np.uint8]

WORD = 8
MARGIN = b"x" * 2 * WORD
"""Must stand before and behind the fields of a `Text`: they are read up to two words at a time."""

LONG = 256
"""Bytes of a field beyond which it is no longer taken word by word for all rows at once."""

HEAD = 4
"""Words of a field that `heads` takes: 32 bytes, as many as most ids have."""

_LOW = np.array([2 ** (8 * n) - 1 for n in range(WORD + 1)], dtype=np.uint64)
_PAST = ~_LOW
_ODD = np.uint64(0x9E3779B97F4A7C15)
_HALF = np.uint64(32)


class Text:
    """Bytes that hold fields, between two margins.

    Fields are arrays of offsets and of lengths.
    """

    def __init__(self, text: bytes | bytearray | memoryview) -> None:
        self.text = text
        self.bytes: ByteArray = np.frombuffer(text, dtype=np.uint8)
        # As S8, since numpy gathers unaligned integers through a slower path.
        self._words = np.ndarray(len(text) - WORD + 1, "S8", text, strides=(1,))

    def __reduce__(self) -> tuple[type[Text], tuple[bytes]]:
        return Text, (bytes(self.text),)

    def words(self, at: IntArray) -> WordArray:
        """The eight bytes at each offset; the first is the word's lowest."""
        return self._words[at].view("<u8")

    def starts(self, at: IntArray, lengths: IntArray) -> WordArray:
        """The first eight bytes of each field, 0 where it is shorter."""
        words = self.words(at)
        if lengths.min(initial=WORD) < WORD:
            words &= _LOW[np.minimum(lengths, WORD)]
        return words

    def field(self, at: int, length: int) -> bytes:
        """One field."""
        return bytes(self.text[at : at + length])


def fields_of(ids: Sequence[str]) -> tuple[Text, IntArray, IntArray]:
    """Ids as fields of one text: where each begins, and how long it is."""
    fields = [one.encode() for one in ids]
    length = np.fromiter(map(len, fields), dtype=np.int64, count=len(fields))
    at = np.cumsum(length) - length + len(MARGIN)
    return Text(b"".join((MARGIN, *fields, MARGIN))), at, length


def keys_of(text: Text, at: IntArray, lengths: IntArray, salts: WordArray) -> WordArray:
    """A 64-bit key for each field; equal fields with equal salts have equal keys.

    Fields of at most eight bytes with one salt have different keys if they differ.
    """
    keys = _mixed(salts ^ text.starts(at, lengths))
    rows = np.flatnonzero(lengths > WORD)
    for offset in range(WORD, LONG, WORD):
        if not rows.size:
            break
        whole = slice(None) if len(rows) == len(keys) else rows
        word = text.starts(at[whole] + offset, lengths[whole] - offset)
        keys[whole] = _mixed(keys[whole] ^ word)
        rows = rows[lengths[rows] > offset + WORD]
    for row in rows.tolist():
        rest = text.field(at[row] + LONG, lengths[row] - LONG)
        keys[row] ^= np.uint64(int.from_bytes(blake2b(rest, digest_size=WORD).digest(), "big"))
    return keys


def heads(text: Text, at: IntArray, lengths: IntArray) -> WordArray:
    """The first four words of each field, (N, 4), with 0xFF, which UTF-8 never has, behind its end.

    So fields of at most 32 bytes are the same just where their heads are.
    """
    taken = np.empty((len(at), HEAD), dtype=np.uint64)
    longest = int(lengths.max(initial=0))
    for column in range(HEAD):
        left = np.clip(lengths - WORD * column, 0, WORD)
        taken[:, column] = _PAST[left]
        if WORD * column < longest:
            inside = np.minimum(at + WORD * column, len(text.text) - WORD)
            taken[:, column] |= text.words(inside)
    return taken


def rests(at: IntArray, lengths: IntArray) -> tuple[IntArray, IntArray]:
    """Where what is behind the heads of fields stands, and its lengths."""
    return at + WORD * HEAD, np.maximum(lengths - WORD * HEAD, 0)


def keys_of_heads(taken: WordArray, text: Text, at: IntArray, lengths: IntArray) -> WordArray:
    """A 64-bit key for each field, from its head and its rest."""
    keys = np.zeros(len(at), dtype=np.uint64)
    for column in taken.T:
        keys = _mixed(keys ^ column)
    long = np.flatnonzero(lengths)
    if long.size:
        keys[long] = keys_of(text, at[long], lengths[long], keys[long])
    return keys


def salts_of(numbers: IntArray) -> WordArray:
    """A word for each number that has little in common with the words of other numbers."""
    return _mixed(_mixed(numbers.astype(np.uint64)))


def _mixed(words: WordArray) -> WordArray:
    words = words * _ODD
    words ^= words >> _HALF
    return words


def equal(text: Text, at: IntArray, other: Text, there: IntArray, lengths: IntArray) -> BoolArray:
    """Whether the fields at two places, as long as each other, are the same bytes."""
    same = np.equal(text.starts(at, lengths), other.starts(there, lengths))
    for offset in range(WORD, LONG, WORD):
        rows = np.flatnonzero(same & (lengths > offset))
        if not rows.size:
            return same
        left = lengths[rows] - offset
        word = text.starts(at[rows] + offset, left)
        same[rows] = word == other.starts(there[rows] + offset, left)
    for row in np.flatnonzero(same & (lengths > LONG)).tolist():
        field = text.field(at[row], lengths[row])
        same[row] = field == other.field(there[row], lengths[row])
    return same


def repeats(text: Text, at: IntArray, lengths: IntArray) -> BoolArray:
    """Whether each field is the same as the one before."""
    words = text.starts(at, lengths)
    same = np.zeros(len(at), dtype=np.bool_)
    same[1:] = (words[1:] == words[:-1]) & (lengths[1:] == lengths[:-1])
    long = np.flatnonzero(same & (lengths > WORD))
    same[long] = equal(text, at[long], text, at[long - 1], lengths[long])
    return same


def descending(text: Text, at: IntArray, lengths: IntArray, groups: IntArray) -> IntArray:
    """The order by group, and within a group by the bytes of the fields, highest first."""
    return np.lexsort((*(~column for column in _columns(text, at, lengths)), groups))


def _columns(text: Text, at: IntArray, lengths: IntArray) -> list[WordArray]:
    """Words to sort fields by, the one that counts most last."""
    longest = int(lengths.max(initial=0))
    if longest > LONG:
        fields = [text.field(*place) for place in zip(at.tolist(), lengths.tolist(), strict=True)]
        places = {field: place for place, field in enumerate(sorted(set(fields)))}
        return [np.array([places[field] for field in fields], dtype=np.uint64)]
    columns = [lengths.astype(np.uint64)]  # of fields that differ by NUL bytes at the end alone
    for offset in range(0, longest, WORD):
        left = np.clip(lengths - offset, 0, WORD)
        inside = np.minimum(at + offset, len(text.text) - WORD)
        columns.insert(1, text.starts(inside, left).byteswap())
    return columns
