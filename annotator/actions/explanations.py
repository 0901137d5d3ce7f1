"""From a project to one query's scores, explained rank by rank."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from annotator.actions.scoring import load_board, load_labels, method, named_systems
from annotator.results.explanations import Explained, ExplanationTable
from annotator.scoring.contributions import check, explained, title_of
from annotator.scoring.options import ScoreOptions
from annotator.store import Project


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
    told: list[Explained] = []
    for one in everybody.by_order():
        board = load_board(project, one, labels)
        shown = np.unique(board.ranked(qid)[1][:, : one.deepest]).tolist()
        titles = {
            number: title_of(title, text) for number, title, text in project.documents.texts(shown)
        }
        chosen = [board.systems.index(name) for name in named]
        told += explained(board, qid, chosen, project.documents.named, titles)
    return ExplanationTable(method(project, options, labels), qid, texts[qid], tuple(told))
