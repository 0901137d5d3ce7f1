"""Reading the project where no key is answered that a fault could be told to."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from textual.dom import DOMNode

from annotator.errors import AnnotatorError, LockedError
from annotator.text.safe import one_line

AGAIN = 0.2
"""Seconds between two attempts: each may hold the screen for a moment."""
TRIES = 200


def read_when_free(node: DOMNode, do: Callable[[], None], tries: int = TRIES) -> None:
    """Do what reads the file; again and again while another program has it. Other faults are told.

    It is left off when what it is for is no longer on a screen.
    """
    try:
        do()
    except AnnotatorError as error:
        if isinstance(error, LockedError) and tries:
            node.set_timer(AGAIN, partial(read_when_free, node, do, tries - 1))
        else:
            node.app.notify(one_line(error.message), severity="error", markup=False)
