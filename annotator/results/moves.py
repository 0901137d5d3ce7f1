"""Two rankings of one query side by side, as plain values."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class Move:
    """One document: its rank in the first ranking and in the second, from 1; None where it is not.

    ``grade`` is None where nobody judged it.
    """

    document: str
    title: str
    grade: int | None
    first: int | None
    second: int | None

    @property
    def up(self) -> int | None:
        """How many ranks higher the second has it; None where one of them has not."""
        return None if self.first is None or self.second is None else self.first - self.second


@dataclass(frozen=True)
class MoveTable:
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

    def to_dict(self) -> dict[str, Any]:
        """The JSON form; keys may be added, none is renamed."""
        return {
            "query": self.query,
            "text": self.text,
            "first": self.first,
            "second": self.second,
            "k": self.k,
            "moves": [asdict(one) | {"up": one.up} for one in self.moves],
            "tool": self.tool,
        }
