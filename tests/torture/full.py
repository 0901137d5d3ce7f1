"""A disk that is full, a quota, a broken disk; a file moved, deleted or replaced underneath.

The real app grades in a terminal. Then something goes wrong: the next grade must not be shown as
saved, the app must say what happened and live on. Then it is put right: the same key must work.
The commands must end with a sentence and leave the project as it was, and work when run again.
"""

from __future__ import annotations

import errno
import os
import resource
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from annotator.judging import Session
from annotator.records import Card
from annotator.store import Desk, Project
from annotator.tui.guard import MIN_GAP
from annotator.tui.words import HELD
from tests.e2e.terminals import PATIENCE, Terminal
from tests.projects import ROOT, qrels_lines, run_lines
from tests.torture import shim
from tests.torture.audit import TellingDesk, Told, told_in, violations
from tests.torture.facts import Facts
from tests.torture.grading import act, project_of
from tests.torture.kill import shown
from tests.torture.rot import run_command

PROJECT, REFUSED = "judgments.db", "NOT saved"
MOVED = "it was moved, deleted or replaced"
REFUSALS = [
    ("w", errno.ENOSPC, "the disk is full"),
    ("w", errno.EDQUOT, "nothing was saved"),
    ("w", errno.EIO, "the disk reported an error"),
    ("s", errno.EIO, "the disk reported an error"),
    ("c", errno.EACCES, "it cannot be"),
    ("c", errno.EROFS, "it cannot be"),
    ("wstu", errno.EIO, "the disk reported an error"),
    ("wstuc", errno.ENOSPC, ""),
]
"""Which steps on the disk fail, how, and what the app must say."""


def full(rounds: int, seed: int, *, most: int = 100) -> Facts:
    """Everything that can be wrong with the disk, so many times over, or ``most`` of it."""
    facts = Facts("full: no room, no permission, a broken disk, a file gone from underneath")
    for at in range(rounds):
        random = Random(f"{seed} {at}")
        for ordeal in (_app, _commands, _read_only, _clock):
            with TemporaryDirectory() as place:
                facts.violations += ordeal(Path(place), random, facts, most)
    return facts


Change = Callable[[], object]
"""Makes something wrong, or right again."""


class _Desk:
    """The app in a terminal, before a disk that can be made to fail."""

    def __init__(self, place: Path, facts: Facts) -> None:
        self.fault, self.folder = place / "fault", place / "folder"
        self.folder.mkdir()
        self.path = project_of(self.folder / PROJECT, queries=2, documents=40)
        self.found: list[str] = []
        self._facts = facts
        self._told: list[Told] = []
        with closing(Project.open(self.path)) as project:
            desk = Desk(project, "ann")
            self._pairs = [one.pair for query in desk.progress() for one in desk.cards(query.query)]
        extra = shim.environment(self.folder, fault=self.fault)
        words = [f"{name}={value}" for name, value in extra.items()]
        program = [sys.executable, "-m", "annotator", "-p", str(self.path)]
        program += ["grade", "--assessor", "ann"]
        self.terminal = Terminal(folder=place, command=["env", *words, *program])
        self.terminal.wait_for("document 1 of")

    def ordeal(
        self, name: str, said: str, wrong: Callable[[], object], right: Callable[[], object]
    ) -> None:
        """Let something go wrong, grade, put it right, grade again."""
        self._facts.add("grades given while something was wrong")
        wrong()
        screen = self._press(1)
        if self._is_saved():
            self.found.append(f"{name}: shown as saved")
        elif said not in screen:
            self.found.append(f"{name}: {said!r} is not said: {screen}")
        right()
        if not self._is_saved():
            screen = self._press(2, again=True)
        if self._is_saved():
            self._told.append(Told(len(self._told) + 1, "ann", self._next, 2, None, ""))
        else:
            self.found.append(f"{name}: cannot be graded when it is right again: {screen}")
        self.found += [f"{name}: {one}" for one in violations(self.path, self._told, unheard=0)]

    @property
    def _next(self) -> int:
        return self._pairs[len(self._told)]

    def _is_saved(self) -> bool:
        return shown(self.terminal.text, 0) > len(self._told)

    def _press(self, grade: int, *, again: bool = False) -> str:
        """Press a key that is not ignored; what stands on the screen when it was taken or not.

        ``again``: it was refused before, and the screen still says so; now it must be taken.
        """
        until = time.monotonic() + PATIENCE / 2

        def ends() -> bool:
            refused = time.monotonic() > until if again else REFUSED in self.terminal.text
            return self._is_saved() or refused

        self.terminal.rest(MIN_GAP * 4)
        self.terminal.type(str(grade))
        self.terminal.wait_for(lambda: ends() or HELD in self.terminal.text)
        if HELD in self.terminal.text:
            self.terminal.rest(1)
            self.terminal.type(str(grade))
            self.terminal.wait_for(ends)
        return " ".join(self.terminal.text.split())


