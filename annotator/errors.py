"""Every error a person can meet, each with its exit code."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum


class ExitCode(IntEnum):
    """What the program's exit status means."""

    DONE = 0
    NO = 1
    USAGE = 2
    INPUT = 3
    PROJECT = 4
    UNKNOWN = 5


class AnnotatorError(Exception):
    """A fault to be told in one line: what, where, what was expected, what to do.

    ``details`` are further lines (such as the bad lines of a file) shown below the first.
    """

    exit_code = ExitCode.USAGE

    def __init__(self, message: str, details: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.message = message
        self.details = tuple(details)


class UsageError(AnnotatorError):
    """The command does not fit the project: a name that is not there, a step left out."""

    exit_code = ExitCode.USAGE


class InputError(AnnotatorError):
    """A file to be read is not what it must be; nothing of it was taken."""

    exit_code = ExitCode.INPUT


class ProjectError(AnnotatorError):
    """The project file cannot be used: missing, foreign, newer, damaged, locked, full."""

    exit_code = ExitCode.PROJECT


class LockedError(ProjectError):
    """Another program is writing to the project file; the same may succeed a moment later."""


class DamagedError(ProjectError):
    """What is there may have been a project, and cannot be read as one."""


class NotTakenBackError(UsageError):
    """What is to be taken back belongs to another window, or no longer holds because of it."""


class RubricChangedError(ProjectError):
    """The rubric is another one than the assessor was shown; nothing was stored."""
