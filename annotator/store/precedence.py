"""Which entry of the log holds: one rule, in SQL, on arrays and on records.

An entry counts unless it is an undo, or an undo took back it or the entry that it restates. Of all
that an assessor said of a pair the latest judgment holds, in whatever order the entries were
stored; of the labels of several assessors the latest one. A judgment is as old as the entry that
gave it first: a note beside it does not make it younger. Where two are of one moment, the later
note holds, then the entry whose identity sorts last; and between assessors the one whose name does.
So every file with the same entries has the same labels.

Times are those that the entries hold, as :mod:`annotator.text.times` writes them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from annotator.domain import BoolArray, IntArray, JudgmentEvent

MICROSECONDS = (
    "CAST(strftime('%s', substr(at, 1, 19)) AS INTEGER) * 1000000"
    " + CAST(substr(substr(at, 21, length(at) - 26) || '000', 1, 6) AS INTEGER)"
)
"""An entry's time as a number."""

_STATES = """
SELECT one.*, one.id AS event_id, ifnull(one.restates, one.id) AS given_id,
    ifnull(first.at, one.at) AS judged,
    max(ifnull(first.at, one.at) || one.at || hex(one.identity))
FROM judgment AS one LEFT JOIN judgment AS first ON first.id = one.restates
WHERE {where} AND one.undoes IS NULL AND one.at <= {then}
    AND one.id NOT IN ({undone}) AND ifnull(one.restates, 0) NOT IN ({undone})
GROUP BY one.pair_id, one.assessor_id
"""
_UNDONE = "SELECT undoes FROM judgment WHERE undoes IS NOT NULL AND at <= {then}"


def states(where: str = "1", *, then: str = "'A'") -> str:
    """A subquery for the entry that holds of each assessor and pair.

    It has the columns of the log, ``event_id`` (the entry's number), ``given_id`` (that of the
    entry which gave the judgment first) and ``judged`` (its time). ``where`` chooses entries of the
    log, called ``one``: of a pair and assessor all or none. Entries after ``then``, a value in SQL,
    do not count; by default all do, as a letter sorts after every time.
    """
    return f"({_STATES.format(where=where, then=then, undone=_UNDONE.format(then=then))})"


def held(events: Sequence[JudgmentEvent]) -> JudgmentEvent | None:
    """The entry that holds of all those of one assessor and pair, if any does."""
    times = {event.identity: event.at for event in events}
    undone = {event.undoes for event in events} - {None}
    count = [
        event
        for event in events
        if event.undoes is None and undone.isdisjoint((event.identity, event.restates))
    ]

    def age(event: JudgmentEvent) -> tuple[str, str, str]:
        return times.get(event.restates or "", event.at), event.at, event.identity

    return max(count, key=age, default=None)


class Entries(NamedTuple):
    """Entries of the log as arrays of one length, in the order they were stored.

    ``event`` rises; ``given`` is the entry's own number or that of the one it restates, ``undoes``
    that of the one it takes back, else 0; ``at`` is in microseconds; ``rank`` is the place of the
    assessor's name among all of them sorted, ``tie`` that of the entry's identity among those of
    its pair and moment.
    """

    event: IntArray
    pair: IntArray
    rank: IntArray
    given: IntArray
    undoes: IntArray
    at: IntArray
    tie: IntArray


def holding(entries: Entries, made: BoolArray) -> IntArray:
    """The places of the entries that hold of each assessor and pair, the label's last of a pair.

    Only those count that were ``made``. They are sorted by pair, then by what holds over what.
    """
    import numpy as np

    event, pair, rank, given, undoes, at, tie = entries
    undone = undoes[made & (undoes > 0)]
    counts = made & (undoes == 0)
    if undone.size:
        counts &= ~(np.isin(event, undone) | np.isin(given, undone))
    judged = at[np.searchsorted(event, given)]
    places = np.flatnonzero(counts)
    order = places[
        np.lexsort((tie[places], at[places], judged[places], rank[places], pair[places]))
    ]
    last = np.ones(len(order), dtype=np.bool_)
    last[:-1] = (np.diff(pair[order]) != 0) | (np.diff(rank[order]) != 0)
    held = order[last]
    return np.asarray(held[np.lexsort((rank[held], judged[held], pair[held]))])


def earliest(entries: Entries) -> IntArray:
    """The place of the first entry of each pair by its time, undone or not; pairs rising."""
    import numpy as np

    order = np.lexsort((entries.tie, entries.at, entries.pair))
    pair = entries.pair[order]
    begins = np.ones(len(order), dtype=np.bool_)
    begins[1:] = np.diff(pair) != 0
    return np.asarray(order[begins])
