"""A plan as text."""

from __future__ import annotations

from annotator.report.more_labels_text import label_range, rounded
from annotator.report.records import record, write_records
from annotator.report.standing_text import unpooled
from annotator.report.tables import Cell, Format, name, paragraph, render, to_json
from annotator.results.plans import Goal, Plan
from annotator.text.numbers import duration, pace
from annotator.text.plural import counted
from rubric import Verdict


def write_plan(made: Plan, form: Format, *, width: int) -> str:
    """Write a plan: one row a goal."""
    if form is Format.JSON:
        return to_json(made.to_dict())
    if form in (Format.CSV, Format.TSV):
        return write_records([record(one) for one in made.to_dict()["goals"]], form)
    rows: list[list[Cell]] = [
        [name(one.name), name(one.order), _labels(one), _range(one), _time(made, one)]
        for one in made.goals
    ]
    headers = ["goal", "--order", "more labels", "range", "time"]
    table = render(headers, rows, form, align="llrrr")
    return table + "\n" + paragraph(_method(made), form, width)


def _labels(one: Goal) -> str:
    more = one.more
    if one.reached or more is None:
        return "reached" if one.reached else "not known"
    if more.labels is None:
        return f"{rounded(more.fewest):,} or more"
    return f"{more.labels:,}" if more.is_counted else f"about {rounded(more.labels):,}"


def _range(one: Goal) -> str:
    if one.more is None or one.more.fewest == one.more.most:
        return ""
    return label_range(one.more) + (" or more" if one.more.unfinished else "")


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
        "about half of all campaigns keep to the range. Verdicts are on "
        f"{made.measure} for these queries, credible or {Verdict.WITHIN}.",
        f"Time: {time}.",
    ]
    return " ".join(said)
