"""Whether a project file is whole: what SQLite can tell, and what only the program knows."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass

from sqlite_utils import Database

from annotator.errors import AnnotatorError
from annotator.store import log
from annotator.store.collection import WITH_TEXT
from annotator.store.sqlite import seals
from annotator.store.sqlite.file import ProjectFile
from annotator.store.sqlite.migrations import migrations
from annotator.store.sqlite.schema import differences
from annotator.store.systems import faults, sealed_rankings
from annotator.text.plural import counted
from annotator.text.safe import one_line

_APPLIED = "SELECT migration_set, name FROM _sqlite_migrations ORDER BY id"

MOST = 20
"""Problems told of one check."""


@dataclass(frozen=True)
class Check:
    """One thing that must hold, and where it does not."""

    name: str
    problems: tuple[str, ...]


def check(file: ProjectFile) -> list[Check]:
    """Look at everything; a check that cannot be made is a problem of its own.

    What looks wrong may be that others write between two readings: it is looked at again in one
    state of the file, for which they wait.
    """
    return [Check(name, _surely(look, file)) for name, look in _CHECKS.items()]


def _surely(look: Callable[[ProjectFile], Iterator[str]], file: ProjectFile) -> tuple[str, ...]:
    if not (problems := tuple(_problems(look, file))):
        return ()
    try:
        with file.reading():
            return tuple(_problems(look, file))
    except AnnotatorError:  # so damaged, or so busy, that no one state of it can be had
        return problems


def damage(file: ProjectFile) -> str:
    """The first problem in one line; empty where the file is whole."""
    found = (f"{one.name}: {problem}" for one in check(file) for problem in one.problems)
    return next(found, "")


def broken(file: ProjectFile) -> str:
    """The first fault of the file's structure, found at the speed of reading it; empty if none."""
    return "".join(row[0] for row in file.tuples("PRAGMA quick_check(1)") if row[0] != "ok")


def check_heads(file: ProjectFile, heads: Sequence[str]) -> Check:
    """Whether the log still holds all up to these heads of chains, in hexadecimal digits."""
    held = log.heads(file) if heads else set()
    problems = (
        f"no entries lead to the head {head[:16]}…: the log was changed or cut off since"
        for head in heads
        if head not in held
    )
    return Check("the log up to the heads given", tuple(problems))


def sqlite_version() -> str:
    """The version of the SQLite library in use."""
    return sqlite3.sqlite_version


def _problems(look: Callable[[ProjectFile], Iterator[str]], file: ProjectFile) -> Iterator[str]:
    told = 0
    try:
        for problem in look(file):
            told += 1
            if told > MOST:
                yield "… and more"
                return
            yield problem
    except Exception as error:  # whatever a damaged file makes of a check
        yield f"could not be checked to the end: {_said_by(error)}"


def _said_by(error: Exception) -> str:
    """What SQLite said, not what a person is told of it, which is to run this check.

    Nothing here may hold on to the error: a reading that failed would stay open with it, locked.
    """
    cause = error.__cause__ if isinstance(error, AnnotatorError) else None
    return one_line(f"{type(cause or error).__name__}: {cause or error}")


def _integrity(file: ProjectFile) -> Iterator[str]:
    yield from (row[0] for row in file.each("PRAGMA integrity_check(20)") if row[0] != "ok")


def _references(file: ProjectFile) -> Iterator[str]:
    for table, row, parent, _ in file.each("PRAGMA foreign_key_check"):
        yield f"row {row} of {table} points to a missing row of {parent}"


def _rubrics(file: ProjectFile) -> Iterator[str]:
    for name, version, text, fingerprint in file.each(
        "SELECT name, version, text, fingerprint FROM rubric_version"
    ):
        if "sha256:" + hashlib.sha256(text.encode()).hexdigest() != fingerprint:
            yield f"the text of rubric {name} v{version} does not fit its fingerprint"


def _grades(file: ProjectFile) -> Iterator[str]:
    texts = file.tuples("SELECT id, text FROM rubric_version")
    tops = {
        number: max(one["grade"] for one in json.loads(text)["levels"]) for number, text in texts
    }
    for event, version, grade in file.each(
        "SELECT id, rubric_version_id, grade FROM judgment WHERE grade IS NOT NULL"
    ):
        if grade > tops.get(version, -1):
            yield f"judgment {event} has grade {grade}, which its rubric does not"


def _chain(file: ProjectFile) -> Iterator[str]:
    yield from log.faults(file)


def _rankings(file: ProjectFile) -> Iterator[str]:
    import numpy as np

    there = [number for (number,) in file.tuples("SELECT id FROM document NOT INDEXED")]
    for (system,) in file.tuples("SELECT id FROM system ORDER BY id"):
        sealed, rows = sealed_rankings(file, system)
        if fault := faults(sealed, rows):
            yield fault
            continue
        ranked = np.unique(np.frombuffer(b"".join(row[1] for row in rows), "<i4"))
        if gone := np.setdiff1d(ranked, there).size:
            yield f"system {sealed[0]} ranks {counted(gone, 'document')} that are not there"


def _seals(file: ProjectFile) -> Iterator[str]:
    for table in seals.SEALED:
        if not file.is_sealed(table):
            yield f"the table {table} is not as it was stored"


def _schema(file: ProjectFile) -> Iterator[str]:
    """Every table, index, view and trigger, as this release makes them."""
    with closing(Database(memory=True, execute_plugins=False)) as empty:
        migrations.apply(empty)
        applied = empty.execute(_APPLIED).fetchall()
    yield from differences(file.db)
    if file.tuples(_APPLIED) != applied:
        yield "the record of migrations is not what this release makes"


def _texts(file: ProjectFile) -> Iterator[str]:
    for docid, title, text, url, digest in file.each(
        "SELECT docid, title, text, url, hash FROM document WHERE hash != ''"
    ):
        content = "\0".join([title, text or "", url])
        if "sha256:" + hashlib.sha256(content.encode()).hexdigest() != digest:
            yield f"the text of document {docid} is not the one that was imported"


def _metadata(file: ProjectFile) -> Iterator[str]:
    """What a seal says, and that whatever has a text has one."""
    for docid, *sealed, seal in file.each(
        "SELECT docid, docid, metadata, hash, digest FROM document"  # noqa: S608 -- only names
        " LEFT JOIN seal ON name = 'document ' || id"
        f" WHERE {WITH_TEXT} OR digest IS NOT NULL"
    ):
        if not sealed[-1] or seals.of_document(*sealed) != seal:
            yield f"document {docid} is not the one that was imported: its id, or another field"


_CHECKS: dict[str, Callable[[ProjectFile], Iterator[str]]] = {
    "the file's structure": _integrity,
    "tables, indexes, views and triggers": _schema,
    "references between its tables": _references,
    "rubrics as they were stored": _rubrics,
    "grades within their rubrics": _grades,
    "judgments as they were stored": _chain,
    "rankings as they were imported": _rankings,
    "other tables as they were stored": _seals,
    "texts as they were imported": _texts,
    "ids and other fields of documents": _metadata,
}
