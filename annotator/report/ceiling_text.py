"""What retrieval and what ranking lost, as text."""

from __future__ import annotations

from annotator.report.records import record, write_records
from annotator.report.tables import (
    Cell,
    Format,
    method_line,
    name,
    paragraph,
    render,
    title,
    to_json,
)
from annotator.results.ceilings import CeilingScore, CeilingTable, SystemCeiling
from annotator.text.numbers import ZEROED, decimal, part
from annotator.text.plural import counted

LEGEND = (
    "The ceiling is the best that reordering these candidates could reach; what is missing up to 1 "
    "retrieval never found, what is missing up to the ceiling the ranking put low."
)
OPEN = (
    f"{ZEROED} counts unjudged documents as grade 0, so it is no settled number: labels of the "
    "rest may raise or lower it."
)


def write_ceiling(table: CeilingTable, form: Format, *, width: int = 100) -> str:
    """Write the split of each system; rows for programs are systems and measures."""
    if form is Format.JSON:
        return to_json(table.to_dict())
    if form in (Format.CSV, Format.TSV):
        return _records(table, form)
    blocks = []
    if table.gap_of:
        blocks += [title(f"gap = {table.gap_of}", form), _side_by_side(table, form)]
    for at in range(len(table.systems[0].measures)):
        measure = table.systems[0].measures[at].measure
        blocks += [title(f"{measure}, {_candidates(table)}", form), _split(table, at, form)]
    blocks.append(paragraph(LEGEND, form, width))
    if any(at.open for one in table.systems for at in one.measures):
        blocks.append(paragraph(OPEN, form, width))
    blocks.append(method_line(table.line(), form, width))
    return "\n".join(blocks)


def _side_by_side(table: CeilingTable, form: Format) -> str:
    rows = [
        [
            name(one.system),
            *(decimal(at.score, mark=_mark(at)) for at in one.measures),
            decimal(one.gap, mark=max(map(_mark, one.measures))),
            _flags(one),
        ]
        for one in table.systems
    ]
    names = [at.measure for at in table.systems[0].measures]
    return render(
        ["system", *names, "gap", "flags"], rows, form, align="l" + "r" * len(names) + "rl"
    )


def _split(table: CeilingTable, place: int, form: Format) -> str:
    rows: list[list[Cell]] = []
    for one in table.systems:
        at = one.measures[place]
        numbers = (at.score, at.ceiling, at.never_found, at.ranked_low)
        judged = at.candidates - at.unjudged
        rows.append(
            [
                name(one.system),
                *(decimal(number, mark=_mark(at)) for number in numbers),
                part(judged, at.candidates),
                ", ".join(at.flags()),
            ]
        )
    headers = ["system", "score", "ceiling", "never found", "ranked low", f"judged@{table.n}"]
    return render([*headers, "flags"], rows, form, align="lrrrrrl")


def _candidates(table: CeilingTable) -> str:
    fewer = f" (no ranking is longer than {table.deepest})" if table.deepest < table.n else ""
    return f"first {counted(table.n, 'candidate')}{fewer}"


def _mark(at: CeilingScore) -> str:
    return ZEROED if at.open else ""


def _flags(one: SystemCeiling) -> str:
    return ", ".join(dict.fromkeys(flag for at in one.measures for flag in at.flags()))


def _records(table: CeilingTable, form: Format) -> str:
    method = {"method": table.made()["fingerprint"]}
    rows: list[dict[str, Cell]] = [
        {"system": one.system, "n": table.n, **record(at.to_dict()), **method}
        for one in table.systems
        for at in one.measures
    ]
    return write_records(rows, form)
