"""The judgments of a damaged log, into the log of a new project."""

from __future__ import annotations

import sqlite3
from typing import Any, NamedTuple

from annotator.errors import ProjectError
from annotator.records import JudgmentEvent
from annotator.store.chain import CONTENT, START, link
from annotator.store.file import ProjectFile
from annotator.store.log import Entry, append
from annotator.store.salvage import Row, table

_NAMED = 20
"""Entries named in a report."""


class _Found(NamedTuple):
    """An entry of the damaged log, its content as it was chained, and the link stored for it."""

    entry: Entry
    content: str
    chain: bytes | None


def rescue_log(old: sqlite3.Connection, new: ProjectFile) -> tuple[int, list[str]]:
    """Append every entry that can be read and is as it was stored; how many, and what is lost.

    The other tables have been brought over under their numbers. An entry whose predecessor is
    lost cannot be proved to be as it was stored, and is taken all the same.
    """
    found = table(old, "judgment")
    read = {number: _read(new, number, row) for number, row in found.rows.items()}
    there = {number: one for number, one in read.items() if one}
    chains = {number: row.get("chain") for number, row in found.rows.items()}
    good, unproved = _proved(there, chains)
    numbers: dict[int, int] = {}
    for number in sorted(good):
        entry = there[number].entry
        undoes, restates = (numbers.get(one or 0) for one in (entry.undoes, entry.restates))
        entry = entry._replace(undoes=undoes, restates=restates)
        try:
            numbers[number] = append(new, [entry], now=False)
        except ProjectError:  # a grade that no rubric has, or the like
            good.discard(number)
    return len(good), _told(old, found.rows, there, good, unproved)


def _read(new: ProjectFile, number: int, row: Row) -> _Found | None:
    """The entry of a row; None where the query, document, assessor or rubric it names is lost."""
    names = new.tuples(
        "SELECT qid, docid, assessor.name, kind, fingerprint FROM pair"
        " JOIN query ON query.id = query_id JOIN document ON document.id = document_id,"
        " assessor, rubric_version"
        " WHERE pair.id = ? AND assessor.id = ? AND rubric_version.id = ?",
        (row["pair_id"], row["assessor_id"], row["rubric_version_id"]),
    )
    if not names:
        return None
    numbers = row["pair_id"], row["assessor_id"], row["rubric_version_id"]
    said = [row.get(name) for name in JudgmentEvent._fields[6:]]
    try:
        content = new.db.conn.execute(CONTENT, (number, *names[0], *said)).fetchone()[0]
    except (sqlite3.Error, UnicodeError):
        return None
    values: list[Any] = [*numbers, *said]
    values[9] = bool(values[9])
    return _Found(Entry(*values), content, row.get("chain"))


def _proved(there: dict[int, _Found], chains: dict[int, Any]) -> tuple[set[int], set[int]]:
    """The entries to take, and those among them that nothing proves.

    An entry is proved by its own link, or by the next one's where only its link was damaged.
    """
    good, unproved = set(), set()
    if not any(chains.values()):  # of a release before the chain
        return set(there), set(there)
    for number, one in there.items():
        before = START if number == 1 else chains.get(number - 1)
        if not isinstance(before, bytes):
            unproved.add(number)
            continue
        made = link(before, one.content)
        after = there.get(number + 1)
        if made == one.chain or (after and link(made, after.content) == after.chain):
            good.add(number)
            if after and link(made, after.content) == after.chain:
                good.add(number + 1)
    unproved -= good
    return good | unproved, unproved


def _told(
    old: sqlite3.Connection,
    rows: dict[int, Row],
    there: dict[int, _Found],
    good: set[int],
    unproved: set[int],
) -> list[str]:
    said = []
    gone = sorted(set(range(1, _last(old, rows) + 1)) - rows.keys())
    if gone:
        said.append(f"judgment: {len(gone):,} entries cannot be read: {_some(gone)}")
    if altered := sorted(rows.keys() - good):
        said.append(
            f"judgment: {len(altered):,} entries are not as they were stored, or lack what they "
            f"name, and were left out: {_some(altered)}"
        )
        said += [f"left out: {there[one].content}" for one in altered[:_NAMED] if one in there]
    if unproved:
        said.append(
            f"judgment: {len(unproved):,} entries were taken though nothing proves that they are "
            f"as they were stored: {_some(sorted(unproved))}"
        )
    return said


def _last(old: sqlite3.Connection, rows: dict[int, Row]) -> int:
    """The number of the last entry, as far as it is known."""
    last = max(rows, default=0)
    try:
        stored = old.execute("SELECT seq FROM sqlite_sequence WHERE name = 'judgment'").fetchone()
    except sqlite3.Error:
        return last
    return max(last, min(int(stored[0]), last + 1_000_000) if stored else 0)


def _some(numbers: list[int]) -> str:
    shown = ", ".join(map(str, numbers[:_NAMED]))
    return shown + (", …" if len(numbers) > _NAMED else "")
