"""The judgment log as it is written: entry after entry, each a link of the hash chain."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from annotator.domain import AssessorKind, JudgmentEvent, Mark
from annotator.store.hash_chain import CONTENT, EVENTS, LINKS, STAGED, START, breaks, link
from annotator.store.sqlite import seals
from annotator.store.sqlite.batches import in_pieces
from annotator.store.sqlite.errors import damaged, replaced
from annotator.store.sqlite.file import ProjectFile
from annotator.text.times import later

_COLUMNS = (
    "pair_id, assessor_id, rubric_version_id, grade, mark, note, at, seconds, position, blind,"
    " undoes, restates, evidence_start, evidence_end, chosen, text_hash"
)
_MARKS = ",".join("?" * 18)
_INSERT = f"INSERT INTO judgment (id, {_COLUMNS}, chain) VALUES ({_MARKS})"  # noqa: S608 -- only names
_INSERT_STAGED = (
    "INSERT INTO judgment (id, pair_id, assessor_id, grade, at, seconds, text_hash,"
    " rubric_version_id, chain, note, blind) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, '', 0)"
)
_SEAL = "judgment"
"""The name of the seal of the log's end."""

_ALL = -1
"""A limit that is none."""

_ENTRIES = f"SELECT {_COLUMNS}, id FROM judgment ORDER BY id"  # noqa: S608 -- only names

_NOW = (  # by an index: in the table the hash stands behind the text, however long that is
    "SELECT (SELECT max(at) FROM judgment WHERE pair_id = pair.id), ifnull(listed.hash, '')"
    " FROM pair LEFT JOIN document AS listed INDEXED BY document_with_text"
    " ON listed.id = document_id AND listed.hash != '' WHERE pair.id = ?"
)


class Entry(NamedTuple):
    """One entry to be added to the log; see :class:`JudgmentEvent` for the fields."""

    pair: int
    assessor: int
    rubric_version: int
    grade: int | None
    mark: Mark | None
    note: str
    at: str
    seconds: float | None = None
    position: int | None = None
    blind: bool = True
    undoes: int | None = None
    restates: int | None = None
    evidence_start: int | None = None
    evidence_end: int | None = None
    chosen: str | None = None
    text_hash: str | None = None


def append(file: ProjectFile, entries: Sequence[Entry]) -> int:
    """Append entries to the log and commit them; the number of the last."""
    with file.writing():
        file.many(_INSERT, _linked(file, entries))
        seal(file)
        return last_stored(file)


def made_now(file: ProjectFile, entry: Entry) -> Entry:
    """An entry that is about to be appended as said now, inside `writing`.

    Its time is after all entries of its pair, whatever the clock shows, so that it holds. Unless it
    restates another it speaks of the text that the document has.
    """
    rows = file.tuples(_NOW, (entry.pair,))
    if not rows:
        raise replaced(file.path)
    before, text_hash = rows[0]
    if entry.restates is None:
        entry = entry._replace(text_hash=text_hash)
    return entry._replace(at=later(entry.at, before or ""))


def last_times(file: ProjectFile) -> dict[int, str]:
    """The latest time of any entry of each pair."""
    return dict(file.tuples("SELECT pair_id, max(at) FROM judgment GROUP BY pair_id"))


def _linked(file: ProjectFile, entries: Sequence[Entry]) -> Iterator[tuple[Any, ...]]:
    """The rows of entries that are to be appended, each with its link."""
    (last, before), assessors, rubrics = _end(file), _assessors(file), _rubrics(file)
    names = _names(file, [entry.pair for entry in entries])
    for number, entry in enumerate(entries, start=last + 1):
        row = _stored(entry)
        try:
            said = (*names[entry.pair], *assessors[entry.assessor], rubrics[entry.rubric_version])
        except KeyError as error:  # a copy of another state or project is where the file was
            raise replaced(file.path) from error
        content = file.db.execute(CONTENT, (number, *said, *row[3:])).fetchone()[0]
        before = link(before, content)
        yield number, *row, before


def append_staged(file: ProjectFile, rubric_version: int) -> int:
    """Append the grades of ``staged_entry``, inside `writing`, of the texts now; how many."""
    last, before = _end(file)

    def linked() -> Iterator[tuple[Any, ...]]:
        link_before, fingerprint = before, _rubrics(file)[rubric_version]
        values = {"last": last, "fingerprint": fingerprint}
        for *said, content in file.each(STAGED, values):
            link_before = link(link_before, content)
            yield *said, rubric_version, link_before

    added = file.many(_INSERT_STAGED, linked())
    seal(file)
    return added


def seal(file: ProjectFile) -> None:
    """Write down where the log ends, inside `writing`: what is cut off behind is missed then."""
    seals.put(file.db, _SEAL, _digest_of_end(*_end(file)))


def _digest_of_end(last: int, link_of_last: bytes) -> bytes:
    return seals.checksum(last.to_bytes(8, "little"), link_of_last)


