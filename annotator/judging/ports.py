"""What a grading session asks of whatever keeps the judgments, and of an order of judging."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from annotator.domain import Card, Document, Evidence, Mark, Past, Query, QueryProgress, Undone
from rubric import Rubric


class JudgingStore(Protocol):
    """What a session needs of the store: the pool as one assessor sees it, and their log."""

    @property
    def rubric(self) -> Rubric:
        """What is graded by: the rubric that was in force when it was read last."""

    def read_rubric(self) -> None:
        """Grade by the rubric in force now."""

    def query(self, query: int) -> Query:
        """One query with its texts."""

    def document(self, number: int) -> Document:
        """A document by its number."""

    def docids(self, numbers: Sequence[int]) -> dict[int, str]:
        """The ids of documents by their numbers."""

    def queries(self) -> list[int]:
        """The numbers of the pooled queries, in the project's order."""

    def totals(self) -> QueryProgress:
        """The progress of the whole pool."""

    def progress(self) -> list[QueryProgress]:
        """The progress of every pooled query, in the project's order."""

    def cards(self, query: int) -> list[Card]:
        """The pooled pairs of a query, in the order of presentation."""

    def note(self, pair: int, text: str, *, position: int | None = None) -> int:
        """Commit a note; the grade or mark that holds stays. The entry's number, as of `say`."""

    def say(
        self,
        pair: int,
        *,
        grade: int | None = None,
        mark: Mark | None = None,
        note: str = "",
        seconds: float | None = None,
        position: int | None = None,
        blind: bool = True,
        evidence: Evidence | None = None,
        chosen: str | None = None,
    ) -> int:
        """Commit an entry to the log before returning; its number, which follows the last one's."""

    def see_rankings(self, query: int) -> None:
        """Store that the assessor looks at the rankings of a query: `say` is not blind any more."""

    def has_seen_rankings(self, query: int) -> bool:
        """Whether the assessor has ever looked at the rankings of a query."""

    def see_models(self, pair: int) -> Sequence[tuple[str, int | None]] | None:
        """What models said of a pair, by name; None before the assessor has graded it.

        That they have seen it is stored.
        """

    def undo(self) -> Undone | None:
        """Take back the last thing said here by a new entry; what that was.

        Raises NotTakenBackError if it no longer holds.
        """

    def stopped_at(self) -> tuple[int, int] | None:
        """The query and pair of the assessor's last entry."""

    def look_at(self, pair: int, *, by_hand: bool) -> None:
        """Store that the assessor looks at a pair; by hand, if no order brought it."""

    def looked_at(self) -> tuple[int, int, bool] | None:
        """The query and pair the assessor went to since their last entry, and if by hand."""

    def last_event(self) -> int:
        """The number of the newest entry by anyone."""

    def spoken_of_since(self, event: int) -> list[int]:
        """The queries of which anyone has said anything after that entry."""

    def version(self) -> int:
        """A number that is another one whenever anybody else has changed anything."""

    def seconds(self) -> list[float]:
        """How long each of the assessor's latest 200 judgments took."""

    def history(self) -> list[Past]:
        """What the assessor said last of each pair, newest first."""

    def pair(self, query: int, document: int) -> int:
        """The number of a pair, which need not be in the pool."""


class Order(Protocol):
    """Which pair an assessor judges next; it knows ranks, queries and labels, and nothing else."""

    @property
    def name(self) -> str:
        """What is stored with a judgment that came in this order."""

    @property
    def as_of(self) -> int:
        """The last entry of the log that it knew of when it was made."""

    @property
    def reached(self) -> bool:
        """Whether what it is for is known well enough to stop."""

    def take(self, card: Card) -> None:
        """What is now known of a pair, and whether it waits for the assessor."""

    def next(self) -> tuple[int, int] | None:
        """The query and pair to judge next, None when it has nothing left."""

    def after(self, pair: int) -> tuple[int, int] | None:
        """What is likely to come after a pair that is judged now; None if that is not known."""
