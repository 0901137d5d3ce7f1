"""Whether a project file is whole: what SQLite can tell, and what only the program knows."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from annotator.store import log
from annotator.store.file import ProjectFile

MOST = 20
"""Problems told of one check."""


@dataclass(frozen=True)
class Check:
    """One thing that must hold, and where it does not."""

    name: str
    problems: tuple[str, ...]


def check(file: ProjectFile) -> list[Check]:
    """Look at everything; a check that cannot be made is a problem of its own."""
    return [Check(name, tuple(_problems(look, file))) for name, look in _CHECKS.items()]


def damage(file: ProjectFile) -> str:
    """The first problem in one line; empty where the file is whole."""
    found = (f"{one.name}: {problem}" for one in check(file) for problem in one.problems)
    return next(found, "")


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
        yield f"could not be checked to the end: {type(error).__name__}: {error}"


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
    for system, query, documents, scores in file.each(
        "SELECT name, qid, length(documents), length(scores) FROM ranking"
        " JOIN system ON system.id = system_id JOIN query ON query.id = query_id"
    ):
        if documents % 4 or scores % 8 or documents // 4 != scores // 8:
            yield f"the ranking of {system} for query {query} is not whole"


def _texts(file: ProjectFile) -> Iterator[str]:
    for docid, title, text, url, digest in file.each(
        "SELECT docid, title, text, url, hash FROM document WHERE hash != ''"
    ):
        content = "\0".join([title, text or "", url])
        if "sha256:" + hashlib.sha256(content.encode()).hexdigest() != digest:
            yield f"the text of document {docid} is not the one that was imported"


_CHECKS: dict[str, Callable[[ProjectFile], Iterator[str]]] = {
    "the file's structure": _integrity,
    "references between its tables": _references,
    "rubrics as they were stored": _rubrics,
    "grades within their rubrics": _grades,
    "judgments as they were stored": _chain,
    "rankings whole": _rankings,
    "texts as they were imported": _texts,
}
