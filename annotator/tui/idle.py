"""Lets work in another thread go on only while nobody waits for the screen."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

CALM = 0.2
"""Seconds from a key until it is answered, and what comes next has been made ready."""
LONGEST = 1.0
"""Seconds after which a piece of work is done whatever keys come: someone may hold one down."""


class IdleTime:
    """Knows when the last key came; at first it is taken that one just did."""

    def __init__(
        self,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], object] = time.sleep,
    ) -> None:
        self._clock, self._sleep = clock, sleep
        self._disturbed_at = clock()

    def disturb(self) -> None:
        """A key has come, or the screen is drawn: it goes first for a moment."""
        self._disturbed_at = self._clock()

    def wait(self) -> None:
        """Call this between small pieces of work, holding nothing that the screen could need.

        For the screen itself there is nothing to wait for.
        """
        if threading.current_thread() is threading.main_thread():
            return
        until = self._clock() + LONGEST
        while (calm := min(self._disturbed_at + CALM, until)) > (now := self._clock()):
            self._sleep(calm - now)

    @contextmanager
    def between_imports(self) -> Iterator[None]:
        """Wait before each module that this thread loads meanwhile: numpy has hundreds."""
        finder = _NoFinder(self.wait)
        sys.meta_path.insert(0, finder)
        try:
            yield
        finally:
            sys.meta_path.remove(finder)


class _NoFinder:
    """Is asked for each module that its thread loads, and finds none."""

    def __init__(self, asked: Callable[[], None]) -> None:
        self._asked, self._thread = asked, threading.get_ident()

    def find_spec(self, *_module: object) -> None:
        """Leave it to the others."""
        if threading.get_ident() == self._thread:
            self._asked()
