"""Lets work in another thread go on only while nobody waits for the screen."""

from __future__ import annotations

import threading

LONGEST = 1.0
"""Seconds after which work goes on whatever the screen does."""


class Quiet:
    """Nobody waits at first."""

    def __init__(self) -> None:
        self._nobody_waits = threading.Event()
        self._nobody_waits.set()

    def begin(self) -> None:
        """A key is being answered: whoever calls :meth:`wait` now is held up."""
        self._nobody_waits.clear()

    def end(self) -> None:
        """The key is answered."""
        self._nobody_waits.set()

    def wait(self) -> None:
        """Call this between small pieces of work, holding nothing that the screen could need."""
        self._nobody_waits.wait(LONGEST)
