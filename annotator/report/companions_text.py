"""Near-duplicates and catalog coverage as text."""

from __future__ import annotations

from annotator.report.records import record, write_records
from annotator.report.tables import Cell, Format, method_line, name, render, to_json
from annotator.results.companions import Companion, CompanionTable
from annotator.text.numbers import percent


def write_companions(table: CompanionTable, form: Format, *, width: int = 100) -> str:
    """Write companions: a row a system and cutoff."""
    if form is Format.JSON:
        return to_json(table.to_dict())
    rows = [(one.system, at) for one in table.systems for at in one.at]
    if form in (Format.CSV, Format.TSV):
        method = {"method": table.made()["fingerprint"]}
        return write_records(
            [{"system": system} | record(at.to_dict()) | method for system, at in rows], form
        )
    headers = ["system", "k", "near-duplicates", "catalog coverage", "flags"]
    text = render(headers, [_row(system, at) for system, at in rows], form, align="lrrrl")
    return text + "\n" + method_line(table.line(), form, width)


def _row(system: str, at: Companion) -> list[Cell]:
    rate, coverage = percent(at.near_duplicate_rate), percent(at.coverage)
    flags = [f"{at.without_text:,} without text"] if at.without_text else []
    flags += [f"{at.outside:,} outside the catalog"] if at.outside else []
    return [
        name(system),
        at.k,
        f"{rate} ({at.near_duplicates:,} of {at.with_text:,})",
        f"{coverage} ({at.distinct:,} of {at.catalog:,})",
        ", ".join(flags),
    ]
