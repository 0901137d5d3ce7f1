"""Collects the bad lines of one file, so that they are told together before the file is refused."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from annotator.errors import InputError
from annotator.formats.blindness import Fields
from annotator.text.plural import counted
from annotator.text.safe import one_line

T = TypeVar("T")

SHOWN = 20
TEXT_WIDTH = 60
REASON_WIDTH = 160  # a reason may quote an id of any length


class Problems:
    """The faults found in one file.

    Parameters
    ----------
    source
        The file's name as the person gave it.

    Attributes
    ----------
    unit
        What a number counts: lines, or the ratings of a file that is read as a whole.
    advice
        What may be done about them, if that can be said; told below them.
    read_as, unused
        Which columns or keys were taken for what, and which for nothing, of a file that has such.
    fields
        Which other fields of documents are shown, and which were held back.
    notes
        What else a person should know of how the file was read.
    remarks
        The same of single values: by what is counted the sentence on it, and the count.
    line
        The line of a log's entry that was read last.
    """

    unit = "line"
    advice = ""
    read_as = ""
    line = 0

    def __init__(self, source: str) -> None:
        self.source = source
        self.count = 0
        self.unused: list[str] = []
        self.notes: list[str] = []
        self.remarks: dict[str, tuple[str, int]] = {}
        self.fields = Fields()
        self._shown: list[tuple[int, str]] = []

    def add(self, line: int, reason: str, text: str = "") -> None:
        """Note that a line is bad: why (what was expected), and what it says."""
        self.count += 1
        if len(self._shown) < SHOWN:
            said = one_line(text[: TEXT_WIDTH * 2], width=TEXT_WIDTH)
            why = one_line(reason, width=REASON_WIDTH)
            where = f"{self.source}:{'' if self.unit == 'line' else f'{self.unit} '}{line}"
            self._shown.append((line, f"{where}: {why}" + (f": {said}" if said else "")))

    def remark(self, fact: str, sentence: str) -> None:
        """Count something that is no fault; ``{count:time has|times have}`` is how often."""
        self.remarks[fact] = sentence, self.remarks.get(fact, ("", 0))[1] + 1

    def good(self, lines: Iterable[tuple[int, str]], make: Callable[[str], T]) -> Iterator[T]:
        """What is made of each line; where that raises `ValueError` the line is noted as bad."""
        for number, line in lines:
            try:
                made = make(line)
            except ValueError as fault:
                self.add(number, str(fault), line)
            else:
                yield made

    def raise_if_any(self, what: str) -> None:
        """Refuse the file if any line was bad.

        Raises
        ------
        InputError
            With up to 20 of the bad lines, and the count of the rest.
        """
        if not self.count:
            return
        rest = self.count - len(self._shown)
        shown = [told for _, told in sorted(self._shown)]
        details = [*shown, *([f"… and {rest:,} more"] if rest else [])]
        details += [self.advice] if self.advice else []
        lines = counted(self.count, self.unit)
        raise InputError(f"{self.source}: {lines} cannot be read as {what}", details)
