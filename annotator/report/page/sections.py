"""The parts of a report, from the answer to the method: texts of the commands, and figures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from annotator.report.agreement_text import write_agreement
from annotator.report.ceiling_text import write_ceiling
from annotator.report.companions_text import write_companions
from annotator.report.comparison_text import write_comparison
from annotator.report.coverage_text import write_coverage
from annotator.report.disagreement_text import write_disagreement
from annotator.report.distribution import Bars, write_distribution
from annotator.report.figures.drawing import Figure
from annotator.report.matrix import write_matrix
from annotator.report.model_audit_text import write_audit
from annotator.report.moves_text import write_moves
from annotator.report.page.charts import (
    differences_figure,
    scores_figure,
    spread_figure,
    verdicts_figure,
)
from annotator.report.page.paper import method_paragraph, references
from annotator.report.page.queries import (
    CHOSEN,
    MOST,
    WEAK,
    QueriesTable,
    scores_of,
    shown_queries,
)
from annotator.report.pool_bias_text import write_pool_bias
from annotator.report.rubric_text import write_rubric
from annotator.report.scoreboard_text import ranked_by, write_scoreboard
from annotator.report.tables import Cell, Format, facts, name, paragraph, render, title
from annotator.results.comparisons import Compared, QueryDifference
from annotator.results.json_form import WORST
from annotator.results.reports import Judging, LabelsOfDay, Report
from annotator.text.markup import Markup, element
from annotator.text.numbers import interval, likely
from annotator.text.plural import counted

WIDTH = 100


class Section(NamedTuple):
    """One part: its name in links, its heading, what it says, and its figures in their places."""

    key: str
    heading: str
    blocks: Sequence[str | Figure]


def sections(report: Report, form: Format) -> list[Section]:
    """All parts of a report, those left out of which nothing is known."""
    found = [
        Section("systems", "The systems", list(_systems(report, form))),
        Section("queries", "The queries", list(_queries(report, form))),
        Section("pairs", "Two systems, query by query", list(_pairs(report, form))),
        Section("verdicts", "Every system against every other", list(_verdicts(report, form))),
        Section(
            "losses", "What retrieval lost, and what ranking lost", list(_losses(report, form))
        ),
        Section(
            "companions",
            "Near-duplicates, and how much of the catalog is shown",
            [write_companions(report.companions, form)],
        ),
        Section("labels", "The labels", list(_labels(report.judging, form))),
        Section(
            "rubric", "The rubric", [write_rubric(report.rubric, form)] if report.rubric else []
        ),
        Section("method", "The method, for a paper", list(_method(report, form))),
    ]
    return [one for one in found if one.blocks]


def folded(summary: str, text: str, form: Format) -> str:
    """What is there for who asks for it."""
    if form is not Format.HTML:
        return f"{title(summary, form)}\n{text}"
    return element("details", element("summary", summary), Markup(text)) + "\n"


def _few(shown: int, every: int) -> str:
    return f"Of {counted(every, 'query', 'queries')} those {shown:,} are shown"


def _systems(report: Report, form: Format) -> Iterator[str | Figure]:
    yield scores_figure(ranked_by(report.scores, 0))
    yield write_scoreboard(report.scores, form, worst=0)  # their texts are with the queries


def _queries(report: Report, form: Format) -> Iterator[str | Figure]:
    ranked = ranked_by(report.scores, 0)
    yield spread_figure(ranked)
    yield write_distribution(ranked, form, Bars.NONE)
    qids, every = shown_queries(scores_of(report.scores))
    if not qids:
        return
    chosen = ""
    if len(qids) < every:
        chosen = f"{_few(len(qids), every)} on which the systems differ most. "
    said = (
        f"{chosen}The hardest come first. {WEAK} marks the {WORST} queries on which a system does "
        "worst."
    )
    if form is Format.HTML:
        said += (
            " A deeper shade is a higher score; missing grades may still change what is hatched."
        )
    yield title(f"{report.measure}, query by query", form)
    yield paragraph(said, form, WIDTH)
    table = QueriesTable([system for system, _ in ranked], report.scores)
    yield table.write(qids[:WORST], form)
    if rest := qids[WORST:]:
        heading = f"The other {counted(len(rest), 'query', 'queries')}"
        yield folded(heading, table.write(rest, form), form)


def _pairs(report: Report, form: Format) -> Iterator[str | Figure]:
    if report.comparisons is None:
        return
    for at, one in enumerate(report.chosen, start=1):
        queries = sorted(one.queries, key=lambda query: -abs(query.estimate or 0.0))
        few = len(queries) > MOST
        yield differences_figure(at, one, queries[:CHOSEN] if few else queries)
        if few:
            said = f"{_few(CHOSEN, len(queries))} that differ most."
            yield paragraph(said, form, WIDTH)
        yield write_comparison(replace(report.comparisons, pairs=(one,)), form)
        shown = queries[:CHOSEN] if few else one.queries
        yield folded("The difference on every query", _differences(shown, form), form)
        yield from _moves(report, one, form)


def _differences(queries: Sequence[QueryDifference], form: Format) -> str:
    rows: list[list[Cell]] = [
        [name(one.query), likely(one, filled=one.zero_filled), interval(one.lower, one.upper)]
        for one in queries
    ]
    return render(["query", "difference, ± 95%", "[lower, upper]"], rows, form, align="lrr")


def _moves(report: Report, one: Compared, form: Format) -> Iterator[str]:
    pair = (one.second, one.first)
    for table in report.moves:
        if (table.first, table.second) == pair:
            yield folded(
                f"What {name(one.first)} moves on {name(table.query)}",
                write_moves(table, form),
                form,
            )


def _verdicts(report: Report, form: Format) -> Iterator[str | Figure]:
    if report.comparisons is not None and len(report.comparisons.pairs) > 1:
        yield verdicts_figure(report.comparisons)
        yield write_matrix(report.comparisons, form)


def _losses(report: Report, form: Format) -> Iterator[str]:
    if report.ceilings is not None:
        yield write_ceiling(report.ceilings, form)


def _labels(judging: Judging | None, form: Format) -> Iterator[str]:
    if judging is None:
        return
    yield write_coverage(replace(judging.coverage, first_two=None), form)  # the page begins with it
    if judging.agreement is not None:
        yield title("How far assessors agree", form)
        yield write_agreement(judging.agreement, form)
    if judging.disagreement is not None:
        yield title("What disagreement does to the scores", form)
        yield write_disagreement(judging.disagreement, form)
    if judging.models is not None:
        yield title("Language models beside people", form)
        yield write_audit(judging.models, form)
    if judging.pool_bias is not None:
        yield write_pool_bias(judging.pool_bias, form)
    if judging.days:
        yield folded("Grades by day and person", _days(judging.days, form), form)


def _days(days: Sequence[LabelsOfDay], form: Format) -> str:
    rows: list[list[Cell]] = [[one.day, name(one.assessor), one.kind, one.labels] for one in days]
    return render(["day (UTC)", "assessor", "kind", "grades"], rows, form, align="lllr")


def _method(report: Report, form: Format) -> Iterator[str]:
    yield paragraph(method_paragraph(report), form, WIDTH)
    rows: list[list[Cell]] = [[at, one] for at, one in enumerate(references(report), start=1)]
    yield render(["", "reference"], rows, form, align="rl")
    yield folded("How each table was made", facts(_lines(report), form), form)
    if report.judging is not None and report.judging.heads:
        heads: list[list[Cell]] = [list(one.partition(" ")[::2]) for one in report.judging.heads]
        yield folded(
            "Heads of the log", render(["head", "assessor"], heads, form, align="ll"), form
        )


def _lines(report: Report) -> list[tuple[str, str]]:
    """The method of each table in a line; what it shares with that of the scores is said once."""
    judging, shared = report.judging, report.scores.method.line()
    made = [
        ("comparisons", report.comparisons),
        ("retrieval and ranking", report.ceilings),
        ("near-duplicates", report.companions),
        ("agreement", judging and judging.agreement),
        ("language models", judging and judging.models),
    ]
    lines = [("scores", shared)]
    return lines + [(what, one.line().removesuffix(f" · {shared}")) for what, one in made if one]
