"""Many programs at work on one project at once.

Each grader writes down what it was told is stored, in a file of its own; two of them are the same
person in two windows. Others import runs, texts and labels, extend the pool, change the rubric
and copy the file meanwhile, and some look: to them a file that is whole is never damaged. In the
end the project must hold just what was told to them all.
"""

from __future__ import annotations

import json
import os
import sqlite3
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from functools import partial
from itertools import cycle
from pathlib import Path
from random import Random
from statistics import median
from subprocess import PIPE, Popen
from tempfile import TemporaryDirectory

from annotator.actions.imports.qrels import import_qrels
from annotator.actions.imports.texts import import_documents, import_run
from annotator.actions.pool import make_pool
from annotator.actions.rubrics import set_rubric
from annotator.errors import AnnotatorError, NotTakenBackError, RubricChangedError
from annotator.judging import SavedError, Session
from annotator.store import Project
from tests.projects import ROOT, qrels_lines, run_lines
from tests.torture.audit import TellingDesk, told_in, violations
from tests.torture.commands import run_command
from tests.torture.facts import Facts
from tests.torture.grading import act, project_of

PEOPLE = ("ann", "ann", "ben", "cat", "dan", "eve", "fay", "gus")
QUERIES, DOCUMENTS = 10, 40
PAUSE = 0.02
"""Seconds from one step of a program to its next, on average: faster than any person."""


def crowd(
    seconds: int, seed: int, *, graders: int = 8, importers: int = 2, lookers: int = 1
) -> Facts:
    """Let so many grade and import for so long, and see what is in the project then."""
    facts = Facts(f"crowd: {graders} grade and {importers} import at once")
    with TemporaryDirectory() as place:
        folder = Path(place)
        path = project_of(folder / "judgments.db", QUERIES, DOCUMENTS)
        _write_imports(folder)
        words = [("grade", PEOPLE[at % len(PEOPLE)], at) for at in range(graders)]
        words += [("import", "", graders + at) for at in range(importers)]
        words += [("look", "", graders + importers + at) for at in range(lookers)]
        programs = [_started(folder, seconds, seed, *one) for one in words]
        for program in programs:
            assert program.stdout
            assert program.stdout.readline() == "ready\n"
        for program in programs:
            assert program.stdin
            program.stdin.write("\n")
            program.stdin.flush()
        for program in programs:
            _, errors = program.communicate(timeout=seconds * 10 + 60)
            if program.returncode:
                facts.violations.append(f"a program ended with {program.returncode}: {errors}")
        _see(path, folder, facts)
    return facts


def _started(folder: Path, seconds: int, seed: int, *words: object) -> Popen[str]:
    command = [sys.executable, "-m", "tests.torture.crowd", folder, seconds, seed, *words]
    return Popen(
        list(map(str, command)),
        stdin=PIPE,
        stdout=PIPE,
        stderr=PIPE,
        text=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )


def _see(path: Path, folder: Path, facts: Facts) -> None:
    told = [one for file in folder.glob("told-*") for one in told_in(file.read_text())]
    lines = [line for file in folder.glob("done-*") for line in file.read_text().splitlines()]
    done = [json.loads(line) for line in lines]
    facts.counts["judgments, notes and undos acknowledged"] = len(told)
    refused = [one for one in done if "refused" in one]
    graded = [one["seconds"] for one in done if "graded" in one]
    anew = sum("rubric taken" in one for one in done)
    facts.counts["graders went on under a changed rubric"] = anew
    facts.counts["steps refused"] = len(refused)
    facts.violations += [f"refused after {one['seconds']} s: {one['refused']}" for one in refused]
    looked = sum("looked" in one for one in done)
    facts.counts["scores, exports and checks made meanwhile"] = looked
    aside = len(refused) + len(graded) + anew + looked
    facts.counts["imports, pools, rubrics, copies done"] = len(done) - aside
    facts.counts["a grader's wait, milliseconds: median"] = round(1000 * median(graded))
    facts.counts["the longest"] = round(1000 * max(graded))
    facts.violations += violations(path, told, unheard=0)
    with closing(Project.open(path)) as project:
        systems = {system.name for system in project.systems.all()}
        said = Counter(
            (one.qid, one.docid, one.rubric)
            for one in project.judgments.events()
            if one.assessor == "labels"
        )
    wanted = {one["system"] for one in done if "system" in one}
    facts.violations += [f"lost: system {name}" for name in wanted - systems]
    facts.violations += [f"doubled: the label of {pair}" for pair, n in said.items() if n > 1]
    if len(said) % (QUERIES * DOCUMENTS) or bool(said) != any("labels" in one for one in done):
        facts.violations.append(f"{len(said)} labels imported, not whole files of them")


