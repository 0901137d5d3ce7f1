"""Two rankings of one query side by side, as plain values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from annotator.results.json_form import Detail, Result


@dataclass(frozen=True)
class Move(Result):
    """One document: its rank in the first ranking and in the second, from 1; None where it is not.

    ``grade`` is None where nobody judged it.
    """

    document: str
    title: str
    grade: int | None
    first: int | None
    second: int | None

    def keys(self, detail: Detail) -> dict[str, Any]:
        """Its fields, and how far it went up."""
        return super().keys(detail) | {"up": self.up}

    @property
    def up(self) -> int | None:
        """How many ranks higher the second has it; None where one of them has not."""
        return None if self.first is None or self.second is None else self.first - self.second


@dataclass(frozen=True)
class MoveTable(Result):
    """What two systems return for one query, down to rank ``k`` of either.

    ``moves`` come as the second ranks them, then what only the first has that high.
    """

    query: str
    text: str
    first: str
    second: str
    k: int
    moves: tuple[Move, ...]
    tool: str

    def line(self) -> str:
        """The method in one line."""
        return f"documents in the first {self.k:,} of either · order displayed · {self.tool}"
