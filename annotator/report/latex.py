"""Scores and comparisons as LaTeX tables for a paper (booktabs)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from annotator.report.scoreboard_text import ranked_by
from annotator.results.comparisons import Compared, ComparisonTable
from annotator.results.method import Method
from annotator.results.scores import MeasureScore, ScoreTable
from annotator.text.latex import escaped, floating, number, tabular
from annotator.text.numbers import BRIEF, ESTIMATE, interval, likely, p_value
from annotator.text.plural import counted
from rubric import Verdict

_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_SURE = (Verdict.PROVED, Verdict.CREDIBLE)


def scores_table(table: ScoreTable, comparisons: Mapping[str, ComparisonTable]) -> str:
    """A row a system: its scores, the best bold, with the letters of all that are surely worse.

    ``comparisons`` are all pairs by measure; a system is surely worse where that is proved or
    credible.
    """
    ranked = ranked_by(table, 0)
    names = [system for system, _ in ranked]
    letters = {name: _letter(at) for at, name in enumerate(names)}
    worse = {
        measure: _surely_worse(compared.pairs, letters) for measure, compared in comparisons.items()
    }
    measures = [one.measure for one in table.systems[0].measures]
    by_name = {system.system: system.measures for system in table.systems}
    best = [_best([by_name[name][at] for name in names]) for at in range(len(measures))]
    rows = []
    for name in names:
        cells = [
            _score(score, worse.get(score.measure, {}).get(name, ""), best=best[at])
            for at, score in enumerate(by_name[name])
        ]
        rows.append([letters[name], escaped(name), *cells])
    heads = ["", "System", *map(escaped, measures)]
    found = tabular(heads, rows, f"ll{'r' * len(measures)}")
    return floating(found, _scores_caption(table), "systems")


def _letter(at: int) -> str:
    return _LETTERS[at] if at < len(_LETTERS) else f"({at + 1})"


def _surely_worse(pairs: Sequence[Compared], letters: Mapping[str, str]) -> dict[str, str]:
    """The letters of the systems that each is surely better than."""
    found: dict[str, list[str]] = {}
    for one in pairs:
        if one.verdict in _SURE:
            ahead = (one.result.estimate or 0.0) > 0
            better, worse = (one.first, one.second) if ahead else (one.second, one.first)
            found.setdefault(better, []).append(letters[worse])
    return {name: "".join(sorted(those)) for name, those in found.items()}


def _best(scores: Sequence[MeasureScore]) -> float | None:
    return max((one.summary.point for one in scores if one.summary.point is not None), default=None)


def _score(score: MeasureScore, worse: str, *, best: float | None) -> str:
    summary = score.summary
    said = number(likely(summary, BRIEF, filled=summary.zero_filled))
    bold = f"\\textbf{{{said}}}" if best is not None and summary.point == best else said
    return f"{bold}$^{{\\mathrm{{{worse}}}}}$" if worse else bold


def _scores_caption(table: ScoreTable) -> str:
    said = (
        "The best score is bold; letters name the systems that one is better than, proved or "
        "credibly, on these queries."
    )
    return f"{_benchmark(table.method)} {said} {_notation(table.method)}"


def _benchmark(method: Method) -> str:
    queries = method.benchmark.queries if method.benchmark else 0
    return (
        f"Systems on {counted(queries, 'query', 'queries')}; {method.pooled_judged:,} of "
        f"{counted(method.pooled_pairs, 'pooled pair')} judged, {method.gain} gain."
    )


def _notation(method: Method) -> str:
    """What the marks mean, as far as there are any, and what computed it all."""
    basis = method.expected
    expected = basis is not None and not basis.withheld
    mark = (
        f"{ESTIMATE} marks what is expected under a model of the missing grades, with half of its "
        "95% interval. "
        if expected
        else ""
    )
    return f"{mark}Computed by {method.tool}."


def comparisons_table(table: ComparisonTable) -> str:
    """A row a pair and measure: difference, bounds, p, verdict."""
    rows = [
        [
            escaped(one.first),
            escaped(one.second),
            escaped(str(one.result.measure)),
            number(likely(one.result, BRIEF, filled=one.result.zero_filled)),
            number(interval(one.result.lower, one.result.upper, BRIEF)),
            number(p_value(one.p)),
            escaped(str(one.verdict)),
        ]
        for one in table.pairs
    ]
    holm = any(one.p_holm is not None for one in table.pairs)
    adjusted = f", adjusted (Holm) for {counted(len(table.pairs), 'pair')}" if holm else ""
    caption = (
        f"{_benchmark(table.method)} Differences are first minus second, with their bounds; p "
        f"is of a two-sided paired randomisation test{adjusted}. {_notation(table.method)}"
    )
    heads = ["First", "Second", "Measure", "Difference", "Bounds", "$p$", "Verdict"]
    return floating(tabular(heads, rows, "lllrrrl"), caption, "comparisons")
