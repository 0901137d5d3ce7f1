"""The real app while the disk refuses, or while the file is moved about, the clock set back.

The next grade must not be shown as saved unless it is, the app must say what happened and live on.
Then it is put right: the same key must work.
"""

from __future__ import annotations

import errno
import os
import resource
import shutil
import sqlite3
import sys
import time
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path
from random import Random

from annotator.store import Desk, Project
from annotator.tui.guard import MIN_GAP
from annotator.tui.messages import HELD
from tests.e2e.terminals import PATIENCE, Terminal
from tests.nobody import NOBODY
from tests.torture import shim
from tests.torture.audit import Told, violations
from tests.torture.facts import Facts
from tests.torture.grading import project_of
from tests.torture.kill import shown

PROJECT, REFUSED = "judgments.db", "NOT saved"
NOT_MADE = "it cannot be"
MOVED = "it was moved, deleted or replaced"
REFUSALS = [
    ("w", errno.ENOSPC, "is full; nothing was saved"),
    ("w", errno.EDQUOT, "nothing was saved"),
    ("w", errno.EIO, "the disk reported an error"),
    ("s", errno.EIO, "the disk reported an error"),
    ("c", errno.EACCES, NOT_MADE),
    ("wstuc", errno.EROFS, ""),
    ("wstu", errno.EIO, "the disk reported an error"),
    ("wstuc", errno.ENOSPC, ""),
]
"""Which steps on the disk fail, how, and what the app must say."""


Change = Callable[[], object]
"""Makes something wrong, or right again."""


Way = tuple[str, str | None, Change, Change]
"""What goes wrong, what the app must say (None: nothing), how to make it so and right again."""


class _Desk:
    """The app in a terminal, before a disk that can be made to fail."""

    def __init__(self, place: Path, facts: Facts, module: str = "annotator") -> None:
        self.fault, self.folder = place / "fault", place / "folder"
        self.folder.mkdir()
        self.path = project_of(self.folder / PROJECT, queries=2, documents=40)
        if module != "annotator" and os.geteuid() == 0:
            place.chmod(0o755)
            shutil.chown(self.folder, NOBODY)
            shutil.chown(self.path, NOBODY)
        self.found: list[str] = []
        self._facts = facts
        self._told: list[Told] = []
        with closing(Project.open(self.path)) as project:
            desk = Desk(project, "ann")
            self._pairs = [one.pair for query in desk.progress() for one in desk.cards(query.query)]
        self.clock = place / "clock"
        extra = shim.environment(self.folder, fault=self.fault, clock=self.clock)
        words = [f"{name}={value}" for name, value in extra.items()]
        program = [sys.executable, "-m", module, "-p", str(self.path)]
        program += ["grade", "--assessor", "ann"]
        self.terminal = Terminal(
            folder=place, command=["env", *words, *program], columns=200
        )  # wide: what else the app tells covers nothing there
        self.terminal.wait_for("document 1 of")

    def ordeal(self, name: str, said: str | None, wrong: Change, right: Change) -> None:
        """Let something go wrong, grade, put it right, grade again.

        ``said`` is what the app must say, None if the grade must be stored all the same. That it
        may be where no file can be made: a journal that is kept is there already.
        """
        self._facts.add("grades given while something was wrong")
        wrong()
        screen = self._press(1)
        if self._is_saved() and (said is None or said == NOT_MADE):
            self._hold(1)
        elif self._is_saved():
            self.found.append(f"{name}: shown as saved")
        elif said is None or said not in screen:
            self.found.append(f"{name}: {said!r} is not said: {screen}")
        right()
        if not self._is_saved():
            screen = self._press(2, again=True)
        if self._is_saved():
            self._hold(2)
        else:
            self.found.append(f"{name}: cannot be graded when it is right again: {screen}")
        self.found += [f"{name}: {one}" for one in violations(self.path, self._told, unheard=0)]

    def _hold(self, grade: int) -> None:
        self._told.append(Told(len(self._told) + 1, "ann", self._next, grade, None, ""))

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


def grades(place: Path, random: Random, facts: Facts, most: int) -> list[str]:
    """Grade in the app while the disk refuses, and while the file is moved about."""
    desk = _Desk(place, facts)
    path, aside, moved = desk.path, place / "aside.db", place / "moved"
    ways: list[Way] = [
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
            "the clock is set back",
            None,
            lambda: desk.clock.write_text(str(-3 * 86_400)),
            lambda: desk.clock.unlink(),
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
    _go_through(desk, ways[:most])
    with closing(sqlite3.connect(path)) as db:
        ((back,),) = db.execute("SELECT count(*) FROM judgment WHERE at < date('now', '-1 day')")
    if back != sum(name == "the clock is set back" for name, *_ in ways[:most]):
        desk.found.append(f"the clock went back {back} times")
    return desk.found


def permissions(place: Path, random: Random, facts: Facts, most: int) -> list[str]:
    """Grade in the app as one who may not write to the file, or in its folder, for a while."""
    desk = _Desk(place, facts, "tests.nobody")

    def may(file: int, folder: int) -> Change:
        def change() -> None:
            desk.path.chmod(file)
            desk.folder.chmod(folder)

        return change

    ways: list[Way] = [
        ("the file may not be written", NOT_MADE, may(0o444, 0o755), may(0o644, 0o755)),
        ("the folder may not be written", NOT_MADE, may(0o644, 0o555), may(0o644, 0o755)),
        ("neither may be written", NOT_MADE, may(0o444, 0o555), may(0o644, 0o755)),
    ]
    random.shuffle(ways)
    _go_through(desk, ways[:most])
    return desk.found


def _go_through(desk: _Desk, ways: list[Way]) -> None:
    try:
        for way in ways:
            desk.ordeal(*way)
    except AssertionError as error:
        desk.found.append(str(error))
    finally:
        desk.terminal.close()


def _unlink(path: Path, aside: Path) -> None:
    """Delete a file, and keep what was in it under another name."""
    os.link(path, aside)
    path.unlink()
