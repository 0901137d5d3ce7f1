"""What the labels say of every two systems that follow each other on a scoreboard."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from annotator.scoring.board import Board
from annotator.scoring.table import MeasureScore, Neighbours, SystemScore
from rubric import Verdict

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
    found = []
    for at, measure in enumerate(board.measures):
        places = [board.systems.index(system.system) for system in table]
        ranked = [places[one] for one in ranking([system.measures[at] for system in table])]
        for pair in list(pairwise(ranked))[:most]:
            one = board.compare(*pair, measure, tests=False)
            if one.verdict is Verdict.OPEN and one.better is None:
                continue
            first, second = pair if (one.estimate or 0.0) >= 0 else pair[::-1]
            found.append(
                Neighbours(
                    measure=str(measure),
                    first=board.systems[first],
                    second=board.systems[second],
                    verdict=one.verdict,
                    settled=one.value is not None,
                    more_labels=one.more_labels,
                    more_range=one.more_range,
                )
            )
    return tuple(found)
