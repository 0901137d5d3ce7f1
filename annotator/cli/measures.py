"""``annotator measures``: what can be computed, and how."""

from __future__ import annotations

import click

from annotator.cli import output
from annotator.cli.options import format_option
from annotator.report.tables import Format, facts, render
from rubric import KINDS


@click.command("measures")
@format_option()
def command(form: Format) -> None:
    """List the measures and their formulas.

    A measure is spelled with its cutoff, such as nDCG@10, and may have its parameter in
    parentheses: nDCG@10(gain=linear), P@5(rel=2).
    """
    if form is not Format.TABLE:
        rows = [
            [one.name, one.says, one.formula, one.source, one.parameter] for one in KINDS.values()
        ]
        output.data(render(["name", "says", "formula", "source", "parameter"], rows, form))
        return
    blocks = [
        f"{one.name}@k  {one.says}\n"
        + facts([("formula", one.formula), ("source", one.source), ("parameter", one.parameter)])
        for one in KINDS.values()
    ]
    output.data("\n".join(blocks))
