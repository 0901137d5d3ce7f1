"""The app from its start to its end."""

from __future__ import annotations

import os
import sys
from signal import SIGTERM

from rich.console import Console
from textual import constants

from annotator.settings import read_settings, settings_path
from annotator.tui.app import AnnotatorApp
from annotator.tui.signals import forget_terminal
from annotator.tui.suspension import forget_suspension
from annotator.tui.workplace import Workplace

SWITCH = 0.0005
"""Seconds after which the thread that reads the scoreboard lets the screen have its turn."""


def has_enough_colours() -> bool:
    """Whether the terminal tells more than 16 colours apart: in fewer all marks look the same."""
    system = constants.COLOR_SYSTEM
    if system == "auto":
        system = Console(force_terminal=True).color_system
    return system in ("256", "truecolor")


def run_app(workplace: Workplace) -> None:
    """Run the app until the person leaves it.

    What made it fail, if anything, is raised; if a signal ended it, the program ends with the
    status that a shell shows for that.
    """
    sys.setswitchinterval(SWITCH)
    if not has_enough_colours():
        os.environ["NO_COLOR"] = "1"
    app = AnnotatorApp(workplace, read_settings(settings_path()))
    try:
        app.run()
    finally:
        forget_suspension()
    if app.failure is not None:
        raise app.failure
    if app.stopped_by:
        if app.stopped_by != SIGTERM:
            forget_terminal()
        raise SystemExit(128 + app.stopped_by)
