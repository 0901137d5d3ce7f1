"""Keeps an order of judging true to the log: whoever spoke, and whatever was taken back."""

from __future__ import annotations

from annotator.judging.ports import JudgingStore, Order


class Guide:
    """What an order says comes next, given all that has been said until now."""

    def __init__(self, store: JudgingStore, order: Order) -> None:
        self._store = store
        self._heard = order.as_of
        self.order = order

    def next(self) -> tuple[int, int] | None:
        """The query and pair to judge next, None when the order has nothing left."""
        newest = self._store.last_event()
        if newest != self._heard:
            for query in self._store.spoken_of_since(self._heard):
                for card in self._store.cards(query):
                    self.order.take(card)
            self._heard = newest
        return self.order.next()
