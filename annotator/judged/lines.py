"""Lines of a run as columns of fields in a text, a batch at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from annotator.formats import run_trec
from annotator.formats.problems import Problems
from annotator.formats.source import LONGEST_LINE, Source
from annotator.judged import numbers
from annotator.judged.words import MARGIN, ByteArray, Text, repeats
from annotator.records import FloatArray, IntArray

BATCH = 1536 * 1024
"""Bytes read at a time: much more is read no faster, and much less costs by the number of calls."""

LARGE = 30 * 1024 * 1024
"""A piece of memory (never touched) after whose release the C library of Linux keeps what smaller
arrays leave, where it would give it back, and fetch it again, for every batch."""

COLUMNS = 6
_BLANK, _LINE_END = ord(" "), ord("\n")


@dataclass(frozen=True, eq=False)
class Lines:
    """N lines of a run: offsets and lengths of the ids in the text, ranks and scores as numbers.

    ``begins`` holds where each query begins, first row 0: the rows at which the query's id is
    another than on the line before.
    """

    text: Text
    qid_at: IntArray
    qid_length: IntArray
    docid_at: IntArray
    docid_length: IntArray
    rank: IntArray
    score: FloatArray
    begins: IntArray

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
        """The text of a line and of all below it."""
        return self.text.text[self.qid_at[row] : -len(MARGIN)]

    def qids(self) -> list[bytes]:
        """The query that begins at each of ``begins``."""
        at, length = self.qid_at[self.begins].tolist(), self.qid_length[self.begins].tolist()
        return [self.text.field(*place) for place in zip(at, length, strict=True)]


def batches(source: Source, problems: Problems, whole: bool = False) -> Iterator[Lines]:
    """Read a run in batches that end where a query does; ``whole`` makes it a single one.

    The lines of a query that a batch breaks off are read again with the next.
    """
    np.empty(LARGE, dtype=np.uint8)
    tail = b""

    def size() -> int:  # more than what is left over, or a long ranking would cost its square
        return -1 if whole else max(BATCH, 2 * len(tail))

    for number, fresh, last in _blocks(source, size):
        lines = _lines(tail, fresh, number, problems)
        cut = len(lines) if last else int(lines.begins[-1]) if len(lines) else 0
        if cut:
            yield lines.before(cut)
        tail = lines.bytes_from(cut) if len(lines) > cut else b""


def _blocks(source: Source, size: Callable[[], int]) -> Iterator[tuple[int, bytes, bool]]:
    """Whole lines of about so many bytes, the number of the first, and whether they are the last.

    Each line has its LF.
    """
    number, rest, last = 1, b"", False
    with source.opened() as stream:
        while not last:
            wanted = size()
            chunk = stream.read(wanted)
            last = wanted < 0 or len(chunk) < wanted
            rest += chunk
            cut = len(rest) if last else rest.rfind(b"\n") + 1
            block, rest = rest[:cut], rest[cut:]
            yield number, _checked(source, number, block) if block else b"", last
            number += _line_ends(block)
            if len(rest) > LONGEST_LINE:
                raise source.fault(number, "a line of more than 64 MiB; is it a text file?")


def _checked(source: Source, number: int, block: bytes) -> bytes:
    """As the source checks every block; most need no look at each character."""
    odd = not block.isascii() or b"\0" in block or b"\r" in block
    if number > 1 and block.endswith(b"\n") and not odd:
        return block
    return source.checked(number, block) + b"\n"


def _line_ends(block: bytes) -> int:
    return int(np.count_nonzero(np.frombuffer(block, dtype=np.uint8) == _LINE_END))


def _lines(tail: bytes, fresh: bytes, number: int, problems: Problems) -> Lines:
    """The lines of both; whatever is unusual in the fresh ones is put right or noted."""
    if not (b"#" in fresh and (fresh.startswith(b"#") or b"\n#" in fresh)):
        lines = _plain_lines(tail + fresh) or _plain_lines(tail + _squeezed(fresh))
        if lines is not None:
            return lines
    lines = _plain_lines(tail + _tidied(fresh, number, problems), trusted=True)
    assert lines is not None
    return lines


def _squeezed(text: bytes) -> bytes:
    """One blank for each run of blanks and tabs, none where a line begins or ends."""
    text = b"\n" + text.replace(b"\t", b" ")
    while b"  " in text:
        text = text.replace(b"  ", b" ")
    text = text.replace(b" \n", b"\n").replace(b"\n ", b"\n")
    while b"\n\n" in text:
        text = text.replace(b"\n\n", b"\n")
    return text.removeprefix(b"\n")


def _tidied(text: bytes, number: int, problems: Problems) -> bytes:
    """Line by line: six fields with one blank between, of those lines that hold a good row."""
    tidy = []
    for line_number, line in enumerate(text.split(b"\n"), start=number):
        fields = line.split()
        if not fields or line.startswith(b"#"):
            continue
        if fault := run_trec.fault(fields):
            problems.add(line_number, fault, b" ".join(fields).decode())
        else:
            tidy.append(b" ".join(fields[:COLUMNS]) + b"\n")
    return b"".join(tidy)


def _plain_lines(rows: bytes, trusted: bool = False) -> Lines | None:
    """The fields of lines that have six and one blank between; None if some have not.

    Trusted lines are known to have; control characters, which may divide fields or not, are then
    part of fields.
    """
    text = Text(b"".join((MARGIN, rows, MARGIN)))
    gap = (text.bytes == _BLANK) | (text.bytes == _LINE_END) if trusted else text.bytes <= _BLANK
    ends = np.flatnonzero(gap)
    if len(ends) % COLUMNS:
        return None
    starts = np.empty_like(ends)
    starts[:1] = len(MARGIN)
    np.add(ends[:-1], 1, out=starts[1:])
    lengths = ends - starts
    if not trusted and not (_divided(text.bytes[ends]) and lengths.min(initial=1) > 0):
        return None
    at, length = starts.reshape(-1, COLUMNS).T, lengths.reshape(-1, COLUMNS).T
    rank = numbers.integers(text, at[3], length[3])
    score = numbers.decimals(text, at[4], length[4])
    if rank is None or score is None:
        return None
    begins = np.flatnonzero(~repeats(text, at[0], length[0]))
    return Lines(text, at[0], length[0], at[2], length[2], rank, score, begins)


def _divided(gaps: ByteArray) -> bool:
    """Whether the gaps of lines of six columns are five blanks and a line end each."""
    line_end = gaps == _LINE_END
    blanks, lines = np.count_nonzero(gaps == _BLANK), np.count_nonzero(line_end)
    return blanks == (COLUMNS - 1) * lines and bool(line_end[COLUMNS - 1 :: COLUMNS].all())
