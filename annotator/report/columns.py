"""Columns in tables that fit a width: what has no room goes on in a table below."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from annotator.report.tables import Cell, Format, render, shown
from annotator.text.safe import one_line

GAP = 2
"""Blanks between two columns."""
LEAST_TEXT, MOST_TEXT = 30, 1000
"""Characters that a text has at the least, however narrow the table is, and at the most."""


class Column(NamedTuple):
    """One column: its title, its side (``l`` or ``r``), and a cell for each row.

    The parts of its cells, set apart by commas, may stand below each other if it ``stacks``.
    """

    title: str
    side: str
    cells: Sequence[Cell]
    stacks: bool = False

    def wide(self, *, stacked: bool = False) -> int:
        """How many characters it takes."""
        cells = [shown(cell).replace(", ", ",\n" if stacked else ", ") for cell in self.cells]
        return max(len(line) for text in [self.title, *cells] for line in text.split("\n"))


def fitted(columns: Sequence[Column], form: Format, width: int) -> str:
    """Write columns as one table, or as several below each other, each with the first column.

    Only a table for people has a width. Nothing is left out, and nothing is cut: a table that
    begins with a column too wide for it is wider than asked for.
    """
    if form is not Format.TABLE:
        return _written(columns, form, ())
    return "\n".join(
        _written(
            [column for column, _ in part], form, [at for at, one in enumerate(part) if one[1]]
        )
        for part in _parts(columns, width)
    )


def with_texts(
    headers: Sequence[str],
    rows: Sequence[Sequence[Cell]],
    form: Format,
    width: int,
    align: str = "",
) -> str:
    """A table whose last column has what room is left; Markdown has room for everything."""
    columns = [Column(header, "l", [row[at] for row in rows]) for at, header in enumerate(headers)]
    room = width - sum(column.wide() + GAP for column in columns[:-1])
    longest = max(room, LEAST_TEXT) if form is Format.TABLE else MOST_TEXT
    cut = [[*row[:-1], one_line(str(row[-1]), longest)] for row in rows]
    return render(headers, cut, form, align=align)


def _parts(columns: Sequence[Column], width: int) -> list[list[tuple[Column, bool]]]:
    """The columns of each table, and whether each of them is stacked."""
    first, *rest = columns
    parts, used = [[(first, False)]], first.wide()
    for column in rest:
        looks = [False, True] if column.stacks else [False]
        fit = [one for one in looks if used + GAP + column.wide(stacked=one) <= width]
        if not fit and len(parts[-1]) > 1:
            parts.append([(first, False)])
            used = first.wide()
            fit = [one for one in looks if used + GAP + column.wide(stacked=one) <= width]
        stacked = (fit or looks[-1:])[0]
        parts[-1].append((column, stacked))
        used += GAP + column.wide(stacked=stacked)
    return parts


def _written(columns: Sequence[Column], form: Format, stacked: Sequence[int]) -> str:
    return render(
        [column.title for column in columns],
        list(zip(*(column.cells for column in columns), strict=True)),
        form,
        align="".join(column.side for column in columns),
        stacked=stacked,
    )
