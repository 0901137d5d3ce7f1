"""What a file's name says."""

from __future__ import annotations

from collections.abc import Sequence
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


def names_of(paths: Sequence[Path]) -> list[str]:
    """Name each of several files by its own name, or by its whole path where names repeat."""
    names = ["standard input" if str(path) == "-" else system_name(path) for path in paths]
    return [
        name if names.count(name) == 1 else str(path)
        for name, path in zip(names, paths, strict=True)
    ]
