"""A report as a page of HTML that needs nothing else, and as Markdown."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files

from annotator.report.answer import plain_sentence
from annotator.report.figures.drawing import HATCHES, STYLE, Figure
from annotator.report.page.charts import queries_figure
from annotator.report.page.queries import scores_of, shown_queries
from annotator.report.page.sections import Section, sections
from annotator.report.scoreboard_text import ranked_by
from annotator.report.tables import Format, escaped, paragraph, to_json
from annotator.results.reports import Report
from annotator.text.markup import Markup, element, joined
from annotator.text.numbers import part
from annotator.text.plural import counted
from annotator.text.safe import one_line

POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
OPTIONS = "annotator-options"
"""The meta element that holds what the report was asked for, as JSON."""
_WIDTH = 100


def write_report(report: Report, form: Format, asked: Mapping[str, object]) -> str:
    """Write a report; ``asked`` is what it was asked for, by which it can be made again."""
    if form is Format.JSON:
        return to_json(report.to_dict())
    parts = sections(report, form)
    if form is Format.MARKDOWN:
        return _markdown(report, parts)
    body = element("body", _hatches(), _header(report), _contents(parts), _main(parts))
    typed = _meta(name=OPTIONS, content=json.dumps(asked, sort_keys=True))
    return _page(_head(_title(report), report.scores.method.tool, typed), body)


def write_alone(title: str, text: str, method: str, tool: str) -> str:
    """Write one result in HTML, and how it was made, as a page of its own."""
    inside = element("h1", title), Markup(text), element("p", f"Method: {method}", class_="soft")
    return _page(_head(title, tool), element("body", element("main", *inside)))


def figures_of(report: Report) -> list[Figure]:
    """Every figure of the page, and the heat map, of which the page has the shaded table."""
    ranked, scores = ranked_by(report.scores, 0), scores_of(report.scores)
    qids, _ = shown_queries(scores)
    found = [one for part in sections(report, Format.HTML) for one in part.blocks]
    figures = [one for one in found if isinstance(one, Figure)]
    return [*figures, *([queries_figure(ranked, qids, scores)] if qids else [])]


def _title(report: Report) -> str:
    return one_line(f"{report.subject}: which system is better?")


def _answer(report: Report) -> Iterator[str]:
    """What the report comes to, in plain words."""
    for one in report.chosen:
        yield plain_sentence(one)
    if not report.chosen:
        only = report.scores.systems[0].system
        yield f"There is one system, {one_line(only)}, so there is nothing to compare it with."


def _basis(report: Report) -> str:
    """What the answer rests on, in a line."""
    method, last = report.scores.method, report.judging.last if report.judging else ""
    queries = method.benchmark.queries if method.benchmark else 0
    said = [
        counted(len(report.scores.systems), "system"),
        counted(queries, "query", "queries"),
        f"{method.pooled_judged:,} of {counted(method.pooled_pairs, 'pair')} judged "
        f"({part(method.pooled_judged, method.pooled_pairs)})",
        *([f"labels as of {method.as_of[:16]}"] if method.as_of else []),
        *([f"latest entry {last[:16].replace('T', ' ')} UTC"] if last else []),
        method.tool,
    ]
    return " · ".join(said)


def _page(head: Markup, body: Markup) -> str:
    return f"<!DOCTYPE html>\n{element('html', head, body, lang='en')}\n"


def _head(title: str, tool: str, *more: Markup) -> Markup:
    look = files("annotator.report.page").joinpath("page.css").read_text("utf-8")
    return element(
        "head",
        _meta(charset="utf-8"),
        _meta(http_equiv="Content-Security-Policy", content=POLICY),
        _meta(name="viewport", content="width=device-width, initial-scale=1"),
        _meta(name="generator", content=tool),
        *more,
        element("title", title),
        element("style", Markup(look + STYLE)),
    )


def _meta(**attributes: str) -> Markup:
    return Markup(element("meta", **attributes).removesuffix("</meta>") + "\n")


def _hatches() -> Markup:
    hidden = {"style": "position:absolute", "aria_hidden": "true"}
    return element("svg", HATCHES, class_="figure", width=0, height=0, **hidden)


def _header(report: Report) -> Markup:
    sentences = [Markup(paragraph(one, Format.HTML, _WIDTH)) for one in _answer(report)]
    basis = element("p", _basis(report), class_="soft")
    return element("header", element("h1", _title(report)), *sentences, basis)


def _contents(parts: Sequence[Section]) -> Markup:
    links = [element("li", element("a", one.heading, href=f"#{one.key}")) for one in parts]
    return element("nav", element("ul", *links), aria_label="Contents")


def _main(parts: Sequence[Section]) -> Markup:
    return element("main", *map(_section, parts))


def _section(one: Section) -> Markup:
    heading = element("h2", one.heading, id=one.key)
    return element("section", heading, *map(_block, one.blocks), aria_labelledby=one.key)


def _block(block: str | Figure) -> Markup:
    if isinstance(block, Figure):
        caption = element("figcaption", joined(element("b", block.title), ". ", block.finding))
        return element("figure", block.inline(), caption)
    return Markup(block)


def _markdown(report: Report, parts: Sequence[Section]) -> str:
    """The same without figures, of which only the sentences are there."""
    said = [paragraph(one, Format.MARKDOWN, _WIDTH) for one in [*_answer(report), _basis(report)]]
    blocks = [f"# {escaped(_title(report))}\n", *said]
    for one in parts:
        blocks.append(f"## {one.heading}\n")
        for block in one.blocks:
            text = block.finding if isinstance(block, Figure) else ""
            blocks.append(paragraph(text, Format.MARKDOWN, _WIDTH) if text else str(block))
    return "\n".join(blocks)
