"""Where an assessor is in the pool, and the ways from there."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from annotator.domain import Card, QueryProgress
from annotator.judging.cards import is_later, is_open, is_unseen, next_place
from annotator.judging.ports import JudgingStore
from annotator.judging.progress import ProgressCount

_WAITING: Sequence[tuple[Callable[[Card], bool], Callable[[QueryProgress], int]]] = (
    (is_unseen, lambda one: one.unseen),
    (is_open, lambda one: one.open),
    (is_later, lambda one: one.later),
)
"""What waits, most urgent first: of a card, and how many of a query's."""


class Cursor:
    """A place in the pool: a query, and one of its cards or none.

    ``touched`` are the cards whose label changed here, None once anyone else has spoken.
    ``saw_rankings`` is whether the assessor has seen the rankings of the query: read with its
    cards, so that to draw the desk needs no reading, which another program may hold up.
    """

    def __init__(self, store: JudgingStore) -> None:
        self._store = store
        self.cards: list[Card] = []
        self.index: int | None = None
        self.query_index = 0
        self.touched: dict[int, Card] | None = {}
        self.saw_rankings = False
        self._version = -1
        self._seen = store.last_event()
        self.counts = ProgressCount(store)

    @property
    def card(self) -> Card | None:
        """The card in this place."""
        return None if self.index is None else self.cards[self.index]

    @property
    def card_is_open(self) -> bool:
        """Whether there is a card in this place that waits for the assessor."""
        return self.card is not None and self.card.open

    @property
    def here(self) -> QueryProgress | None:
        """The progress of the query in this place."""
        return self.counts[self.query_index] if self.counts else None

    def open(self, query_index: int) -> None:
        """Go to a query, to none of its cards yet."""
        self.query_index = query_index
        self.index = None
        self.reload()

    def seek(self, by: int) -> bool:
        """Go to the nearest open card on one side of this one; False if there is none."""
        at = (len(self.cards) if by < 0 else -1) if self.index is None else self.index
        for place in range(at + by, -1 if by < 0 else len(self.cards), by):
            if self.cards[place].open:
                self.index = place
                return True
        for query in range(self.query_index + by, -1 if by < 0 else len(self.counts), by):
            if self.counts[query].open:
                found = [at for at, card in enumerate(self.read(query)) if card.open]
                if found:
                    self.open(query)
                    self.index = found[0 if by > 0 else -1]
                    return True
        return False

    def read(self, query_index: int) -> list[Card]:
        """The cards of any query, as they are now; its progress is counted anew."""
        cards = self._store.cards(self.counts.queries[query_index])
        self.counts.count(query_index, cards)
        return cards

    def step(self, by: int) -> bool:
        """Go to the card beside this one, whatever its state, across queries; False at the end."""
        beside = len(self.cards) if by < 0 else -1
        at = beside if self.index is None else self.index
        if 0 <= at + by < len(self.cards):
            self.index = at + by
            return True
        if not 0 <= self.query_index + by < len(self.counts):
            return False
        self.open(self.query_index + by)
        self.index = 0 if by > 0 else len(self.cards) - 1
        return True

    def go_to(self, query: int, pair: int) -> bool:
        """Go to a pair, if it is in the pool."""
        if query not in self.counts.queries:
            return False
        self.open(self.counts.queries.index(query))
        pairs = [card.pair for card in self.cards]
        if pair in pairs:
            self.index = pairs.index(pair)
        return pair in pairs

    def go_to_waiting(self) -> None:
        """Go to the next open card; when there is none, to what was put aside; else to nothing."""
        version, found = self._store.version(), self.waiting()
        if found is None:
            self.index = None
            return
        self.query_index, self.index, cards = found
        if cards is not self.cards:
            self._version = version
            self._take(cards)

    def waiting(self) -> tuple[int, int, list[Card]] | None:
        """The card after this one that waits: place of its query, place in it, the query's cards.

        An open one that nobody has judged; when there is none, any open one; then one that was put
        aside; None if nothing waits.
        """
        at = -1 if self.index is None else self.index
        for waits, count in _WAITING:
            index = next_place(self.cards, at, waits)
            if index is not None:
                return self.query_index, index, self.cards
            for step in range(1, len(self.counts) + 1):
                place = (self.query_index + step) % len(self.counts)
                progress = self.counts[place]
                if count(progress):
                    cards = self._store.cards(progress.query)
                    index = next_place(cards, -1, waits)
                    if index is not None:
                        return place, index, cards
        return None

    def heard(self, event: int) -> None:
        """Own entries need no new reading of the pool, unless somebody spoke in between."""
        self.counts.is_as_read = False
        if event == self._seen + 1:
            self._seen = event

    def touch(self, pair: int) -> None:
        """Note that the label of a pair of this query changed."""
        if self.touched is not None:
            self.touched |= {card.pair: card for card in self.cards if card.pair == pair}

    def touch_elsewhere(self, card: Card) -> None:
        """Note that the label of a pair changed that need not be of this query, nor pooled."""
        self.refresh()
        queries = self.counts.queries
        if card.query in queries:
            place = queries.index(card.query)
            if place == self.query_index:
                self.reload()
            else:
                self.read(place)
        if self.touched is not None:
            self.touched[card.pair] = card

    def reload(self) -> None:
        """Read the cards of this query again; the place stays, even if more cards have come."""
        if self.counts:
            card = self.card
            self._version = self._store.version()
            self._take(self._store.cards(self.counts.queries[self.query_index]))
            if card is not None:
                self.index = [one.pair for one in self.cards].index(card.pair)

    def catch_up(self) -> None:
        """Read again what anyone else may have changed since it was read."""
        if self._version != self._store.version():
            self.refresh()
            self.reload()

    def replace(self, card: Card) -> None:
        """Take in what was just said of the card in this place; read anew if others wrote too."""
        if self.index is None or self._version != self._store.version():
            self.reload()
        else:
            self.cards[self.index] = card
            self.counts.count(self.query_index, self.cards)

    def _take(self, cards: list[Card]) -> None:
        self.cards = cards
        self.saw_rankings = self._store.has_seen_rankings(self.counts.queries[self.query_index])
        self.counts.count(self.query_index, cards)

    def refresh(self) -> None:
        """Read the whole pool's progress again if anyone else has said anything since."""
        newest = self._store.last_event()
        if newest != self._seen:
            self._read(newest)

    def read_anew(self) -> None:
        """Read everything again; the place stays."""
        self._read(self._store.last_event())
        self.reload()

    def _read(self, newest: int) -> None:
        self.touched = None
        here, self._version = self.counts.queries[self.query_index :], -1
        self.counts = ProgressCount(self._store)
        if here:
            self.query_index = self.counts.queries.index(here[0])
        self._seen = newest
