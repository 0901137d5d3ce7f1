"""What the labels say of every two systems that follow each other on a scoreboard."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from annotator.results.more_labels import MoreLabels
from annotator.results.scores import MeasureScore, Neighbours, SystemScore
from annotator.scoring.board import Board
from rubric import Comparison, Verdict

COMPARED = 20
"""Pairs of neighbours that get a verdict on each measure: nobody reads more."""


def ranking(scores: Sequence[MeasureScore]) -> list[int]:
    """Positions of systems, the best first by the one number to sort by; undefined last."""

    def height(at: int) -> float:
        point = scores[at].summary.point
        return float("-inf") if point is None else point

    return sorted(range(len(scores)), key=lambda at: -height(at))


def neighbours(
    board: Board, table: Sequence[SystemScore], most: int = COMPARED
) -> tuple[Neighbours, ...]:
    """Compare two neighbours each on each measure, the best first, up to ``most`` such pairs.

    Where nothing is expected, the order is no claim: only proved verdicts are given.
    """
    found: list[Neighbours] = []
    for at, measure in enumerate(board.measures):
        places = [board.systems.index(system.system) for system in table]
        ranked = [places[one] for one in ranking([system.measures[at] for system in table])]
        for pair in list(pairwise(ranked))[:most]:
            one = neighbours_of(board, *pair, board.compare(*pair, measure, tests=False))
            found += [] if one is None else [one]
    return tuple(found)


def neighbours_of(board: Board, first: int, second: int, result: Comparison) -> Neighbours | None:
    """What a comparison of two neighbours says; None where nothing may be claimed."""
    if result.verdict is Verdict.OPEN and result.better is None:
        return None
    if (result.estimate or 0.0) < 0:
        first, second = second, first
    ends = result.more_range
    return Neighbours(
        measure=str(result.measure),
        first=board.systems[first],
        second=board.systems[second],
        verdict=result.verdict,
        settled=result.value is not None,
        more=None if ends is None else MoreLabels(result.more_labels, *ends),
    )
