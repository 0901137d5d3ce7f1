"""The coverage of a project as text: what is judged, what is missing, how long that takes."""

from __future__ import annotations

from collections.abc import Sequence

from annotator.report.answer import plain_sentence
from annotator.report.neighbour_verdicts import verdict_on_both
from annotator.report.tables import (
    Cell,
    Format,
    facts,
    name,
    paragraph,
    render,
    to_json,
)
from annotator.results.coverage import Coverage, Covered
from annotator.text.numbers import UNDEFINED, duration, pace, part, percent
from annotator.text.plural import counted

COUNTS = ("pooled", "judged", "later", "cannot", "left")


def write_coverage(
    status: Coverage, form: Format, *, per_query: bool = False, width: int = 100
) -> str:
    """Write coverage below the answer so far; for programs a row a system, or a query."""
    if form is Format.JSON:
        return to_json(status.to_dict(per_query=per_query))
    if form in (Format.CSV, Format.TSV):
        return _queries(status, form) if per_query else _systems(status, form)
    blocks = [facts(_facts(status), form, indent="")]
    if status.first_two is not None:
        blocks.insert(0, paragraph(plain_sentence(status.first_two), form, width))
    if len(status.people) > 1:
        blocks.append(_people(status, form))
    if status.systems:
        blocks.append(_systems(status, form))
    if per_query:
        blocks.append(_queries(status, form))
    return "\n".join(blocks)


def _facts(status: Coverage) -> list[tuple[str, str]]:
    total, queries = status.total, counted(len(status.queries), "query", "queries")
    depth = f" (depth {status.depth})" if status.depth else ""
    said = [
        ("rubric", status.rubric),
        ("pooled", f"{counted(total.pooled, 'pair')} of {queries}{depth}"),
        ("judged", f"{total.judged:,}{_share(total.judged, total.pooled)}"),
        ("marked later", f"{total.later:,}"),
        ("cannot judge", f"{total.cannot:,}"),
        ("left", f"{total.open:,}"),
        ("labels of", ", ".join(map(name, status.assessors)) or "nobody yet"),
    ]
    if status.weights is not None:
        said.append(("query weights", status.weights.line().removeprefix("queries weighted by ")))
    for count, fact in (
        (status.outside, "judged outside the pool"),
        (status.disputed, "disputed (the latest label holds)"),
        (status.outdated, "labels of another rubric, not counted"),
        (status.earlier_text, "labels of an earlier text, counted"),
        (status.without_text, "pooled documents without text"),
    ):
        if count:
            said.append((fact, f"{count:,}"))
    if status.leader:
        said.append((f"leader on {status.leader.measure}", verdict_on_both(status.leader)))
    elif status.leader_unknown:
        said.append(("leader", f"not known: {status.leader_unknown}"))
    return [*said, ("pace", _pace(status))]


def _pace(status: Coverage) -> str:
    if status.pace is None:
        return "not known before five documents are judged in the app"
    waiting = status.total.open + status.total.later
    left = (
        f", about {duration(status.seconds_left or 0)} for the {waiting:,} left" if waiting else ""
    )
    return f"{pace(status.pace)} (median of the latest {status.timed:,}){left}"


def _people(status: Coverage, form: Format) -> str:
    rows: list[list[Cell]] = []
    for one in status.people:
        said, speed, left = one.progress, one.seconds_per_judgment, one.seconds_left
        counts: list[Cell] = [f"{count:,}" for count in (one.judged, said.later, said.cannot)]
        pace_said = UNDEFINED if speed is None else pace(speed)
        time_left = UNDEFINED if left is None else duration(left)
        rows.append([name(one.assessor), *counts, f"{said.open:,}", pace_said, time_left])
    return render(["assessor", *COUNTS[1:], "pace", "time left"], rows, form, align="lrrrrrr")


def _systems(status: Coverage, form: Format) -> str:
    rows: list[list[Cell]]
    if form in (Format.CSV, Format.TSV):
        rows = [
            [one.system, at.k, at.judged, at.places, at.share]
            for one in status.systems
            for at in one.at
        ]
        return render(["system", "k", "judged", "places", "share"], rows, form)
    cutoffs = [at.k for at in status.systems[0].at]
    rows = [[name(one.system), *map(_covered, one.at)] for one in status.systems]
    headers = ["system", *(f"judged@{k}" for k in cutoffs)]
    return render(headers, rows, form, align="l" + "r" * len(cutoffs))


def _queries(status: Coverage, form: Format) -> str:
    people = form.for_people
    cutoffs = [at.k for at in status.systems[0].at] if status.systems else []
    rows: list[list[Cell]] = []
    for one in status.queries:
        said = one.progress
        counts: list[Cell] = [said.pooled, said.judged, said.later, said.cannot, said.open]
        shares: Sequence[Cell] = [_covered(at) if people else at.share for at in one.at]
        rows.append([name(said.qid) if people else said.qid, *counts, *shares])
    headers = ["query", *COUNTS, *(f"judged@{k}" for k in cutoffs)]
    return render(headers, rows, form, align="lrrrrr" + "r" * len(cutoffs))


def _covered(at: Covered) -> str:
    if at.share is None:
        return UNDEFINED
    return f"{percent(at.share)} ({at.judged:,} of {at.places:,})"


def _share(count: int, whole: int) -> str:
    return f" ({part(count, whole)})" if whole else ""
