"""Qrels and run files to a scoreboard, without a project."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from annotator import __version__
from annotator.actions.found import some
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
from annotator.scoring.measured import measured
from annotator.scoring.method import Method
from annotator.scoring.options import MissingQueries, ScoreOptions, Ties
from annotator.scoring.table import MeasureScore, ScoreTable, SystemScore, joined
from rubric import UNPOOLED, JudgedRankings, Measure, Rubric, Rules, evaluate

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


def score_files(
    qrels: Path,
    runs: Sequence[tuple[str, Path]],
    options: ScoreOptions,
    rubric: Rubric | None = None,
) -> tuple[ScoreTable, list[str]]:
    """Score named run files against a qrels file.

    Without a rubric grades go up to the highest in the qrels, gain is exponential and relevance
    begins at grade 1, unless the options say otherwise. The pool is what the qrels hold, negative
    grades among it as unjudged; bounds are over these and each run's own top k.

    Returns
    -------
    The scoreboard, and a sentence for each oddity of the files.

    Raises
    ------
    InputError
        If a file is bad, a grade outside the rubric, or a run shares no query with the qrels.
    """
    judgments = _judgments(qrels, options, rubric)
    said, tables = _oddities_of_qrels(judgments), []
    for one in options.by_order():
        systems, oddities = _systems(runs, judgments, one)
        tables.append(ScoreTable(_method(judgments, one, rubric), tuple(systems)))
        said += [oddity for oddity in oddities if oddity not in said]
    return joined(tables, [str(measure) for measure in options.measures]), said


def _systems(
    runs: Sequence[tuple[str, Path]], judgments: Judgments, options: ScoreOptions
) -> tuple[list[SystemScore], list[str]]:
    systems, said = [], []
    sources = [Source(path) for _, path in runs]
    for (name, _), source, (run, rankings) in zip(
        runs, sources, _read(sources, judgments, options.ties), strict=True
    ):
        said += _oddities(source, run, judgments)
        scores = (_score(one, run, rankings, judgments, options) for one in options.measures)
        systems.append(SystemScore(name, tuple(scores)))
    return systems, said


def _judgments(path: Path, options: ScoreOptions, rubric: Rubric | None) -> Judgments:
    source = Source(path)
    problems = Problems(source.name)
    pairs = read_judged_pairs(source, problems)
    highest = int(pairs.grade.max(initial=1))
    top = rubric.top if rubric else highest
    if highest > top:
        for row in read_qrels(source, problems):
            if row.grade > top:
                problems.add(row.line, f"grade {row.grade} is outside the rubric (0 to {top})")
    problems.raise_if_any("qrels")
    return Judgments(source.name, pairs, top, options.rules(rubric))


def _read(
    sources: Sequence[Source], judgments: Judgments, ties: Ties
) -> Iterator[tuple[JudgedRun, JudgedRankings]]:
    """Each run as the grades of its documents; its ``unjudged`` is still that of all ranks."""
    pairs, top = judgments.pairs, judgments.top
    if ties is not Ties.AVERAGE:
        for run, problems in read_judged_runs(sources, pairs, order=ORDERS[ties]):
            problems.raise_if_any("a run")
            yield run, run.rankings(pairs, top)
        return
    for source in sources:
        problems = Problems(source.name)
        run, tied = read_tied_run(source, pairs, problems)
        problems.raise_if_any("a run")
        yield run, replace(run.rankings(pairs, top), tied=tied)


def _score(
    measure: Measure,
    run: JudgedRun,
    rankings: JudgedRankings,
    judgments: Judgments,
    options: ScoreOptions,
) -> MeasureScore:
    pairs = judgments.pairs
    beside = np.count_nonzero(rankings.grades[:, : measure.k] == UNPOOLED, axis=1)
    rankings = replace(rankings, unjudged=pairs.unjudged() + beside)
    missing = run.retrieved == 0
    counts = options.missing_queries is MissingQueries.ZERO
    rows = np.flatnonzero(~missing | counts)
    scores = evaluate(measure, rankings, judgments.rules).only(rows)
    return measured(measure, [pairs.qids[row] for row in rows], scores, int(missing.sum()))


def _oddities_of_qrels(judgments: Judgments) -> list[str]:
    negative = int(judgments.pairs.unjudged().sum())
    return [
        f"{judgments.name}: {negative} pairs with a grade below 0 are pooled and not judged"
    ] * bool(negative)


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
        said.append(f"{len(run.unknown)} queries are not in the qrels: {some(list(run.unknown))}")
    if missing := int(np.sum(run.retrieved == 0)):
        said.append(f"{missing} queries of the qrels have no results")
    if run.counts.duplicates:
        said.append(f"{run.counts.duplicates} documents came twice in a ranking; the first stays")
    if run.order_rule is OrderRule.SCORE:
        said.append("the rank column says nothing, so score decides the displayed order")
    return [f"{source.name}: {one}" for one in said]


def _method(judgments: Judgments, options: ScoreOptions, rubric: Rubric | None) -> Method:
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
        "each run's own top k",
    )
