"""``annotator pack``: runs as Parquet."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from annotator.cli import output
from annotator.cli.export import force_option
from annotator.cli.options import FILE_OPTIONS
from annotator.cli.run_files import FILE, hints_from
from annotator.errors import UsageError
from annotator.text.plural import counted


@click.command("pack")
@click.argument("runs", nargs=-1, required=True, type=FILE, metavar="RUN...")
@click.option("--to", "folder", type=FILE, metavar="FOLDER", default=Path(),
              help="Where to write NAME.parquet for each run. [default: this folder]")  # fmt: skip
@force_option
def command(runs: tuple[Path, ...], folder: Path, force: bool, **typed: Any) -> None:
    """Write runs of any format as Parquet, which is quicker to score.

    The first 100 places of every ranking stand in row groups of their own, so that `annotator score
    --first 100` (or fewer) reads only these, and `--shard` only its queries. Documents that come
    twice and the order of ranks are settled as `score` settles them.

    \b
    Example:
      annotator pack runs/*.run --to packed
      annotator score --qrels labels.qrels --run packed/*.parquet --first 100
    """
    from annotator.actions.files.packed_runs import pack_run
    from annotator.formats.naming import system_name

    hints = hints_from(typed | {"grades": ""})
    names = [system_name(run) for run in runs]
    if twice := next((one for one in names if names.count(one) > 1), None):
        raise UsageError(f"two runs would become {folder / twice}.parquet: pack them apart")
    for run, name in zip(runs, names, strict=True):
        packed = pack_run(run, folder / f"{name}.parquet", hints, force=force)
        for note in packed.notes:
            output.note(f"{run}: {note}")
        rows, queries = counted(packed.rows, "row"), counted(packed.queries, "query", "queries")
        output.note(f"wrote {packed.path}: {rows} of {queries}, {packed.bytes:,} bytes")


for option in reversed(FILE_OPTIONS):
    command = option(command)
