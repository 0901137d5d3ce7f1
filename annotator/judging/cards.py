"""Which cards wait for the assessor, and which comes next."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from annotator.domain import Card, Mark, QueryProgress


def counted(here: QueryProgress, cards: Sequence[Card]) -> QueryProgress:
    """A query's progress, counted from its cards."""
    unjudged = [card for card in cards if card.grade is None]
    return here._replace(
        pooled=len(cards),
        judged=len(cards) - len(unjudged),
        later=sum(card.mark is Mark.LATER for card in unjudged),
        cannot=sum(card.mark is Mark.CANNOT for card in unjudged),
        labelled=sum(card.label is not None for card in cards),
        unseen=sum(is_unseen(card) for card in unjudged),
    )


def is_unseen(card: Card) -> bool:
    """Whether the card is open and nobody else has judged it either."""
    return card.open and card.label is None


def is_open(card: Card) -> bool:
    """Whether the card has neither a grade of the assessor's nor a mark."""
    return card.open


def is_later(card: Card) -> bool:
    """Whether the card was put aside and not judged since."""
    return card.grade is None and card.mark is Mark.LATER


def next_place(cards: Sequence[Card], at: int, waits: Callable[[Card], bool]) -> int | None:
    """The next place after ``at`` that waits, going round but not back to ``at`` itself."""
    around = [*range(at + 1, len(cards)), *range(max(at, 0))]
    return next((place for place in around if waits(cards[place])), None)
