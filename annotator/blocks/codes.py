"""Numbers for ids, thousands at once: equal bytes have equal numbers, whatever their keys are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from string import ascii_letters
from typing import Any

import numpy as np
import numpy.typing as npt

from annotator.blocks.words import (
    HEAD,
    MARGIN,
    WORD,
    Text,
    WordArray,
    equal,
    fields_of,
    heads,
    keys_of_heads,
    rests,
)
from annotator.domain import BoolArray, Int32Array, IntArray

FIRST_SLOTS = 2**12
FIRST_BYTES = 2**16
NOBODY = -1
MOVED = 2**17  # ids at a time, where all get another slot
SORTED = 12  # words by which ids are put into order
PAST = 0xFF  # behind the end of a head

_LOWER = np.frombuffer(bytes(range(256)).lower(), dtype=np.uint8)
_PLAIN = np.isin(np.arange(256), [*b"123456789", *ascii_letters.encode()])


@dataclass(frozen=True, eq=False)
class Ids:
    """Fields of a text: their heads, where their rests stand, and their keys."""

    text: Text
    heads: WordArray
    rest_at: IntArray
    rest: IntArray
    keys: WordArray

    @classmethod
    def of(cls, text: Text, at: IntArray, length: IntArray) -> Ids:
        """The ids in fields of a text."""
        taken, (rest_at, rest) = heads(text, at, length), rests(at, length)
        return cls(text, taken, rest_at, rest, keys_of_heads(taken, text, rest_at, rest))

    def only(self, rows: IntArray) -> Ids:
        """Some of them."""
        columns = (self.rest_at[rows], self.rest[rows], self.keys[rows])
        return Ids(self.text, self.heads.take(rows, axis=0), *columns)


class Codes:
    """Every id once, numbered from 0 in order of appearance.

    A hash table with open addressing: ``_slots`` holds numbers, ``_tags`` a byte of the key of
    each, 0 where a slot is free: they stay in the processor's cache, and rule out nearly all that
    is different. ``_heads`` holds the first 32 bytes of each id in a row, which is fetched many
    times as fast as the words of a text, and ``_text`` what the ids have beyond.
    """

    def __init__(self) -> None:
        self.count = 0
        self.size = 0  # bytes beyond the heads
        self._empty_slots(FIRST_SLOTS)
        self._heads = np.zeros((FIRST_SLOTS // 2, HEAD), dtype=np.uint64)
        self._ends = np.zeros(FIRST_SLOTS // 2 + 1, dtype=np.int64)  # of rests; the first: at 0
        self._text = Text(bytearray(FIRST_BYTES))

    def of(self, text: Text, at: IntArray, length: IntArray) -> Int32Array:
        """The number of each field, a new one where it has none."""
        ids = Ids.of(text, at, length)
        codes = self.found(ids)
        self.add(ids, codes, np.flatnonzero(codes == NOBODY))
        return codes

    def add(self, ids: Ids, codes: Int32Array, rows: IntArray) -> None:
        """Give ids that were not found a number, each a new one."""
        while rows.size:
            codes[rows] = self._add(ids.only(rows))
            rows = rows[codes[rows] == NOBODY]

    def names(self, codes: IntArray | Int32Array | None = None) -> list[str]:
        """The ids with these numbers; all of them, in order, where none are given."""
        codes = np.arange(self.count) if codes is None else codes
        head = self._heads.take(codes, axis=0).view(np.uint8)
        inside = head != PAST
        (rest_at, rest), length = self._rests(codes), np.count_nonzero(inside, axis=1)
        ends = np.cumsum(length + rest + 1)  # with a NUL behind each
        starts = ends - length - rest - 1
        joined = np.zeros(ends[-1] if ends.size else 0, dtype=np.uint8)
        joined[_runs(starts, length)] = head[inside]
        joined[_runs(starts + length, rest)] = self._text.bytes[_runs(rest_at, rest)]
        if np.count_nonzero(joined == 0) == len(ends):
            text: str = joined.tobytes().decode()
            return text.split("\0")[:-1]
        return [
            joined[start : end - 1].tobytes().decode()
            for start, end in zip(starts.tolist(), ends.tolist(), strict=True)
        ]

    def known(self, names: Sequence[str]) -> Int32Array:
        """The number of each id, :data:`NOBODY` where it has none."""
        return self.found(Ids.of(*fields_of(names)))

    def of_names(self, names: Sequence[str]) -> Int32Array:
        """The number of each id, a new one where it has none."""
        return self.of(*fields_of(names))

    def places(self) -> IntArray:
        """The place of each id, by its number, in the order of all ids by their bytes."""
        order = self.in_order()
        if len(order) and int(self._rests(order)[1].max()) > WORD * (SORTED - HEAD):
            names = self.names()  # whose order is that of their bytes in UTF-8
            order = np.array(sorted(range(self.count), key=names.__getitem__))
        places = np.empty_like(order)
        places[order] = np.arange(len(order))
        return places

    def in_order(self) -> IntArray:
        """All numbers, in the order of the first 96 bytes of their ids."""
        order = np.arange(self.count)
        for word in reversed(range(SORTED)):
            column = self._word(word)
            if len(column) and (column != column[0]).any():
                order = order[np.argsort(column[order], kind="stable")]
        return order

    def spelling_keys(self, spelling: Callable[[str], str]) -> WordArray:
        """A 64-bit key of the spelling of every id: equal spellings have equal keys.

        ``spelling`` must put plain ids into lower case and no more; it is called for the others.
        Plain are those of less than 32 bytes, all of ASCII, that begin with a letter or a digit
        other than 0 and end with a letter or a digit, which is no 0 if there is a point before it.
        """
        heads = self._heads[: self.count].copy()
        letters = heads.view(np.uint8)
        inside = np.count_nonzero(letters != PAST, axis=1)
        ends = letters[np.arange(self.count), np.maximum(inside, 1) - 1]
        plain = _PLAIN[letters[:, 0]] & (inside < letters.shape[1])
        plain &= _PLAIN[ends] | ((ends == ord("0")) & ~(letters == ord(".")).any(axis=1))
        plain &= ~((letters >= 0x80) & (letters != PAST)).any(axis=1)
        np.take(_LOWER, letters, out=letters, mode="clip")
        nothing = np.zeros(self.count, dtype=np.int64)
        keys = keys_of_heads(heads, self._text, nothing, nothing)
        odd = np.flatnonzero(~plain)
        if odd.size:
            text, at, length = fields_of([spelling(one) for one in self.names(odd)])
            keys[odd] = Ids.of(text, at, length).keys
        return keys

    def _word(self, word: int) -> WordArray:
        """One of the words of every id, to be compared as its bytes are."""
        if word < HEAD:
            column = self._heads[: self.count, word].copy()
            found = column.view(np.uint8)
            found[found == PAST] = 0
            return column.byteswap()
        rest_at, rest = self._rests(slice(0, self.count))
        left = np.clip(rest - WORD * (word - HEAD), 0, WORD)
        if not left.any():
            return np.zeros(self.count, dtype=np.uint64)
        inside = np.where(left > 0, rest_at + WORD * (word - HEAD), 0)
        return self._text.starts(inside, left).byteswap()

    def _rests(self, codes: IntArray | Int32Array | slice) -> tuple[IntArray, IntArray]:
        """Where the rests of ids stand, and their lengths."""
        starts, ends = self._ends[:-1][codes], self._ends[1:][codes]
        return starts + len(MARGIN), ends - starts

    def found(self, ids: Ids) -> Int32Array:
        """The number of each id, :data:`NOBODY` where it has none."""
        codes = np.full(len(ids.keys), NOBODY, dtype=np.int32)
        tags, slots = _tags(ids.keys), self._first_slots(ids.keys)
        held = self._tags[slots]
        rows = np.flatnonzero(held)
        if len(rows) < len(codes):
            tags, slots, held = tags[rows], slots[rows], held[rows]
        while rows.size:
            like = np.flatnonzero(held == tags)
            some = rows[like]
            code = self._slots[slots[like]]
            same = self._are(code, ids if len(some) == len(codes) else ids.only(some))
            codes[some[same]] = code[same]
            held[like[same]] = 0
            on = np.flatnonzero(held)
            rows, tags, slots = rows[on], tags[on], (slots[on] + 1) % len(self._slots)
            held = self._tags[slots]
            on = np.flatnonzero(held)
            rows, tags, slots, held = rows[on], tags[on], slots[on], held[on]
        return codes

    def _are(self, codes: Int32Array, ids: Ids) -> BoolArray:
        """Whether these are the numbers of these ids."""
        same = np.ones(len(codes), dtype=np.bool_)
        for mine, theirs in zip(ids.heads.T, self._heads.take(codes, axis=0).T, strict=True):
            same &= mine == theirs
        full = np.flatnonzero(same & (ids.heads[:, -1] >> np.uint64(56) != PAST))
        if full.size:
            (there, size), ours = self._rests(codes[full]), ids.only(full)
            fits = size == ours.rest
            size = np.where(fits, size, 0)
            same[full] = fits & equal(ours.text, ours.rest_at, self._text, there, size)
        return same

    def _add(self, ids: Ids) -> Int32Array:
        """Take in one new id for each key, the first that has it; its number where it is the id."""
        _, first, which = np.unique(ids.keys, return_index=True, return_inverse=True)
        order = np.argsort(first)
        place = np.empty_like(order)
        place[order] = np.arange(len(order))
        codes = (self.count + place[which]).astype(np.int32)
        new = ids.only(first[order])
        self._make_room(len(first), int(new.rest.sum()))
        start, last = len(MARGIN) + self.size, self.count + len(first)
        ends = self.size + np.cumsum(new.rest)
        self._heads[self.count : last] = new.heads
        self._ends[self.count + 1 : last + 1] = ends
        self._text.bytes[start : len(MARGIN) + ends[-1]] = new.text.bytes[
            _runs(new.rest_at, new.rest)
        ]
        self._put(new.keys, np.arange(self.count, last, dtype=np.int32))
        self.count, self.size = last, int(ends[-1])
        if len(first) < len(codes):
            codes[~self._are(codes, ids)] = NOBODY
        return codes

    def _put(self, keys: WordArray, codes: Int32Array) -> None:
        """Give each a slot; of several at one slot, one has it and the others try the next."""
        tags, slots = _tags(keys), self._first_slots(keys)
        while codes.size:
            free = self._tags[slots] == 0
            self._slots[slots[free]] = codes[free]
            left = self._slots[slots] != codes
            taken = slots[~left]
            self._tags[taken] = tags[~left]
            codes, tags, slots = codes[left], tags[left], (slots[left] + 1) % len(self._slots)

    def _empty_slots(self, count: int) -> None:
        self._slots = np.full(count, NOBODY, dtype=np.int32)
        self._tags = np.zeros(count, dtype=np.uint8)

    def _first_slots(self, keys: WordArray) -> IntArray:
        bits = len(self._slots).bit_length() - 1
        return (keys >> np.uint64(64 - bits)).view(np.int64)

    def _make_room(self, ids: int, size: int) -> None:
        """Let at most half of the slots be taken, and let the text hold so many bytes more."""
        ids, size = ids + self.count, size + self.size
        if size + 2 * len(MARGIN) > len(self._text.text):
            room = max(size + 2 * len(MARGIN), 2 * len(self._text.text))
            self._text = Text(_grown(self._text.bytes, room).data)
        if 2 * ids > len(self._slots):
            self._empty_slots(2 ** (2 * ids).bit_length())
            room = len(self._slots) // 2
            self._heads, self._ends = _grown(self._heads, room), _grown(self._ends, room + 1)
            for start in range(0, self.count, MOVED):
                known = np.arange(start, min(start + MOVED, self.count), dtype=np.int32)
                head = self._heads[known[0] : known[-1] + 1]
                self._put(keys_of_heads(head, self._text, *self._rests(known)), known)


def _tags(keys: WordArray) -> npt.NDArray[np.uint8]:
    """A byte of each key, never 0, of bits that do not choose the slot."""
    return (keys.astype(np.uint8) | np.uint8(1)).view(np.uint8)


def _runs(at: IntArray, lengths: IntArray) -> IntArray:
    """Every place of stretches that begin there and are so long, one stretch after another."""
    ends = np.cumsum(lengths)
    return np.arange(ends[-1] if ends.size else 0) + np.repeat(at - ends + lengths, lengths)


def _grown(array: npt.NDArray[Any], size: int) -> npt.NDArray[Any]:
    """The array with more rows, which take no memory before they are written to."""
    larger = np.zeros((size, *array.shape[1:]), dtype=array.dtype)
    larger[: len(array)] = array
    return larger
