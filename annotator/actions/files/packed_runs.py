"""Run files of any format as Parquet files that are quick to score."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from annotator.actions.files.boards import read_table
from annotator.actions.imports.report import Found, note_run
from annotator.atomic_write import becoming
from annotator.blocks.codes import Codes
from annotator.displayed_order import displayed, rule_of
from annotator.formats import Hints, Source
from annotator.formats.runs.parquet_writer import write_parquet


@dataclass(frozen=True)
class PackedRun:
    """A run that was packed: its rows and queries, its bytes, and a sentence for each oddity."""

    path: Path
    rows: int
    queries: int
    bytes: int
    notes: tuple[str, ...]


def pack_run(run: Path, out: Path, hints: Hints | None = None, *, force: bool = False) -> PackedRun:
    """Write a run in displayed order as Parquet, its first places in row groups of their own.

    Raises
    ------
    InputError
        If a line of it is bad.
    UsageError
        If there is a file already that is not to be replaced, or it cannot be written.
    """
    source = Source(run, hints, imported=False)
    table = read_table(source, Codes(), None)
    rule = rule_of(table.query, table.rank)
    ordered = displayed(table.query, table.document, table.rank, table.score, rule)
    found = Found(source.name, "run")
    note_run(found, ordered.counts, rule)
    with becoming(out, force=force) as part:
        rows = write_parquet(part, ordered, table.qids, table.documents)
    return PackedRun(out, rows, len(table.qids), out.stat().st_size, tuple(found.warnings))
