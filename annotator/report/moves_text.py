"""Two rankings of one query side by side, as text."""

from __future__ import annotations

from annotator.report.columns import with_texts
from annotator.report.records import record, write_records
from annotator.report.tables import (
    Cell,
    Format,
    method_line,
    name,
    paragraph,
    render,
    to_json,
)
from annotator.results.moves import Move, MoveTable
from annotator.text.numbers import UNDEFINED
from annotator.text.plural import counted

UP, DOWN, NEW, GONE, STAYS = "\N{UPWARDS ARROW}", "\N{DOWNWARDS ARROW}", "new", "gone", "="


def write_moves(table: MoveTable, form: Format, *, width: int = 100) -> str:
    """Write what moved; rows are documents."""
    if form is Format.JSON:
        return to_json(table.to_dict())
    if form in (Format.CSV, Format.TSV):
        rows = [{"query": table.query, **record(one.to_dict())} for one in table.moves]
        return write_records(rows, form)
    text = f": {table.text}" if table.text else ""
    blocks = [
        paragraph(f"Query {name(table.query)}{text}", form, width),
        paragraph(in_words(table), form, width),
        _documents(table, form, width),
        method_line(table.line(), form, width),
    ]
    return "\n".join(blocks)


def in_words(table: MoveTable) -> str:
    """How much moved, and how much of what is new was not judged."""
    said = [_what(one, table.k) for one in table.moves]
    new, gone = said.count(NEW), said.count(GONE)
    first, second = name(table.first), name(table.second)
    open_ = sum(one.grade is None for one in table.moves)
    judged = f" Not judged: {open_:,}." if open_ else ""
    return (
        f"The first {table.k:,} of {first} and of {second} have "
        f"{counted(len(said) - new - gone, 'document')} in common; {new:,} new, {gone:,} gone."
        f"{judged}"
    )


def _high(rank: int | None, k: int) -> bool:
    return rank is not None and rank <= k


def _what(one: Move, k: int) -> str:
    """What became of a document in the first k: a word, or how far it moved."""
    if not _high(one.second, k):
        return GONE
    if not _high(one.first, k):
        return NEW
    if not one.up:
        return STAYS
    return f"{UP if one.up > 0 else DOWN}{abs(one.up)}"


def _documents(table: MoveTable, form: Format, width: int) -> str:
    """A row a document, with its title where any has one."""
    headers = [name(table.second), name(table.first), "move", "grade", "document", "title"]
    rows: list[list[Cell]] = [
        [
            _rank(one.second),
            _rank(one.first),
            _what(one, table.k),
            "unjudged" if one.grade is None else str(one.grade),
            name(one.document),
            one.title,
        ]
        for one in table.moves
    ]
    if any(one.title for one in table.moves):
        return with_texts(headers, rows, form, width, align="rrlrll")
    return render(headers[:-1], [row[:-1] for row in rows], form, align="rrlrl")


def _rank(rank: int | None) -> str:
    return UNDEFINED if rank is None else str(rank)
