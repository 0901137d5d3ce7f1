"""A file that a disk, a copy or another program has damaged.

Each variant is the same project with something changed in its bytes. Every command is run on it.
It must end with a sentence and never with a fault of the program. What comes out, scores, coverage,
labels, the log and the texts that are shown, is that of the whole file. What
``doctor --rescue`` brings back must be whole, and hold every judgment that can still be read.
"""

from __future__ import annotations

import faulthandler
import re
import sqlite3
import time
from contextlib import closing, suppress
from itertools import count
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from annotator.cli.options import opened
from annotator.errors import AnnotatorError
from annotator.judging import Session
from annotator.store import Desk, Project
from annotator.store.sqlite.schema import SCHEMA_VERSION
from tests.projects import TickingClock, import_systems
from tests.torture.commands import Result, run_command
from tests.torture.damages import DAMAGES, pages_as_in
from tests.torture.facts import Facts
from tests.torture.grading import MEMORY, act, document_of, project_of

HANGS = 60  # seconds after which a variant ends the whole process with a traceback
SCHEMA = slice(60, 64)  # where a SQLite file keeps its user_version: an older one is migrated
SAID_CODES = {0, 1, 2, 4}
COMMANDS = {
    "status": ("status", "--format", "json"),
    "score": ("score", "--format", "json", "--per-query"),
    "export": ("export", "judgments", "-"),
    "qrels": ("export", "qrels", "-", "--unjudged", "-1"),
    "history": ("history", "--format", "json"),
    "compare": ("compare", "alpha", "beta", "--format", "json"),
    "queries": ("export", "queries", "-"),
    "documents": ("export", "documents", "-"),
    "run": ("export", "run", "beta", "-"),
    "doctor": ("doctor",),
}
READ = (
    "SELECT qid, docid, assessor.name, kind, fingerprint, grade, mark, note, at, seconds,"
    " position, blind, evidence_start, evidence_end, chosen, text_hash, answer"
    " FROM judgment JOIN pair ON pair.id = pair_id JOIN query ON query.id = query_id"
    " JOIN document ON document.id = document_id JOIN assessor ON assessor.id = assessor_id"
    " JOIN rubric_version ON rubric_version.id = rubric_version_id WHERE judgment.id = ?"
)
_UNPROVED = re.compile(r"(\d+) entr(?:ies were|y was) taken though nothing proves")
ENTRIES = 200
"""More than the log has."""

Entry = tuple[object, ...]


def rot(rounds: int, seed: int) -> Facts:
    """Damage the project in so many ways, and use what is left of it."""
    facts = Facts("rot: a damaged file")
    random = Random(seed)
    with TemporaryDirectory(dir=MEMORY) as place:
        path, before = _project(Path(place, "judgments.db"), seed)
        damages = [*DAMAGES, pages_as_in(before)]
        whole = {name: run_command(path, *words) for name, words in COMMANDS.items()}
        assert {one.code for one in whole.values()} == {0}, whole
        content, slowest, log = path.read_bytes(), 0.0, readable(path)
        rescues = "--rescue" in run_command(path, "doctor", "--help").out
        for variant in range(rounds):
            damage = damages[variant % len(damages)]
            path.write_bytes(damage(content, random))
            faulthandler.dump_traceback_later(HANGS, exit=True)
            began = time.monotonic()
            found = _rescued(path, log, facts) if rescues else []
            found += _used(path, whole, facts)
            slowest = max(slowest, time.monotonic() - began)
            faulthandler.cancel_dump_traceback_later()
            facts.violations += [f"variant {variant}, {damage.__name__}: {one}" for one in found]
            facts.add("damaged files")
    facts.counts["slowest, seconds"] = round(slowest, 1)
    return facts


