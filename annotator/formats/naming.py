"""What a file's name says."""

from __future__ import annotations

from pathlib import Path

_SUFFIXES = (
    *(".gz", ".zst", ".bz2", ".xz"),
    *(".run", ".res", ".results", ".qrels", ".qrel"),
    *(".txt", ".trec", ".tsv", ".csv", ".json", ".jsonl", ".parquet"),
)


def system_name(path: Path) -> str:
    """Name a system or an assessor by its file: run tags repeat in real life, file names do not."""
    name = path.name
    while name.lower().endswith(_SUFFIXES):
        name = name[: name.rindex(".")]
    return name or path.name
