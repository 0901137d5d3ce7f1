"""Several files that one person describes at once: which of them each word is about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from annotator.errors import UsageError
from annotator.formats import READERS, Hints, Kind, Source
from annotator.formats.qrels.variants import never
from annotator.formats.tables.rows import is_json
from annotator.formats.tables.samples import sample

Files = Sequence[tuple[Kind, Source]]


def describe(files: Files, hints: Hints) -> None:
    """Give each file the hints that are about it.

    The encoding is that of all, grades are those of qrels. A format is that of the files which look
    like it, or, if none does, of all that may be read as it. A heading is looked for in every file;
    numbers of columns are those of files that no format fits, if there are such.

    Raises
    ------
    UsageError
        If no file can have the format, or none has a heading.
    """
    for kind, source in files:
        grades = hints.grades if kind is Kind.QRELS else {}
        source.hints = replace(hints, format="", columns={}, grades=grades)
    if hints.format:
        _name_format(files, hints.format)
    if hints.columns:
        _name_columns(files, hints)


def _name_format(files: Files, name: str) -> None:
    known = [
        (source, reader.recognise is never or reader.recognise(source.head()))
        for kind, source in files
        for reader in READERS[kind]
        if reader.name == name
    ]
    if not known:
        names = [reader.name for kind in (Kind.QRELS, Kind.RUN) for reader in READERS[kind]]
        raise UsageError(
            f"--as {name}: no format of qrels or runs is called so; there are: "
            f"{', '.join(dict.fromkeys(names))}"
        )
    fitting = [source for source, fits in known if fits] or [source for source, _ in known]
    for source in fitting:
        source.hints = replace(source.hints, format=name)


def _name_columns(files: Files, hints: Hints) -> None:
    if all(name.isdecimal() for names in hints.columns.values() for name in _plain(names)):
        files = [one for one in files if not _is_known(*one)] or files
    there = {source: _names(source) for _, source in files}
    for field, names in hints.columns.items():
        holding = [source for source, known in there.items() if known.issuperset(_plain(names))]
        if not holding:
            shown = ", ".join(source.name for source in there)
            raise UsageError(f"--columns: no column or key {', '.join(names)} is in {shown}")
        for source in holding:
            columns = {**source.hints.columns, field: names}
            source.hints = replace(source.hints, columns=columns)


def _is_known(kind: Kind, source: Source) -> bool:
    """Whether a file is read without a word of its columns: those that are numbered are not its."""
    head = source.head()
    return any(reader.recognise(head) for reader in READERS[kind])


def _names(source: Source) -> set[str]:
    """The headings and JSON keys at the beginning of a file, and the numbers of its columns."""
    head = source.head()
    paths = sample(head).paths
    numbers = range(1, len(sample(head, headless=True).paths) + 1)
    keys = (".".join(path).lower() for path in paths)
    return {*keys, *map(str, () if is_json(head) else numbers)}


def _plain(names: Sequence[str]) -> set[str]:
    return {part for name in names for part in name.lower().split("+")}
