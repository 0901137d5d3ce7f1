"""Rows to text, in each form the program prints; nothing from a file can leave its cell."""

from __future__ import annotations

import io
import json
import re
import textwrap
from collections.abc import Collection, Mapping, Sequence
from enum import StrEnum
from typing import TypeAlias

from annotator.text import latex
from annotator.text.markup import Markup, element, escape
from annotator.text.numbers import UNDEFINED, decimal
from annotator.text.safe import one_line

Cell: TypeAlias = str | int | float | None

NAME_WIDTH = 60


class Format(StrEnum):
    """The forms of a result."""

    TABLE = "table"
    JSON = "json"
    CSV = "csv"
    TSV = "tsv"
    MARKDOWN = "markdown"
    HTML = "html"
    LATEX = "latex"

    @property
    def for_people(self) -> bool:
        """Whether people read it, not programs."""
        return self in (Format.TABLE, Format.MARKDOWN, Format.HTML)


STANDARD = (Format.TABLE, Format.JSON, Format.CSV, Format.TSV, Format.MARKDOWN)
"""What nearly every command can print."""


def render(
    headers: Sequence[str],
    rows: Sequence[Sequence[Cell]],
    form: Format,
    *,
    align: str = "",
    stacked: Collection[int] = (),
) -> str:
    """Write rows as text that ends in a newline.

    Parameters
    ----------
    headers, rows
        The columns' names and the cells. A float is a score (four decimals for people, full
        precision for programs); None is "undefined".
    form
        JSON gives a list of objects keyed by the headers.
    align
        ``l`` or ``r`` for each column; numbers stand right, all else left, where it is empty.
    stacked
        The columns whose parts, set apart by commas, stand below each other in a table.
    """
    if form is Format.JSON:
        return to_json([dict(zip(headers, row, strict=True)) for row in rows])
    if form in (Format.CSV, Format.TSV):
        return _separated(headers, rows, "," if form is Format.CSV else "\t")
    texts = [[shown(cell) for cell in row] for row in rows]
    if form is Format.MARKDOWN:
        texts = [[escaped(cell) for cell in row] for row in texts]
        headers = [escaped(" ".join(header.split())) for header in headers]
    elif stacked:
        texts = [
            [cell.replace(", ", ",\n") if at in stacked else cell for at, cell in enumerate(row)]
            for row in texts
        ]
    align = align or "".join(_side(column) for column in zip(*rows, strict=True))
    if form is Format.HTML:
        return _table(headers, texts, align)
    if form is Format.LATEX:
        cells = [[latex.sentence(cell) for cell in row] for row in [headers, *texts]]
        return latex.tabular(cells[0], cells[1:], align)
    import tabulate  # which takes as long as all the rest of a small command

    # Its two spaces beside every heading would cost a scoreboard one of its columns.
    tabulate.MIN_PADDING = 0
    text = tabulate.tabulate(
        texts,
        headers=list(headers),
        tablefmt="simple" if form is Format.TABLE else "pipe",
        disable_numparse=True,  # ids are text: 007 stays 007
        colalign=["right" if side == "r" else "left" for side in align] if texts else None,
    )
    return "\n".join(line.rstrip() for line in text.split("\n")) + "\n"


def to_json(data: object) -> str:
    """Write JSON that any terminal and reader can take: ASCII, no NaN, no 0 below 0."""
    return json.dumps(_unsigned(data), indent=2, ensure_ascii=True, allow_nan=False) + "\n"


def name(text: str) -> str:
    """An id or a name as a table for people shows it."""
    return one_line(text, NAME_WIDTH)


def title(text: str, form: Format) -> str:
    """What stands above a table."""
    if form is Format.HTML:
        return element("h3", one_line(text))
    return one_line(text) if form is Format.TABLE else f"### {escaped(one_line(text))}\n"


def paragraph(sentence: str, form: Format, width: int) -> str:
    """A sentence for people, with a blank line after it."""
    clean = one_line(sentence)
    if form is Format.LATEX:
        return latex.sentence(clean) + "\n"
    if form is Format.HTML:
        return element("p", _with_code(clean)) + "\n"
    if form is Format.MARKDOWN:
        return escaped(clean) + "\n"
    return "\n".join(textwrap.wrap(clean, width, break_on_hyphens=False)) + "\n"


def method_line(line: str, form: Format, width: int) -> str:
    """How the numbers above it were made; a page says it once, for all that is on it."""
    if form is Format.HTML:
        return ""
    return paragraph(f"Method: {line}", form, width)


def facts(rows: Sequence[tuple[str, str]], form: Format = Format.TABLE, indent: str = "  ") -> str:
    """Write names and what they are: as two aligned columns, or as a list."""
    if form is Format.HTML:
        pairs = [element("dt", name) + element("dd", one_line(said)) for name, said in rows]
        return element("dl", Markup("".join(pairs))) + "\n"
    if form is Format.MARKDOWN:
        return "".join(f"- {name}: {escaped(one_line(said))}\n" for name, said in rows)
    width = max((len(name) for name, _ in rows), default=0)
    return "".join(
        f"{indent}{one_line(name).ljust(width)}  {one_line(said)}\n" for name, said in rows
    )


def escaped(text: str) -> str:
    """Keep a text from becoming Markdown or HTML."""
    return re.sub(r"([\\`*<>|]|\](?=[(\[:]))", r"\\\1", text)


def _with_code(text: str) -> Markup:
    """What stands between two backticks as code."""
    return Markup(re.sub("`([^`]+)`", r"<code>\1</code>", escape(text)))


def _table(headers: Sequence[str], texts: Sequence[Sequence[str]], align: str) -> str:
    """A table whose first column names its rows; its class names the others that stand left."""
    heads = [element("th", " ".join(header.split())) for header in headers]
    body = [
        element(
            "tr",
            *(element("th", first) for first in row[:1]),
            *(element("td", cell) for cell in row[1:]),
        )
        for row in texts
    ]
    left = " ".join(f"l{at}" for at, side in enumerate(align, start=1) if side == "l" and at > 1)
    parts = element("thead", element("tr", *heads)), element("tbody", *body)
    return element("div", element("table", *parts, class_=left or None), class_="wide") + "\n"


def _unsigned(data: object) -> object:
    """The data with 0.0 for each -0.0, which subtraction makes and which puzzles a reader."""
    if isinstance(data, float):
        return data + 0.0
    if isinstance(data, Mapping):
        return {key: _unsigned(value) for key, value in data.items()}
    return [*map(_unsigned, data)] if isinstance(data, (list, tuple)) else data


def _separated(headers: Sequence[str], rows: Sequence[Sequence[Cell]], delimiter: str) -> str:
    import csv

    from annotator.text.csv_formulas import neutral

    out = io.StringIO()
    writer = csv.writer(out, delimiter=delimiter, lineterminator="\n")
    writer.writerow([neutral(one_line(header)) for header in headers])
    writer.writerows(
        [neutral(one_line(cell)) if isinstance(cell, str) else _unsigned(cell) for cell in row]
        for row in rows
    )
    return out.getvalue()


def shown(cell: Cell) -> str:
    """A cell as people read it."""
    if cell is None:
        return UNDEFINED
    if isinstance(cell, float):
        return decimal(cell)
    return f"{cell:,}" if isinstance(cell, int) else one_line(cell)


def _side(column: Sequence[Cell]) -> str:
    return "l" if any(isinstance(cell, str) for cell in column) else "r"
