"""The grading session: what is on the desk, what may be said of it, and what comes next.

A state machine over a store that commits each thing said before it returns; it knows no screen.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import median

from annotator.errors import ProjectError, UsageError
from annotator.judging.ports import JudgingStore
from annotator.judging.walk import Walk
from annotator.records import Card, Document, Mark, Query, QueryProgress


class SavedError(ProjectError):
    """What was said is stored; what comes after it could not be read."""


class Session:
    """One assessor at work.

    ``card`` is the document on the desk, None when nothing is left. Whatever is said names the
    pair it is said of; if that is not the card on the desk, nothing is stored.

    Parameters
    ----------
    store
        Commits each entry before it returns.
    top
        The highest grade of the rubric.
    clock
        Seconds that only go forward.
    """

    def __init__(
        self, store: JudgingStore, top: int, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._store = store
        self._top = top
        self._clock = clock
        self._walk = Walk(store)
        self._shown_at = clock()

    def start(self, qid: str | None = None) -> None:
        """Put the first document on the desk: where the assessor stopped, or in the named query.

        Raises
        ------
        UsageError
            If the query is not in the pool.
        """
        if qid is not None:
            places = [at for at, one in enumerate(self.progress) if one.qid == qid]
            if not places:
                raise UsageError(f"query {qid} is not in the pool; `annotator status` lists them")
            self.open_query(places[0])
        elif (stopped := self._store.stopped_at()) and self._walk.go_to(*stopped):
            if not (self.card and self.card.open):
                self._advance()
        elif self.progress:
            self._walk.open(0)
            self._advance()
        self._shown_at = self._clock()

    @property
    def card(self) -> Card | None:
        """The document on the desk."""
        return self._walk.card

    @property
    def cards(self) -> list[Card]:
        """All cards of the query on the desk, in the order of presentation."""
        return self._walk.cards

    @property
    def progress(self) -> list[QueryProgress]:
        """The progress of every query, in the project's order."""
        return self._walk.progress

    @property
    def position(self) -> tuple[int, int]:
        """The place of the card among its query's (from 1), and how many there are."""
        index = self._walk.index
        return (0 if index is None else index + 1), len(self.cards)

    @property
    def query(self) -> Query | None:
        """The query on the desk."""
        here = self.query_progress
        return self._store.query(here.query) if here else None

    @property
    def query_progress(self) -> QueryProgress | None:
        """The progress of the query on the desk."""
        return self._walk.here

    @property
    def totals(self) -> QueryProgress:
        """The progress of the whole pool."""
        sums = [sum(column) for column in zip(*(one[2:] for one in self.progress), strict=True)]
        return QueryProgress(0, "", *(sums or [0, 0, 0, 0]))

    def query_text(self, query: int) -> str:
        """The text of any query."""
        return self._store.query(query).text

    def document(self) -> Document | None:
        """The text of the card."""
        return self._store.document(self.card) if self.card else None

    def pace(self) -> float | None:
        """Median seconds of this assessor's latest judgments, None before the fifth."""
        taken = self._store.seconds()
        return median(taken) if len(taken) >= 5 else None

    def grade(self, pair: int, grade: int) -> bool:
        """Store a grade and bring the next document; False if the pair is not on the desk.

        Raises
        ------
        UsageError
            If the rubric has no such grade.
        ProjectError
            If it could not be stored; the card stays.
        SavedError
            If it was stored, but the next card could not be read; the card stays.
        """
        if not 0 <= grade <= self._top:
            raise UsageError(f"grade {grade} is not in the rubric: it has 0 to {self._top}")
        return self._say(pair, grade=grade)

    def later(self, pair: int) -> bool:
        """Put a document aside; it comes back when nothing else is left."""
        return self._say(pair, mark=Mark.LATER)

    def cannot_judge(self, pair: int, reason: str) -> bool:
        """Say why a document cannot be judged; it counts as unjudged and does not come back."""
        return self._say(pair, mark=Mark.CANNOT, note=reason)

    def note(self, pair: int, text: str) -> bool:
        """Store a note; grade or mark, and the card, stay as they are."""
        card = self.card
        if card is None or card.pair != pair:
            return False
        event = self._store.note(pair, text, position=self.position[0])
        self._walk.heard(event)
        self._walk.refresh()
        self._walk.reload()
        self._walk.touch(pair)
        return True

    def undo(self) -> Card | None:
        """Take back the last thing said, and put its document on the desk again."""
        undone = self._store.undo()
        if undone is None:
            return None
        event, query, pair = undone
        self._walk.heard(event)
        self._walk.refresh()
        self._walk.go_to(query, pair)
        self._walk.touch(pair)
        self._shown_at = self._clock()
        return self.card

    def forward(self) -> bool:
        """Look at the next document of the pool, whatever its state; False at the end."""
        self._shown_at = self._clock()
        return self._walk.step(+1)

    def back(self) -> bool:
        """Look at the document before, whatever its state; False at the beginning."""
        self._shown_at = self._clock()
        return self._walk.step(-1)

    def open_query(self, index: int) -> None:
        """Go to a query by its place in the progress: its first open document, else its first."""
        self._walk.refresh()
        self._walk.open(index)
        waiting = [at for at, card in enumerate(self.cards) if card.open]
        self._walk.index = waiting[0] if waiting else 0
        self._shown_at = self._clock()

    def changed(self) -> list[Card] | None:
        """The pairs whose label this session changed since it was last asked.

        None where anyone else has spoken: all labels must be read again.
        """
        self._walk.refresh()
        touched = self._walk.touched
        self._walk.touched = {}
        return None if touched is None else list(touched.values())

    def _say(
        self, pair: int, *, grade: int | None = None, mark: Mark | None = None, note: str = ""
    ) -> bool:
        card = self.card
        if card is None or card.pair != pair:
            return False
        event = self._store.say(
            pair,
            grade=grade,
            mark=mark,
            note=note or ("" if card.mark is Mark.CANNOT else card.note),
            seconds=round(self._clock() - self._shown_at, 3),
            position=self.position[0],
        )
        self._walk.heard(event)
        try:
            self._advance(spoken_of=pair)
        except ProjectError as error:
            raise SavedError(f"saved, but what is next cannot be read: {error.message}") from error
        return True

    def _advance(self, *, spoken_of: int | None = None) -> None:
        self._walk.refresh()
        self._walk.reload()
        if spoken_of is not None:
            self._walk.touch(spoken_of)
        self._walk.go_to_waiting()
        self._shown_at = self._clock()
