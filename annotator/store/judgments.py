"""The judgment log: entries are only added; :mod:`annotator.store.precedence` says which hold."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from typing import NamedTuple

from annotator.domain import AssessorKind, Judgment, JudgmentEvent, Mark, Undone
from annotator.errors import UsageError
from annotator.store import hash_chain, log
from annotator.store.chains import Chain, chains
from annotator.store.changes import LabelChanges
from annotator.store.hash_chain import SAID, judgment_of
from annotator.store.labels import AssessorLabels, Labels, labels_by_assessor, labels_in
from annotator.store.log import Entry
from annotator.store.model_labels import MODELS_SEEN
from annotator.store.precedence import states
from annotator.store.removals import QUERY, removed
from annotator.store.sqlite.file import ProjectFile
from annotator.text.times import later, stored

REMOVED = "removed"
"""What stands in an entry, in the place of the order of judging, that a removal of labels made."""


class Said(NamedTuple):
    """What holds of a pair for one assessor, the entry that gave it first, and its rubric."""

    given: int
    rubric_version: int
    judgment: Judgment


class Undoable(NamedTuple):
    """What an undo would take back, and what held before it (None: nothing)."""

    undone: Undone
    before: Said | None


class Later(NamedTuple):
    """An entry of the same assessor on the same pair."""

    event: int
    undoes: int | None
    grade: int | None
    mark: str | None
    note: str
    restates: int | None
    chosen: str | None


def repeating(
    said: Said | None, pair: int, assessor: int, rubric: int, now: str, *, blind: bool = True
) -> Entry:
    """An entry of now that says again what was said; one that says nothing may be ``blind``."""
    if said is None:
        return Entry(pair=pair, assessor=assessor, rubric_version=rubric, at=now, blind=blind)
    values = {name: getattr(said.judgment, name) for name in SAID} | {
        "at": now,
        "seconds": None,
        "position": None,
        "chosen": None if said.judgment.chosen == MODELS_SEEN else said.judgment.chosen,
    }
    return Entry(
        pair=pair,
        assessor=assessor,
        rubric_version=said.rubric_version,
        restates=said.given,
        **values,
    )


class JudgmentTable:
    """The judgment log of a project."""

    def __init__(self, file: ProjectFile) -> None:
        self._file = file

    def assessor(self, name: str, kind: AssessorKind) -> int:
        """The number of an assessor, who is made known if new."""
        with self._file.writing():
            before = self._file.tuples("SELECT 1 FROM assessor WHERE name = ?", (name,))
            if not before:
                self._file.execute("INSERT INTO assessor (name, kind) VALUES (?, ?)", (name, kind))
                self._file.seal("assessor")
            row = self._file.tuples("SELECT id, kind FROM assessor WHERE name = ?", (name,))[0]
        if row[1] != kind:
            raise UsageError(
                f"assessor {name} is known as {row[1]}, not {kind}: give the labels another name, "
                "with --assessor or in the file"
            )
        return int(row[0])

    def assessors(self) -> dict[str, int]:
        """Every assessor's number by name."""
        return dict(self._file.tuples("SELECT name, id FROM assessor ORDER BY id"))

    def people(self) -> dict[str, int]:
        """The number of every assessor who grades here by name: a person, no file or program."""
        rows = self._file.tuples("SELECT name, id FROM assessor WHERE kind = 'human' ORDER BY name")
        return dict(rows)

    def given_by(self, assessor: int, versions: str) -> int:
        """How many pairs an assessor has a grade of under these rubric versions: "1,2"."""
        rows = self._file.tuples(
            f"SELECT count(*) FROM {states('one.assessor_id = ?')}"  # noqa: S608 -- numbers only
            f" WHERE grade IS NOT NULL AND rubric_version_id IN ({versions})",
            (assessor,),
        )
        return int(rows[0][0])

    def pairs(self, wanted: Sequence[tuple[int, int]]) -> list[int]:
        """The number of each (query, document) pair, made where new."""
        with self._file.writing():
            self._file.many(
                "INSERT OR IGNORE INTO pair (query_id, document_id) VALUES (?, ?)", wanted
            )
            rows = self._file.tuples("SELECT query_id, document_id, id FROM pair")
        numbers = {(query, document): number for query, document, number in rows}
        return [numbers[pair] for pair in wanted]

    def add(self, entry: Entry) -> int:
        """Append one entry made now, of the text as it is now, and commit it; its number.

        It is later than all that was said of its pair before, also where the clock was set back.
        An entry that restates another speaks of the text that was judged then.
        """
        with self._file.writing():
            return log.append(self._file, [log.made_now(self._file, entry)])

    def restore(self, entries: Sequence[Entry], now: str) -> None:
        """Append entries that were made elsewhere, as they stand; those without a time are of now.

        These are later than all that was said of their pairs before.
        """
        with self._file.writing():
            last = log.last_times(self._file) if not all(one.at for one in entries) else {}
            timed = (one.at or later(now, last.get(one.pair, "")) for one in entries)
            made = zip(entries, timed, strict=True)
            log.append(self._file, [replace(one, at=at) for one, at in made])

    def changes(self, pairs: Iterable[int], versions: Iterable[int]) -> LabelChanges:
        """Look at the labels of these pairs, within `staging`, before an import changes them."""
        numbers = json.dumps(sorted(set(pairs)))
        return LabelChanges(self._file, "SELECT value FROM json_each(?)", versions, (numbers,))

    def labels_of(
        self, assessor: int | None, query: int | None, since: str, until: str
    ) -> list[tuple[int, int]]:
        """Pair and assessor of the labels that assessors gave: of one, of a query, of a time.

        Of all assessors no models.
        """
        return self._file.tuples(
            f"SELECT pair_id, assessor_id FROM {states()} JOIN pair ON pair.id = pair_id"  # noqa: S608 -- only names
            " JOIN assessor ON assessor.id = assessor_id"
            " WHERE grade IS NOT NULL AND judged BETWEEN :since AND :until"
            " AND iif(:assessor IS NULL, kind != 'model', assessor_id = :assessor)"
            " AND (:query IS NULL OR query_id = :query)"
            f" AND query_id NOT IN {removed(QUERY)} ORDER BY pair_id, assessor_id",
            {"assessor": assessor, "query": query, "since": since, "until": until},
        )

    def withdraw(self, labels: Sequence[tuple[int, int]], rubric: int, now: str) -> tuple[int, int]:
        """Withdraw the labels of these pairs and assessors; the first and last entry of that."""
        with self._file.writing():
            first = log.last_stored(self._file) + 1
            blank = [
                Entry(pair=pair, assessor=who, rubric_version=rubric, at=now, chosen=REMOVED)
                for pair, who in labels
            ]
            return first, log.append(self._file, [log.made_now(self._file, one) for one in blank])

    def labelled_by(self, first: int, last: int) -> list[tuple[int, int]]:
        """Pair and assessor of the entries from one to another of the log."""
        return self._file.tuples(
            "SELECT pair_id, assessor_id FROM judgment WHERE id BETWEEN ? AND ?", (first, last)
        )

    def give_back(self, first: int, last: int, now: str) -> list[int]:
        """Take back what `withdraw` said in these entries, where it was not yet; the pairs."""
        with self._file.writing():
            rows = self._file.tuples(
                "SELECT id, pair_id, assessor_id, rubric_version_id FROM judgment"
                " WHERE id BETWEEN ? AND ? AND id NOT IN"
                " (SELECT undoes FROM judgment WHERE undoes IS NOT NULL) ORDER BY id",
                (first, last),
            )
            entries = []
            for event, pair, who, rubric in rows:
                before = self.said(who, pair, event)
                entry = repeating(before, pair, who, rubric, now, blind=False)
                entries.append(log.made_now(self._file, replace(entry, undoes=event)))
            log.append(self._file, entries)
        return [pair for _, pair, *_ in rows]

    def placed(self) -> Iterator[log.Placed]:
        """The whole log, each entry with its place in its chain; ProjectError if it is damaged."""
        log.check(self._file)
        return log.placed(self._file)

    def unite(self, entries: Sequence[tuple[Entry, log.Placed]]) -> None:
        """Append entries that were made in other projects, as they stand, in their own chains."""
        with self._file.writing():
            log.unite(self._file, entries)

    def next_event(self) -> int:
        """The number that the next entry gets, inside the project's `writing`."""
        return log.last_stored(self._file) + 1

    def identities(self) -> dict[bytes, int]:
        """See :func:`annotator.store.log.identities`."""
        return log.identities(self._file)

    def timeless_identities(self) -> dict[bytes, list[int]]:
        """See :func:`annotator.store.log.timeless_identities`."""
        return log.timeless_identities(self._file)

    def identity(self, event: JudgmentEvent) -> bytes:
        """The identity of an entry, in whatever file it is."""
        return hash_chain.identity_of(self._file.db, event)

    def last_undoable(self, assessor: int, until: int) -> int | None:
        """The assessor's last entry up to this one that is no undo and has not been undone."""
        row = self._file.one(
            "SELECT id FROM judgment AS one WHERE assessor_id = ? AND id <= ? AND undoes IS NULL"
            " AND ifnull(chosen, '') NOT IN ('removed', 'models seen')"
            " AND NOT EXISTS (SELECT 1 FROM judgment WHERE undoes = one.id)"
            " ORDER BY id DESC LIMIT 1",
            (assessor, until),
        )
        return None if row is None else int(row["id"])

    def undoable(self, assessor: int, event: int) -> Undoable:
        """What an undo of this entry of the assessor would take back."""
        (row,) = self._file.tuples(
            "SELECT query_id, pair_id, grade, mark, note, restates IS NOT NULL FROM judgment"
            " JOIN pair ON pair.id = pair_id WHERE judgment.id = ?",
            (event,),
        )
        query, pair, grade, mark, note, restates = row
        undone = Undone(event, query, pair, grade, mark and Mark(mark), note, bool(restates))
        return Undoable(undone, self.said(assessor, pair, event))

    def said_after(self, event: int) -> list[Later]:
        """What its assessor has said of its pair after an entry, oldest first."""
        rows = self._file.tuples(
            "SELECT later.id, later.undoes, later.grade, later.mark, later.note,"
            " later.restates, later.chosen"
            " FROM judgment AS one JOIN judgment AS later ON later.pair_id = one.pair_id"
            " AND later.assessor_id = one.assessor_id AND later.id > one.id"
            " WHERE one.id = ? AND ifnull(later.chosen, '') != 'models seen' ORDER BY later.id",
            (event,),
        )
        return [Later(*row) for row in rows]

    def said(self, assessor: int, pair: int, without: int | None = None) -> Said | None:
        """What holds of a pair for an assessor (without an entry), None if nothing does."""
        mine = "one.pair_id = :pair AND one.assessor_id = :who"
        others = "one.id != :event AND ifnull(one.restates, -1) != :event"
        rows = self._file.tuples(
            f"SELECT given_id, rubric_version_id, {', '.join(SAID)}"  # noqa: S608 -- only names
            f" FROM {states(f'{mine} AND {others}')}",
            {"pair": pair, "who": assessor, "event": without or 0},
        )
        for given, rubric, *said in rows:
            return Said(given, rubric, judgment_of(said))
        return None

    def last_of(self, assessor: int) -> tuple[int, int] | None:
        """The query and pair of the assessor's last entry: where they stopped."""
        rows = self._file.tuples(
            "SELECT query_id, pair_id FROM judgment JOIN pair ON pair.id = pair_id"
            " WHERE assessor_id = ? ORDER BY judgment.id DESC LIMIT 1",
            (assessor,),
        )
        return rows[0] if rows else None

    def last_event(self) -> int:
        """The number of the newest entry by anyone, 0 if there is none."""
        return int(self._file.tuples("SELECT coalesce(max(id), 0) FROM judgment")[0][0])

    def spoken_of_since(self, event: int) -> list[int]:
        """The queries that any entry after this one speaks of."""
        rows = self._file.tuples(
            "SELECT DISTINCT query_id FROM judgment JOIN pair ON pair.id = pair_id"
            " WHERE judgment.id > ?",
            (event,),
        )
        return [query for (query,) in rows]

    def seconds(self, assessor: int | None = None, latest: int = 200) -> list[float]:
        """How long the latest judgments of a person (None: of any) took, newest first."""
        rows = self._file.tuples(
            "SELECT seconds FROM judgment JOIN assessor ON assessor.id = assessor_id"
            " WHERE seconds IS NOT NULL AND kind = 'human' AND (:who IS NULL OR assessor_id = :who)"
            " ORDER BY judgment.id DESC LIMIT :latest",
            {"who": assessor, "latest": latest},
        )
        return [float(row[0]) for row in rows]

    def labels(
        self,
        versions: Iterable[int],
        assessors: Sequence[int] | None = None,
        as_of: datetime | None = None,
    ) -> Labels:
        """The labels that hold under these rubric versions, of these assessors (None: of all).

        With ``as_of`` those that held then: only entries that say they were made by then count.
        A model's label is no label, unless its assessor is named.

        Raises
        ------
        ProjectError
            If the log is not as it was stored.
        """
        log.check(self._file)
        return labels_in(self._file, list(versions), assessors, as_of)

    def labels_by_assessor(
        self, versions: Iterable[int], as_of: datetime | None = None, models: Sequence[int] = ()
    ) -> list[AssessorLabels]:
        """The labels of every assessor by themselves, as :meth:`labels` has those that hold.

        Of models only those of these numbers.

        Raises
        ------
        ProjectError
            If the log is not as it was stored.
        """
        log.check(self._file)
        return labels_by_assessor(self._file, list(versions), as_of, models)

    def of_earlier_texts(self) -> set[int]:
        """The entries that speak of another text than the document has now.

        An entry from when there was no text, or of which that is not known, is none of them.
        """
        return log.of_earlier_texts(self._file)

    def marks(self, as_of: datetime | None = None) -> list[tuple[int, int, Mark]]:
        """What assessors put aside (then): query, document and mark of each pair and assessor.

        Raises
        ------
        ProjectError
            If the log is not as it was stored.
        """
        log.check(self._file)
        held = states() if as_of is None else states(then=":then")
        rows = self._file.tuples(
            f"SELECT query_id, document_id, mark FROM {held}"  # noqa: S608 -- only names
            " CROSS JOIN pair NOT INDEXED ON pair.id = pair_id WHERE mark IS NOT NULL"
            f" AND query_id NOT IN {removed(QUERY)}",
            {"then": as_of and stored(as_of)},
        )
        return [(query, document, Mark(mark)) for query, document, mark in rows]

    def put_aside(self, assessor: int) -> list[int]:
        """The pairs of which the last thing that an assessor said is a mark."""
        rows = self._file.tuples(
            f"SELECT pair_id FROM {states('one.assessor_id = ?')} WHERE mark IS NOT NULL",  # noqa: S608 -- only names
            (assessor,),
        )
        return [pair for (pair,) in rows]

    def latest_chosen(self, assessor: int, chosen: str, latest: int = 200) -> list[int]:
        """The pairs of an assessor's labels that came in an order and hold, the latest first.

        No more than so many entries are looked at.
        """
        rows = self._file.tuples(
            "SELECT pair_id, grade, chosen, coalesce(restates, id) FROM judgment"
            " WHERE assessor_id = ? ORDER BY id DESC LIMIT ?",
            (assessor, latest),
        )
        said: dict[int, tuple[int, int]] = {}
        for pair, grade, how, given in rows:
            counts = grade is not None and how == chosen
            said.setdefault(pair, (given if counts else 0, pair))
        return [pair for given, pair in sorted(said.values(), reverse=True) if given]

    def chains(self) -> list[Chain]:
        """See :func:`annotator.store.chains.chains`."""
        return chains(self._file)

    def check(self) -> None:
        """Raise a ProjectError if the log is not as it was stored."""
        log.check(self._file)

    def events(self) -> Iterator[JudgmentEvent]:
        """The whole log, oldest first; ProjectError if it is not as it was stored."""
        log.check(self._file)
        return log.events(self._file)
