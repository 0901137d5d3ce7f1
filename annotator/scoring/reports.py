"""What a report looks at, out of the options for scores."""

from __future__ import annotations

from dataclasses import replace

from annotator.results.scores import ScoreTable
from annotator.scoring.neighbours import ranking
from annotator.scoring.options import ScoreOptions

CUTOFF = 10
"""How far down a report looks where a measure takes in the whole ranking."""


def best_first(table: ScoreTable) -> tuple[str, ...]:
    """The systems in the order of the first measure."""
    order = ranking([one.measures[0] for one in table.systems])
    return tuple(table.systems[at].system for at in order)


def cutoffs(options: ScoreOptions) -> tuple[int, ...]:
    """How far down the measures look, rising, each once."""
    return tuple(sorted({one.k or CUTOFF for one in options.measures}))


def of_ceilings(options: ScoreOptions, candidates: int) -> ScoreOptions | None:
    """The same options with the measures that have a ceiling only; None where there is none."""
    fit = [
        one
        for one in options.measures
        if one.kind.full_ideal and one.k is not None and one.k <= candidates
    ]
    fit.sort(key=lambda one: one.k or 0)
    return replace(options, measures=tuple(fit)) if fit else None
