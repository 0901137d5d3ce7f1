"""How fast files come in, beside sqlite3's own executemany of the same rows, and in what memory.

Usage: python benchmarks/import.py [--rows 1000000] [--systems 10] [--corpus-mb 200] [--folder DIR]

Each measurement runs in a process of its own, of which the peak of the resident memory is told.
The files are made in the folder and removed.
"""

from __future__ import annotations

import argparse
import random
import resource
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

DEPTH = 1000
WANTED = 20_000
WORDS = 120  # of a document
TASKS = ("bare-insert", "run", "systems", "bare-corpus", "corpus")


def run_rows(rows: int, documents: int, seed: int) -> Iterator[tuple[str, str, int, float]]:
    """The rows of a run: queries of 1,000 places each."""
    chosen = random.Random(seed)
    for row in range(rows):
        query, place = divmod(row, DEPTH)
        docid = f"msmarco_passage_{chosen.randrange(documents):08}"
        yield f"q{query}", docid, place + 1, 1000 - place + chosen.random()


def write_run(path: Path, rows: int, documents: int, seed: int) -> None:
    """Write them as a TREC run."""
    with path.open("w") as file:
        file.writelines(
            f"{qid} Q0 {docid} {rank} {score:.6f} tag\n"
            for qid, docid, rank, score in run_rows(rows, documents, seed)
        )


def write_corpus(path: Path, megabytes: int) -> int:
    """Write a BEIR corpus of this size; how many documents it has."""
    chosen = random.Random(0)
    words = [f"word{number}" for number in range(5000)]
    texts = [" ".join(chosen.choices(words, k=WORDS)) for _ in range(500)]
    count = size = 0
    with path.open("w") as file:
        while size < megabytes * 1_000_000:
            text = texts[count % len(texts)]
            size += file.write(f'{{"_id": "d{count}", "title": "t{count}", "text": "{text}"}}\n')
            count += 1
    return count


def main() -> None:
    """Make the files, run every task, print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rows", type=int, default=1_000_000, help="of the one large run")
    parser.add_argument("--systems", type=int, default=10, help="of 50 queries x 1,000 places")
    parser.add_argument("--corpus-mb", type=int, default=200)
    parser.add_argument("--folder", type=Path, help="where there is room for the files")
    parser.add_argument("--task", choices=TASKS, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.task:
        task(options.task, options)
        return
    with TemporaryDirectory(dir=options.folder) as name:
        folder = Path(name)
        write_run(folder / "large.run", options.rows, max(options.rows // 3, DEPTH), seed=0)
        for number in range(options.systems):
            write_run(folder / f"system{number}.run", 50 * DEPTH, 30_000, seed=number)
        count = write_corpus(folder / "corpus.jsonl", options.corpus_mb)
        print(
            f"{options.rows:,} rows; {options.systems} systems x 50,000 rows; "
            f"{options.corpus_mb} MB of {count:,} documents, of which {WANTED:,} are pooled\n"
        )
        print("| task | seconds | a second | peak MiB |\n| --- | --- | --- | --- |")
        for one in TASKS:
            words = [
                f"--{key.replace('_', '-')}={value}"
                for key, value in vars(options).items()
                if key not in ("task", "folder")
            ]
            command = [sys.executable, __file__, "--task", one, "--folder", str(folder), *words]
            done = subprocess.run(command, capture_output=True, text=True, check=True)
            print(done.stdout.strip(), flush=True)


def task(name: str, options: argparse.Namespace) -> None:
    """Do one task in this process and print its line of the table."""
    from annotator.rubrics import presets
    from annotator.store import Project

    folder: Path = options.folder
    project = Project.create(folder / f"{name}.db", presets()["general"])
    work = {
        "bare-insert": lambda: bare_insert(folder, options.rows),
        "run": lambda: import_runs(project, [folder / "large.run"]),
        "systems": lambda: import_runs(project, sorted(folder.glob("system*.run"))),
        "bare-corpus": lambda: bare_corpus(folder / "corpus.jsonl"),
        "corpus": lambda: import_corpus(project, folder / "corpus.jsonl"),
    }[name]
    seconds, count, unit = work()
    project.close()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"| {name} | {seconds:.2f} | {count / seconds:,.0f} {unit} | {peak:,.0f} |")


def bare_insert(folder: Path, count: int) -> tuple[float, int, str]:
    """Insert the run's rows, held in memory, in one transaction and one call."""
    rows = list(run_rows(count, max(count // 3, DEPTH), seed=0))
    with sqlite3.connect(folder / "bare.db") as connection:
        connection.execute("CREATE TABLE run (qid TEXT, docid TEXT, rank INTEGER, score REAL)")
        start = time.perf_counter()
        connection.executemany("INSERT INTO run VALUES (?, ?, ?, ?)", rows)
        connection.commit()
        return time.perf_counter() - start, count, "rows"


def import_runs(project: object, files: list[Path]) -> tuple[float, int, str]:
    """Import run files as systems."""
    from annotator.actions.importing import import_run
    from annotator.store import Project

    assert isinstance(project, Project)
    start = time.perf_counter()
    with project.file.writing():
        found = [import_run(project, file) for file in files]
    return time.perf_counter() - start, sum(int(one.facts["rows"]) for one in found), "rows"


def bare_corpus(path: Path) -> tuple[float, int, str]:
    """Parse every line of the corpus with Python's own JSON, and keep nothing."""
    import json

    start = time.perf_counter()
    with path.open(encoding="utf-8") as file:
        count = sum(1 for line in file if json.loads(line))
    return time.perf_counter() - start, count, "documents"


def import_corpus(project: object, path: Path) -> tuple[float, int, str]:
    """Import the texts that the pool needs."""
    from annotator.actions.importing import import_documents
    from annotator.actions.pooling import make_pool
    from annotator.store import Project

    assert isinstance(project, Project)
    run = path.with_name("pool.run")
    with run.open("w") as file:
        file.writelines(
            f"q{n // 100} Q0 d{n * 7} {n % 100 + 1} {100 - n % 100} t\n" for n in range(WANTED)
        )
    import_runs(project, [run])
    make_pool(project, 100)
    start = time.perf_counter()
    found = import_documents(project, path)
    count = sum(int(value) for fact, value in found.facts.items() if fact.startswith("documents"))
    return time.perf_counter() - start, count, "documents"


if __name__ == "__main__":
    main()
