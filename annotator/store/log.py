"""The judgment log as it is written: entry after entry, each with its identity and in a chain."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from annotator.domain import Judgment, JudgmentEvent
from annotator.store import hash_chain
from annotator.store.chains import Chain, Growing, broken, chains
from annotator.store.hash_chain import (
    CONTENTS,
    EVENTS,
    SAID,
    STAGED,
    TIMELESS,
    content_of,
    event_of,
    identity,
)
from annotator.store.sqlite.batches import in_pieces
from annotator.store.sqlite.errors import damaged, replaced
from annotator.store.sqlite.file import ProjectFile
from annotator.text.times import later

_COLUMNS = (
    "id", "chain_id", "pair_id", "assessor_id", "rubric_version_id", "undoes", "restates", *SAID,
    "identity",
)  # fmt: skip
_INSERT = (
    f"INSERT INTO judgment ({', '.join(_COLUMNS)})"  # noqa: S608 -- only names
    f" VALUES ({', '.join('?' for _ in _COLUMNS)})"
)
_INSERT_STAGED = (
    "INSERT INTO judgment (id, pair_id, assessor_id, grade, at, seconds, text_hash,"
    " rubric_version_id, chain_id, identity, note, blind) VALUES (?,?,?,?,?,?,?,?,?,?, '', 0)"
)

_ALL = -1
"""A limit that is none."""

_NOW = (  # by an index: in the table the hash stands behind the text, however long that is
    "SELECT (SELECT max(at) FROM judgment WHERE pair_id = pair.id), ifnull(listed.hash, '')"
    " FROM pair LEFT JOIN document AS listed INDEXED BY document_with_text"
    " ON listed.id = document_id AND listed.hash != '' WHERE pair.id = ?"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry(Judgment):
    """One entry to be added to the log, by the numbers that the file has for what it names."""

    pair: int
    assessor: int
    rubric_version: int
    undoes: int | None = None
    restates: int | None = None


class Placed(NamedTuple):
    """An entry with its place: the project it was made in, and the head of its chain before it."""

    event: JudgmentEvent
    origin: bytes
    before: bytes


def append(file: ProjectFile, entries: Sequence[Entry]) -> int:
    """Append entries of this project to the log and commit them; the number of the last."""
    growing = Growing(file)
    return _append(file, growing, ((one, growing.own(one.assessor)) for one in entries), entries)


def unite(file: ProjectFile, entries: Sequence[tuple[Entry, Placed]]) -> int:
    """Append entries of other projects, each in its own chain; the number of the last."""
    growing = Growing(file)
    chained = (
        (one, growing.following(placed.origin, one.assessor, placed.before))
        for one, placed in entries
    )
    return _append(file, growing, chained, [one for one, _ in entries])


def _append(
    file: ProjectFile,
    growing: Growing,
    chained: Iterable[tuple[Entry, int]],
    entries: Sequence[Entry],
) -> int:
    with file.writing():
        file.many(_INSERT, _rows(file, chained, growing, _names(file, [e.pair for e in entries])))
        growing.store()
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
        entry = replace(entry, text_hash=text_hash)
    return replace(entry, at=later(entry.at, before or ""))


def last_times(file: ProjectFile) -> dict[int, str]:
    """The latest time of any entry of each pair."""
    return dict(file.tuples("SELECT pair_id, max(at) FROM judgment GROUP BY pair_id"))


def _rows(
    file: ProjectFile,
    entries: Iterable[tuple[Entry, int]],
    growing: Growing,
    names: Mapping[int, tuple[str, str]],
) -> Iterator[Sequence[Any]]:
    """The rows of entries, each inserted before the next, which may speak of it."""
    assessors, rubrics = _assessors(file), _rubrics(file)
    for number, (entry, chain) in enumerate(entries, start=last_stored(file) + 1):
        said = {name: getattr(entry, name) for name in SAID}
        try:
            qid, docid = names[entry.pair]
            assessor, kind = assessors[entry.assessor]
            rubric = rubrics[entry.rubric_version]
        except KeyError as error:  # a copy of another state or project is where the file was
            raise replaced(file.path) from error
        named: dict[str, str | None] = {
            "qid": qid,
            "docid": docid,
            "assessor": assessor,
            "assessor_kind": kind,
        }
        earlier = _identity(file, entry.undoes), _identity(file, entry.restates)
        named |= {"rubric": rubric, "undoes": earlier[0], "restates": earlier[1]}
        one = identity(content_of(file.db, said | named))
        growing.add(chain, one)
        ids = entry.pair, entry.assessor, entry.rubric_version, entry.undoes, entry.restates
        yield number, chain, *ids, *said.values(), one


def _identity(file: ProjectFile, entry: int | None) -> str | None:
    """The identity of a stored entry."""
    if entry is None:
        return None
    rows = file.tuples("SELECT identity FROM judgment WHERE id = ?", (entry,))
    return bytes(rows[0][0]).hex() if rows else None


def append_staged(file: ProjectFile, rubric_version: int) -> int:
    """Append the grades of ``staged_entry``, inside `writing`, of the texts now; how many."""
    growing, last = Growing(file), last_stored(file)
    for (assessor,) in file.tuples("SELECT DISTINCT assessor FROM temp.staged_entry"):
        growing.own(assessor)
    values = {"last": last, "fingerprint": _rubrics(file)[rubric_version]}

    def rows() -> Iterator[tuple[Any, ...]]:
        for *said, content in file.each(STAGED, values):
            one, chain = identity(content), growing.own(said[2])
            growing.add(chain, one)
            yield *said, rubric_version, chain, one

    added = file.many(_INSERT_STAGED, rows())
    growing.store()
    return added


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


def identities(file: ProjectFile) -> dict[bytes, int]:
    """The number of every stored entry by its identity, to know one that comes again."""
    return {one: number for number, one in file.each("SELECT id, identity FROM judgment")}


def timeless_identities(file: ProjectFile) -> dict[bytes, list[int]]:
    """The numbers of the entries by what their identity were if they did not say when."""
    numbers = defaultdict[bytes, list[int]](list)
    for number, content in file.each(TIMELESS):
        numbers[identity(content)].append(number)
    return numbers


def placed(file: ProjectFile) -> Iterator[Placed]:
    """The whole log, oldest first, each entry with its place in its chain."""
    origins = {one.id: one.origin for one in chains(file)}
    heads = {one.id: one.start for one in chains(file)}
    places = file.tuples("SELECT chain_id, identity FROM judgment ORDER BY id")
    for event, (chain, one) in zip(events(file), places, strict=True):
        yield Placed(event, origins[chain], heads[chain])
        heads[chain] = hash_chain.head(heads[chain], [one])


def events(file: ProjectFile) -> Iterator[JudgmentEvent]:
    """The whole log, oldest first."""
    return map(event_of, file.tuples(f"{EVENTS} ORDER BY judgment.id"))


def faults(file: ProjectFile) -> Iterator[str]:
    """Where the log is not as it was stored: nothing, or the first such place."""
    found = _Links()
    for piece in in_pieces(file.tuples, CONTENTS):
        if fault := found.fault(piece):
            yield fault
            return
    with file.reading():  # what others have added meanwhile, and where it ends, at one moment
        rest = file.tuples(CONTENTS, (found.last, _ALL))
        last, ends = last_stored(file), chains(file)
    yield from [one for one in (found.fault(rest), *found.faults_at_end(last, ends)) if one][:1]


class _Links:
    """The entries that were looked at so far, in order."""

    def __init__(self) -> None:
        self.last = 0
        self._identities = defaultdict[int, list[bytes]](list)

    def fault(self, rows: Sequence[tuple[int, str, bytes, int]]) -> str:
        """What is wrong with the next entries; empty if nothing is."""
        for number, (event, *_) in enumerate(rows, start=self.last + 1):
            if event != number:
                return _missing(number, event - 1)
        for event, content, stored, _ in rows:
            if identity(content) != stored:
                return (
                    f"entry {event} is not as it was stored: it was altered or put in from outside"
                )
        for *_, stored, chain in rows:
            self._identities[chain].append(stored)
        self.last += len(rows)
        return ""

    def faults_at_end(self, last: int, ends: list[Chain]) -> Iterator[str]:
        """What is wrong where the log should have so many entries, and its chains these ends."""
        if self.last < last:
            yield _missing(self.last + 1, last)
        elif self.last > last:
            yield f"the file's own count of entries is {last}, and {self.last} are there"
        yield from broken(ends, self._identities)


def _missing(first: int, last: int) -> str:
    one = first == last
    return f"entry {first} is missing" if one else f"entries {first} to {last} are missing"


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
        file.check("chain")
        for (said,) in file.tuples("PRAGMA integrity_check(judgment)"):
            if said != "ok":  # an index of it differs: one of the two is from another time
                raise damaged(file.path, said)
        file.trusted.add("judgment")


def heads(file: ProjectFile) -> set[str]:
    """Every head that a chain of the log has or had, in hexadecimal digits."""
    ends = {one.id: one.start for one in chains(file)}
    found = {one.hex() for one in ends.values()}
    for chain, one in file.each("SELECT chain_id, identity FROM judgment ORDER BY id"):
        ends[chain] = hash_chain.head(ends.get(chain, b""), [one])
        found.add(ends[chain].hex())
    return found


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
