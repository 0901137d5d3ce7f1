"""Leaving when the system asks to: what was said is stored, and the terminal is given back."""

from __future__ import annotations

import asyncio
import os
import select
import signal
import sys
import threading
from collections.abc import Callable
from contextlib import suppress

GRACE = 3.0
"""Seconds to leave in; a terminal that has gone can keep the program waiting for ever."""


def leave_on_signals(leave: Callable[[int], object]) -> None:
    """Call ``leave`` with the signal's number when the terminal is closed or an end is asked for.

    Where signals cannot be had (another thread, another system) nothing changes.
    """
    loop = asyncio.get_running_loop()
    for name in ("SIGTERM", "SIGHUP"):
        if number := getattr(signal, name, None):
            with suppress(NotImplementedError, RuntimeError, ValueError):
                loop.add_signal_handler(number, _leave, int(number), leave)


def leave_without_terminal(leave: Callable[[int], object]) -> None:
    """Leave as for a closed terminal if there is none any more, of which no signal need tell.

    Where one cannot ask (another system, no terminal from the start) nothing happens.
    """
    if hasattr(select, "poll") and sys.__stdin__ is not None:
        asked = select.poll()
        asked.register(sys.__stdin__.fileno(), 0)
        if any(what & (select.POLLHUP | select.POLLNVAL) for _, what in asked.poll(0)):
            _leave(int(signal.SIGHUP), leave)


def forget_terminal() -> None:
    """Let what is still to be written go nowhere: its terminal has been closed."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        os.dup2(nowhere, stream.fileno())


def _leave(number: int, leave: Callable[[int], object]) -> None:
    last_resort = threading.Timer(GRACE, os._exit, (128 + number,))
    last_resort.daemon = True
    last_resort.start()
    leave(number)
