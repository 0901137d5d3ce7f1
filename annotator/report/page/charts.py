"""The figures of a report, each with a sentence of what it shows, written from the numbers."""

from __future__ import annotations

from collections.abc import Sequence

from annotator.report.distribution import histogram
from annotator.report.figures.differences import Bar, draw_differences
from annotator.report.figures.drawing import Figure
from annotator.report.figures.heat_map import Cell, draw_heat_map
from annotator.report.figures.intervals import Interval, draw_intervals
from annotator.report.figures.matrix import EVEN, LIKELY, OPEN, SURE, Verdict, draw_matrix
from annotator.report.figures.spread import Spread, draw_spread
from annotator.report.matrix import MARKS, best_first
from annotator.report.tables import name
from annotator.results.comparisons import Compared, ComparisonTable, QueryDifference
from annotator.results.scores import MeasureScore, QueryScore
from annotator.text.numbers import BRIEF, decimal, interval, likely, mark_of, signed
from annotator.text.plural import counted
from rubric import Verdict as Known

Ranked = Sequence[tuple[str, MeasureScore]]
"""Systems with their numbers on one measure, the best first."""

_KNOWN = {
    Known.PROVED: SURE,
    Known.CREDIBLE: LIKELY,
    Known.WITHIN: EVEN,
    Known.EQUAL: EVEN,
    Known.OPEN: OPEN,
}


def scores_figure(ranked: Ranked) -> Figure:
    """Every system's score, its 95% interval, and its bounds."""
    measure = ranked[0][1].measure
    rows = []
    for system, score in ranked:
        one = score.summary
        says = f"{system}: {likely(one, filled=one.zero_filled)}, at least and at most "
        bounds = None if one.lower is None or one.upper is None else (one.lower, one.upper)
        rows.append(
            Interval(
                system,
                says + interval(one.lower, one.upper),
                one.point,
                one.expected95,
                bounds,
                sure=one.value is not None,
            )
        )
    title = f"{measure} of every system"
    return draw_intervals("scores", title, _scores_finding(ranked), rows)


def _scores_finding(ranked: Ranked) -> str:
    (best, first), (worst, last) = ranked[0], ranked[-1]
    said = f"{name(best)} has {_brief(first)}"
    if len(ranked) > 1:
        said = f"{said}, the most; {name(worst)} has {_brief(last)}, the least"
    open_ = sum(score.summary.value is None for _, score in ranked)
    if not open_:
        return f"{said}. No missing grade can change any of these scores."
    systems = counted(open_, "score is", "scores are")
    return f"{said}. {systems} open: thin lines reach as far as missing grades could take them."


def _brief(score: MeasureScore) -> str:
    return decimal(score.summary.point, BRIEF, mark=mark_of(score.summary))


def spread_figure(ranked: Ranked) -> Figure:
    """How the scores of the queries are spread, with the 10th percentile and the median."""
    counts, top = histogram(ranked)
    rows = []
    for (system, score), bins in zip(ranked, counts, strict=True):
        one = score.summary
        ticks = [("10th percentile", one.p10), ("median", one.median)]
        rows.append(
            Spread(
                system,
                bins,
                top,
                [
                    (f"{said} {decimal(value, mark=mark_of(one))}", value)
                    for said, value in ticks
                    if value is not None
                ],
            )
        )
    title = f"Queries by their {ranked[0][1].measure}"
    return draw_spread("spread", title, _spread_finding(ranked), rows)


def _spread_finding(ranked: Ranked) -> str:
    best, first = ranked[0]
    one = first.summary
    return (
        f"A tenth of the queries has at most {decimal(one.p10, BRIEF)} with {name(best)}, half of "
        f"them at most {decimal(one.median, BRIEF)}. Triangles mark these two points."
    )


def queries_figure(
    ranked: Ranked, qids: Sequence[str], scores: dict[tuple[str, str], QueryScore]
) -> Figure:
    """Every system on some queries, from the hardest to the easiest.

    On a page the table of the queries is shaded in the same way.
    """
    points = [one.point for one in scores.values() if one.point is not None]
    top = max([1.0, *points])
    rows = []
    for system, _ in ranked:
        cells = []
        for qid in qids:
            one = scores.get((system, qid))
            if one is None:
                cells.append(Cell(f"{system}, {qid}: not counted", None, open=False))
                continue
            share = None if one.point is None else one.point / top
            says = f"{system}, {qid}: {decimal(one.point, BRIEF, mark=mark_of(one))}"
            cells.append(Cell(says, share, open=one.value is None))
        rows.append((system, cells))
    shown = [scores[key] for key in scores if key[1] in set(qids)]
    open_ = sum(one.value is None and one.point is not None for one in shown)
    judged = "All of them are settled." if not open_ else f"{open_:,} of them are open (hatched)."
    finding = f"{counted(len(shown), 'score')} of {counted(len(ranked), 'system')}. {judged}"
    below = f"{counted(len(qids), 'query', 'queries')}, from the hardest to the easiest"
    measure = ranked[0][1].measure
    return draw_heat_map("queries", f"{measure} by query and system", finding, rows, below)


def differences_figure(at: int, one: Compared, queries: Sequence[QueryDifference]) -> Figure:
    """Some queries of a pair, from the largest win of the first to its largest loss."""
    bars = [_bar(query) for query in queries if query.estimate is not None]
    bars.sort(key=lambda bar: -bar.value)
    first, second = name(one.first), name(one.second)
    result = one.result
    finding = (
        f"{first} is better on {counted(result.wins, 'query', 'queries')} and {second} on "
        f"{result.losses:,}; they are equal on {result.ties:,}."
    )
    title = f"{result.measure}: {first} minus {second}, query by query"
    return draw_differences(f"differences-{at}", title, finding, (first, second), bars)


def _bar(one: QueryDifference) -> Bar:
    bounds = None if one.lower is None or one.upper is None else (one.lower, one.upper)
    mark, flags = mark_of(one), f", {one.flags}" if one.flags else ""
    says = f"{one.query}: {mark}{signed(one.estimate)}{flags}"
    return Bar(says, one.estimate or 0.0, bounds, open=one.value is None)


def verdicts_figure(table: ComparisonTable) -> Figure:
    """Every system against every other."""
    cells = {}
    for one in table.pairs:
        for sign, pair in ((1, (one.first, one.second)), (-1, (one.second, one.first))):
            number = one.result.estimate
            turned = None if number is None else sign * number
            short = f"{mark_of(one.result)}{signed(turned, BRIEF)}"
            ahead = (turned or 0.0) > 0
            says = f"{pair[0]} minus {pair[1]}: {short}, {one.verdict}"
            marked = short + MARKS[one.verdict].strip()  # shades alone would not tell
            cells[pair] = Verdict(marked, says, ahead, _KNOWN[one.verdict])
    names = best_first(table)
    measure = table.pairs[0].result.measure
    title = f"{measure}: row minus column"
    return draw_matrix("verdicts", title, _verdicts_finding(table), names, cells)


def _verdicts_finding(table: ComparisonTable) -> str:
    count = [_KNOWN[one.verdict] for one in table.pairs].count
    return (
        f"Of {counted(len(table.pairs), 'pair')} of systems, {count(SURE):,} are proved (!), "
        f"{count(LIKELY):,} credible (*), {count(EVEN):,} level (=) and {count(OPEN):,} open."
    )
