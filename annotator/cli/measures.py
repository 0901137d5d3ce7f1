"""``annotator rubric measures``: what can be computed, and how."""

from __future__ import annotations

import click

from annotator.cli import output
from annotator.cli.options import format_option
from annotator.report.tables import Format, facts, render
from rubric import KINDS, Cutoff, Kind


@click.command("measures")
@format_option()
def measures(form: Format) -> None:
    """List the measures and their formulas.

    A measure is spelled with its cutoff, such as nDCG@10, and may have parameters in
    parentheses: nDCG@10(gain=linear), P@5(rel=2), RBP(p=0.9). The names of other tools
    are understood too: ndcg_cut_10, P_5, recip_rank, map, hit_rate@5, mrr@10.
    """
    keys = ["formula", "source", "parameters", "also", "bounds", "difference"]
    rows = [
        (_spelling(one), one.says, [one.formula, one.source, *_more(one)]) for one in KINDS.values()
    ]
    if form is not Format.TABLE:
        output.data(
            render(
                ["measure", "says", *keys], [[name, says, *rest] for name, says, rest in rows], form
            )
        )
        return
    blocks = [
        f"{name}  {says}\n" + facts(list(zip(keys, rest, strict=True))) for name, says, rest in rows
    ]
    output.data("\n".join(blocks))


def _spelling(kind: Kind) -> str:
    cutoff = {Cutoff.REQUIRED: "@k", Cutoff.OPTIONAL: "[@k]", Cutoff.NONE: ""}[kind.cutoff]
    return kind.name + cutoff


def _more(kind: Kind) -> list[str]:
    parameters = ", ".join(f"{name}={default}" for name, default in kind.parameters.items())
    also = ", ".join(kind.also) or "none"
    return [parameters or "none", also, "exact", kind.difference.says]
