"""The judgments of a damaged log, into the log of a new project."""

from __future__ import annotations

import sqlite3
from typing import Any, NamedTuple

from annotator.domain import JudgmentEvent
from annotator.errors import ProjectError
from annotator.store.hash_chain import CONTENT, LINK_SIZE, START, link
from annotator.store.log import Entry, append
from annotator.store.pages import Row
from annotator.store.recovery.tables import Rows, Wreck
from annotator.store.sqlite.file import ProjectFile
from annotator.text.plural import counted

_NUMBERS = ("pair_id", "assessor_id", "rubric_version_id")

_NAMED = 20
"""Entries named in a report."""


class _Found(NamedTuple):
    """A row that may be an entry, its content as it would have been chained, and its link."""

    entry: Entry
    content: str
    chain: object


class _Log:
    """All that was found of a log: under each number, every row that may be the entry."""

    def __init__(self, old: Wreck, new: ProjectFile) -> None:
        self.seen: set[int] = set()
        self._found: dict[int, list[_Found]] = {}
        self._links: dict[int, set[bytes]] = {0: {START}}
        self._ends: dict[int, set[bytes]] = {}  # links of rows that begin with damage, and others
        for source in (old.table("judgment"), old.carved("judgment"), _in_pieces(old, self.seen)):
            for number, row in source:
                if 0 < number <= old.most:
                    self._add(number, row, new)
        for number, end in old.links():
            self._ends.setdefault(number, set()).add(end)
        last = old.last_judgment()
        self.last = min(last or 0, old.most)
        self.is_told = bool(self.last) or (last == 0 and not self.seen)

    def _add(self, number: int, row: Row, new: ProjectFile) -> None:
        self.seen.add(number)
        if isinstance(chain := row.get("chain"), bytes):
            self._links.setdefault(number, set()).add(chain)
        found = _read(new, number, row)
        if found and found not in self._found.setdefault(number, []):
            self._found[number].append(found)

    def proved(self) -> dict[int, _Found]:
        """The entries that are as they were stored.

        An entry is proved by its own link, or by the next one's where its own was damaged.
        """
        proved = {}
        for number, rows in sorted(self._found.items()):
            for one in rows:
                for before in self._links_of(number - 1):
                    made = link(before, one.content)
                    if self._fits(number, one, made):
                        proved[number] = one
                        self._links.setdefault(number, set()).add(made)
        return proved

    def _links_of(self, number: int) -> set[bytes]:
        return self._links.get(number, set()) | self._ends.get(number, set())

    def _fits(self, number: int, one: _Found, made: bytes) -> bool:
        after = self._found.get(number + 1, ())
        return _is(made, one.chain) or any(_is(link(made, two.content), two.chain) for two in after)

    def unproved(self) -> dict[int, _Found]:
        """Entries that nothing speaks for or against: the link before them cannot be read."""
        return {
            number: rows[0]
            for number, rows in self._found.items()
            if rows and not self._links.get(number - 1)
        }

    def content(self, number: int) -> str:
        """What stands in an entry, as JSON; empty if that cannot be said."""
        return self._found[number][0].content if self._found.get(number) else ""


def _in_pieces(old: Wreck, known: set[int]) -> Rows:
    """Further entries of which every value can be read alone, but for the link perhaps."""
    values = {*_NUMBERS, *JudgmentEvent._fields[6:]}
    return ((number, row) for number, row in old.pieces("judgment", known) if values <= row.keys())


def _is(made: bytes, stored: object) -> bool:
    """Whether a stored link is the one made, if half of it is damaged: no other is so like it."""
    if not isinstance(stored, bytes) or len(stored) != LINK_SIZE:
        return False
    return sum(map(int.__eq__, made, stored)) >= LINK_SIZE // 2


def provable(old: Wreck, new: ProjectFile) -> int:
    """How many entries are as they were stored, by the ids that the new project has."""
    return len(_Log(old, new).proved())


def rescue_log(old: Wreck, new: ProjectFile) -> tuple[int, list[str]]:
    """Append every entry that can be read and is as it was stored; how many, and what is lost.

    The other tables have been brought over under their numbers. An entry whose predecessor is
    lost cannot be proved to be as it was stored, and is taken all the same.
    """
    log = _Log(old, new)
    proved = log.proved()
    taken = log.unproved() | proved
    numbers: dict[int, int] = {}
    cut_off = []
    for number, one in sorted(taken.items()):
        entry = one.entry
        undoes, restates = (numbers.get(at or 0) for at in (entry.undoes, entry.restates))
        entry = entry._replace(undoes=undoes, restates=restates)
        try:
            numbers[number] = append(new, [entry])
        except ProjectError:  # a grade that no rubric has, or the like
            continue
        if (one.entry.undoes and not undoes) or (one.entry.restates and not restates):
            cut_off.append(number)
    return len(numbers), _told(log, set(numbers), set(numbers) - proved.keys(), cut_off)


def _read(new: ProjectFile, number: int, row: Row) -> _Found | None:
    """The entry of a row; None where the query, document, assessor or rubric it names is lost."""
    numbers = tuple(row.get(name) for name in _NUMBERS)
    names = new.tuples(
        "SELECT qid, docid, assessor.name, kind, fingerprint FROM pair"
        " JOIN query ON query.id = query_id JOIN document ON document.id = document_id,"
        " assessor, rubric_version"
        " WHERE pair.id = ? AND assessor.id = ? AND rubric_version.id = ?",
        numbers,
    )
    if not names:
        return None
    said = [row.get(name) for name in JudgmentEvent._fields[6:]]
    try:
        content = new.db.execute(CONTENT, (number, *names[0], *said)).fetchone()[0]
    except (sqlite3.Error, UnicodeError):
        return None
    values: list[Any] = [*numbers, *said]
    values[9] = bool(values[9])
    return _Found(Entry(*values), content, row.get("chain"))


def _told(log: _Log, taken: set[int], unproved: set[int], cut_off: list[int]) -> list[str]:
    """What was lost, in sentences."""
    gone = sorted(set(range(1, max(log.last, *log.seen, 0) + 1)) - log.seen)
    altered = sorted(log.seen - taken)
    said = [
        (gone, "cannot", "cannot", "be read"),
        (altered, "was", "were", "left out: not as stored, or without what it names"),
        (
            sorted(unproved),
            "was",
            "were",
            "taken though nothing proves that it is as it was stored: what was before is lost",
        ),
        (cut_off, "was", "were", "taken, but not which lost entry is taken back or repeated"),
    ]
    told = [
        f"judgment: {counted(len(some), f'entry {one}', f'entries {many}')} {what}: {_some(some)}"
        for some, one, many, what in said
        if some
    ]
    left_out = [content for one in altered[:_NAMED] if (content := log.content(one))]
    if not log.is_told:
        told.append("judgment: how many entries there were cannot be read")
    return told + [f"left out: {one}" for one in left_out]


def _some(numbers: list[int]) -> str:
    shown = ", ".join(map(str, numbers[:_NAMED]))
    return shown + (", …" if len(numbers) > _NAMED else "")
