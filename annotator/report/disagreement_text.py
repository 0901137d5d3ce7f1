"""What disagreement does to scores, as text."""

from __future__ import annotations

from collections.abc import Iterator

from annotator.report.columns import Column, fitted
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
from annotator.results.comparisons import LOOSE
from annotator.results.disagreement import Disagreement, PairByLabels
from annotator.text.numbers import BRIEF, TABLE, decimal, interval, percent, signed
from annotator.text.plural import counted

LEGEND = (
    "Alone: by the grades of one assessor, whatever others graded being open. Strictest and most "
    "generous: by the lowest and the highest grade of each document. Tau is 1 where the systems "
    "keep their order. Whoever is right: the least and the greatest difference over every choice "
    "among the grades that were given, and any grade for what nobody graded. Drawn: the share of "
    "label sets, each query by one of its assessors, in which the first is ahead."
)


def write_disagreement(found: Disagreement, form: Format, *, width: int = 100) -> str:
    """Write it: what it comes to, systems by whose labels, and every two systems."""
    if form is Format.JSON:
        return to_json(found.to_dict())
    if form in (Format.CSV, Format.TSV):
        return _rows(found, form)
    return "\n".join(
        [
            paragraph(" ".join(disagreement_sentences(found)), form, width),
            title(f"{found.measure} by whose labels", form),
            _by_labels(found, form, width),
            title("Differences of two systems", form),
            _of_pairs(found, form, width),
            paragraph(LEGEND, form, width),
            method_line(found.method.line(), form, width),
        ]
    )


def disagreement_sentences(found: Disagreement) -> Iterator[str]:
    """What it comes to, in words."""
    yield (
        f"{counted(found.judged_twice, 'document was', 'documents were')} graded by two or more "
        f"assessors, {found.disputed:,} of them differently."
    )
    for one in found.pairs:
        both = f"{name(one.first)} and {name(one.second)}"
        if one.holds:
            yield (
                f"{name(one.first)} is ahead of {name(one.second)} whichever assessor is right, by "
                f"{decimal(one.lower, BRIEF)} at the least."
            )
        elif one.depends:
            yield f"The order of {both} depends on whom you ask: {_whom(one)}."
        elif one.level_by or not one.ahead_by:
            by = f" by {', '.join(map(name, one.level_by))}" if one.level_by else ""
            yield f"The order of {both} is not clear: they are level{by}."
        else:
            yield (
                f"{name(one.first)} is ahead of {name(one.second)} by everybody's labels, but not "
                "by every choice among the grades that were given."
            )


def _whom(one: PairByLabels) -> str:
    """By whose labels the first is ahead, and by whose behind."""
    ahead, behind = (
        ", ".join(f"{name(who)} ({signed(size, BRIEF)})" for who, size in some.items())
        for some in (one.ahead_by, one.behind_by)
    )
    return f"{name(one.first)} is ahead by {ahead}, and behind by {behind}"


def _by_labels(found: Disagreement, form: Format, width: int) -> str:
    columns = [
        Column("labels of", "l", [name(one.name) for one in found.labellings]),
        Column("labels", "r", [one.labels for one in found.labellings]),
    ]
    for at, system in enumerate(found.labellings[0].systems):
        each = [one.systems[at] for one in found.labellings]
        cells: list[Cell] = [
            f"{decimal(one.point, TABLE)} ({one.rank})" if one.rank else "" for one in each
        ]
        columns.append(Column(f"{name(system.system)} (rank)", "r", cells))
    columns.append(Column("tau", "r", [decimal(one.tau, BRIEF) for one in found.labellings]))
    return fitted(columns, form, width)


def _of_pairs(found: Disagreement, form: Format, width: int) -> str:
    pairs = found.pairs
    columns = [Column("systems", "l", [f"{name(one.first)} / {name(one.second)}" for one in pairs])]
    for who in (one.name for one in found.labellings):
        cells: list[Cell] = [signed(one.differences[who], BRIEF) for one in pairs]
        columns.append(Column(name(who), "r", cells))
    ends: list[Cell] = [
        interval(one.lower, one.upper, BRIEF) + (" loose" if one.bounds == LOOSE else "")
        for one in pairs
    ]
    columns.append(Column("whoever is right", "r", ends))
    columns.append(Column("drawn: ahead in", "r", [percent(one.ahead) for one in pairs]))
    return fitted(columns, form, width)


def _rows(found: Disagreement, form: Format) -> str:
    """A row for every way to label and system."""
    headers = ["labels_of", "labels", "system", "measure", "value", "lower", "upper", "rank", "tau"]
    rows: list[list[Cell]] = [
        [
            *(one.name, one.labels, system.system, found.measure),
            *(system.point, system.lower, system.upper, system.rank, one.tau),
        ]
        for one in found.labellings
        for system in one.systems
    ]
    return render(headers, rows, form)
