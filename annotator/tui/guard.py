"""Keeps a held key or a pasted burst from grading documents that nobody has seen."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

MIN_GAP = 0.15
"""Seconds: shorter than any deliberate press, longer than a keyboard's repeat."""

CLOCK = time.perf_counter if sys.platform == "win32" else time.monotonic
"""What Textual takes the time of its events from."""


class Guard:
    """Lets a grade key through only if the document was on screen and the key was at rest.

    With ``min_gap`` 0 every key is let through: for whoever presses them from a script.
    """

    def __init__(self, min_gap: float = MIN_GAP, clock: Callable[[], float] = CLOCK) -> None:
        self._min_gap = min_gap
        self._clock = clock
        self._shown_at: float | None = None
        self._hidden_at = float("-inf")
        self._pressed_at = -min_gap
        self._waited_since: float | None = None

    def hide(self) -> None:
        """The document is being replaced: nothing may be said until the next is shown."""
        self._shown_at = self._waited_since = None
        self._hidden_at = self._clock()

    def show(self, at: float) -> None:
        """The document has been drawn then, for the first time or again.

        A busy machine hears of it later: what was drawn before hiding is gone.
        """
        if self._shown_at is None and at >= self._hidden_at:
            self._shown_at = at

    def pressed(self, at: float) -> None:
        """Take the time of the key that is about to be heard: it may have waited for its turn."""
        self._waited_since = at

    def lets_through(self) -> bool:
        """Whether this grade key, pressed now if no time was told, was meant for what is shown."""
        now = self._clock() if self._waited_since is None else self._waited_since
        self._waited_since = None
        rested = now - self._pressed_at >= self._min_gap
        seen = self._shown_at is not None and now - self._shown_at >= self._min_gap
        self._pressed_at = now
        return not self._min_gap or (rested and seen)
