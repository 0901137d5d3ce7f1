"""About how many more grades the verdict takes that one grades for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from annotator.errors import AnnotatorError
from annotator.tui.workplace import Workplace

if TYPE_CHECKING:  # what a verdict is made of takes long to load
    from annotator.results.more_labels import MoreLabels

EVERY = 25
"""Grades after which it is worked out again, however few of them were foreseen."""


class Outlook:
    """What was foreseen last, less what was graded since; worked out in a thread.

    ``work`` says whether there is a verdict to be reached at all.
    """

    def __init__(self, work: Workplace) -> None:
        self._work = work
        self._ahead: MoreLabels | None = None
        self._judged_then: int | None = None
        self._busy = False

    @property
    def is_due(self) -> bool:
        """Whether it should be worked out now, with :meth:`load`."""
        if self._busy or not self._work.has_goal or self._work.session.goal_reached:
            return False
        return self._judged_then is None or self._since >= EVERY

    @property
    def grades_left(self) -> int | None:
        """How many grades are likely to be missing: of the whole pool, where that is the goal.

        None if it is not known.
        """
        totals = self._work.session.totals
        left = totals.open + totals.later
        if not self._work.has_goal:
            return left
        if self._work.session.goal_reached or self._ahead is None or self._ahead.labels is None:
            return None
        return min(left, max(1, self._ahead.labels - self._since))

    def begin(self) -> None:
        """It is being worked out from what is known now."""
        self._busy, self._judged_then = True, self._work.session.totals.labelled

    def load(self) -> None:
        """Work it out, in any thread; where that fails, nothing is known."""
        try:
            self._ahead = self._work.load_standing().more
        except AnnotatorError:
            self._ahead = None
        finally:
            self._busy = False

    def take(self, ahead: MoreLabels | None) -> None:
        """Take over what was worked out elsewhere just now."""
        self._ahead, self._judged_then = ahead, self._work.session.totals.labelled

    @property
    def _since(self) -> int:
        return self._work.session.totals.labelled - (self._judged_then or 0)
