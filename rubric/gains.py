"""Gain: what one document of a grade is worth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rubric.errors import RubricError, short

if TYPE_CHECKING:
    from rubric.arrays import FloatArray

EXPONENTIAL = "exponential"
LINEAR = "linear"
TABLE = "table"
MOST = 1e30
"""The greatest gain that a table may have: sums of gains stay finite."""


@dataclass(frozen=True)
class Gain:
    """A gain function over grades 0..G.

    ``exponential`` is 2^g - 1 (Burges et al. 2005), ``linear`` is g (Järvelin and Kekäläinen
    2002, and trec_eval), ``table`` lists the gain of each grade.

    >>> Gain.parse("exponential").values(3)
    array([0., 1., 3., 7.])
    >>> str(Gain.parse("0:1:2.5:10"))
    '0:1:2.5:10'
    """

    kind: str = EXPONENTIAL
    table: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        kinds = (EXPONENTIAL, LINEAR, TABLE)
        if self.kind not in kinds or bool(self.table) != (self.kind == TABLE):
            known = f"{EXPONENTIAL}, {LINEAR}, or {TABLE} with a gain for each grade"
            raise RubricError(f"gain {short(repr(self.kind))}", [f"expected {known}"])

    @classmethod
    def parse(cls, text: str) -> Gain:
        """Read ``exponential``, ``linear``, or the gains of grades 0, 1, … as ``0:1:3:7``.

        Raises
        ------
        RubricError
            If the text is none of these.
        """
        name = text.strip().lower()
        if name in (EXPONENTIAL, LINEAR):
            return cls(name)
        try:
            return cls(TABLE, tuple(float(part) for part in name.split(":")))
        except ValueError:
            raise RubricError(
                f"gain {short(text)!r}",
                [f"expected {EXPONENTIAL}, {LINEAR} or the gain of each grade such as 0:1:3:7"],
            ) from None

    def __str__(self) -> str:
        return ":".join(f"{gain:.15g}" for gain in self.table) if self.kind == TABLE else self.kind

    def faults(self, top: int) -> list[str]:
        """All that makes this no gain for grades 0..``top``."""
        if self.kind != TABLE:
            return []
        found = []
        if len(self.table) != top + 1:
            found.append(f"the gain table has {len(self.table)} values for {top + 1} grades")
        if not all(abs(gain) <= MOST for gain in self.table):
            found.append(f"a gain is not a finite number up to {MOST:g}")
        if self.table and self.table[0] != 0:
            found.append(f"grade 0 must have gain 0, not {self.table[0]:g}")
        if any(low > high for low, high in zip(self.table, self.table[1:], strict=False)):
            found.append("gains must not decrease as grades rise")
        if self.table and max(self.table) <= 0:
            found.append("no grade has a gain above 0")
        return found

    def values(self, top: int) -> FloatArray:
        """Gain of each grade 0..``top``: float64, shape (top + 1,), never decreasing, first 0.

        Raises
        ------
        RubricError
            If a gain table does not fit the grades.
        """
        if found := self.faults(top):
            raise RubricError(f"gain {self}", found)
        import numpy as np  # a rubric is read without it

        grades = np.arange(top + 1, dtype=np.float64)
        if self.kind == TABLE:
            return np.array(self.table, dtype=np.float64)
        return grades if self.kind == LINEAR else np.exp2(grades) - 1
