"""From a project to its scoreboard."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from annotator import __version__
from annotator.errors import UsageError
from annotator.ordering import trec_order
from annotator.records import Int32Array, IntArray
from annotator.scoring.board import Board
from annotator.scoring.options import MissingQueries, ScoreOptions, Ties
from annotator.scoring.pairs import BoardData
from annotator.scoring.table import Method, ScoreTable
from annotator.store import Labels, Project, Ranking


def score(project: Project, options: ScoreOptions) -> ScoreTable:
    """Score the systems on the labels there are.

    Raises
    ------
    UsageError
        If there is no system or query, or a named system or assessor is not there.
    """
    labels = load_labels(project, options)
    board = load_board(project, options, labels)
    return ScoreTable(method(project, options, labels), board.table())


def load_labels(project: Project, options: ScoreOptions) -> Labels:
    """The labels that count under the rubric in force, of the assessors asked for."""
    numbers = assessor_numbers(project, options.assessors)
    return project.judgments.labels(project.rubrics.counted(), numbers)


def assessor_numbers(project: Project, names: Sequence[str] | None) -> list[int] | None:
    """The numbers of the named assessors, None where none are named.

    Raises
    ------
    UsageError
        If one is not in the project.
    """
    if names is None:
        return None
    known = project.judgments.assessors()
    if unknown := [name for name in names if name not in known]:
        raise UsageError(
            f"no assessor {', '.join(unknown)} in the project; there are: "
            f"{', '.join(known) or 'none yet'}"
        )
    return [known[name] for name in names]


def load_board(project: Project, options: ScoreOptions, labels: Labels | None = None) -> Board:
    """Load rankings, pool and labels into a scoreboard that can be kept up to date."""
    labels = labels or load_labels(project, options)
    rubric = project.rubrics.active().rubric
    systems = {system.name: system.id for system in project.systems.all()}
    names = list(systems) if options.systems is None else list(options.systems)
    if not systems:
        raise UsageError("no systems to score yet; run `annotator import run FILE`")
    if unknown := [name for name in names if name not in systems]:
        raise UsageError(
            f"no system {', '.join(unknown)} in the project; there are: {', '.join(systems)}"
        )
    queries = project.queries.all()
    numbers = np.array(list(queries), dtype=np.int64)
    places = _id_places(project) if options.ties is Ties.TREC else None
    pooled_query, pooled_document = project.pool.pairs()
    data = BoardData(
        queries=numbers,
        qids=[query.qid for query in queries.values()],
        systems=names,
        documents=_stack(
            [_matrix(project.systems.rankings(systems[name]), numbers, places) for name in names]
        ),
        pooled_query=pooled_query,
        pooled_document=pooled_document,
        label_query=labels.query,
        label_document=labels.document,
        label_grade=labels.grade,
        top=rubric.top,
    )
    return Board(
        data,
        options.measures,
        options.rules(rubric),
        count_missing=options.missing_queries is MissingQueries.ZERO,
    )


def method(project: Project, options: ScoreOptions, labels: Labels) -> Method:
    """Everything that defines the numbers."""
    version = project.rubrics.active()
    rules = options.rules(version.rubric)
    makings = project.pool.makings()
    pooled = set(zip(*(column.tolist() for column in project.pool.pairs()), strict=True))
    judged = set(zip(labels.query.tolist(), labels.document.tolist(), strict=True))
    return Method(
        k=tuple(dict.fromkeys(one.k for one in options.measures if one.k is not None)),
        gain=str(rules.gain),
        threshold=rules.threshold,
        ties=options.ties,
        empty_ideal=options.empty_ideal,
        missing_queries=options.missing_queries,
        rubric={
            "name": version.rubric.name,
            "version": version.rubric.version,
            "fingerprint": version.fingerprint,
        },
        pool={
            "method": makings[0].method if makings else None,
            "depth": max((making.depth for making in makings), default=None),
            "systems": list(dict.fromkeys(name for one in makings for name in one.systems)),
        },
        assessors=tuple(labels.assessors),
        disagreements="the latest label holds",
        disputed=labels.disputed,
        outdated=labels.outdated,
        judged_pairs=len(judged),
        pooled_pairs=len(pooled),
        pooled_judged=len(pooled & judged),
        tool=f"annotator {__version__}",
    )


def _id_places(project: Project) -> IntArray:
    """Each document number's place in the order of ids by their bytes."""
    ordered = np.array([0, *project.documents.in_id_order()], dtype=np.int64)
    places = np.empty(ordered.max(initial=0) + 1, dtype=np.int64)
    places[ordered] = np.arange(len(ordered))
    return places


def _matrix(
    rankings: Iterable[Ranking], queries: IntArray, id_places: IntArray | None
) -> Int32Array:
    """One system's documents: shape (Q, its depth), 0 where there is none."""
    rankings = list(rankings)
    depth = max((len(ranking.documents) for ranking in rankings), default=1)
    matrix = np.zeros((len(queries), depth), dtype=np.int32)
    for ranking in rankings:
        documents = ranking.documents
        if id_places is not None:
            documents = documents[trec_order(ranking.scores, id_places[documents])]
        matrix[np.searchsorted(queries, ranking.query), : len(documents)] = documents
    return matrix


def _stack(matrices: list[Int32Array]) -> Int32Array:
    depth = max(matrix.shape[1] for matrix in matrices)
    stacked = np.zeros((len(matrices), len(matrices[0]), depth), dtype=np.int32)
    for row, matrix in zip(stacked, matrices, strict=True):
        row[:, : matrix.shape[1]] = matrix
    return stacked
