"""Run files and qrels as a scoreboard: every document by a number, without a project."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from annotator.actions.found import some
from annotator.counted import counted
from annotator.errors import InputError
from annotator.formats import read_qrels
from annotator.formats.problems import Problems
from annotator.formats.source import Source
from annotator.judged import (
    JudgedPairs,
    JudgedRun,
    Order,
    read_judged_pairs,
    read_judged_runs,
)
from annotator.judged.averaged import read_tied_run
from annotator.ordering import OrderRule
from annotator.records import Int32Array, IntArray
from annotator.scoring.board import Board
from annotator.scoring.options import MissingQueries, ScoreOptions, Ties
from annotator.scoring.pairs import BoardData
from rubric import EMPTY, UNPOOLED, Rubric, Rules
from rubric.pooled_ranks import DEEPEST

Scalar = TypeVar("Scalar", bound=np.generic)

ORDERS: dict[Ties, Order] = {
    Ties.DISPLAYED: "displayed",
    Ties.SCORE: "score",
    Ties.TREC: "trec",
}


@dataclass(frozen=True, eq=False)
class Judgments:
    """A qrels file, and what its grades mean."""

    name: str
    pairs: JudgedPairs
    top: int
    rules: Rules

    def oddities(self) -> list[str]:
        """What a reader of the scores should know of the qrels."""
        negative = int(self.pairs.unjudged().sum())
        some_are = "pair with a grade below 0 is", "pairs with a grade below 0 are"
        said = f"{self.name}: {counted(negative, *some_are)} pooled and not judged"
        return [said] * bool(negative)


def read_judgments(path: Path, options: ScoreOptions, rubric: Rubric | None) -> Judgments:
    """Read a qrels file.

    Without a rubric the scale reaches to the highest grade of the qrels or of what is asked for.

    Raises
    ------
    InputError
        If it is bad, or has a grade outside the rubric.
    """
    source = Source(path)
    problems = Problems(source.name)
    pairs = read_judged_pairs(source, problems)
    highest = int(pairs.grade.max(initial=1))
    asked = [one.rel or 1 for one in options.measures]
    top = rubric.top if rubric else max(highest, options.threshold or 1, *asked)
    if highest > top:
        for row in read_qrels(source, problems):
            if row.grade > top:
                problems.add(row.line, f"grade {row.grade} is outside the rubric (0 to {top})")
    problems.raise_if_any("qrels")
    return Judgments(source.name, pairs, top, options.rules(rubric))


def board_of_files(
    runs: Sequence[tuple[str, Path]], judgments: Judgments, options: ScoreOptions
) -> tuple[Board, list[str]]:
    """The runs on a scoreboard with expected values, and what is odd about their files.

    Raises
    ------
    InputError
        If a file is bad, or has no query in common with the qrels.
    """
    sources, said, read, ties = [Source(path) for _, path in runs], [], [], []
    for source, (run, tied) in zip(sources, _read(sources, judgments, options.ties), strict=True):
        said += _oddities(source, run, judgments)
        read.append(run)
        ties.append(tied)
    pairs = judgments.pairs
    judged, row = pairs.grade >= 0, np.arange(len(pairs.grade), dtype=np.int32) + 1
    data = BoardData(
        queries=np.arange(len(pairs.qids)),
        qids=pairs.qids,
        systems=[name for name, _ in runs],
        documents=_documents(read, pairs, _depth(options)),
        tied=_stacked(ties, fill=None) if options.ties is Ties.AVERAGE else None,
        pooled_query=pairs.query.astype(np.int32),
        pooled_document=row,
        label_query=pairs.query[judged].astype(np.int32),
        label_document=row[judged],
        label_grade=pairs.grade[judged].astype(np.int32),
        top=judgments.top,
    )
    counts = options.missing_queries is MissingQueries.ZERO
    board = Board(data, options.measures, judgments.rules, count_missing=counts)
    board.estimate()
    return board, said


def _depth(options: ScoreOptions) -> int | None:
    """How far down an unjudged document can count; None: to the end."""
    if any(measure.k is None for measure in options.measures):
        return None
    return max(DEEPEST, *(measure.k or 0 for measure in options.measures))


def _documents(runs: Sequence[JudgedRun], pairs: JudgedPairs, depth: int | None) -> Int32Array:
    """A number for each document at each rank, 0 where there is none: shape (S, Q, ranks).

    Those in the qrels have the place of their pair, from 1; others come after these, and down to
    ``depth`` have one number in all runs.
    """
    keys = _stacked([run.keys for run in runs if run.keys is not None], fill=0)
    grades = _stacked([run.grades for run in runs], fill=EMPTY)
    numbers = np.zeros(keys.shape, dtype=np.int32)
    pooled = (grades != EMPTY) & (grades != UNPOOLED)
    numbers[pooled] = keys[pooled] + np.uint64(1)
    top = grades == UNPOOLED
    below = top.copy()
    below[:, :, :depth] = False
    top &= ~below
    different, each = np.unique(keys[top], return_inverse=True)
    numbers[top] = len(pairs.keys) + 1 + each
    numbers[below] = len(pairs.keys) + len(different) + 1 + np.arange(np.count_nonzero(below))
    return numbers


def _stacked(tables: Sequence[npt.NDArray[Scalar]], fill: int | None) -> npt.NDArray[Scalar]:
    """Tables of one height beside each other, filled up with a number, or with the column's."""
    width = max(1, *(table.shape[1] for table in tables))
    shape = len(tables), len(tables[0]), width
    stacked = np.empty(shape, dtype=tables[0].dtype)
    stacked[:] = np.arange(width) if fill is None else fill
    for one, table in zip(stacked, tables, strict=True):
        one[:, : table.shape[1]] = table
    return stacked


def _read(
    sources: Sequence[Source], judgments: Judgments, ties: Ties
) -> Iterator[tuple[JudgedRun, IntArray]]:
    """Each run as the grades of its documents, and where ties begin if they are averaged."""
    pairs, untied = judgments.pairs, np.zeros((0, 0), dtype=np.int64)
    if ties is not Ties.AVERAGE:
        order = ORDERS[ties]
        for run, problems in read_judged_runs(sources, pairs, order=order, keyed=True):
            problems.raise_if_any("a run")
            yield run, untied
        return
    for source in sources:
        problems = Problems(source.name)
        run, tied = read_tied_run(source, pairs, problems)
        problems.raise_if_any("a run")
        yield run, tied


def _oddities(source: Source, run: JudgedRun, judgments: Judgments) -> list[str]:
    """What a reader of the scores should know of the run.

    Raises
    ------
    InputError
        If it has no query in common with the qrels.
    """
    qids = judgments.pairs.qids
    if not run.retrieved.any():
        raise InputError(
            f"{source.name}: none of its queries ({some(list(run.unknown), 3)}) is in "
            f"{judgments.name} ({some(qids, 3)}); are these the ids of another query set?"
        )
    said = []
    if run.unknown:
        unknown = counted(len(run.unknown), "query is", "queries are")
        said.append(f"{unknown} not in the qrels: {some(list(run.unknown))}")
    if missing := int(np.sum(run.retrieved == 0)):
        has = "query of the qrels has", "queries of the qrels have"
        said.append(f"{counted(missing, *has)} no results")
    if run.counts.duplicates:
        twice = counted(run.counts.duplicates, "document")
        said.append(f"{twice} came twice in a ranking; the first stays")
    if run.order_rule is OrderRule.SCORE:
        said.append("the rank column says nothing, so score decides the displayed order")
    return [f"{source.name}: {one}" for one in said]
