"""A project on real data that ships with the program: Cranfield questions and five systems.

Four systems are pooled and judged; a fifth is new, and what it adds to the pool is not judged.
"""

from __future__ import annotations

from importlib.resources import as_file, files
from importlib.resources.abc import Traversable
from pathlib import Path

from annotator import rubric_files
from annotator.actions.imports.qrels import import_qrels
from annotator.actions.imports.texts import import_documents, import_queries, import_run
from annotator.actions.pool import make_pool
from annotator.errors import ProjectError, UsageError
from annotator.store import Project

ESTABLISHED = ("bm25_lucene", "bm25plus_nostem", "tfidf_cosine", "ql_dirichlet")
NEW = "lsa_200"
ASSESSOR = "cranfield"
DEPTH = 10
FILES = (
    "queries.tsv",
    "documents.jsonl",
    "qrels.txt",
    "qrels.rest.txt",
    *(f"runs/{name}.run" for name in (*ESTABLISHED, NEW)),
    "PROVENANCE.md",
)


def open_or_build(path: Path) -> Project:
    """Open the demo, or any project that is there; build it where nothing is.

    Raises
    ------
    ProjectError
        If something else is there; it is left as it is.
    """
    if path.is_symlink() or path.exists():
        if not path.is_file():
            raise ProjectError(f"{path}: is there already and is no project file")
    else:
        _build(path)
    return Project.open(path)


def write_files(folder: Path) -> list[Path]:
    """Write the files that the demo is built from; those written.

    Raises
    ------
    UsageError
        If one of them is there already, or cannot be written; nothing is replaced.
    """
    targets = [folder / name for name in FILES]
    for target in targets:
        if target.is_symlink() or target.exists():
            raise UsageError(f"{target}: is there already; nothing was written")
    try:
        for name, target in zip(FILES, targets, strict=True):
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(_source(name).read_bytes())
    except OSError as error:
        raise UsageError(f"{folder}: cannot be written: {error.strerror}") from error
    return targets


def _source(name: str) -> Traversable:
    return files("annotator").joinpath("demo", "cranfield", *name.split("/"))


def _build(path: Path) -> None:
    with as_file(files("annotator").joinpath("demo", "cranfield")) as data:

        def begin(project: Project) -> None:
            import_queries(project, data / "queries.tsv")
            for name in ESTABLISHED:
                import_run(project, data / "runs" / f"{name}.run")
            make_pool(project, DEPTH)
            import_qrels(project, data / "qrels.txt", assessor=ASSESSOR)
            import_run(project, data / "runs" / f"{NEW}.run")
            make_pool(project, DEPTH)
            import_documents(project, data / "documents.jsonl")

        Project.create(path, rubric_files.load(rubric_files.DEFAULT), begin=begin).close()
