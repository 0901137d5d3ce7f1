"""Where the numbers under ``--like TOOL`` are not that tool's, in a sentence for each case."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np

from annotator.domain import Ranking
from annotator.scoring.options import Like, ScoreOptions
from annotator.text.plural import counted, some
from annotator.text.safe import one_line
from rubric import Measure
from rubric.gains import TABLE

_GAIN_TABLES = (Like.TREC_EVAL, Like.IR_MEASURES)
"""Tools whose gain may be any table."""
MOST_RUNS = 5
"""Runs that each have a line of their own; of more there is one line for all."""
STABLE = 15
"""Documents that ranx's sort keeps in order where scores tie (insertion sort; above, quicksort)."""


def notes_on(options: ScoreOptions, runs: Mapping[str, Iterable[Ranking]]) -> list[str]:
    """What a reader of numbers like a tool's should know; nothing where none is followed."""
    if options.like is None:
        return []
    tool = f"--like {options.like}"
    said = [f"{tool}: {one}" for one in _on_measures(options.like, options.measures)]
    if options.like is Like.RANX:
        counts = {
            one_line(name): sum(_is_undefined(one, options.measures) for one in rankings)
            for name, rankings in runs.items()
        }
        tied = [name for name, count in counts.items() if count]
        each = [tied] if len(tied) > MOST_RUNS else [[name] for name in tied]
        said += [f"{tool}: {_ties_of(names, counts)}" for names in each]
    return said


def _ties_of(names: Sequence[str], counts: Mapping[str, int]) -> str:
    queries = counted(sum(counts[name] for name in names), "query has", "queries have")
    return (
        f"{some(names, 3)}: {queries} tied scores in a list of more than {STABLE} documents, which "
        "ranx puts into an order of its own: there its numbers may differ from these, where ties "
        "are as displayed"
    )


def _on_measures(tool: Like, measures: Iterable[Measure]) -> Iterator[str]:
    other = [str(one) for one in measures if not _is_shared(tool, one)]
    if other:
        yield f"{', '.join(other)}: {tool} has nothing that is equal; by the rules of this program"
    for kind in {one.name: one.kind for one in measures}.values():
        if tool in kind.equals and (note := kind.equals[tool].note):
            yield f"{kind.name}: {tool} {note}"


def _is_shared(tool: Like, measure: Measure) -> bool:
    """Whether a tool has a measure with these parameters."""
    equal = measure.kind.equals.get(tool)
    if equal is None or measure.form.removeprefix(measure.name) not in equal.forms:
        return False
    if any(getattr(measure, name) is not None for name in equal.lacks):
        return False
    return measure.gain is None or measure.gain.kind != TABLE or tool in _GAIN_TABLES


def _is_undefined(ranking: Ranking, measures: Iterable[Measure]) -> bool:
    """Whether ranx's order of tied scores may change a top k."""
    if len(ranking.scores) <= STABLE:
        return False
    deepest = max((one.k or len(ranking.scores) for one in measures), default=0)
    scores = -np.sort(-ranking.scores)
    return bool((scores[1:] == scores[:-1])[:deepest].any())
