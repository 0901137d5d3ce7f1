"""Whether a project file holds what a person was told it holds."""

from __future__ import annotations

import json
import os
import sqlite3
from collections import Counter
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

from annotator.domain import Undone
from annotator.errors import AnnotatorError
from annotator.store import Desk, Project
from annotator.store.checks import check


class Told(NamedTuple):
    """One entry that was acknowledged: its number in the log, and what it says.

    ``kind`` is ``said``; or ``note`` or ``undo``, which restate a grade and a mark of before.
    """

    event: int
    assessor: str
    pair: int
    grade: int | None
    mark: str | None
    note: str
    kind: str = "said"

    def is_stored_as(self, there: Told) -> bool:
        """Whether the file's entry says the same, as far as this one says it."""
        if self.kind == "said":
            return there[:6] == self[:6]
        same = there[:3] == self[:3] and (there.kind == "undo") == (self.kind == "undo")
        return same and (self.kind == "undo" or there.note == self.note)


class TellingDesk(Desk):
    """A desk that writes down each entry as soon as the store says that it is stored."""

    def __init__(self, project: Project, assessor: str, told: int) -> None:
        super().__init__(project, assessor)
        self._told = told

    def say(self, pair: int, **said: Any) -> int:
        event = super().say(pair, **said)
        what = (said.get("grade"), said.get("mark"), said.get("note", ""))
        self._tell(Told(event, self.assessor, pair, *what))
        return event

    def note(self, pair: int, text: str, *, position: int | None = None) -> int:
        event = super().note(pair, text, position=position)
        self._tell(Told(event, self.assessor, pair, None, None, text, "note"))
        return event

    def undo(self) -> Undone | None:
        undone = super().undo()
        if undone:
            event, pair = undone.event, undone.pair
            self._tell(Told(event, self.assessor, pair, None, None, "", "undo"))
        return undone

    def _tell(self, told: Told) -> None:
        os.write(self._told, (json.dumps(told) + "\n").encode())


def told_in(text: str) -> list[Told]:
    """What a telling desk wrote down."""
    return [Told(*json.loads(line)) for line in text.splitlines()]


def violations(path: Path, told: Iterable[Told], *, unheard: int = 1) -> list[str]:
    """What of that is not in the file, or not right in it; each a sentence.

    ``unheard``: as many entries of these assessors may be there that nobody was told of, because
    the program or the machine went down between the commit and the telling.
    """
    try:
        project = Project.open(path)
    except AnnotatorError as error:
        return [f"it cannot be opened: {error.message}"]
    with closing(project):
        found = [f"{one.name}: {fault}" for one in check(project.file) for fault in one.problems]
    try:
        with closing(sqlite3.connect(path)) as db:
            return found + _broken(db) + _differing(db, list(told), unheard)
    except sqlite3.Error as error:
        return [*found, f"SQLite cannot read it: {error}"]


def _broken(db: sqlite3.Connection) -> list[str]:
    integrity = [row[0] for row in db.execute("PRAGMA integrity_check") if row[0] != "ok"]
    return integrity + [f"a reference: {row}" for row in db.execute("PRAGMA foreign_key_check")]


def _differing(db: sqlite3.Connection, told: list[Told], unheard: int) -> list[str]:
    rows = db.execute(
        "SELECT undoes, judgment.id, name, pair_id, grade, mark, note FROM judgment"
        " JOIN assessor ON assessor.id = assessor_id"
    ).fetchall()
    undoes = {row[1]: row[0] for row in rows if row[0] is not None}
    stored = {row[1]: Told._make((*row[1:], "undo" if row[0] else "said")) for row in rows}
    found = []
    for one in told:
        there = stored.get(one.event)
        if there is None:
            found.append(f"lost: {one}")
        elif not one.is_stored_as(there):
            found.append(f"changed: {one} is {there}")
    for event, undone in undoes.items():
        if stored[event][1:3] != stored[undone][1:3]:
            found.append(f"entry {event} takes back {undone}, which is another's")
    taken = Counter(undoes.values())
    found += [f"entry {one} is taken back twice" for one in taken if taken[one] > 1]
    people = {one.assessor for one in told}
    untold = sum(one.assessor in people for one in stored.values()) - len(told)
    if untold > unheard:
        found.append(f"{untold} entries that nobody was told of")
    return found