def _app(place: Path, random: Random, facts: Facts, most: int) -> list[str]:
    """Grade in the app while the disk refuses, and while the file is moved about."""
    desk = _Desk(place, facts)
    path, aside, moved = desk.path, place / "aside.db", place / "moved"
    ways: list[tuple[str, str, Change, Change]] = [
        (
            f"{steps} fails with {errno.errorcode[code]}",
            said,
            partial(shim.order, desk.fault, steps, code),
            partial(shim.order, desk.fault, "", 0),
        )
        for steps, code, said in REFUSALS
    ]
    process, none = desk.terminal.program.pid, (0, resource.RLIM_INFINITY)
    any_size = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)
    ways += [
        (
            "a quota of the system",
            "nothing was saved",
            lambda: resource.prlimit(process, resource.RLIMIT_FSIZE, none),
            lambda: resource.prlimit(process, resource.RLIMIT_FSIZE, any_size),
        ),
        (
            "the folder is moved",
            MOVED,
            lambda: desk.folder.rename(moved),
            lambda: moved.rename(desk.folder),
        ),
        ("the file is moved", MOVED, lambda: path.rename(aside), lambda: aside.rename(path)),
        (
            "the file is deleted",
            MOVED,
            partial(_unlink, path, aside),
            lambda: aside.rename(path),
        ),
        (
            "the file is replaced by a copy",
            MOVED,
            lambda: (path.rename(aside), shutil.copy(aside, path)),
            lambda: aside.rename(path),
        ),
    ]
    random.shuffle(ways)
    try:
        for way in ways[:most]:
            desk.ordeal(*way)
    except AssertionError as error:
        desk.found.append(str(error))
    finally:
        desk.terminal.close()
    return desk.found


def _unlink(path: Path, aside: Path) -> None:
    """Delete a file, and keep what was in it under another name."""
    os.link(path, aside)
    path.unlink()


