"""How far the judging of each query is, counted no sooner than anyone asks."""

from __future__ import annotations

from collections.abc import Sequence

from annotator.domain import Card, QueryProgress
from annotator.judging.cards import counted
from annotator.judging.ports import JudgingStore


class ProgressCount:
    """The progress of every query by its place, and of the whole pool, as of one reading.

    A query whose cards are known is counted from them. All are counted once another one is asked
    for: with many pairs that takes longer than to bring the first document on the screen.

    Attributes
    ----------
    queries
        The numbers of the pooled queries, in the project's order.
    totals
        The progress of the whole pool.
    is_as_read
        Whether nothing has been said here since: a query whose cards are read now for the first
        time is counted in the totals as it is.
    """

    def __init__(self, store: JudgingStore) -> None:
        self._store = store
        self.queries = store.queries()
        self.totals = store.totals()
        self._known: dict[int, QueryProgress] = {}
        self._is_whole = False
        self.is_as_read = True

    def __len__(self) -> int:
        return len(self.queries)

    def __getitem__(self, place: int) -> QueryProgress:
        if place not in self._known:
            self._count_all()
        return self._known[place]

    def all(self) -> list[QueryProgress]:
        """The progress of every query, in the project's order."""
        self._count_all()
        return [self._known[place] for place in range(len(self))]

    def count(self, place: int, cards: Sequence[Card]) -> None:
        """Count a query anew from its cards, and with it the whole pool."""
        if place not in self._known and not self.is_as_read:
            self._count_all()
        before = self._known.get(place)
        if before is None:
            query = self.queries[place]
            qid = self._store.query(query).qid
            self._known[place] = counted(QueryProgress(query, qid, 0, 0, 0, 0), cards)
            return
        now = self._known[place] = counted(before, cards)
        sums = zip(self.totals[2:], now[2:], before[2:], strict=True)
        self.totals = QueryProgress(0, "", *(total + new - old for total, new, old in sums))

    def _count_all(self) -> None:
        if self._is_whole:
            return
        by_query = {one.query: one for one in self._store.progress()}
        found = {place: by_query[query] for place, query in enumerate(self.queries)}
        self._known = found | self._known
        sums = map(sum, zip(*(one[2:] for one in self._known.values()), strict=True))
        self.totals = QueryProgress(0, "", *(list(sums) or [0, 0, 0, 0, 0, 0]))
        self._is_whole = True