def _write_imports(folder: Path) -> None:
    """The files that are imported: runs with documents and a query of their own, labels, texts."""
    for run in range(10):
        queries = [*(f"q{at}" for at in range(QUERIES)), f"x{run}"]
        ranked = {query: [f"r{run}-{n}" for n in range(20)] for query in queries}
        (folder / f"more-{run}.run").write_text(run_lines(ranked))
    pairs = {(f"q{at}", f"d{n}"): n % 4 for at in range(QUERIES) for n in range(DOCUMENTS)}
    (folder / "labels.qrels").write_text(qrels_lines(pairs))
    (folder / "other.qrels").write_text(qrels_lines({("q0", "d0"): 1}))
    texts = [{"_id": f"r{run}-{n}", "text": "text " * 50} for run in range(10) for n in range(20)]
    (folder / "texts.jsonl").write_text("".join(json.dumps(one) + "\n" for one in texts))


def _work(folder: Path, seconds: int, seed: int, what: str, who: str, number: int) -> None:
    """One of the programs: begin when told to, stop when the time is over."""
    random = Random(f"{seed} {number}")
    with (
        (folder / f"done-{number}").open("a") as done,
        closing(Project.open(folder / "judgments.db")) as project,
    ):
        if what == "grade":
            steps = _grading(project, folder, who, number, random)
        elif what == "import":
            steps = _importing(project, folder, number, random)
        else:
            steps = _looking(project.file.path)
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        sys.stdin.readline()
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            time.sleep(random.expovariate(1 / PAUSE))
            began = time.monotonic()
            try:
                line = next(steps)()
            except (NotTakenBackError, SavedError) as error:
                line = {"note": error.message}
            except AnnotatorError as error:
                line = {"refused": f"{what}: {error.message}"}
            line["seconds"] = round(time.monotonic() - began, 3)
            done.write(json.dumps(line) + "\n")


Line = dict[str, object]
"""What one step of a program did, as it is written down."""


def _grading(
    project: Project, folder: Path, who: str, number: int, random: Random
) -> Iterator[Callable[[], Line]]:
    """Say something and look whether others did, on and on."""
    told = os.open(folder / f"told-{number}", os.O_WRONLY | os.O_CREAT)

    session = Session(TellingDesk(project, who, told))
    session.start()

    def one() -> Line:
        try:
            act(session, random)
        except RubricChangedError:
            session.take_rubric()
            return {"rubric taken": True}
        session.changed()
        return {"graded": True}

    while True:
        yield one


def _importing(
    project: Project, folder: Path, number: int, random: Random
) -> Iterator[Callable[[], Line]]:
    """Import, pool, put a rubric in force and copy the file; on and on."""

    def run() -> Line:
        at = random.randrange(10)
        import_run(project, folder / f"more-{at}.run", replace=True)
        return {"system": f"more-{at}"}

    def labels() -> Line:
        import_qrels(project, folder / "labels.qrels", assessor="labels")
        import_qrels(project, folder / "other.qrels", assessor=f"other{random.randrange(10)}")
        return {"labels": "labels"}

    def texts() -> Line:
        import_documents(project, folder / "texts.jsonl")
        return {"texts": "texts"}

    def pool() -> Line:
        make_pool(project, random.randint(1, DOCUMENTS))
        return {"pool": "pool"}

    def rubric() -> Line:
        with project.file.writing():
            now = project.rubrics.active().rubric
            later = replace(now, version=now.version + 1)
            set_rubric(project, later, carry_labels=random.random() < 0.5)
        return {"rubric": later.version}

    def copy() -> Line:
        target = folder / f"copy-{number}.db"
        target.unlink(missing_ok=True)
        project.file.copy_to(target)
        with closing(sqlite3.connect(target)) as db:
            assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        return {"copy": str(target)}

    while True:
        yield random.choice([run, run, labels, texts, pool, rubric, copy])


LOOKS = (
    *("score", "status", "history", "doctor", "export qrels -", "export judgments -"),
    *("export documents -", "export queries -", "export run more-0 -", "compare --all"),
)


def _looking(path: Path) -> Iterator[Callable[[], Line]]:
    """Run every command that only reads, on and on; an answer is an answer."""

    def look(words: str) -> Line:
        ended = run_command(path, *words.split())
        found = [one for one in (ended.err, ended.out) if "amaged" in one or "BAD" in one]
        if found or ended.code not in (0, 2):
            return {"refused": f"{words}: {ended.code}: {(found or [ended.err])[0]}"}
        return {"looked": words}

    for words in cycle(LOOKS):
        yield partial(look, words)


if __name__ == "__main__":
    _work(
        Path(sys.argv[1]),
        int(sys.argv[2]),
        int(sys.argv[3]),
        sys.argv[4],
        sys.argv[5],
        int(sys.argv[6]),
    )
