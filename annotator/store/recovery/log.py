"""The judgments of a damaged log, into the log of a new project."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from dataclasses import replace
from datetime import datetime
from itertools import product
from typing import Any, NamedTuple

from annotator.errors import ProjectError
from annotator.store import hash_chain
from annotator.store.hash_chain import SAID, SIZE, content_of, judgment_of
from annotator.store.log import Entry, append
from annotator.store.pages import Row
from annotator.store.recovery.tables import Rows, Wreck
from annotator.store.sqlite.file import ProjectFile
from annotator.text.plural import counted

_NAMED = 20
"""Entries named in a report."""

_COLUMNS = ("pair_id", "assessor_id", "rubric_version_id", "undoes", "restates", *SAID)


class _Found(NamedTuple):
    """A row that may be an entry: what stands in it, its identity by that, and the one stored."""

    entry: Entry
    content: str
    identity: bytes
    stored: object
    chain: object
    names_lost: bool
    """Whether it speaks of an entry of which not even the identity is known."""

    def is_as_stored(self) -> bool:
        """Whether both identities agree, if half of the stored one is damaged: none is so alike."""
        if not isinstance(self.stored, bytes) or len(self.stored) != SIZE:
            return False
        alike = sum(one == two for one, two in zip(self.identity, self.stored, strict=True))
        return alike >= SIZE // 2


class _Log:
    """All that was found of a log: under each number, every row that may be the entry."""

    def __init__(self, old: Wreck, new: ProjectFile) -> None:
        self._new = new
        self._found = defaultdict[int, list[_Found]](list)
        self._stored = defaultdict[int, set[str]](set)
        self.seen = set[int]()
        for source in (old.table("judgment"), old.carved("judgment"), _in_pieces(old, self.seen)):
            rows = [(number, row) for number, row in source if 0 < number <= old.most]
            self.seen |= {number for number, _ in rows}
            for number, row in rows:
                if isinstance(one := row.get("identity"), bytes):
                    self._stored[number].add(one.hex())
            for number, row in rows:
                self._found[number] += self._read(row)
        self._by_identity = {
            number: one
            for number, rows in sorted(self._found.items())
            for one in rows
            if one.is_as_stored()
        }
        self._open = {
            number: rows[0]
            for number, rows in sorted(self._found.items())
            if rows and number not in self._by_identity
        }
        last = old.last_judgment()
        self.last = min(last or 0, old.most)
        self.is_told = bool(self.last) or (last == 0 and not self.seen)
        self._complete, self._fitting = self._chains(old)

    def _chains(self, old: Wreck) -> tuple[set[object], set[object]]:
        """The chains of which every entry was found, and those whose head they lead to."""
        there = defaultdict[object, list[bytes]](list)
        for _, one in sorted({**self._by_identity, **self._open}.items()):
            there[one.chain].append(one.identity)
        complete, fitting = set[object](), set[object]()
        for number, row in (*old.table("chain"), *old.carved("chain")):
            start, head = row.get("start"), row.get("head")
            if row.get("entries") == len(there[number]) and isinstance(start, bytes):
                complete.add(number)
                if hash_chain.head(start, there[number]) == head:
                    fitting.add(number)
        return complete, fitting

    def proved(self) -> dict[int, _Found]:
        """The entries that are as they were stored.

        An entry is proved by its identity, or where that was damaged by the head of its chain.
        """
        fitting = {number: one for number, one in self._open.items() if one.chain in self._fitting}
        return self._by_identity | fitting

    def unproved(self) -> dict[int, _Found]:
        """Entries that nothing speaks for or against: their identity cannot be read or reckoned.

        Where nothing else of their chain is missing its head speaks against them.
        """
        return {
            number: one
            for number, one in self._open.items()
            if (one.names_lost or not isinstance(one.stored, bytes))
            and one.chain not in self._complete
        }

    def content(self, number: int) -> str:
        """What stands in an entry, as JSON; empty if that cannot be said."""
        return self._found[number][0].content if self._found.get(number) else ""

    def _read(self, row: Row) -> list[_Found]:
        """The entry of a row, if the query, document, assessor and rubric it names are there."""
        ids = tuple(row.get(name) for name in _COLUMNS[:3])
        names = self._new.rows(
            "SELECT qid, docid, assessor.name AS assessor, kind AS assessor_kind,"
            " fingerprint AS rubric FROM pair JOIN query ON query.id = query_id"
            " JOIN document ON document.id = document_id, assessor, rubric_version"
            " WHERE pair.id = ? AND assessor.id = ? AND rubric_version.id = ?",
            ids,
        )
        return [one for named in names for one in self._entries(row, named)]

    def _entries(self, row: Row, named: dict[str, Any]) -> list[_Found]:
        said = {name: row.get(name) for name in SAID}
        found = []
        named_entries = [self._of(row.get(name)) for name in ("undoes", "restates")]
        names_lost = not all(named_entries)
        for undoes, restates in product(*(some or [None] for some in named_entries)):
            values = {**said, **named, "undoes": undoes, "restates": restates}
            try:
                datetime.fromisoformat(values["at"])
                content = content_of(self._new.db, values)
                judgment = judgment_of(said.values())
            except (sqlite3.Error, UnicodeError, ValueError, TypeError):
                continue
            entry = Entry(
                pair=row["pair_id"],
                assessor=row["assessor_id"],
                rubric_version=row["rubric_version_id"],
                undoes=row.get("undoes"),
                restates=row.get("restates"),
                **{name: getattr(judgment, name) for name in SAID},
            )
            one = hash_chain.identity(content)
            stored, chain = row.get("identity"), row.get("chain_id")
            found.append(_Found(entry, content, one, stored, chain, names_lost))
        return found

    def _of(self, number: object) -> list[str | None]:
        """What may be the identity of the entry that another speaks of."""
        if not isinstance(number, int):
            return [None]
        return [*sorted(self._stored[number]), *(one.identity.hex() for one in self._found[number])]


def _in_pieces(old: Wreck, known: set[int]) -> Rows:
    """Further entries of which every value can be read alone, but for the identity perhaps."""
    rows = old.pieces("judgment", known)
    return ((number, row) for number, row in rows if row.keys() >= set(_COLUMNS))


def provable(old: Wreck, new: ProjectFile) -> int:
    """How many entries are as they were stored, by the ids that the new project has."""
    return len(_Log(old, new).proved())


def rescue_log(old: Wreck, new: ProjectFile) -> tuple[int, list[str]]:
    """Append every entry that can be read and is as it was stored; how many, and what is lost.

    The other tables have been brought over under their numbers. An entry whose identity is lost
    cannot be proved to be as it was stored, and is taken all the same.
    """
    log = _Log(old, new)
    proved = log.proved()
    taken = log.unproved() | proved
    numbers: dict[int, int] = {}
    cut_off = []
    for number, one in sorted(taken.items()):
        entry = one.entry
        undoes, restates = (numbers.get(at or 0) for at in (entry.undoes, entry.restates))
        entry = replace(entry, undoes=undoes, restates=restates)
        try:
            numbers[number] = append(new, [entry])
        except ProjectError:  # a grade that no rubric has, or the like
            continue
        if (one.entry.undoes and not undoes) or (one.entry.restates and not restates):
            cut_off.append(number)
    return len(numbers), _told(log, set(numbers), set(numbers) - proved.keys(), cut_off)


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
            "taken though nothing proves that it is as it was stored: its identity, or that of an"
            " entry it names, is lost",
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
