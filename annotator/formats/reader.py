"""What a format is to the rest of the program: a name, a way to know it, and a way to read it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, TypeVar

from annotator.formats.input.source import Head, Source
from annotator.formats.problems import Problems

T_co = TypeVar("T_co", covariant=True)


class Kind(StrEnum):
    """What a file is about; each is a subcommand of ``annotator import``."""

    QUERIES = "queries"
    DOCUMENTS = "documents"
    RUN = "run"
    QRELS = "qrels"
    JUDGMENTS = "judgments"


@dataclass(frozen=True)
class Reader(Generic[T_co]):
    """One file format for one kind of file.

    ``recognise`` looks at the file's first content lines (no byte order mark, no blank lines, no
    comments); ``name`` is what a person asks for it by. ``read`` notes bad lines in the
    ``Problems`` it is given and goes on; the caller refuses the file afterwards. A reader that
    returns an iterator notes them as it is consumed.
    """

    name: str
    title: str
    recognise: Callable[[Head], bool]
    read: Callable[[Source, Problems], T_co]
