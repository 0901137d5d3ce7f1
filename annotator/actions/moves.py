"""From a project to two rankings of a query side by side."""

from __future__ import annotations

from collections.abc import Sequence

from annotator.actions.comparisons import check_two
from annotator.actions.scoring import load_board, named_systems
from annotator.results.moves import MoveTable
from annotator.scoring.contributions import check_query, title_of
from annotator.scoring.moves import in_first, moved
from annotator.scoring.options import ScoreOptions
from annotator.store import Project


def moves_of(
    project: Project, systems: tuple[str, str], qids: Sequence[str], options: ScoreOptions, k: int
) -> list[MoveTable]:
    """What the second of two systems moves, beside the first, for each of some queries.

    The labels are those that the options choose; the order is the one that was displayed.

    Raises
    ------
    UsageError
        If a query or a system is not there, or both systems are one.
    """
    named_systems(project, systems)
    check_two(*systems)
    texts = {query.qid: query.text for query in project.queries.all().values()}
    for qid in qids:
        check_query(qid, list(texts))
    own = ScoreOptions(
        measures=(), systems=systems, assessors=options.assessors, as_of=options.as_of
    )
    board, documents = load_board(project, own), project.documents
    tables = []
    for qid in qids:
        shown = sorted(in_first(board, qid, systems, k))
        titles = {number: title_of(title, text) for number, title, text in documents.texts(shown)}
        tables.append(moved(board, qid, systems, k, documents.named, titles, texts[qid]))
    return tables
