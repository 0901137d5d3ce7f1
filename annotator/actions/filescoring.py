"""Scores and comparisons of run files against qrels, without a project."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path

from annotator import __version__
from annotator.actions.fileboards import Judgments, board_of_files, read_judgments
from annotator.scoring.comparisons import ComparisonTable, adjusted, compared
from annotator.scoring.method import Basis, Method
from annotator.scoring.neighbours import neighbours
from annotator.scoring.options import ScoreOptions
from annotator.scoring.table import ScoreTable, joined
from rubric import Rubric

ASSUMED = "taken as of pooled documents, none picked by eye"


def score_files(
    qrels: Path,
    runs: Sequence[tuple[str, Path]],
    options: ScoreOptions,
    rubric: Rubric | None = None,
) -> tuple[ScoreTable, list[str]]:
    """Score named run files against a qrels file.

    Without a rubric grades go up to the highest in the qrels, gain is exponential and relevance
    begins at grade 1, unless the options say otherwise. The pool is what the qrels hold, negative
    grades among it as unjudged; bounds are over these and every run's top k. What is expected rests
    on the assumption that the labels are of pooled documents, none of which was picked by eye.

    Returns
    -------
    The scoreboard, and a sentence for each oddity of the files.

    Raises
    ------
    InputError
        If a file is bad, a grade outside the rubric, or a run shares no query with the qrels.
    """
    judgments = read_judgments(qrels, options, rubric)
    said, tables = judgments.oddities(), []
    for one in options.by_order():
        board, oddities = board_of_files(runs, judgments, one)
        systems = board.table()
        made = _method(judgments, one, rubric, board.basis)
        tables.append(ScoreTable(made, systems, neighbours(board, systems)))
        said += [oddity for oddity in oddities if oddity not in said]
    return joined(tables, [str(measure) for measure in options.measures]), said


def compare_files(
    qrels: Path,
    runs: Sequence[tuple[str, Path]],
    options: ScoreOptions,
    rubric: Rubric | None = None,
    *,
    seed: int = 0,
) -> tuple[ComparisonTable, list[str]]:
    """Compare every two of the run files on each measure, p values adjusted if there are more.

    Pool, labels and oddities are as in :func:`score_files`, and so is what is raised.
    """
    judgments = read_judgments(qrels, options, rubric)
    board, said = board_of_files(runs, judgments, options)
    pairs = [
        compared(board, one, two, measure, seed=seed)
        for measure in options.measures
        for one, two in combinations(range(len(board.systems)), 2)
    ]
    made = _method(judgments, options, rubric, board.basis)
    every = adjusted(pairs) if len(board.systems) > 2 else tuple(pairs)
    return ComparisonTable(made, seed, every), judgments.oddities() + said


def _method(
    judgments: Judgments, options: ScoreOptions, rubric: Rubric | None, basis: Basis | None
) -> Method:
    judged = int((judgments.pairs.grade >= 0).sum())
    return Method(
        k=tuple(dict.fromkeys(one.k for one in options.measures if one.k is not None)),
        gain=str(judgments.rules.gain),
        threshold=judgments.rules.threshold,
        ties=options.ties,
        empty_ideal=options.empty_ideal,
        missing_queries=options.missing_queries,
        rubric={
            "name": rubric.name if rubric else f"none, grades 0 to {judgments.top} of the qrels",
            "version": rubric.version if rubric else None,
            "fingerprint": rubric.fingerprint if rubric else None,
        },
        pool={"method": "qrels", "depth": None, "systems": []},
        assessors=(judgments.name,),
        disagreements="none: one grade a pair",
        disputed=0,
        outdated=0,
        judged_pairs=judged,
        pooled_pairs=len(judgments.pairs.grade),
        pooled_judged=judged,
        tool=f"annotator {__version__}",
        ideal=options.ideal,
        unjudged="flagged; bounds over every grading of the unjudged rows of the qrels and of "
        "every run's top k",
        expected=None if basis is None else replace(basis, assumed=ASSUMED),
    )
