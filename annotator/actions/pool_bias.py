"""From a project to what its pool would have made of each system, had it not taken part."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from annotator.actions.scoring import board_data, board_of, load_labels, method, named_systems
from annotator.errors import UsageError
from annotator.results.pool_bias import PoolBias
from annotator.scoring.board import Board
from annotator.scoring.leave_one_out import alone, left_out
from annotator.scoring.options import ScoreOptions
from annotator.store import Project
from rubric import Measure, Summary

DEPTH = 10


def pool_bias(
    project: Project, measure: Measure, groups: Mapping[str, Sequence[str]] | None = None
) -> PoolBias:
    """Leave each system's own labels out, and each named group's, and score it again.

    Own are the labels of documents that no other system has in its first k (of all ranks where the
    measure has no cutoff: in its first 10).

    Raises
    ------
    UsageError
        If there are fewer than two systems, or a group names one that is not there, or all.
    """
    named_systems(project, [name for names in (groups or {}).values() for name in names])
    options = ScoreOptions(measures=(measure,))
    labels = load_labels(project, options)
    data, depth = board_data(project, options, labels), measure.k or DEPTH
    if len(data.systems) < 2:
        raise UsageError(f"only {data.systems[0]} is there; pool bias takes two systems or more")
    left: dict[str, list[int]] = {name: [at] for at, name in enumerate(data.systems)}
    for group, names in (groups or {}).items():
        left[group] = [data.systems.index(name) for name in names]
        if len(set(left[group])) == len(data.systems):
            raise UsageError(f"the group {group} holds every system; one must stay in the pool")
    board = board_of(data, project, options)
    whole = _summaries(board)
    rows = []
    for group, systems in left.items():
        kept = ~alone(data, systems, depth)
        without = replace(
            data,
            label_query=data.label_query[kept],
            label_document=data.label_document[kept],
            label_grade=data.label_grade[kept],
            label_by_eye=None if data.label_by_eye is None else data.label_by_eye[kept],
            label_foreign=None if data.label_foreign is None else data.label_foreign[kept],
        )
        scores = _summaries(board_of(without, project, options))
        removed = int((~kept).sum())
        rows += [left_out(group, system, removed, whole, scores) for system in systems]
    made = replace(method(project, options, labels), expected=board.basis)
    return PoolBias(made, str(measure), depth, board.unjudged, tuple(rows))


def _summaries(board: Board) -> list[tuple[str, Summary]]:
    board.estimate()
    return [(system.system, system.measures[0].summary) for system in board.table()]
