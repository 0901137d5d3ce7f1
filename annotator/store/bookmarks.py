"""Where an assessor looks, so that they are there again when they come back."""

from __future__ import annotations

from typing import NamedTuple

from annotator.store.sqlite.file import ProjectFile


class Bookmark(NamedTuple):
    """A pair that an assessor went to; by hand, if no order brought it."""

    query: int
    pair: int
    by_hand: bool


class BookmarkTable:
    """The pair that each assessor went to last without a word on it since.

    No score rests on it, so it has no seal, and a rescue leaves it behind.
    """

    def __init__(self, file: ProjectFile) -> None:
        self._file = file

    def put(self, assessor: int, pair: int, *, by_hand: bool) -> None:
        """Store durably that an assessor looks at a pair; it holds until they say something."""
        with self._file.writing():
            self._file.execute(
                "INSERT OR REPLACE INTO bookmark (assessor_id, pair_id, by_hand, last)"
                " VALUES (?, ?, ?, (SELECT coalesce(max(id), 0) FROM judgment"
                " WHERE assessor_id = ?))",
                (assessor, pair, int(by_hand), assessor),
            )

    def of(self, assessor: int) -> Bookmark | None:
        """Where an assessor went since they last said something, if anywhere."""
        rows = self._file.tuples(
            "SELECT query_id, pair_id, by_hand FROM bookmark JOIN pair ON pair.id = pair_id"
            " WHERE assessor_id = ? AND last = (SELECT coalesce(max(id), 0) FROM judgment"
            " WHERE assessor_id = ?)",
            (assessor, assessor),
        )
        return next((Bookmark(query, pair, bool(hand)) for query, pair, hand in rows), None)