def _commands(place: Path, random: Random, facts: Facts, most: int) -> list[str]:
    """Run each command that writes while the disk refuses, and again when it does not."""
    folder, found = place / "folder", []
    folder.mkdir()
    path = project_of(folder / PROJECT, queries=2, documents=40)
    rankings = {f"q{at}": [f"n{rank}" for rank in range(50)] for at in range(2)}
    (place / "more.run").write_text(run_lines(rankings))
    (place / "labels.qrels").write_text(qrels_lines({("q0", f"d{at}"): 1 for at in range(40)}))
    commands = [
        ("import", "run", str(place / "more.run")),
        ("pool", "--depth", "20"),
        ("import", "qrels", str(place / "labels.qrels")),
        ("backup", str(folder / "copy.db")),
        ("export", "qrels", str(folder / "out.qrels")),
    ]
    for words in commands[:most]:
        steps, code = random.choice([("w", errno.ENOSPC), ("s", errno.EIO), ("c", errno.EROFS)])
        name = f"{' '.join(words[:2])}, {steps} fails with {errno.errorcode[code]}"
        before, files = _dump(path), sorted(folder.iterdir())
        shim.order(place / "fault", steps, code)
        done = _command(folder, place / "fault", *words)
        facts.add("commands while something was wrong")
        if done.returncode not in (2, 4) or len(done.stderr.strip().splitlines()) != 1:
            found.append(f"{name}: ended with {done.returncode}: {done.stderr}")
        shim.order(place / "fault", "", 0)
        if _dump(path) != before:
            found.append(f"{name}: changed the project")
        if sorted(folder.iterdir()) != files:
            found.append(f"{name}: left {sorted(one.name for one in folder.iterdir())}")
        again = _command(folder, place / "fault", *words)
        if again.returncode:
            found.append(f"{name}: run again, ended with {again.returncode}: {again.stderr}")
        found += [f"{name}: {one}" for one in violations(path, [])]
    return found


def _dump(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as db:
        return list(db.iterdump())


def _command(folder: Path, fault: Path, *words: str) -> subprocess.CompletedProcess[str]:
    extra = shim.environment(folder, fault=fault)
    return subprocess.run(
        [sys.executable, "-m", "annotator", "-p", str(folder / PROJECT), *words],
        env={**os.environ, "PYTHONPATH": str(ROOT), **extra},
        capture_output=True,
        text=True,
        check=False,
        cwd=folder,
    )


def _read_only(place: Path, random: Random, facts: Facts, most: int) -> list[str]:
    """On a file system that cannot be written all can be read, and what writes says why not."""
    made = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", place], capture_output=True, check=False
    )
    if made.returncode:
        facts.counts["read-only file system"] = "not possible here"
        return []
    try:
        path, found = project_of(place / PROJECT, queries=2, documents=5), []
        run = place / "more.run"
        run.write_text(run_lines({"q0": ["n1"]}))
        subprocess.run(["mount", "-o", "remount,ro", place], check=True)
        for words in (["status"], ["score"], ["doctor"], ["history"], ["export", "judgments", "-"]):
            done = run_command(path, *words)
            if done.code:
                found.append(f"read-only, {words[0]}: {done.code}: {done.err}")
        for words in (["import", "run", str(run)], ["pool", "--depth", "1"], ["backup"]):
            done = run_command(path, *words)
            if done.code not in (2, 4) or len(done.err.strip().splitlines()) != 1:
                found.append(f"read-only, {words[0]}: {done.code}: {done.err}")
        facts.add("commands on a read-only file system", 8)
        return found
    finally:
        subprocess.run(["umount", place], check=True)


def _clock(place: Path, random: Random, facts: Facts, most: int) -> list[str]:
    """While the clock jumps, mostly back, what was said last is what holds."""
    times = [datetime(2026, 1, 1, tzinfo=UTC)]

    def jumping() -> datetime:
        times.append(times[-1] + timedelta(seconds=random.randint(-86_400, 3_600)))
        return times[-1]

    path = project_of(place / PROJECT, queries=2, documents=10)
    with closing(Project.open(path, jumping)) as project, (place / "told").open("wb") as told:
        session = Session(TellingDesk(project, "ann", told.fileno()))
        session.start()
        for _ in range(60):
            act(session, random)
        holds = {past.pair: past.grade for past in session.history()}
        cards = {card.pair: card.grade for card in _cards(session)}
    facts.add("judgments while the clock jumped", 60)
    found = violations(path, told_in((place / "told").read_text()), unheard=0)
    wrong = [pair for pair, grade in holds.items() if cards[pair] != grade]
    return found + [f"clock: pair {pair} does not hold what was said last" for pair in wrong]


def _cards(session: Session) -> Iterator[Card]:
    for index in range(len(session.progress)):
        session.open_query(index)
        yield from session.cards
