"""Notices when somebody has worked for long without a rest."""

from __future__ import annotations

import time
from collections.abc import Callable

REST = 300.0
"""Seconds without a judgment that count as a rest."""


class Breaks:
    """Says when a break is due.

    Parameters
    ----------
    minutes
        How long one may work; 0 for ever.
    clock
        Seconds that only go forward.
    """

    def __init__(self, minutes: int, clock: Callable[[], float] = time.monotonic) -> None:
        self.minutes = minutes
        self._clock = clock
        self._began = self._last = clock()

    def due(self) -> bool:
        """Call at each judgment: whether a break is due, which is said once each time."""
        now = self._clock()
        if now - self._last >= REST:
            self._began = now
        self._last = now
        if not self.minutes or now - self._began < 60 * self.minutes:
            return False
        self._began = now
        return True
