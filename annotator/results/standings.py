"""What is known so far of the thing that an order of judging is for, as plain values."""

from __future__ import annotations

from dataclasses import dataclass

from annotator.results.comparisons import Compared
from annotator.results.method import Basis
from annotator.results.more_labels import MoreLabels


@dataclass(frozen=True)
class Standing:
    """The verdicts that a goal hangs on.

    Parameters
    ----------
    goal, order, measure
        What is to be known, in words; the order of judging that is for it; and of which measure.
    pairs
        The comparisons that it hangs on, in each the system that is expected to be better first.
        The first of them also has what the tests say of other queries.
    reached
        Whether it is known well enough to stop.
    more
        How many more labels it is likely to take; None where it is reached, or that is not known.
    leader
        The system that is expected to be best; empty where there are no two.
    unpooled
        How many documents in a system's first ten are neither pooled nor judged.
    basis
        What is expected rests on that; None where nothing is open.
    """

    goal: str
    order: str
    measure: str
    pairs: tuple[Compared, ...]
    reached: bool
    more: MoreLabels | None
    leader: str = ""
    unpooled: int = 0
    basis: Basis | None = None
