"""The grading session: what is on the desk, what may be said of it, and what comes next.

A state machine over a store that commits each thing said before it returns; it knows no screen.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import median

from annotator.errors import UsageError
from annotator.judging.ports import JudgingStore
from annotator.judging.waiting import counted, is_later, is_open, next_place
from annotator.records import Card, Document, Mark, Query, QueryProgress


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
        self.progress: list[QueryProgress] = []
        self.cards: list[Card] = []
        self._index: int | None = None
        self._query_index = 0
        self._seen = -1
        self._touched: dict[int, Card] | None = {}
        self._shown_at = clock()
        self._refresh()

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
        elif (stopped := self._store.stopped_at()) and self._go_to(*stopped):
            if not (self.card and self.card.open):
                self._advance()
        elif self.progress:
            self._open(0)
            self._advance()

    @property
    def card(self) -> Card | None:
        """The document on the desk."""
        return None if self._index is None else self.cards[self._index]

    @property
    def position(self) -> tuple[int, int]:
        """The place of the card among its query's (from 1), and how many there are."""
        return (0 if self._index is None else self._index + 1), len(self.cards)

    @property
    def query(self) -> Query | None:
        """The query on the desk."""
        return self._store.query(self.progress[self._query_index].query) if self.progress else None

    @property
    def query_progress(self) -> QueryProgress | None:
        """The progress of the query on the desk."""
        return self.progress[self._query_index] if self.progress else None

    def document(self) -> Document | None:
        """The text of the card."""
        return self._store.document(self.card) if self.card else None

    def grade(self, pair: int, grade: int) -> bool:
        """Store a grade and bring the next document; False if the pair is not on the desk.

        Raises
        ------
        UsageError
            If the rubric has no such grade.
        ProjectError
            If it could not be stored; the card stays.
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
        grade = self._store.own_grade(pair)
        self._heard(
            self._store.say(pair, grade=grade, mark=card.mark, note=text, position=self.position[0])
        )
        self._refresh()
        self._reload_cards()
        return True

    def undo(self) -> Card | None:
        """Take back the last thing said, and put its document on the desk again."""
        undone = self._store.undo()
        if undone is None:
            return None
        event, query, pair = undone
        self._heard(event)
        self._refresh()
        self._go_to(query, pair)
        self._touch(pair)
        return self.card

    def forward(self) -> bool:
        """Look at the next document of the pool, whatever its state."""
        return self._step(+1)

    def back(self) -> bool:
        """Look at the document before, whatever its state."""
        return self._step(-1)

    def open_query(self, index: int) -> None:
        """Go to a query by its place in the progress: its first open document, else its first."""
        self._refresh()
        self._open(index)
        waiting = [at for at, card in enumerate(self.cards) if card.open]
        self._show(waiting[0] if waiting else 0)

    @property
    def totals(self) -> QueryProgress:
        """The progress of the whole pool."""
        sums = [sum(column) for column in zip(*(one[2:] for one in self.progress), strict=True)]
        return QueryProgress(0, "", *(sums or [0, 0, 0, 0]))

    def pace(self) -> float | None:
        """Median seconds of this assessor's latest judgments, None before the fifth."""
        taken = self._store.seconds()
        return median(taken) if len(taken) >= 5 else None

    def _say(
        self, pair: int, *, grade: int | None = None, mark: Mark | None = None, note: str = ""
    ) -> bool:
        card = self.card
        if card is None or card.pair != pair:
            return False
        self._heard(
            self._store.say(
                pair,
                grade=grade,
                mark=mark,
                note=note or ("" if card.mark is Mark.CANNOT else card.note),
                seconds=round(self._clock() - self._shown_at, 3),
                position=self.position[0],
            )
        )
        self._advance(spoken_of=pair)
        return True

    def changed(self) -> list[Card] | None:
        """The pairs whose label this session changed since it was last asked.

        None where anyone else has spoken: all labels must be read again.
        """
        touched = self._touched
        self._touched = {}
        return None if touched is None else list(touched.values())

    def _touch(self, pair: int) -> None:
        if self._touched is not None:
            self._touched |= {card.pair: card for card in self.cards if card.pair == pair}

    def _heard(self, event: int) -> None:
        """Own entries need no new reading of the pool, unless somebody spoke in between."""
        if event == self._seen + 1:
            self._seen = event

    def _advance(self, *, spoken_of: int | None = None) -> None:
        """Bring the next open document; when there is none, what was put aside; else nothing."""
        at = -1 if self._index is None else self._index
        self._refresh()
        self._reload_cards()
        if spoken_of is not None:
            self._touch(spoken_of)
        for waits in (is_open, is_later):
            found = next_place(self.cards, at, waits)
            if found is not None:
                return self._show(found)
            for step in range(1, len(self.progress) + 1):
                place = (self._query_index + step) % len(self.progress)
                progress = self.progress[place]
                if progress.open if waits is is_open else progress.later:
                    cards = self._store.cards(progress.query)
                    found = next_place(cards, -1, waits)
                    if found is not None:
                        self._open(place)
                        return self._show(found)
        self._index = None
        return None

    def _step(self, by: int) -> bool:
        beside = len(self.cards) if by < 0 else -1
        at = beside if self._index is None else self._index
        if 0 <= at + by < len(self.cards):
            self._show(at + by)
            return True
        place = self._query_index + by
        if not 0 <= place < len(self.progress):
            return False
        self._open(place)
        self._show(0 if by > 0 else len(self.cards) - 1)
        return True

    def _go_to(self, query: int, pair: int) -> bool:
        """Put a pair on the desk, if it is in the pool."""
        places = [at for at, one in enumerate(self.progress) if one.query == query]
        if not places:
            return False
        self._open(places[0])
        pairs = [card.pair for card in self.cards]
        if pair in pairs:
            self._show(pairs.index(pair))
        return pair in pairs

    def _open(self, index: int) -> None:
        self._query_index = index
        self._index = None
        self._reload_cards()

    def _show(self, index: int) -> None:
        self._index = index if self.cards else None
        self._shown_at = self._clock()

    def _reload_cards(self) -> None:
        if not self.progress:
            return
        here = self.progress[self._query_index]
        self.cards = self._store.cards(here.query)
        self.progress[self._query_index] = counted(here, self.cards)

    def _refresh(self) -> None:
        """Read the whole pool's progress again if anyone else has said anything since."""
        newest = self._store.last_event()
        if newest != self._seen:
            if self._seen >= 0:
                self._touched = None
            self.progress = self._store.progress()
            self._seen = newest
