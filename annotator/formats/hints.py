"""What a person says of a file where its content does not say it."""

from __future__ import annotations

import codecs
import csv
import io
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from annotator.errors import UsageError
from annotator.formats.fields import NAMED
from annotator.formats.grades import Scale, scale_key

Watch: TypeAlias = Callable[[int, int | None], None]
"""Is told how many bytes are read, and of how many if that is known."""


@dataclass(frozen=True)
class Hints:
    """How a file is to be read.

    ``format`` is a reader's name, ``encoding`` what its text is written in; ``columns`` gives the
    headings (or JSON keys) of what they hold, ``grades`` what its grades are in the rubric.
    ``fields`` are the only further fields of documents to be shown, ``hide`` such as are not to be.
    ``watch`` is told how far the reading is. All of it may be left out.
    """

    format: str = ""
    encoding: str = ""
    columns: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    grades: Scale = field(default_factory=dict)
    fields: Collection[str] | None = None
    hide: Collection[str] = ()
    watch: Watch | None = None

    @classmethod
    def parse(
        cls,
        *,
        form: str = "",
        encoding: str = "",
        columns: str = "",
        grades: str = "",
        fields: str | None = None,
        hide: str = "",
    ) -> Hints:
        """Read hints as they are typed: ``query=q,docid=url`` and ``0:0,0.5:1,1:3``.

        Raises
        ------
        UsageError
            If one of them is not of this form.
        """
        only = None if fields is None else _listed(fields)
        hints = cls(form, _encoding(encoding), _columns(columns), _grades(grades))
        return replace(hints, fields=only, hide=_listed(hide))


def typed_list(parts: Iterable[str]) -> str:
    """A list as a person types it: with commas between, a part that holds one in quotes."""
    line = io.StringIO()
    csv.writer(line, lineterminator="").writerow(parts)
    return line.getvalue()


def _listed(typed: str) -> tuple[str, ...]:
    return tuple(filter(None, map(str.strip, next(csv.reader([typed]), []))))


def _encoding(name: str) -> str:
    try:
        text_codec = not name or getattr(codecs.lookup(name), "_is_text_encoding", True)
    except (LookupError, ValueError):
        text_codec = False
    if not text_codec:
        raise UsageError(f"--encoding {name}: no encoding is called so; for instance latin-1")
    return name


def _columns(typed: str) -> dict[str, tuple[str, ...]]:
    columns: dict[str, tuple[str, ...]] = {}
    for part in _listed(typed):
        name, equals, heading = (word.strip() for word in part.partition("="))
        if name not in NAMED or not equals or not heading:
            raise UsageError(
                f"--columns {typed}: expected FIELD=HEADING,… with fields {', '.join(NAMED)}"
            )
        columns[name] = (*columns.get(name, ()), heading)
    return columns


def _grades(typed: str) -> Scale:
    scale: Scale = {}
    for part in _listed(typed):
        value, colon, grade = (word.strip() for word in part.rpartition(":"))
        key = scale_key(value)
        if not colon or not value or not grade.removeprefix("-").isdecimal() or len(grade) > 3:
            raise UsageError(
                f"--grades {typed}: expected VALUE:GRADE,… for each grade of the file, such as "
                "0:0,0.5:1,1:3; GRADE -1 leaves a row unjudged"
            )
        if key in scale:
            raise UsageError(f"--grades {typed}: {value} is there twice")
        scale[key] = int(grade)
    return scale