def _project(path: Path, seed: int) -> tuple[Path, bytes]:
    """A project of two systems, with a hundred entries of two people in its log.

    And the file as it was before the last half of these. It is the same to the byte for one seed,
    so that each variant of it can be made again.
    """
    project_of(path, 5, 25, clock := TickingClock())
    random, seconds = Random(seed), count()
    with closing(Project.open(path, clock)) as project:
        with project.file.writing():
            project.file.execute("UPDATE _sqlite_migrations SET applied_at = ?", (project.now(),))
            project.file.execute("UPDATE project SET identity = zeroblob(16)")
            project.file.seal("project")
        names = [f"d{at}" for at in range(30)]
        import_systems(project, {"beta": {f"q{at}": random.sample(names, 20) for at in range(5)}})
        for who in ("ann", "ben"):
            session = Session(Desk(project, who), lambda: next(seconds))
            session.start()
            before = path.read_bytes()
            for _ in range(50):
                act(session, random)
    return path, before


def _used(path: Path, whole: dict[str, Result], facts: Facts) -> list[str]:
    """Run every command, and grade; what of that must not be."""
    before = path.read_bytes()
    got = {name: run_command(path, *words) for name, words in COMMANDS.items()}
    found = [f"{name} {fault}" for name, one in got.items() if (fault := _unsaid(one))]
    if path.read_bytes() != before and before[SCHEMA] == SCHEMA_VERSION.to_bytes(4, "big"):
        found.append("a command that only reads changed the file")
    sound = got["doctor"].code == 0
    facts.add("found by doctor or refused at opening", not sound)
    for name in whole.keys() - {"doctor"}:
        if got[name].code == 0 and got[name].out != whole[name].out:
            found.append(f"{name} differs{', and doctor finds nothing' if sound else ''}")
    return found + _graded(path)


def _rescued(path: Path, log: set[Entry], facts: Facts) -> list[str]:
    """Rescue what can be read; what of the log that should be there is not, or is wrong."""
    new = path.with_name("new.db")
    new.unlink(missing_ok=True)
    done = run_command(path, "doctor", "--rescue", str(new))
    if fault := _unsaid(done):
        return [f"rescue {fault}"]
    wanted, got = readable(path) & log, readable(new) if new.exists() else set()
    facts.add("judgments rescued", len(got))
    facts.add("judgments lost", len(log - got))
    found = []
    if wanted - got:
        found.append(f"rescue: {len(wanted - got)} readable judgments are lost: {done.err[:300]}")
    named, wrong = _UNPROVED.search(done.err), len(got - log)
    if wrong > (int(named[1]) if named else 0):
        found.append(f"rescue: {wrong} judgments are not as they were stored: {done.err[:300]}")
    facts.add("judgments altered, named as not proved", wrong)
    if new.exists() and (looked := run_command(new, "doctor")).code:
        found.append(f"rescue: the new project is not whole: {looked.out} {looked.err}"[:300])
    return found


def readable(path: Path) -> set[Entry]:
    """The entries of a log that SQLite can read one by one, with all that they name."""
    found: set[Entry] = set()
    with closing(sqlite3.connect(path)) as db:
        for number in range(1, ENTRIES + 1):
            with suppress(sqlite3.Error, UnicodeError):
                found.update(db.execute(READ, (number,)))
    return found


def _unsaid(result: Result) -> str:
    """Why a command did not end as it must, with a sentence; empty if it did."""
    if result.code not in SAID_CODES or "Traceback" in result.err:
        return f"ends with {result.code}: {result.err.strip()[:300]}"
    return "" if result.code == 0 or result.err.strip() else f"ends with {result.code} in silence"


def _graded(path: Path) -> list[str]:
    """Open the file as ``grade`` does, read a text and grade."""
    try:
        with opened(path) as project:
            session = Session(Desk(project, "ann"))
            session.start()
            if session.card and session.document() != document_of(int(session.card.docid[1:])):
                return ["another text is shown than was stored"]
            if session.card:
                session.grade(session.card.pair, 1)
    except AnnotatorError:
        pass
    except Exception as error:
        return [f"grading fails with {type(error).__name__}: {error}"]
    return []
