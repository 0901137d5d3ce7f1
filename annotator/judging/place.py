"""Where an assessor is in the pool, and how they look around there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress

from annotator.domain import Card, Document, Query, QueryProgress
from annotator.errors import ProjectError
from annotator.judging.cursor import Cursor
from annotator.judging.ports import JudgingStore


class Place:
    """A document on the desk, and the ways to others; nothing is said of any.

    ``card`` is the document on the desk, None when nothing is left.

    Attributes
    ----------
    only_open
        Whether looking around passes over what is judged or put aside.
    """

    def __init__(self, store: JudgingStore, clock: Callable[[], float]) -> None:
        self._store = store
        self._clock = clock
        self._cursor = Cursor(store)
        self._kept: tuple[int, int, Document] | None = None
        self.only_open = False
        self._jumps: list[tuple[int, int]] = []
        self._shown()

    def _shown(self, *, by_hand: bool = False) -> None:
        """The card comes on the desk now, brought by the order or come to by looking around."""
        self._shown_at = self._clock()
        self._by_hand = by_hand

    @property
    def card(self) -> Card | None:
        """The document on the desk."""
        return self._cursor.card

    @property
    def cards(self) -> list[Card]:
        """All cards of the query on the desk, in the order of presentation."""
        return self._cursor.cards

    @property
    def progress(self) -> list[QueryProgress]:
        """The progress of every query, in the project's order."""
        return self._cursor.counts.all()

    @property
    def position(self) -> tuple[int, int]:
        """The place of the card among its query's (from 1), and how many there are."""
        index = self._cursor.index
        return (0 if index is None else index + 1), len(self.cards)

    @property
    def query_position(self) -> tuple[int, int]:
        """The place of the query on the desk among all (from 1), and how many there are."""
        return self._cursor.query_index + 1, len(self._cursor.counts)

    @property
    def query(self) -> Query | None:
        """The query on the desk."""
        counts = self._cursor.counts
        return self._store.query(counts.queries[self._cursor.query_index]) if counts else None

    @property
    def query_progress(self) -> QueryProgress | None:
        """The progress of the query on the desk."""
        return self._cursor.here

    @property
    def totals(self) -> QueryProgress:
        """The progress of the whole pool."""
        return self._cursor.counts.totals

    def any_query(self, query: int) -> Query:
        """Any query."""
        return self._store.query(query)

    def query_text(self, query: int) -> str:
        """The text of any query."""
        return self.any_query(query).text

    @property
    def is_blind(self) -> bool:
        """Whether the assessor has never seen who returned what for the query on the desk."""
        return not self._cursor.saw_rankings

    def see_rankings(self, query: int) -> None:
        """Call before the rankings of a query are shown: what is graded of it then is not blind."""
        self._store.see_rankings(query)
        self._cursor.reload()

    def has_seen_rankings(self, query: int) -> bool:
        """Whether the assessor has ever looked at the rankings of a query."""
        return self._store.has_seen_rankings(query)

    def document(self) -> Document | None:
        """The text of the card."""
        return self._read(self.card.document) if self.card else None

    def upcoming(self) -> tuple[Query, Card, Document] | None:
        """What comes if the card on the desk is graded now, as far as one can know before.

        Its text is kept for :meth:`document`, which reads it again if anybody else has changed
        anything until then.
        """
        card = self._coming(self.card) if self.card else None
        return card and (self._store.query(card.query), card, self._read(card.document))

    def _coming(self, _here: Card) -> Card | None:
        found = self._cursor.waiting()
        return found and found[2][found[1]]

    def _read(self, number: int) -> Document:
        """A document; the one read last is kept as long as nobody else changes anything."""
        version = self._store.version()
        if self._kept is None or self._kept[:2] != (number, version):
            self._kept = number, version, self._store.document(number)
        return self._kept[2]

    def any_document(self, number: int) -> Document:
        """The text of any document that was imported or ranked."""
        return self._store.document(number)

    def docids(self, numbers: Sequence[int]) -> dict[int, str]:
        """The ids of documents by their numbers."""
        return self._store.docids(numbers)

    def forward(self) -> bool:
        """Look at the next document of the pool; False at the end."""
        return self._step(+1)

    def back(self) -> bool:
        """Look at the document before; False at the beginning."""
        return self._step(-1)

    def catch_up(self) -> bool:
        """Take in what others, or you in another window, have said.

        Whether the card is another, or what you have said of it: what others say does not show.
        """
        before = self.card
        self._cursor.catch_up()
        return (self.card and self.card.own) != (before and before.own)

    def _step(self, by: int) -> bool:
        """Go to the document beside, of any state unless only unjudged ones are wanted."""
        self._cursor.catch_up()
        self._shown(by_hand=True)
        return self._arrived(self._cursor.seek(by) if self.only_open else self._cursor.step(by))

    def _arrived(self, moved: bool = True) -> bool:
        """Keep where one is now, for when one comes back, unless one did not move."""
        if moved and self.card is not None:
            with suppress(ProjectError):  # to look around is worth more than to be there again
                self._store.look_at(self.card.pair, by_hand=self._by_hand)
        return moved

    def reopen(self, query: int, pair: int) -> bool:
        """Put a pair of the pool on the desk again; False if it is not in the pool."""
        self._cursor.refresh()
        self._jump()
        self._shown(by_hand=True)
        return self._arrived(self._cursor.go_to(query, pair))

    def next_query(self, by: int = 1) -> bool:
        """Go to the next query with an open document, or (-1) to the one before; all round."""
        self._cursor.refresh()
        here, places = self._cursor.query_index, len(self._cursor.counts)
        around = [(here + by * step) % places for step in range(1, places)]
        found = next((place for place in around if self._cursor.counts[place].open), None)
        if found is not None:
            self.open_query(found)
        return found is not None

    def jump_back(self) -> bool:
        """Go back to where the last jump began; False if there was none since the last judgment."""
        if not self._jumps:
            return False
        self._shown(by_hand=True)
        return self._arrived(self._cursor.go_to(*self._jumps.pop()))

    def _jump(self) -> None:
        if self.card is not None:
            self._jumps.append((self.card.query, self.card.pair))

    def open_query(self, index: int) -> None:
        """Go to a query by its place in the progress: its first open document, else its first."""
        self._cursor.refresh()
        self._jump()
        self._cursor.open(index)
        waiting = [at for at, card in enumerate(self.cards) if card.open]
        self._cursor.index = waiting[0] if waiting else 0
        self._shown()
        self._arrived()
