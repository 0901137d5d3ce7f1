"""The grading session: a state machine over a store that commits each thing before it returns."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Sequence

from annotator.domain import Card, Evidence, Mark, Past, Undone
from annotator.errors import UsageError
from annotator.judging.errors import saved
from annotator.judging.place import Place
from annotator.judging.ports import JudgingStore, Order
from annotator.judging.queue import DEPTH, EYE, HAND, Queue
from rubric import Rubric

LATEST = 200
"""So many judgments tell the pace."""


class Session(Place):
    """One assessor at work.

    Whatever is said names the pair it is said of; if that is not the card on the desk, nothing is
    stored.

    Parameters
    ----------
    store
        Commits each entry before it returns.
    clock
        Seconds that only go forward.
    order
        Makes what says which document comes next; None from it: query by query, as presented.
    """

    def __init__(
        self,
        store: JudgingStore,
        clock: Callable[[], float] = time.monotonic,
        order: Callable[[], Order | None] = lambda: None,
    ) -> None:
        super().__init__(store, clock)
        self._queue = Queue(store, order)
        self._told = False
        self._seconds = deque(store.seconds(), maxlen=LATEST)

    def follow(self, order: Callable[[], Order | None]) -> None:
        """Documents come in this order from now on; :meth:`start` brings the first."""
        self._queue = Queue(self._store, order)

    @property
    def rubric(self) -> Rubric:
        """What is graded by."""
        return self._store.rubric

    def take_rubric(self) -> None:
        """Go on under the rubric in force now; what is on the desk stays, as it counts under it."""
        self._store.read_rubric()
        self._queue.load()
        self._cursor.read_anew()
        if self.card is None:
            self._advance()
        self._shown()

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
            self._jumps.clear()
        elif self._return():
            return
        elif self._queue.order is not None:
            self._advance()
        elif (stopped := self._store.stopped_at()) and self._cursor.go_to(*stopped):
            if not (self.card and self.card.open):
                self._advance()
        elif self._cursor.counts:
            self._cursor.open(0)
            self._advance()
        self._shown()

    def _return(self) -> bool:
        """Go where the assessor was, if they went there themselves and anything waits for them."""
        there, totals = self._store.looked_at(), self.totals
        if there is None or not totals.open + totals.later or not self._cursor.go_to(*there[:2]):
            return False
        self._shown(by_hand=there[2])
        return True

    @property
    def order(self) -> str:
        """The name of the order in which documents come."""
        return DEPTH if self._queue.order is None else self._queue.order.name

    @property
    def goal_reached(self) -> bool:
        """Whether what the order is for is known well enough to stop."""
        return self._queue.order is not None and self._queue.order.reached

    def reaches_goal(self) -> bool:
        """Whether the goal of the order is reached now; True only once a session."""
        before, self._told = self._told, self._told or self.goal_reached
        return self._told and not before

    def pace(self) -> float | None:
        """Median seconds of this assessor's latest judgments, None before the fifth."""
        if len(self._seconds) < 5:
            return None
        ordered, half = sorted(self._seconds), len(self._seconds) // 2
        return (ordered[half] + ordered[~half]) / 2  # statistics takes long to load

    def history(self) -> list[Past]:
        """What this assessor said last of each pair, newest first."""
        return self._store.history()

    def grade(self, pair: int, grade: int, evidence: Evidence | None = None) -> bool:
        """Store a grade and bring the next document; False if the pair is not on the desk.

        ``evidence`` is the part of the text that is the reason; without it the pair has none.

        Raises
        ------
        UsageError
            If the rubric has no such grade.
        ProjectError
            If it could not be stored; the card stays. RubricChangedError: not before
            :meth:`take_rubric`.
        SavedError
            If it was stored, but the next card could not be read; the card stays.
        """
        self._check(grade)
        return self._say(pair, grade=grade, evidence=evidence)

    def grade_openly(self, query: int, document: int, docid: str, grade: int) -> None:
        """Store a grade of a document that was seen in a ranking: not blind, and the log says so.

        What is on the desk stays there. The document need not be pooled.

        Raises
        ------
        UsageError
            If the rubric has no such grade.
        ProjectError
            If it could not be stored.
        """
        self._check(grade)
        pair = self._store.pair(query, document)
        event = self._store.say(pair, grade=grade, blind=False, chosen=EYE)
        with saved():
            self._cursor.heard(event)
            self._cursor.touch_elsewhere(
                Card(pair, query, document, docid, grade, None, "", by_eye=True, label=grade)
            )

    def _check(self, grade: int) -> None:
        if not 0 <= grade <= self.rubric.top:
            raise UsageError(f"grade {grade} is not in the rubric: it has 0 to {self.rubric.top}")

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
        with saved():
            self._cursor.heard(event)
            self._cursor.refresh()
            self._cursor.reload()
            self._cursor.touch(pair)
        return True

    def see_models(self, pair: int) -> Sequence[tuple[str, int | None]] | None:
        """What models said of a pair, and None before you have graded it; the log keeps it.

        Raises
        ------
        ProjectError
            If that could not be stored.
        """
        return self._store.see_models(pair)

    def undo(self) -> Undone | None:
        """Take back the last thing said here, and put its document on the desk again.

        Raises
        ------
        NotTakenBackError
            If the assessor said something else of it in another window since.
        """
        undone = self._store.undo()
        if undone is None:
            return None
        with saved():
            self._cursor.heard(undone.event)
            self._cursor.refresh()
            self._cursor.go_to(undone.query, undone.pair)
            self._cursor.touch(undone.pair)
        self._shown()
        return undone

    def changed(self) -> list[Card] | None:
        """The pairs whose label this session changed since it was last asked.

        None where anyone else has spoken: all labels must be read again.
        """
        self._cursor.refresh()
        touched = self._cursor.touched
        self._cursor.touched = {}
        return None if touched is None else list(touched.values())

    def _say(
        self,
        pair: int,
        *,
        grade: int | None = None,
        mark: Mark | None = None,
        note: str = "",
        evidence: Evidence | None = None,
    ) -> bool:
        self.catch_up()
        card = self.card
        if card is None or card.pair != pair:
            return False
        seconds = round(self._clock() - self._shown_at, 3)
        said = note or ("" if card.mark is Mark.CANNOT else card.note)
        event = self._store.say(
            pair,
            grade=grade,
            mark=mark,
            note=said,
            seconds=seconds,
            position=self.position[0],
            evidence=evidence,
            chosen=HAND if self._by_hand else self.order,
        )
        self._seconds.appendleft(seconds)
        self._jumps.clear()
        self._cursor.heard(event)
        # A mark may leave another assessor's grade standing: that has to be read.
        now = card._replace(
            grade=grade, mark=None, note=said, evidence=evidence, label=grade, earlier=False
        )
        with saved():
            self._advance(pair, now if grade is not None else None)
        return True

    def _advance(self, spoken_of: int | None = None, known: Card | None = None) -> None:
        """Go to what waits; ``known`` is the card spoken of, as it is if nobody else spoke."""
        self._cursor.refresh()
        if known is None:
            self._cursor.reload()
        else:
            self._cursor.replace(known)
        if spoken_of is not None:
            self._cursor.touch(spoken_of)
        if not self._go_to_chosen():
            self._cursor.go_to_waiting()
        self._shown()

    def _coming(self, here: Card) -> Card | None:
        return self._queue.after(here) or super()._coming(here)

    def _go_to_chosen(self) -> bool:
        """Go to what the order says, if there is one and it has anything left."""
        chosen = self._queue.next()
        return chosen is not None and self._cursor.go_to(*chosen) and self._cursor.card_is_open
