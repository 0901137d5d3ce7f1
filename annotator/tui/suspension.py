"""Going to sleep when the shell asks to, and taking the whole terminal anew afterwards."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Callable
from contextlib import suppress

from textual.driver import Driver


class Suspension:
    """Gives the terminal back before the program stops, and takes it again when that goes on.

    What the terminal shows and how it is set is not known any more after a stop, whether the
    program was asked to stop (SIGTSTP) or was stopped (SIGSTOP), nor after another program has
    written to it. So all of its modes are set anew, and all of the screen is drawn.

    Textual's own handlers do this in the middle of whatever they interrupt, draw nothing, and
    after SIGSTOP start a second reader of the same keys; these here take their place.

    Parameters
    ----------
    driver
        What Textual speaks to the terminal by.
    hide
        From now on nothing on the screen is known to be seen. It is called in a signal handler.
    repaint
        Draws the whole screen.
    """

    def __init__(
        self, driver: Driver, hide: Callable[[], object], repaint: Callable[[], object]
    ) -> None:
        self._driver, self._hide, self._repaint = driver, hide, repaint
        self._asleep = False
        self._loop = asyncio.get_running_loop()

    def begin(self) -> None:
        """Heed the signals; where there are none nothing changes."""
        if self._driver.can_suspend and hasattr(signal, "SIGTSTP"):
            with suppress(ValueError):  # not in the main thread
                signal.signal(signal.SIGTSTP, lambda *_: self._soon(self._sleep))
                signal.signal(signal.SIGCONT, lambda *_: self._soon(self.take_anew))

    def take_anew(self) -> None:
        """Set every mode of the terminal anew, and draw the whole screen."""
        if _in_background():  # `bg`: there is no terminal to go on with
            os.kill(os.getpid(), signal.SIGSTOP)
            return
        self._hide()
        if not self._asleep:
            self._driver.suspend_application_mode()
        self._driver.resume_application_mode()
        self._asleep = False
        self._repaint()

    def _sleep(self) -> None:
        if not self._asleep:
            self._driver.suspend_application_mode()
            self._asleep = True
        os.kill(os.getpid(), signal.SIGSTOP)

    def _soon(self, do: Callable[[], object]) -> None:
        self._hide()
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(do)


def forget_suspension() -> None:
    """Let the system stop and continue the program again, once the screen is gone."""
    if hasattr(signal, "SIGTSTP"):
        with suppress(ValueError):
            signal.signal(signal.SIGTSTP, signal.SIG_DFL)
            signal.signal(signal.SIGCONT, signal.SIG_DFL)


def _in_background() -> bool:
    """Whether another program has the terminal; False where that cannot be known."""
    try:
        assert sys.__stdin__ is not None
        return os.tcgetpgrp(sys.__stdin__.fileno()) != os.getpgrp()
    except (OSError, AttributeError):
        return False
