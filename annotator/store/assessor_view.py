"""One assessor's place at the pool: what waits for them, and what they say of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any
from unicodedata import normalize

from annotator.domain import (
    AssessorKind,
    Card,
    Document,
    Evidence,
    Mark,
    Past,
    Query,
    QueryProgress,
    Undone,
)
from annotator.errors import NotTakenBackError, RubricChangedError
from annotator.pooling.presentation import presentation_key
from annotator.store.bookmarks import Bookmark
from annotator.store.judgments import REMOVED, Later, Said, repeating
from annotator.store.labels import OF_EARLIER_TEXT, PICKED
from annotator.store.log import Entry
from annotator.store.models_seen import ModelsSeen
from annotator.store.precedence import states
from annotator.store.presence import Presence
from annotator.store.project import Project
from annotator.store.sqlite.errors import replaced
from annotator.text.safe import one_line
from rubric import Rubric

_OF_QUERY = "pair_id IN (SELECT id FROM pair WHERE query_id = ?)"
_Label = tuple[int, int]
_Own = tuple[Mark | None, str, Evidence | None]
"""Mark, note and evidence: what an assessor's last entry on a pair holds beside the grade."""


def _look(name: str) -> str:
    """What is left of a name where case, width and signs between its letters do not count."""
    folded = normalize("NFKC", normalize("NFKC", name).casefold())
    return "".join(filter(str.isalnum, folded)) or folded


def _elsewhere(later: Later) -> str:
    """What you did in another window, in words."""
    if later.undoes is not None:
        return "you took it back in another window"
    if later.chosen == REMOVED:
        return "your label was removed since"
    if later.restates is None and later.grade is not None:
        what = f"said {later.grade} of this document"
    elif later.restates is None and later.mark is not None:
        aside = later.mark == Mark.LATER
        what = "put this document aside" if aside else "said that this document cannot be judged"
    else:
        what = f'wrote a note "{one_line(later.note, 40)}" on this document'
    return f"you {what} in another window since"


