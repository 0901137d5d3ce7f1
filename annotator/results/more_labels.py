"""How many more labels something takes."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class MoreLabels:
    """About how many more labels something takes, and between how many in half of all cases.

    ``labels`` is None where it was not found in the time there was: then ``unfinished`` of the
    worlds that were tried take ``fewest`` or more. What is counted and not foreseen has no range:
    all three are the count.
    """

    labels: int | None
    fewest: int
    most: int
    unfinished: int = 0

    @property
    def is_counted(self) -> bool:
        """Whether this is the exact number."""
        return self.labels is not None and self.fewest == self.most == self.labels
