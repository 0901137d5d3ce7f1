"""What is known so far of the thing that an order of judging is for, as plain values."""

from __future__ import annotations

from dataclasses import dataclass

from annotator.scoring.comparisons import Compared
from annotator.scoring.method import Basis
from rubric import Verdict


@dataclass(frozen=True)
class Ahead:
    """About how many more labels something takes, and between how many.

    ``labels`` is None where it was not found in the time there was: then ``unfinished`` of the
    worlds that were tried take ``fewest`` or more.
    """

    labels: int | None
    fewest: int
    most: int
    unfinished: int = 0


@dataclass(frozen=True)
class PairStanding:
    """Two systems, the one that is expected to be better first.

    Parameters
    ----------
    verdict
        What holds on these queries.
    chance
        The probability that the first is better, by the grade model; None where that claims
        nothing.
    expected
        The expected mean difference on nDCG@10, None likewise.
    lower, upper
        Its exact bounds, None where it is defined for no query.
    labels
        Labels of documents in either top 10.
    few
        Whether these are too few for any claim but a proof.
    ahead
        How many more an open verdict takes; None for any other, and where that is not known.
    """

    first: str
    second: str
    verdict: Verdict
    chance: float | None
    expected: float | None
    lower: float | None
    upper: float | None
    labels: int
    few: bool = False
    ahead: Ahead | None = None

    @property
    def proved(self) -> bool:
        """Whether no missing label can change the verdict."""
        return self.verdict.settled


@dataclass(frozen=True)
class Standing:
    """The verdicts that a goal hangs on.

    Parameters
    ----------
    goal, order
        What is to be known, in words; and the order of judging that is for it.
    pairs
        The comparisons that it hangs on.
    reached
        Whether it is known well enough to stop.
    ahead
        How many more labels it is likely to take; None where it is reached, or that is not known.
    leader
        The system that is expected to be best; empty where there are no two.
    unpooled
        How many documents in a system's first ten are neither pooled nor judged.
    basis
        What is expected rests on that; None where nothing is open.
    first_two
        The first of these comparisons with all that is known of it; None where there is none.
    """

    goal: str
    order: str
    pairs: tuple[PairStanding, ...]
    reached: bool
    ahead: Ahead | None
    leader: str = ""
    unpooled: int = 0
    basis: Basis | None = None
    first_two: Compared | None = None
