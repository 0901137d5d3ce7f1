"""How fast files come in, beside sqlite3's own executemany and bare parsers, and in what memory.

Usage: python benchmarks/import.py [--rows 1000000] [--systems 10] [--corpus-mb 200]
    [--ranking-rows 1000000] [--folder DIR] [--only TASK ...]

The bare insert puts the same rows (query, document, rank, score) as they are into a STRICT table
without any index, in one transaction, from tuples held in memory; an import reads the file, checks
it, numbers the documents and orders the rankings as well. Each task runs in a process of its own,
of which seconds of the clock, seconds of the processor and the peak of the resident memory are
told; on a shared machine the processor's are those to trust. The files are made in the folder and
removed. Parsers that are not installed are left out.
"""

from __future__ import annotations

import argparse
import json
import resource
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from import_files import DEPTH, QUERIES, rows_of, write_corpus, write_places, write_run

if TYPE_CHECKING:
    from annotator.store import Project

WANTED = 20_000
SYSTEMS = 20  # of each of the two projects
SMALLEST = 10  # places of each ranking of the small one
Count = tuple[int, str]
Work = Callable[[], Count]


def bare_insert(folder: Path) -> Work:
    """Insert the large run's rows in one transaction and one call."""
    rows = list(rows_of(folder / "large.run"))
    connection = sqlite3.connect(folder / "bare.db")
    connection.execute("CREATE TABLE run (qid TEXT, docid TEXT, rank INTEGER, score REAL) STRICT")

    def work() -> Count:
        connection.executemany("INSERT INTO run VALUES (?, ?, ?, ?)", rows)
        connection.commit()
        connection.close()
        return len(rows), "rows"

    return work


def runs(folder: Path, pattern: str) -> Work:
    """Import run files as systems, all or none."""
    project = _project(folder / f"into-{pattern[:5]}.db")
    return lambda: (_import(project, sorted(folder.glob(pattern))), "rows")


def bare_corpus(folder: Path) -> Work:
    """Parse every line of the corpus with Python's own JSON, and keep nothing."""

    def work() -> Count:
        with (folder / "corpus.jsonl").open(encoding="utf-8") as file:
            return sum(1 for line in file if json.loads(line)), "documents"

    return work


def corpus(folder: Path) -> Work:
    """Import the texts that the pool needs."""
    from annotator.actions.imports.texts import import_documents
    from annotator.actions.pool import make_pool

    project, run = _project(folder / "corpus.db"), folder / "pool.run"
    with run.open("w") as file:
        file.writelines(
            f"q{n // 100} Q0 d{n * 7} {n % 100 + 1} {100 - n % 100} t\n" for n in range(WANTED)
        )
    _import(project, [run])
    make_pool(project, 100)

    def work() -> Count:
        found = import_documents(project, folder / "corpus.jsonl")
        facts = found.facts.items()
        return sum(int(n) for fact, n in facts if fact.startswith("documents")), "documents"

    return work


def parser(folder: Path, name: str) -> Work:
    """Parse the large run with another package, and keep what it makes."""
    path = str(folder / "large.run")
    if name == "polars":
        import polars

        read: Callable[[], Any] = partial(
            polars.read_csv, path, separator=" ", has_header=False, quote_char=None
        )
    elif name == "pandas":
        import pandas

        read = partial(pandas.read_csv, path, sep=" ", header=None, quoting=3)
    elif name == "pytrec_eval":
        import pytrec_eval

        read = partial(_opened, path, pytrec_eval.parse_run)
    else:
        import ir_measures

        read = lambda: list(ir_measures.read_trec_run(path))  # noqa: E731

    def work() -> Count:
        read()
        return sum(1 for _ in Path(path).open("rb")), "rows"

    return work


def _opened(path: str, parse: Callable[[Any], Any]) -> Any:
    with Path(path).open() as file:
        return parse(file)


def used(folder: Path, size: str, step: str) -> Work:
    """One step of everyday work on a project with many or few ranking rows, of like pools."""
    from annotator.actions.scoring import score
    from annotator.actions.status import status
    from annotator.scoring.options import ScoreOptions
    from annotator.store import Desk, Project

    path = folder / f"{size}.db"
    steps: dict[str, Callable[[Project], object]] = {
        "open": lambda project: None,
        "status": status,
        "score": lambda project: score(project, ScoreOptions()),
        "first": lambda project: _first(Desk(project, "ann")),
    }

    def work() -> Count:
        project = Project.open(path)
        steps[step](project)
        project.close()
        return 1, "times"

    return work


