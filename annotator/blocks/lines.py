"""Lines of a run as columns of fields in a text, many at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from annotator.blocks.words import MARGIN, ByteArray, Text, fields_of, repeats
from annotator.domain import FloatArray, IntArray

_BLANK, _LINE_END = ord(" "), ord("\n")


@dataclass(frozen=True, eq=False)
class Lines:
    """N lines of a run: offsets and lengths of the ids in the text, ranks and scores as numbers.

    ``begins`` holds where each query begins, first row 0: the rows at which the query's id is
    another than on the line before. A format without ranks gives all lines of a query the same
    one, one without scores minus the rank.
    """

    text: Text
    qid_at: IntArray
    qid_length: IntArray
    docid_at: IntArray
    docid_length: IntArray
    rank: IntArray
    score: FloatArray
    begins: IntArray

    @classmethod
    def of(
        cls, qids: Sequence[str], docids: Sequence[str], rank: IntArray, score: FloatArray
    ) -> Lines:
        """Take columns that are read one by one."""
        text, at, length = fields_of([*qids, *docids])
        cut = len(qids)
        begins = np.flatnonzero(~repeats(text, at[:cut], length[:cut]))
        return cls(text, at[:cut], length[:cut], at[cut:], length[cut:], rank, score, begins)

    def __len__(self) -> int:
        return len(self.rank)

    def before(self, row: int) -> Lines:
        """The lines above one at which a query begins."""
        return Lines(
            self.text, self.qid_at[:row], self.qid_length[:row], self.docid_at[:row],
            self.docid_length[:row], self.rank[:row], self.score[:row],
            self.begins[self.begins < row],
        )  # fmt: skip

    def bytes_from(self, row: int) -> bytes:
        """The text of a line and of all below it, of lines that were read as they stand."""
        end = len(self.text.text) - len(MARGIN)
        return self.text.field(int(self.qid_at[row]), end - int(self.qid_at[row]))

    def qids(self) -> list[bytes]:
        """The query that begins at each of ``begins``."""
        at, length = self.qid_at[self.begins].tolist(), self.qid_length[self.begins].tolist()
        return [self.text.field(*place) for place in zip(at, length, strict=True)]

    def rows(self) -> Iterator[tuple[str, str, int, float]]:
        """Each line one by one: query, document, rank, score."""
        places = (self.qid_at, self.qid_length, self.docid_at, self.docid_length)
        columns = (column.tolist() for column in (*places, self.rank, self.score))
        for qid_at, qid_length, docid_at, docid_length, rank, score in zip(*columns, strict=True):
            qid = self.text.field(qid_at, qid_length).decode()
            yield qid, self.text.field(docid_at, docid_length).decode(), rank, score


def columns_of(text: Text, columns: int, trusted: bool = False) -> tuple[IntArray, IntArray] | None:
    """Where the fields of lines of so many begin, and how long they are: shape (columns, N) each.

    None unless one blank stands between fields, and a line feed behind the last. Trusted lines are
    known to be so; control characters, which may divide fields or not, are then part of fields.
    """
    gap = (text.bytes == _BLANK) | (text.bytes == _LINE_END) if trusted else text.bytes <= _BLANK
    ends = np.flatnonzero(gap)
    if len(ends) % columns:
        return None
    starts = np.empty_like(ends)
    starts[:1] = len(MARGIN)
    np.add(ends[:-1], 1, out=starts[1:])
    lengths = ends - starts
    if not trusted and not (_divided(text.bytes[ends], columns) and lengths.min(initial=1) > 0):
        return None
    return starts.reshape(-1, columns).T, lengths.reshape(-1, columns).T


def _divided(gaps: ByteArray, columns: int) -> bool:
    """Whether the gaps of lines of so many columns are blanks and a line end each."""
    line_end = gaps == _LINE_END
    blanks, lines = np.count_nonzero(gaps == _BLANK), np.count_nonzero(line_end)
    return blanks == (columns - 1) * lines and bool(line_end[columns - 1 :: columns].all())
