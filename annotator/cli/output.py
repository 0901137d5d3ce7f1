"""The one place that prints: results on stdout, what is said about them on stderr."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterable
from typing import TextIO

from click.exceptions import Exit

from annotator.text.safe import visible

WIDTH_ELSEWHERE = 100
"""How wide a table is that goes into a file or a pipe."""

READER_WENT_AWAY = 141  # what a shell shows for a program that SIGPIPE ended


_status_is_shown = False
_encoding = "utf-8"  # of stdout as it was started: what its terminal is likely to show


def prepare() -> None:
    """Write UTF-8 whatever the locale: ids must come out as they came in."""
    global _encoding
    sys.stdout = sys.stdout or _nowhere()  # closed before the program started
    sys.stderr = sys.stderr or _nowhere()
    _encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    for stream in (sys.stdout, sys.stderr):
        if reconfigure := getattr(stream, "reconfigure", None):
            reconfigure(encoding="utf-8", errors="backslashreplace")


def _nowhere() -> TextIO:
    return open(os.devnull, "w", encoding="utf-8")


def data(text: str) -> None:
    """Print a result."""
    lines([text.removesuffix("\n")])


def lines(texts: Iterable[str]) -> None:
    """Print a result line by line; only a terminal gets control characters replaced."""
    shown = map(visible, texts) if sys.stdout.isatty() else texts
    _write(sys.stdout, (f"{line}\n" for line in shown))


def ask(text: str) -> None:
    """Print a part of a conversation as it is, with what a terminal would obey replaced."""
    _write(sys.stdout, (visible(text),))


def note(text: str) -> None:
    """Say something about what happens, after the results so far."""
    clear_status()
    _write(sys.stdout, ())
    _write(sys.stderr, (f"{visible(line)}\n" for line in text.split("\n")))


def has_status() -> bool:
    """Whether what is said about what happens goes to a terminal."""
    return sys.stderr is not None and sys.stderr.isatty()


def status(text: str) -> None:
    """Put a line in the place of the last one on the terminal."""
    global _status_is_shown
    _status_is_shown = bool(text)
    _write(sys.stderr, (f"\r\x1b[K{visible(text)}",))


def clear_status() -> None:
    """Take away the line that `status` put on the terminal, if there is one."""
    if _status_is_shown:
        status("")


def width() -> int:
    """How many columns a table may have."""
    return shutil.get_terminal_size((WIDTH_ELSEWHERE, 24)).columns


def shows_blocks() -> bool:
    """Whether bars can be drawn with more than ASCII."""
    return _encoding.lower().replace("-", "") == "utf8"


def has_terminal() -> bool:
    """Whether a person sits at both ends, so that screens can be shown."""
    return sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty()


def give_up_if_broken() -> None:
    """Let nothing more be written to a stdout that takes nothing, such as a full disk."""
    try:
        sys.stdout.flush()
    except OSError:
        _give_up(sys.stdout)


def _write(stream: TextIO, texts: Iterable[str]) -> None:
    try:
        stream.writelines(texts)
        stream.flush()
    except BrokenPipeError:
        _give_up(stream)
        raise Exit(READER_WENT_AWAY) from None


def _give_up(stream: TextIO) -> None:
    """Send what is still buffered nowhere, or the interpreter fails on it at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
