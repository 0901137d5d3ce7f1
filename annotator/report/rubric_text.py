"""A rubric as text: what each grade means."""

from __future__ import annotations

from annotator.report.tables import Cell, Format, paragraph, render
from annotator.text.safe import one_line
from rubric import Rubric


def write_rubric(rubric: Rubric, form: Format, *, width: int = 100) -> str:
    """Write the grades from the highest, with what they mean and their examples."""
    rows: list[list[Cell]] = [
        [str(one.grade), one.label, one.definition, "; ".join(one.examples)]
        for one in reversed(rubric.levels)
    ]
    said = f"{one_line(rubric.name)} version {rubric.version}, gain {rubric.gain}, "
    blocks = [paragraph(f"{said}relevant from grade {rubric.threshold}.", form, width)]
    if rubric.instructions:
        blocks.append(paragraph(rubric.instructions, form, width))
    headers = ["grade", "called", "means", "examples"]
    if not any(row[-1] for row in rows):
        headers, rows = headers[:-1], [row[:-1] for row in rows]
    return "\n".join([*blocks, render(headers, rows, form, align="rlll"[: len(headers)])])