def _first(desk: Any) -> None:
    query = desk.progress()[0].query
    desk.document(desk.cards(query)[0].document)


def _project(path: Path) -> Project:
    from annotator.rubric_files import presets
    from annotator.store import Project

    return Project.create(path, presets()["general"])


def _import(project: Project, files: list[Path]) -> int:
    from annotator.actions.imports.runs import run_of
    from annotator.actions.imports.transaction import import_all

    found = import_all(project, [partial(run_of, path=file) for file in files])
    return sum(int(one.facts["rows"]) for one in found)


TASKS: dict[str, Callable[[Path], Work]] = {
    "bare insert": bare_insert,
    "run": partial(runs, pattern="large.run"),
    **{f"parse {name}": partial(parser, name=name)
       for name in ("polars", "pandas", "pytrec_eval", "ir_measures")},
    "systems": partial(runs, pattern="system*.run"),
    "bare corpus": bare_corpus,
    "corpus": corpus,
    **{f"{step}, {size} project": partial(used, size=size, step=step)
       for step in ("open", "status", "score", "first") for size in ("small", "large")},
}  # fmt: skip


def task(name: str, folder: Path) -> None:
    """Do one task in this process and print its line of the table."""
    try:
        work = TASKS[name](folder)
    except ImportError:
        print(f"| {name} | not installed | | | |")
        return
    wall, cpu = time.perf_counter(), time.process_time()
    count, unit = work()
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"| {name} | {wall:.2f} | {cpu:.2f} | {count / cpu:,.0f} {unit} | {peak:,.0f} |")


def prepare(folder: Path, options: argparse.Namespace, tasks: list[str]) -> None:
    """Make the files that the tasks need."""
    if any(name in ("bare insert", "run") or name.startswith("parse") for name in tasks):
        write_run(folder / "large.run", options.rows, max(options.rows // 3, DEPTH), seed=0)
    if "systems" in tasks:
        for number in range(options.systems):
            write_run(folder / f"system{number}.run", 50 * DEPTH, 30_000, seed=number)
    if any("corpus" in name for name in tasks):
        free = shutil.disk_usage(folder).free / 1e6
        if free < 2 * options.corpus_mb:
            sys.exit(f"{folder}: {free:,.0f} MB free, {2 * options.corpus_mb:,} needed: --folder")
        print(f"corpus of {write_corpus(folder / 'corpus.jsonl', options.corpus_mb):,} documents\n")
    if any("project" in name for name in tasks):
        from annotator.actions.pool import make_pool

        deep = options.ranking_rows // (SYSTEMS * QUERIES)
        for size, depth in (("small", SMALLEST), ("large", deep)):
            project = _project(folder / f"{size}.db")
            files = (write_places(folder / f"s{n}.txt", n, depth) for n in range(SYSTEMS))
            _import(project, list(files))
            make_pool(project, SMALLEST)
            project.close()


def main() -> None:
    """Make the files, run every task, print the table."""
    words = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    words.add_argument("--rows", type=int, default=1_000_000, help="of the one large run")
    words.add_argument("--systems", type=int, default=10, help="of 50 queries x 1,000 places")
    words.add_argument("--corpus-mb", type=int, default=200)
    words.add_argument("--ranking-rows", type=int, default=1_000_000, help="of the large project")
    words.add_argument("--folder", type=Path, help="where there is room for the files")
    words.add_argument("--only", nargs="+", choices=TASKS, default=list(TASKS))
    words.add_argument("--task", choices=TASKS, help=argparse.SUPPRESS)
    options = words.parse_args()
    if options.task:
        task(options.task, options.folder)
        return
    with TemporaryDirectory(dir=options.folder) as name:
        prepare(Path(name), options, options.only)
        print("| task | seconds | of the processor | a second of it | peak MiB |")
        print("| --- | --- | --- | --- | --- |")
        for one in options.only:
            command = [sys.executable, __file__, "--task", one, "--folder", name]
            done = subprocess.run(command, capture_output=True, text=True, check=True)
            print(done.stdout.strip(), flush=True)


if __name__ == "__main__":
    main()
