"""What is where in two rankings of one query."""

from __future__ import annotations

from collections.abc import Mapping

from annotator import __version__
from annotator.results.moves import Move, MoveTable
from annotator.scoring.board import Board
from annotator.scoring.contributions import Names


def in_first(board: Board, qid: str, systems: tuple[str, str], k: int) -> list[int]:
    """The numbers of the documents that either system has in its first ``k``."""
    _, documents, _ = board.ranked(qid)
    tops = [documents[board.systems.index(name)][:k].tolist() for name in reversed(systems)]
    return [one for one in dict.fromkeys(tops[0] + tops[1]) if one]


def moved(
    board: Board,
    qid: str,
    systems: tuple[str, str],
    k: int,
    names: Names,
    titles: Mapping[int, str],
    text: str = "",
) -> MoveTable:
    """Compare what two systems of a board return for a query.

    ``names`` gives the ids of documents by their numbers, ``titles`` what is known to show of them.
    """
    _, documents, grades = board.ranked(qid)
    rank: list[dict[int, int]] = []
    grade: dict[int, int] = {}
    for name in systems:
        at = board.systems.index(name)
        own = [number for number in documents[at].tolist() if number]
        rank.append({number: place for place, number in enumerate(own, start=1)})
        grade |= dict(zip(own, grades[at].tolist(), strict=False))
    shown = in_first(board, qid, systems, k)
    ids = names(shown)
    moves = tuple(
        Move(
            document=ids[number],
            title=titles.get(number, ""),
            grade=grade[number] if grade[number] >= 0 else None,
            first=rank[0].get(number),
            second=rank[1].get(number),
        )
        for number in shown
    )
    return MoveTable(qid, text, *systems, k, moves, f"annotator {__version__}")
