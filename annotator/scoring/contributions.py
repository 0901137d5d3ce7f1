"""What each rank of a query adds to a score, and what the ideal ranking has there."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from annotator.domain import FloatArray
from annotator.errors import UsageError
from annotator.results.explanations import Explained, Place
from annotator.scoring.board import Board
from annotator.scoring.options import ScoreOptions, Ties
from rubric import Explanation, Measure, best_ranking, explain

BEGINNING = 200
"""Characters of a text that stand for a title where there is none."""

Names = Callable[[Sequence[int]], Mapping[int, str]]
"""The names of documents by their numbers."""


def check_query(qid: str, known: Sequence[str]) -> None:
    """Refuse a query that is not there.

    Raises
    ------
    UsageError
        With the nearest that is.
    """
    if qid not in known:
        close = difflib.get_close_matches(qid, known, n=1, cutoff=0.5)
        hint = f"; did you mean {close[0]}?" if close else ""
        raise UsageError(f"no query {qid}{hint}")


def check(qid: str, known: Sequence[str], options: ScoreOptions) -> None:
    """Refuse what cannot be explained.

    Raises
    ------
    UsageError
        If the query is not known, or ties are to be averaged.
    """
    check_query(qid, known)
    if any(one.ties is Ties.AVERAGE for one in options.by_order()):
        raise UsageError("--explain is of one order, not of the average over many: name another "
                         "--ties")  # fmt: skip


def title_of(title: str, text: str) -> str:
    """What a document is called: its title, or how its text begins."""
    return title.strip() or text.strip()[:BEGINNING]


def explained(
    board: Board, qid: str, systems: Sequence[int], names: Names, titles: Mapping[int, str]
) -> tuple[Explained, ...]:
    """Explain the scores of some systems of a board for one query, on each measure.

    ``titles`` are those of the documents, as far as there are any.
    """
    row = board.qids.index(qid)
    _, documents, _ = board.ranked(qid)
    judged = dict(zip(*(part.tolist() for part in board.judged_of(row)), strict=True))
    told = []
    for measure in board.measures:
        for system in systems:
            ranked = documents[system][documents[system] > 0].tolist()
            told.append(_explained(board, system, measure, row, ranked, judged, names, titles))
    return tuple(told)


def _explained(
    board: Board,
    system: int,
    measure: Measure,
    row: int,
    ranked: list[int],
    judged: Mapping[int, int],
    names: Names,
    titles: Mapping[int, str],
) -> Explained:
    ranking = board.ranking(system, measure, row)
    own = explain(measure, ranking, board.rules)
    best = explain(measure, best_ranking(ranking), board.rules)
    rank_of = {document: rank for rank, document in enumerate(ranked, start=1)}
    ideal = _ideal_order(judged, rank_of, names)
    shown = max(_last(own), _last(best)) if measure.k is None else len(own.gain)
    shown = max(shown, _last(best))
    places = _places(own, best, shown, (ranked, ideal, judged, rank_of), names, titles)
    scores = board.scores(system, measure)
    below = ranked[shown : len(own.gain)]
    return Explained(
        board.systems[system],
        str(measure),
        value=_number(scores.value, row),
        lower=_number(scores.lower, row),
        upper=_number(scores.upper, row),
        zero_filled=_number(scores.zero_filled, row),
        norm=own.norm,
        best=best.score,
        places=places,
        left_out=len(below),
        left_out_unjudged=sum(document not in judged for document in below),
    )


def _ideal_order(judged: Mapping[int, int], rank_of: Mapping[int, int], names: Names) -> list[int]:
    """The judged documents by falling grade; of equal ones those first that the system has first.

    Those that it does not have at all come in the order of their names.
    """
    named = names(list(judged))

    def order(document: int) -> tuple[int, float, str]:
        return -judged[document], rank_of.get(document, float("inf")), named[document]

    return sorted(judged, key=order)


def _last(one: Explanation) -> int:
    """The last rank that adds anything."""
    return int(np.max(np.flatnonzero(one.share) + 1, initial=0))


def _places(
    own: Explanation,
    best: Explanation,
    shown: int,
    found: tuple[list[int], list[int], Mapping[int, int], Mapping[int, int]],
    names: Names,
    titles: Mapping[int, str],
) -> tuple[Place, ...]:
    ranked, ideal, judged, rank_of = found
    named = names([*ranked[:shown], *ideal[:shown]])
    places = []
    for at in range(shown):
        here = ranked[at] if at < len(own.gain) else None
        there = ideal[at] if _at(best.share, at) else None
        share = _at(own.share, at)
        open_ = here is not None and here not in judged
        places.append(
            Place(
                rank=at + 1,
                document=None if here is None else named[here],
                title="" if here is None else titles.get(here, ""),
                grade=None if here is None else judged.get(here),
                gain=_at(own.gain, at),
                weight=_at(own.weight, at),
                contribution=_at(own.contribution, at),
                share=share,
                could_change=(_at(own.least, at), _at(own.most, at)) if open_ else None,
                ideal=None if there is None else named[there],
                ideal_grade=None if there is None else judged[there],
                ideal_rank=None if there is None else rank_of.get(there),
                lost=_at(best.share, at) - share,
            )
        )
    return tuple(places)


def _number(numbers: FloatArray, row: int) -> float | None:
    return None if np.isnan(numbers[row]) else float(numbers[row])


def _at(numbers: FloatArray, at: int) -> float:
    return float(numbers[at]) if at < len(numbers) else 0.0