def _stored(entry: Entry) -> tuple[Any, ...]:
    """The values of an entry as SQLite gives them back."""
    return (*entry[:9], int(entry.blind), *entry[10:])


def _end(file: ProjectFile) -> tuple[int, bytes]:
    """The number of the last entry ever stored, and the last link of the chain."""
    rows = file.tuples("SELECT chain FROM judgment ORDER BY id DESC LIMIT 1")
    return last_stored(file), (rows[0][0] or START) if rows else START


def last_stored(file: ProjectFile) -> int:
    """The number of the last entry that was ever stored, there or not; 0 if none was."""
    rows = file.tuples("SELECT seq FROM sqlite_sequence WHERE name = 'judgment'")
    return int(rows[0][0]) if rows else 0


def _assessors(file: ProjectFile) -> dict[int, tuple[str, str]]:
    rows = file.tuples("SELECT id, name, kind FROM assessor")
    return {number: (name, kind) for number, name, kind in rows}


def _rubrics(file: ProjectFile) -> dict[int, str]:
    return dict(file.tuples("SELECT id, fingerprint FROM rubric_version"))


def _names(file: ProjectFile, pairs: Sequence[int]) -> dict[int, tuple[str, str]]:
    """The query's id and the document's of each pair."""
    sql = (
        "SELECT pair.id, qid, docid FROM pair JOIN query ON query.id = query_id"
        " JOIN document ON document.id = document_id"
    )
    one = len(pairs) == 1
    rows = file.tuples(f"{sql} WHERE pair.id = ?", pairs) if one else file.tuples(sql)
    return {pair: (qid, docid) for pair, qid, docid in rows}


def identities(file: ProjectFile) -> dict[Entry, list[int]]:
    """Every stored entry with the numbers it has, to know one that comes again."""
    numbers: dict[Entry, list[int]] = {}
    for *row, number in file.each(_ENTRIES):
        entry = Entry._make((*row[:9], bool(row[9]), *row[10:]))
        numbers.setdefault(entry, []).append(number)
    return numbers


def events(file: ProjectFile) -> Iterator[JudgmentEvent]:
    """The whole log, oldest first."""
    for row in file.tuples(f"{EVENTS} ORDER BY judgment.id"):
        event = JudgmentEvent(*row)
        yield event._replace(
            assessor_kind=AssessorKind(event.assessor_kind),
            mark=Mark(event.mark) if event.mark else None,
            blind=bool(event.blind),
        )


def faults(file: ProjectFile) -> Iterator[str]:
    """Where the log is not as it was stored: nothing, or the first such place."""
    last, is_sealed = 0, False

    def links() -> Iterator[Any]:
        nonlocal last, is_sealed
        number = 0
        for piece in in_pieces(file.tuples, LINKS):
            yield from piece
            number = piece[-1][0]
        with file.reading():  # what others have added meanwhile, and their count, at one moment
            rest, (last, end) = file.tuples(LINKS, (number, _ALL)), _end(file)
            is_sealed = seals.has(file.db, _SEAL, _digest_of_end(last, end))
        yield from rest

    found = 0
    for fault in breaks(links(), lambda: last):
        found += 1
        yield fault
    if not (found or is_sealed):
        yield "its end is not as it was stored: entries may be missing there, and the count altered"


def check(file: ProjectFile) -> None:
    """Refuse to read labels from a log that is not as it was stored; looked at once.

    Raises
    ------
    ProjectError
        If it is not.
    """
    if "judgment" not in file.trusted:
        for fault in faults(file):
            raise damaged(file.path, fault)
        for (said,) in file.tuples("PRAGMA integrity_check(judgment)"):
            if said != "ok":  # an index of it differs: one of the two is from another time
                raise damaged(file.path, said)
        file.trusted.add("judgment")


def head(file: ProjectFile) -> tuple[int, str]:
    """How many entries the log has, and the last link of its chain in hexadecimal digits.

    Kept elsewhere it proves later that nothing of the log was changed or cut off.
    """
    number, last = _end(file)
    return number, last.hex()


def of_earlier_texts(file: ProjectFile) -> set[int]:
    """The entries that speak of another text than the document has now.

    One given before there was any text speaks of none. They are found by an index, which may be
    damaged, and then looked up.
    """
    rows = file.tuples(
        "SELECT judgment.id FROM judgment JOIN pair ON pair.id = pair_id"
        " LEFT JOIN document AS listed INDEXED BY document_with_text"
        " ON listed.id = document_id AND listed.hash != ''"
        " WHERE text_hash != '' AND CASE WHEN listed.hash IS text_hash THEN 0 ELSE text_hash !="
        " (SELECT coalesce(nullif(hash, ''), text_hash) FROM document NOT INDEXED"
        " WHERE id = document_id) END"
    )
    return {row[0] for row in rows}
