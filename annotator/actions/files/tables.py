"""One query explained, ceilings and companions of run files, without a project."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from annotator.actions.catalogs import DeclaredCatalog
from annotator.actions.files.boards import Files
from annotator.actions.files.scores import method_of, read
from annotator.actions.files.texts import document_texts, query_texts
from annotator.formats import Hints
from annotator.results.ceilings import CeilingTable
from annotator.results.companions import CompanionTable
from annotator.results.explanations import Explained, ExplanationTable
from annotator.results.moves import MoveTable
from annotator.scoring.contributions import check, check_query, explained, title_of
from annotator.scoring.moves import in_first, moved
from annotator.scoring.near_duplicates import Catalog, count_companions
from annotator.scoring.options import ScoreOptions, Ties
from annotator.scoring.reranking import ceilings, check_ceiling
from rubric import Rubric


def explain_files(
    qrels: Path,
    runs: Sequence[tuple[str, Path]],
    options: ScoreOptions,
    rubric: Rubric | None = None,
    hints: Hints | None = None,
    *,
    qid: str,
    queries: Path | None = None,
    documents: Path | None = None,
) -> tuple[ExplanationTable, list[str]]:
    """Explain the scores of the run files for one query.

    Pool, labels and oddities are as in :func:`score_files`, and so is what is raised; also
    UsageError if the query is not in the qrels, or ties are to be averaged.
    """
    files = read(qrels, runs, options, rubric, hints, named=True)
    check(qid, files.grades.qids, options)
    told: list[Explained] = []
    for one in options.by_order():
        board = files.board(one)
        shown = [
            number
            for number in np.unique(board.ranked(qid)[1][:, : one.deepest]).tolist()
            if number
        ]
        titles = _titles(files, documents, shown)
        told += explained(board, qid, range(len(board.systems)), files.named, titles)
    text = query_texts(queries, files.grades.qids).get(qid, "")
    made = method_of(files, options, rubric, None)
    return ExplanationTable(made, qid, text, tuple(told)), files.notes


def moves_of_files(
    qrels: Path,
    runs: Sequence[tuple[str, Path]],
    options: ScoreOptions,
    rubric: Rubric | None = None,
    hints: Hints | None = None,
    *,
    qid: str,
    k: int,
    queries: Path | None = None,
    documents: Path | None = None,
) -> tuple[MoveTable, list[str]]:
    """What the second of two run files moves, beside the first, for one query.

    Labels and oddities are as in :func:`score_files`, and so is what is raised; also UsageError if
    the query is not in the qrels.
    """
    files = read(qrels, runs, options, rubric, hints, named=True)
    check_query(qid, files.grades.qids)
    board = files.board(replace(options, measures=(), ties=Ties.DISPLAYED))
    first, second = board.systems
    shown = sorted(in_first(board, qid, (first, second), k))
    text = query_texts(queries, files.grades.qids).get(qid, "")
    titles = _titles(files, documents, shown)
    return moved(board, qid, (first, second), k, files.named, titles, text), files.notes


def _titles(files: Files, documents: Path | None, shown: Sequence[int]) -> dict[int, str]:
    """What documents are called, as far as a file says it."""
    names = files.named(shown)
    found = document_texts(documents, names.values())
    return {
        number: title_of(found[name].title, found[name].text or "")
        for number, name in names.items()
        if name in found
    }


def ceiling_files(
    qrels: Path,
    runs: Sequence[tuple[str, Path]],
    options: ScoreOptions,
    rubric: Rubric | None = None,
    hints: Hints | None = None,
    *,
    n: int,
) -> tuple[CeilingTable, list[str]]:
    """Split what each run file lost: by retrieval, by ranking its first ``n`` candidates.

    Pool, labels and oddities are as in :func:`score_files`, and so is what is raised; also
    UsageError if a measure is no nDCG with a cutoff up to ``n``.
    """
    check_ceiling(options, n)
    files = read(qrels, runs, options, rubric, hints)
    made = method_of(files, options, rubric, None)
    return ceilings(files.board(options), n, made), files.notes


def companions_of_files(
    qrels: Path,
    runs: Sequence[tuple[str, Path]],
    options: ScoreOptions,
    rubric: Rubric | None = None,
    hints: Hints | None = None,
    *,
    cutoffs: Sequence[int],
    declared: DeclaredCatalog | None,
    documents: Path | None = None,
) -> tuple[CompanionTable, list[str]]:
    """Count near-duplicates and distinct documents in the top k of run files.

    What is raised is as in :func:`score_files`; also UsageError if the catalog is too small.
    """
    files = read(qrels, runs, options, rubric, hints, named=True)
    ranked = files.ranked(options.ties)[0][:, :, : max(cutoffs)]
    names = ["", *files.grades.documents.names()]
    known = Catalog(len(names) - 1, "every document that the files name")
    catalog = known if declared is None else declared.of(names)
    shown = [names[number] for number in np.unique(ranked).tolist() if number]
    found = document_texts(documents, shown)

    def texts_of(numbers: Sequence[int]) -> Iterator[tuple[int, str, str]]:
        for number in numbers:
            if (document := found.get(names[number])) is not None:
                yield number, document.title, document.text or ""

    table = count_companions(ranked, list(files.runs), cutoffs, catalog, texts_of)
    return table, files.notes
