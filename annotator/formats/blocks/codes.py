"""Numbers for ids, thousands at once: equal bytes have equal numbers, whatever their keys are."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from annotator.formats.blocks.lines import Lines
from annotator.formats.blocks.words import MARGIN, Text, WordArray, ascending, equal, keys_of
from annotator.records import Int32Array, IntArray, RunTable

FIRST_SLOTS = 2**12
FIRST_BYTES = 2**16
NOBODY = -1


class Codes:
    """Every id once, numbered from 0 in order of appearance.

    A hash table with open addressing: ``_slots`` holds numbers, and the ids themselves stand one
    behind the other in ``text``. Each takes its own length and about 20 bytes.
    """

    def __init__(self) -> None:
        self.count = 0
        self.size = 0  # bytes of all ids
        self._slots = np.full(FIRST_SLOTS, NOBODY, dtype=np.int32)
        self._ends = np.zeros(FIRST_SLOTS, dtype=np.int64)  # of each id; the first ends at 0
        self._text = Text(bytearray(FIRST_BYTES))

    def of(self, text: Text, at: IntArray, length: IntArray) -> Int32Array:
        """The number of each field, a new one where it has none."""
        keys = keys_of(text, at, length, np.zeros(len(at), dtype=np.uint64))
        codes = self._found(keys, text, at, length)
        new = np.flatnonzero(codes == NOBODY)
        if new.size:
            self._add(keys[new], text, at[new], length[new])
            codes[new] = self.of(text, at[new], length[new])
        return codes

    def names(self, codes: IntArray | None = None) -> list[str]:
        """The ids with these numbers; all of them, in order, where none are given."""
        at, length = self._places(np.arange(self.count) if codes is None else codes)
        ends = np.cumsum(length + 1)  # with a NUL behind each
        inside = np.arange(ends[-1] if ends.size else 0) + np.repeat(
            at - ends + length + 1, length + 1
        )
        joined = self._text.bytes[inside]
        joined[ends - 1] = 0
        if np.count_nonzero(joined == 0) == len(ends):
            text: str = joined.tobytes().decode()
            return text.split("\0")[:-1]
        return [
            self._text.field(*place).decode()
            for place in zip(at.tolist(), length.tolist(), strict=True)
        ]

    def sorted(self) -> IntArray:
        """All numbers, in the order of the bytes of their ids."""
        return ascending(self._text, *self._places(np.arange(self.count)))

    def _places(self, codes: IntArray | Int32Array) -> tuple[IntArray, IntArray]:
        """Where ids stand, and their lengths."""
        starts, ends = self._ends[codes], self._ends[codes + 1]
        return starts + len(MARGIN), ends - starts

    def _found(self, keys: WordArray, text: Text, at: IntArray, length: IntArray) -> Int32Array:
        codes = np.full(len(keys), NOBODY, dtype=np.int32)
        rows, slots = np.arange(len(keys)), self._first_slots(keys)
        while rows.size:
            code = self._slots[slots]
            taken = code != NOBODY
            rows, slots, code = rows[taken], slots[taken], code[taken]
            there, size = self._places(code)
            same = size == length[rows]
            same &= equal(text, at[rows], self._text, there, np.where(same, size, 0))
            codes[rows[same]] = code[same]
            rows, slots = rows[~same], (slots[~same] + 1) % len(self._slots)
        return codes

    def _add(self, keys: WordArray, text: Text, at: IntArray, length: IntArray) -> None:
        """Take in one new id for each key, the first that has it."""
        _, first = np.unique(keys, return_index=True)
        first.sort()
        keys, at, length = keys[first], at[first], length[first]
        self._make_room(len(keys), int(length.sum()))
        ends = np.cumsum(length)
        inside = np.arange(ends[-1]) + np.repeat(at - ends + length, length)
        start = len(MARGIN) + self.size
        self._text.bytes[start : start + ends[-1]] = text.bytes[inside]
        self._ends[self.count + 1 : self.count + 1 + len(keys)] = self.size + ends
        self._put(keys, np.arange(self.count, self.count + len(keys), dtype=np.int32))
        self.count += len(keys)
        self.size += int(ends[-1])

    def _put(self, keys: WordArray, codes: Int32Array) -> None:
        """Give each a slot; of several at one slot, one has it and the others try the next."""
        slots = self._first_slots(keys)
        while codes.size:
            free = self._slots[slots] == NOBODY
            self._slots[slots[free]] = codes[free]
            left = self._slots[slots] != codes
            codes, slots = codes[left], (slots[left] + 1) % len(self._slots)

    def _first_slots(self, keys: WordArray) -> IntArray:
        bits = len(self._slots).bit_length() - 1
        return (keys >> np.uint64(64 - bits)).view(np.int64)

    def _make_room(self, ids: int, size: int) -> None:
        """Let at most half of the slots be taken, and let the text hold so many bytes more."""
        ids, size = ids + self.count, size + self.size
        if size + 2 * len(MARGIN) > len(self._text.text):
            text = Text(bytearray(max(size + 2 * len(MARGIN), 2 * len(self._text.text))))
            text.bytes[: len(self._text.text)] = self._text.bytes
            self._text = text
        if 2 * ids > len(self._slots):
            self._slots = np.full(2 ** (2 * ids).bit_length(), NOBODY, dtype=np.int32)
            self._ends = np.pad(self._ends, (0, len(self._slots) // 2 + 1 - len(self._ends)))
            known = np.arange(self.count, dtype=np.int32)
            at, length = self._places(known)
            keys = keys_of(self._text, at, length, np.zeros(self.count, dtype=np.uint64))
            self._put(keys, known)


def run_table(batches: Iterable[Lines]) -> RunTable:
    """All lines of a run together."""
    qids, docids = Codes(), Codes()
    parts = [
        (
            qids.of(lines.text, lines.qid_at, lines.qid_length),
            docids.of(lines.text, lines.docid_at, lines.docid_length),
            lines.rank,
            lines.score,
        )
        for lines in batches
    ]
    none = (np.zeros(0, np.int32), np.zeros(0, np.int32), np.zeros(0, np.int64), np.zeros(0))
    query, document, rank, score = map(np.concatenate, zip(none, *parts, strict=True))
    return RunTable(qids.names(), docids.names(), query, document, rank, score)
