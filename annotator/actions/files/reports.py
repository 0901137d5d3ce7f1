"""From qrels and run files to all that a report shows, without a project."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from annotator.actions.files.scores import compare_files, score_files
from annotator.actions.files.tables import ceiling_files, companions_of_files, moves_of_files
from annotator.formats import Hints
from annotator.results.reports import Choice, Report
from annotator.scoring.options import ScoreOptions
from annotator.scoring.reports import best_first, cutoffs, of_ceilings
from rubric import Rubric


def report_on_files(
    qrels: Path,
    runs: Sequence[tuple[str, Path]],
    options: ScoreOptions,
    rubric: Rubric | None = None,
    hints: Hints | None = None,
    *,
    choice: Choice,
    queries: Path | None = None,
    documents: Path | None = None,
) -> tuple[Report, list[str]]:
    """Gather what a report shows of run files, as the single commands do.

    Pool, labels, oddities and what is raised are as in
    :func:`annotator.actions.files.scores.score_files`.
    """
    scores, notes = score_files(qrels, runs, options, rubric, hints, queries=queries)
    paths = dict(runs)
    ranked = [(name, paths[name]) for name in best_first(scores)]
    main = replace(options, measures=options.measures[:1])
    comparisons = None
    if len(ranked) > 1:
        comparisons, _ = compare_files(qrels, ranked, main, rubric, hints)
        comparisons = comparisons.with_margin(choice.margin)
    chosen, moves = choice.chosen(comparisons), []
    for one in chosen:
        pair = [(name, paths[name]) for name in (one.second, one.first)]
        for qid in choice.differing(one):
            look = partial(moves_of_files, qid=qid, queries=queries, documents=documents)
            moves.append(look(qrels, pair, options, rubric, hints, k=choice.depth)[0])
    ceiling, ceilings = of_ceilings(options, choice.candidates), None
    if ceiling is not None:
        ceilings, _ = ceiling_files(qrels, ranked, ceiling, rubric, hints, n=choice.candidates)
    count = partial(companions_of_files, cutoffs=cutoffs(options), declared=None)
    companions, _ = count(qrels, ranked, options, rubric, hints, documents=documents)
    return (
        Report(
            subject=qrels.name,
            scores=scores,
            comparisons=comparisons,
            chosen=chosen,
            moves=tuple(moves),
            ceilings=ceilings,
            companions=companions,
            rubric=rubric,
        ),
        notes,
    )
