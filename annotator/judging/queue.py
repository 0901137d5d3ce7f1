"""Keeps an order of judging true to the log: whoever spoke, and whatever was taken back."""

from __future__ import annotations

from collections.abc import Callable

from annotator.domain import Card
from annotator.judging.ports import JudgingStore, Order

DEPTH, EYE, HAND = "depth", "eye", "hand"
"""How a judged document came, where no other order brought it: query by query; picked in a ranking
that showed who returned it; come to by looking around."""


class Queue:
    """What an order says comes next, given all that has been said until now."""

    def __init__(self, store: JudgingStore, load: Callable[[], Order | None]) -> None:
        self._store = store
        self._load = load
        self.load()

    def load(self) -> None:
        """Make the order anew, of all that is known now."""
        self.order = self._load()
        self._heard = 0 if self.order is None else self.order.as_of

    def next(self) -> tuple[int, int] | None:
        """The query and pair to judge next, None when no order has anything left."""
        if self.order is None:
            return None
        newest = self._store.last_event()
        if newest != self._heard:
            for query in self._store.spoken_of_since(self._heard):
                for card in self._store.cards(query):
                    self.order.take(card)
            self._heard = newest
        return self.order.next()

    def after(self, card: Card) -> Card | None:
        """What comes after a card if its label moves no other, as far as the order can tell."""
        found = None if self.order is None else self.order.after(card.pair)
        if found is None:
            return None
        return next((one for one in self._store.cards(found[0]) if one.pair == found[1]), None)
