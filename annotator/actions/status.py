"""How far the judging of a project is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from statistics import median

from annotator.actions.scoring import load_board, of_earlier_text, weighted
from annotator.domain import IntArray, Mark, QueryProgress
from annotator.results.comparisons import Compared
from annotator.results.coverage import (
    AssessorProgress,
    Coverage,
    Covered,
    QueryCoverage,
    SystemCoverage,
)
from annotator.results.method import Basis
from annotator.results.scores import Neighbours
from annotator.scoring.board import Board
from annotator.scoring.neighbours import neighbours_of, ranking
from annotator.scoring.options import ScoreOptions
from annotator.scoring.paired_systems import compared
from annotator.store import Project
from rubric import Measure

LEAST_TIMED = 5
"""Fewer judgments than this give no pace."""
MEASURE = Measure("nDCG", 10)
"""What the leader is judged by."""
MOST_RANKINGS = 5_000
"""So many rankings at most are compared, so that the status stays a thing of a moment."""


def status(
    project: Project, cutoffs: Sequence[int] = (3, 10), as_of: datetime | None = None
) -> Coverage:
    """Count what is pooled, judged and missing, and how long the rest may take.

    With ``as_of`` by the labels and the rubric of then; the pool, and the pace, are those of now.
    The verdict on the leader and the runner-up is left out of large projects.
    """
    version = project.rubrics.active(as_of)
    labels = project.judgments.labels(project.rubrics.counted(as_of), as_of=as_of)
    judged = set(zip(labels.query.tolist(), labels.document.tolist(), strict=True))
    pooled = set(zip(*(column.tolist() for column in project.pool.pairs()), strict=True))
    progress = _progress(project, pooled, judged, as_of)
    sums = [sum(column) for column in zip(*(one[2:] for one in progress), strict=True)]
    board, systems_there = None, len(project.systems.all())
    small = systems_there * len(progress) <= MOST_RANKINGS
    if systems_there:
        depth = None if small else max(cutoffs, default=1)
        board = load_board(project, ScoreOptions(measures=(), as_of=as_of), labels, depth)
    systems, queries = _covered(board, cutoffs, progress)
    seconds = project.judgments.seconds()
    leader, basis, first_two = _leader(board) if board and small else (None, None, None)
    return Coverage(
        total=QueryProgress(0, "", *(sums or [0, 0, 0, 0])),
        depth=project.pool.depth(),
        rubric=f"{version.rubric.name} v{version.rubric.version}",
        assessors=tuple(labels.assessors),
        systems=systems,
        queries=queries,
        outside=len(judged - pooled),
        disputed=labels.disputed,
        outdated=labels.outdated,
        earlier_text=of_earlier_text(project, labels),
        without_text=project.documents.pooled_without_text(),
        pace=_pace(seconds),
        timed=len(seconds),
        leader=leader,
        basis=basis,
        first_two=first_two,
        people=_people(project, as_of),
        weights=weighted(project, ScoreOptions(as_of=as_of)).weighting_of(
            [one.qid for one in progress]
        ),
    )


def _people(project: Project, as_of: datetime | None) -> tuple[AssessorProgress, ...]:
    """How far everybody is with the whole pool now; nothing of an earlier time."""
    if as_of is not None:
        return ()
    versions = ",".join(map(str, sorted(project.rubrics.counted())))
    pooled, people = project.pool.size(), []
    for name, number in project.judgments.people().items():
        ((_, judged, later, cannot, *_),) = project.pool.said(number, versions, each_query=False)
        progress = QueryProgress(0, "", pooled, judged, later, cannot)
        pace = _pace(project.judgments.seconds(number))
        given = project.judgments.given_by(number, versions)
        people.append(AssessorProgress(name, given, progress, pace))
    return tuple(people)


def _pace(seconds: Sequence[float]) -> float | None:
    return median(seconds) if len(seconds) >= LEAST_TIMED else None


def _progress(
    project: Project,
    pooled: set[tuple[int, int]],
    judged: set[tuple[int, int]],
    as_of: datetime | None,
) -> list[QueryProgress]:
    """The progress of every query; a pair that anyone cannot judge counts as that."""
    marked: dict[tuple[int, int], Mark] = {}
    for query, document, mark in project.judgments.marks(as_of):
        if marked.get((query, document)) is not Mark.CANNOT:
            marked[query, document] = mark
    unjudged = pooled - judged
    in_pool = Counter(query for query, _ in pooled)
    done = Counter(query for query, _ in pooled & judged)
    aside = Counter((pair[0], mark) for pair, mark in marked.items() if pair in unjudged)
    return [
        QueryProgress(
            number,
            query.qid,
            pooled=in_pool[number],
            judged=done[number],
            later=aside[number, Mark.LATER],
            cannot=aside[number, Mark.CANNOT],
            labelled=done[number],
        )
        for number, query in project.queries.all().items()
    ]


def _covered(
    board: Board | None, cutoffs: Sequence[int], progress: list[QueryProgress]
) -> tuple[tuple[SystemCoverage, ...], tuple[QueryCoverage, ...]]:
    """Judged@k of each system over all queries, and of each query over all systems."""
    if board is None:
        return (), tuple(QueryCoverage(one, ()) for one in progress)
    counts = [(k, *board.coverage(k)) for k in dict.fromkeys(cutoffs)]

    def at(axis: int, place: int) -> tuple[Covered, ...]:
        def total(table: IntArray) -> int:
            return int(table.take(place, axis).sum())

        return tuple(Covered(k, total(judged), total(places)) for k, judged, places in counts)

    return (
        tuple(SystemCoverage(name, at(0, place)) for place, name in enumerate(board.systems)),
        tuple(QueryCoverage(one, at(1, place)) for place, one in enumerate(progress)),
    )


def _leader(board: Board) -> tuple[Neighbours | None, Basis | None, Compared | None]:
    """What holds of the two systems that are expected to be the best; what that rests on; both."""
    board.measure_by((MEASURE,))
    board.estimate()
    if len(board.systems) < 2:
        return None, board.basis, None
    first, second, *_ = ranking([system.measures[0] for system in board.table()])
    one = compared(board, first, second, MEASURE, seed=0)
    found = neighbours_of(board, first, second, one.result)
    return found, board.basis, None if found is None else one


def new_systems(project: Project, found: Coverage) -> list[tuple[str, int]]:
    """Systems that took no part in the pool, and how many of their first documents are not judged.

    The first are those down to the deepest cutoff of the coverage.
    """
    pooled = {name for making in project.pool.makings() for name in making.systems}
    if not pooled:
        return []
    deepest = [(one.system, max(one.at, key=lambda at: at.k)) for one in found.systems if one.at]
    return [(name, at.places - at.judged) for name, at in deepest if name not in pooled]
