"""From a project to one query's scores, explained rank by rank."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import replace

from annotator.actions.scoring import load_board, load_labels, method, named_systems
from annotator.errors import UsageError
from annotator.scoring.board import Board
from annotator.scoring.explanations import Explained, ExplanationTable, Names, explained
from annotator.scoring.options import ScoreOptions, Ties
from annotator.store import Project

BEGINNING = 200
"""Characters of a text that stand for a title where there is none."""


def explain_query(project: Project, qid: str, options: ScoreOptions) -> ExplanationTable:
    """Explain the scores that the systems asked for have for one query.

    Raises
    ------
    UsageError
        If the query or a system is not there, or ties are to be averaged.
    """
    named = list(named_systems(project, options.systems))
    texts = {query.qid: query.text for query in project.queries.all().values()}
    check(qid, list(texts), options)
    everybody = replace(options, systems=None)  # so that the same documents count as in its scores
    labels = load_labels(project, options)

    def titles(numbers: Sequence[int]) -> Mapping[int, str]:
        return {
            number: title.strip() or text.strip()[:BEGINNING]
            for number, title, text in project.documents.texts(numbers)
        }

    told: list[Explained] = []
    for one in everybody.by_order():
        board = load_board(project, one, labels)
        told += explained_by_name(board, qid, named, project.documents.named, titles)
    return ExplanationTable(method(project, options, labels), qid, texts[qid], tuple(told))


def check(qid: str, known: Sequence[str], options: ScoreOptions) -> None:
    """Refuse what cannot be explained.

    Raises
    ------
    UsageError
        If the query is not known, or ties are to be averaged.
    """
    if qid not in known:
        close = difflib.get_close_matches(qid, known, n=1, cutoff=0.5)
        hint = f"; did you mean {close[0]}?" if close else ""
        raise UsageError(f"no query {qid}{hint}")
    if any(one.ties is Ties.AVERAGE for one in options.by_order()):
        raise UsageError("--explain is of one order, not of the average over many: name another "
                         "--ties")  # fmt: skip


def explained_by_name(
    board: Board, qid: str, systems: Sequence[str], names: Names, titles: Names
) -> tuple[Explained, ...]:
    """Explain the scores of systems by their names."""
    return explained(board, qid, [board.systems.index(one) for one in systems], names, titles)