class Desk(ModelsSeen):
    """The pool as one assessor sees it; everything they say is committed at once.

    The same assessor may have another desk, in another window: each takes back its own.
    """

    def __init__(self, project: Project, assessor: str) -> None:
        self.project = project
        self.assessor = assessor
        self._number = project.judgments.assessor(assessor, AssessorKind.HUMAN)
        self.read_rubric()
        self._seed = project.pool.seed()
        self._queries: dict[int, Query] = {}
        self._opened = self.last_event()
        self._said: list[int] = []
        self._own: set[int] = set()
        self._window = 0

    def arrive(self) -> None:
        """Let other windows know that somebody grades here, until :meth:`leave`."""
        self._window = self.project.presence.arrive(self._number, self.project.now())

    def leave(self) -> None:
        """Let them know that nobody does any more."""
        if self._window:
            self.project.presence.leave(self._window)

    def other_windows(self) -> list[Presence]:
        """The other windows in which the same assessor grades, the latest first."""
        project = self.project
        return project.presence.others(self._number, self._window, project.now())

    def look_alikes(self) -> list[str]:
        """Assessors whose names look like this one's, if they have spoken and this one has not."""
        judgments, mine = self.project.judgments, _look(self.assessor)
        if judgments.last_of(self._number):
            return []
        alike = {name: one for name, one in judgments.assessors().items() if _look(name) == mine}
        return [name for name, one in alike.items() if judgments.last_of(one)]

    def see_rankings(self, query: int) -> None:
        """Store that the assessor looks at who returned what: from now on a grade is not blind."""
        self.project.sight.add(self._number, query, self.project.now())

    def has_seen_rankings(self, query: int) -> bool:
        """Whether the assessor has ever looked at the rankings of this query."""
        return self.project.sight.has(self._number, query)

    @property
    def rubric(self) -> Rubric:
        """What is graded by: the rubric that was in force when it was read last."""
        return self._active.rubric

    def read_rubric(self) -> None:
        """Grade by the rubric in force now."""
        self._active = self.project.rubrics.active()
        self._counted = ",".join(map(str, sorted(self.project.rubrics.counted())))

    def query(self, query: int) -> Query:
        """One query with its texts."""
        if query not in self._queries:
            self._queries = self.project.queries.all()
        return self._queries[query]

    def document(self, number: int) -> Document:
        """A document with its text."""
        return self.project.documents.get(number)

    def docids(self, numbers: Sequence[int]) -> dict[int, str]:
        """The ids of documents by their numbers."""
        return self.project.documents.named(numbers)

    def queries(self) -> list[int]:
        """The numbers of the pooled queries, in the project's order."""
        self._queries = {}
        return self.project.pool.queries()

    def totals(self) -> QueryProgress:
        """The progress of the whole pool."""
        pool = self.project.pool
        ((_, *said),) = pool.said(self._number, self._counted, each_query=False)
        *counts, spoken_of = said
        whole = QueryProgress(0, "", pool.size(), *counts)
        return whole._replace(unseen=whole.pooled - spoken_of)

    def progress(self) -> list[QueryProgress]:
        """The progress of every pooled query, in the project's order."""
        pool = self.project.pool
        rows = pool.said(self._number, self._counted, each_query=True)
        said = {query: counts for query, *counts in rows}
        progress = []
        for query, pooled in pool.sizes():
            *counts, spoken_of = said.get(query, (0, 0, 0, 0, 0))
            one = QueryProgress(query, self.query(query).qid, pooled, *counts)
            progress.append(one._replace(unseen=pooled - spoken_of))
        return progress

    def cards(self, query: int) -> list[Card]:
        """The pooled pairs of one query, in the order of presentation."""
        labels, grades, mine, picked = self._states(query)
        rows = self.project.file.tuples(
            "SELECT pair.id, document_id FROM pool_entry"
            " JOIN pair ON pair.id = pool_entry.pair_id WHERE query_id = ?",
            (query,),
        )
        docids = self.docids([document for _, document in rows])
        cards = []
        for pair, document in rows:
            mark, note, evidence = mine.get(pair, (None, "", None))
            label, given = labels.get(pair, (None, 0))
            grade, was = grades.get(pair, (None, False))
            cards.append(
                Card(
                    pair,
                    query,
                    document,
                    docids[document],
                    grade,
                    mark,
                    note,
                    evidence,
                    by_eye=pair in picked,
                    label=label,
                    given=given,
                    earlier=was,
                )
            )
        qid = self.query(query).qid
        return sorted(cards, key=lambda card: presentation_key(self._seed, qid, card.docid))

    def _states(
        self, query: int
    ) -> tuple[dict[int, _Label], dict[int, tuple[int, bool]], dict[int, _Own], set[int]]:
        """Of a query: labels with the entries that gave them, grades, what is own, pairs by eye."""
        rows: list[tuple[Any, ...]] = self.project.file.tuples(
            "SELECT pair_id, assessor_id, given_id, grade, mark, note, evidence_start,"  # noqa: S608 -- numbers only
            f" evidence_end, rubric_version_id IN ({self._counted}), {OF_EARLIER_TEXT}, kind"
            f" FROM {states(f'one.{_OF_QUERY}')} JOIN assessor ON assessor.id = assessor_id"
            " WHERE kind != 'model' ORDER BY judged, name",
            (query,),
        )
        labels, grades, mine = {}, {}, {}
        for pair, assessor, given, grade, mark, note, start, end, counts, was, kind in rows:
            if grade is not None and counts:
                labels[pair] = grade, given
                if assessor == self._number or kind != AssessorKind.HUMAN:
                    grades[pair] = grade, bool(was)
            if assessor == self._number:
                evidence = None if start is None else Evidence(start, end)
                mine[pair] = (Mark(mark) if mark else None, note, evidence)
        picked = self.project.file.tuples(f"{PICKED} AND {_OF_QUERY}", (query,))
        return labels, grades, mine, {pair for (pair,) in picked}

    def say(
        self,
        pair: int,
        *,
        grade: int | None = None,
        mark: Mark | None = None,
        note: str = "",
        seconds: float | None = None,
        position: int | None = None,
        blind: bool = True,
        evidence: Evidence | None = None,
        chosen: str | None = None,
    ) -> int:
        """Store what the assessor says of a pair, durably, before returning; the entry's number.

        Of a query whose rankings they have seen it is stored as not blind, whatever ``blind`` says.

        Raises
        ------
        ProjectError
            If it could not be stored.
        RubricChangedError
            If another rubric is in force than the one that was read.
        """
        with self._writing():
            blind = blind and not self.has_seen_rankings(self._query_of(pair))
            blind = blind and not self.project.models.seen_by(self._number, pair)
            event = self.project.judgments.add(
                Entry(
                    pair=pair,
                    assessor=self._number,
                    rubric_version=self._active.id,
                    grade=grade,
                    mark=mark,
                    note=note,
                    at=self.project.now(),
                    seconds=seconds,
                    position=position,
                    blind=blind,
                    evidence_start=evidence and evidence.start,
                    evidence_end=evidence and evidence.end,
                    chosen=chosen,
                )
            )
        return self._added(event)

    def _query_of(self, pair: int) -> int:
        return int(
            self.project.file.tuples("SELECT query_id FROM pair WHERE id = ?", (pair,))[0][0]
        )

    def note(self, pair: int, text: str, *, position: int | None = None) -> int:
        """Store a note beside the grade or mark that holds, which keeps its age."""
        judgments = self.project.judgments
        with self._writing():
            entry = self._repeating(pair, judgments.said(self._number, pair))
            event = judgments.add(replace(entry, note=text, position=position))
        return self._added(event)

    def undo(self) -> Undone | None:
        """Take back the last thing said at this desk by a new entry; what that was.

        When nothing is left of that it goes on with what was there when the desk was opened.

        Raises
        ------
        NotTakenBackError
            If the assessor has spoken of the same pair elsewhere since. Nothing is taken back, and
            the next undo passes over it.
        """
        judgments, event = self.project.judgments, None
        try:
            with self._writing():
                event = self._said[-1] if self._said else self._last_of_before()
                if event is None:
                    return None
                self._check_that_it_holds(event)
                undone, before = judgments.undoable(self._number, event)
                entry = self._repeating(undone.pair, before)
                added = judgments.add(replace(entry, undoes=event))
        except NotTakenBackError:
            self._pass_over(event)
            raise
        self._pass_over(event)
        self._own.add(added)
        return undone._replace(event=added)

    def _last_of_before(self) -> int | None:
        """The entry to take back of those that were there before; none that another window made."""
        event = self.project.judgments.last_undoable(self._number, self._opened)
        if event is not None and self.other_windows():
            raise NotTakenBackError(
                "nothing was taken back: nothing of this window is left, and you have another open"
            )
        return event

    def _check_that_it_holds(self, event: int) -> None:
        later = self.project.judgments.said_after(event)
        since = [one for one in later if one.event not in self._own]
        undone = {one.undoes for one in later}
        since = [one for one in since if one.event not in undone and (one.undoes in (None, event))]
        if since:
            raise NotTakenBackError(f"nothing was taken back: {_elsewhere(since[-1])}")

    def _pass_over(self, event: int | None) -> None:
        if self._said:
            self._said.pop()
        elif event is not None:
            self._opened = event - 1

    def _added(self, event: int) -> int:
        self._said.append(event)
        self._own.add(event)
        return event

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """Hold the write lock, if the grades still mean what the assessor was shown."""
        with self.project.file.writing():
            if self._number not in self.project.judgments.assessors().values():
                raise replaced(self.project.file.path)
            if self.project.rubrics.number_in_force() != self._active.id:
                rubric = self.project.rubrics.active().rubric
                raise RubricChangedError(
                    f"the rubric was changed to {one_line(rubric.name)} v{rubric.version} by "
                    "another program; nothing was saved"
                )
            yield

    def _repeating(self, pair: int, said: Said | None) -> Entry:
        """An entry that says again what was said, if anything."""
        return repeating(said, pair, self._number, self._active.id, self.project.now())

    def stopped_at(self) -> tuple[int, int] | None:
        """The query and pair of the assessor's last entry."""
        return self.project.judgments.last_of(self._number)

    def look_at(self, pair: int, *, by_hand: bool) -> None:
        """Store that the assessor looks at a pair: the next session begins there."""
        self.project.bookmarks.put(self._number, pair, by_hand=by_hand)

    def looked_at(self) -> Bookmark | None:
        """The pair that the assessor went to since they last said something, if any."""
        return self.project.bookmarks.of(self._number)

    def last_event(self) -> int:
        """The number of the newest entry by anyone."""
        return self.project.judgments.last_event()

    def spoken_of_since(self, event: int) -> list[int]:
        """The queries of which anyone has said anything after an entry."""
        return self.project.judgments.spoken_of_since(event)

    def version(self) -> int:
        """A number that is another one whenever another connection has changed the file."""
        return self.project.file.version()

    def seconds(self) -> list[float]:
        """How long each of this assessor's latest 200 judgments took."""
        return self.project.judgments.seconds(self._number)

    def history(self, latest: int = 500) -> list[Past]:
        """What this assessor said last of each pair, newest first; what was taken back is not."""
        rows = self.project.file.tuples(
            "SELECT event_id, query_id, pair_id, qid, docid, title, grade, mark, note, at"  # noqa: S608 -- only names
            f" FROM {states('one.assessor_id = ?')} JOIN pair ON pair.id = pair_id"
            " JOIN query ON query.id = query_id JOIN document ON document.id = document_id"
            " WHERE grade IS NOT NULL OR mark IS NOT NULL OR note != ''"
            " ORDER BY at DESC, event_id DESC LIMIT ?",
            (self._number, latest),
        )
        said = map(Past._make, rows)
        return [one._replace(mark=Mark(one.mark) if one.mark else None) for one in said]

    def pair(self, query: int, document: int) -> int:
        """The number of a pair, which need not be in the pool."""
        return self.project.pool.pair(query, document)
