"""One query's scores explained rank by rank, as text."""

from __future__ import annotations

from annotator.report.columns import Column, fitted
from annotator.report.records import record, write_records
from annotator.report.tables import (
    Cell,
    Format,
    method_line,
    name,
    paragraph,
    title,
    to_json,
)
from annotator.results.explanations import Explained, ExplanationTable, Place
from annotator.text.numbers import decimal, interval, plain
from annotator.text.plural import counted
from annotator.text.safe import one_line
from rubric import Measure

NAMED = 3
"""Ranks that are named for having lost most."""
MOST_TEXT = 45
LEGEND = (
    "Contribution is gain times {weight}; share is what it adds to the score. Lost is what the "
    "ideal ranking, of all judged documents, has at that rank and this one has not."
)
COULD_CHANGE = (
    " Could change: how much the grade of an unjudged document alone could move the score."
)


def write_explanation(table: ExplanationTable, form: Format, *, width: int = 100) -> str:
    """Write an explanation; rows for programs are ranks."""
    if form is Format.JSON:
        return to_json(table.to_dict())
    if form in (Format.CSV, Format.TSV):
        return _records(table, form)
    text = f": {table.text}" if table.text else ""
    blocks = [paragraph(f"Query {name(table.query)}{text}", form, width)]
    for one in table.explained:
        blocks += [title(f"{one.measure} of {name(one.system)}", form)]
        blocks += [paragraph(said, form, width) for said in _said(one)]
        if one.places:
            blocks.append(fitted(_columns(one), form, width))
    weight = _weight(table.explained[0].measure) if table.explained else "weight"
    legend = LEGEND.format(weight=weight)
    if any(place.could_change for one in table.explained for place in one.places):
        legend += COULD_CHANGE
    blocks.append(paragraph(legend, form, width))
    blocks.append(method_line(table.line(), form, width))
    return "\n".join(blocks)


def _said(one: Explained) -> list[str]:
    """The score as a sum, what it could still be, and where most was lost."""
    if one.zero_filled is None or one.best is None:
        return ["Undefined: the query has no relevant judged document."]
    total = sum(place.contribution for place in one.places)
    said = decimal(one.zero_filled)
    if one.norm != 1:
        said += f" = {decimal(total)} / {decimal(one.norm)}"
    said += f"; the ideal ranking has {decimal(one.best)}."
    if one.value is None:
        said += (
            " Unjudged documents count as 0 here: however they are judged, the score lies within "
            f"{interval(one.lower, one.upper)}."
        )
    if one.left_out:
        said += f" Left out: {counted(one.left_out, 'document')} below that add nothing"
        said += f", {one.left_out_unjudged:,} of them unjudged." if one.left_out_unjudged else "."
    worst = sorted(one.places, key=lambda place: -place.lost)[:NAMED]
    losses = [_loss(place) for place in worst if place.lost > 1e-12]
    if not losses:
        return [said, "Nothing is lost."]
    return [said, f"Lost {decimal(one.lost)}, most of it at {'; '.join(losses)}."]


def _loss(place: Place) -> str:
    has = "nothing" if place.document is None else _graded(place.document, place.grade)
    said = f"rank {place.rank} ({decimal(place.lost)}): {has}"
    if place.ideal is None or place.ideal == place.document:
        return said
    where = f"now at rank {place.ideal_rank}" if place.ideal_rank else "not returned"
    return f"{said}, where {_graded(place.ideal, place.ideal_grade)} could be, {where}"


def _graded(document: str, grade: int | None) -> str:
    return f"{one_line(document, 30)} ({'unjudged' if grade is None else f'grade {grade}'})"


def _weight(measure: str) -> str:
    return Measure.parse(measure).kind.weight


def _columns(one: Explained) -> list[Column]:
    places = one.places
    columns = [
        Column("rank", "r", [place.rank for place in places]),
        Column("document", "l", [*map(_document, places)]),
        Column("grade", "r", [*map(_grade, places)]),
        Column("gain", "r", [plain(place.gain) for place in places]),
        Column(_weight(one.measure), "r", [place.weight for place in places]),
        Column("contribution", "r", [place.contribution for place in places]),
        Column("share", "r", [place.share for place in places]),
        Column("lost", "r", [place.lost for place in places]),
    ]
    if any(place.could_change for place in places):
        changes = [interval(*place.could_change) if place.could_change else "" for place in places]
        columns.append(Column("could change", "r", changes))
    columns.append(Column("ideal", "l", [*map(_ideal, places)]))
    if any(place.title for place in places):
        columns.append(Column("title", "l", [one_line(one.title, MOST_TEXT) for one in places]))
    return columns


def _document(place: Place) -> str:
    return "" if place.document is None else one_line(place.document, 30)


def _grade(place: Place) -> Cell:
    if place.document is None:
        return ""
    return "?" if place.grade is None else place.grade


def _ideal(place: Place) -> str:
    if place.ideal is None:
        return ""
    where = f"at {place.ideal_rank}" if place.ideal_rank else "not returned"
    return f"{one_line(place.ideal, 30)} ({place.ideal_grade}), {where}"


def _records(table: ExplanationTable, form: Format) -> str:
    data = table.to_dict()
    method = {"method": data["method"]["fingerprint"]}
    rows = [
        {"system": one["system"], "measure": one["measure"], "query": table.query}
        | record(place)
        | method
        for one in data["explanations"]
        for place in one["places"]
    ]
    return write_records(rows, form)
