"""A plan as text."""

from __future__ import annotations

from annotator.report.standing_text import unpooled
from annotator.report.tables import Cell, Format, name, paragraph, render, to_json
from annotator.report.verdicts import rounded
from annotator.results.plans import Goal, Plan
from annotator.text.numbers import duration, pace
from annotator.text.plural import counted
from rubric import Verdict

COLUMNS = ("goal", "order", "labels", "fewest", "most", "seconds")


def write_plan(made: Plan, form: Format, *, width: int) -> str:
    """Write a plan: one row a goal."""
    if form is Format.JSON:
        return to_json(made.to_dict())
    if form in (Format.CSV, Format.TSV):
        cells: list[list[Cell]] = [
            [one.name, one.order, one.labels, one.fewest, one.most, made.seconds(one.labels)]
            for one in made.goals
        ]
        return render(COLUMNS, cells, form)
    rows: list[list[Cell]] = [
        [name(one.name), name(one.order), _labels(one), _range(one), _time(made, one)]
        for one in made.goals
    ]
    headers = ["goal", "--order", "more labels", "range", "time"]
    table = render(headers, rows, form, align="llrrr")
    return table + "\n" + paragraph(_method(made), form, width)


def _labels(one: Goal) -> str:
    if one.reached:
        return "reached"
    if one.labels is None:
        return "not known" if one.fewest is None else f"{rounded(one.fewest):,} or more"
    return f"{one.labels:,}" if one.fewest is None else f"about {rounded(one.labels):,}"


def _range(one: Goal) -> str:
    if one.fewest is None or one.most is None or one.fewest == one.most:
        return ""
    more = " or more" if one.unfinished else ""
    return f"{rounded(one.fewest):,} to {rounded(one.most):,}{more}"


def _time(made: Plan, one: Goal) -> str:
    seconds = made.seconds(one.labels)
    return "" if seconds is None or one.reached else duration(seconds)


def _method(made: Plan) -> str:
    judged = counted(made.judged, "pooled pair is", "pooled pairs are")
    time = (
        f"{pace(made.pace)}, the median of the latest {made.timed:,}"
        if made.timed
        else f"{pace(made.pace)}, assumed"
    )
    said = [
        f"{judged} judged, {made.left:,} left.",
        *unpooled(made.unpooled),
        "Labels are what the grade model foresees from those so far, judged in the order named; "
        "about half of all campaigns keep to the range. Verdicts are on nDCG@10 for these queries, "
        f"credible or {Verdict.WITHIN}.",
        f"Time: {time}.",
    ]
    return " ".join(said)
