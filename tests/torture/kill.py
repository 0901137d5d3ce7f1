"""The real app in a terminal, killed without a warning while a scripted person grades.

Most kills come while a grade is on its way: after the key, within what a grade takes in the median
and half as much again. Others come while the app starts. What stands on the screen at that moment
must be in the file; the next start must show the document after it.
"""

from __future__ import annotations

import re
import shutil
import sqlite3
import time
from contextlib import closing
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from typing import NamedTuple

from annotator.store import Desk, Project
from annotator.tui.guard import MIN_GAP
from annotator.tui.messages import HELD
from tests.e2e.terminals import Terminal
from tests.torture.audit import Told, violations
from tests.torture.facts import Facts
from tests.torture.grading import project_of
from tests.torture.killed import killed

DOCUMENTS = 100
MOST_GRADES = 4
_JUDGED = re.compile(r"(\d+) of \d+ judged")
_LATEST = re.compile(r"saved .* last: ([\d ]+)")


class Place(NamedTuple):
    """A document of the pool as the app comes to it: its pair, and what the screen shows."""

    pair: int
    place: str
    title: str


def kill(rounds: int, seed: int) -> Facts:
    """Start, grade and kill so many times, each time where the last one stopped."""
    facts = Facts("kill: the app is killed while one grades")
    random = Random(seed)
    with TemporaryDirectory() as place:
        path = project_of(Path(place, "judgments.db"), 1 + rounds // 20, DOCUMENTS)
        grader = _Grader(path, random, facts)
        for _ in range(rounds):
            grader.work_until_killed()
            facts.add("kills")
    facts.counts["milliseconds from key to screen, median"] = round(1000 * grader.typical)
    killed(rounds // 5, seed, facts)
    return facts


class _Grader:
    """A scripted person; ``given`` are the grades that must be in the file by now."""

    def __init__(self, path: Path, random: Random, facts: Facts) -> None:
        self._path, self._random, self._facts = path, random, facts
        self._places = _places(path)
        self.given: list[int] = []
        self._before = 0
        self._taken = [0.04]

    @property
    def typical(self) -> float:
        """Seconds from a key to the screen, in the median."""
        return median(self._taken)

    def work_until_killed(self) -> None:
        """Start the app, grade a little, kill it; then look at the file."""
        words = ("-p", self._path, "grade", "--assessor", "ann")
        terminal = Terminal(*words, folder=self._path.parent)
        self._before = len(self.given)
        try:
            if self._random.random() < 0.1:
                terminal.rest(self._random.uniform(0, 2))
            else:
                self._grade(terminal)
            terminal.kill()
            terminal.exit_code()  # reads what was written before
            self._look(shown(terminal.text, self._before))
        except AssertionError as error:
            self._facts.violations.append(str(error))
            terminal.kill()
            self.given = [grade for _, grade in _stored(self._path)]
        finally:
            terminal.close()

    def _grade(self, terminal: Terminal) -> None:
        here = self._places[len(self.given)]
        terminal.wait_for(lambda: here.place in terminal.text and here.title in terminal.text)
        self._facts.add("starts that showed the right document")
        for _ in range(self._random.randrange(MOST_GRADES)):
            self._press(terminal)
            if not self._saw_saved(terminal):
                return
        self._press(terminal)
        time.sleep(self._random.uniform(0, 1.5 * self.typical))

    def _saw_saved(self, terminal: Terminal) -> bool:
        """Wait until the last grade stands on the screen; False if its key was ignored."""
        began = time.monotonic()

        def is_shown() -> bool:
            return shown(terminal.text, self._before) >= len(self.given)

        terminal.wait_for(lambda: is_shown() or HELD in terminal.text)
        self._taken.append(time.monotonic() - began)
        return is_shown()

    def _press(self, terminal: Terminal) -> None:
        terminal.rest(MIN_GAP * 2)
        self.given.append(self._random.randrange(4))
        terminal.type(str(self.given[-1]))

    def _look(self, seen: int) -> None:
        """Compare the file with what was shown, and with what was typed."""
        self._facts.counts["grades shown as saved"] = seen
        told = [
            Told(at + 1, "ann", self._places[at].pair, self.given[at], None, "")
            for at in range(seen)
        ]
        found = violations(self._path, told)
        stored = _stored(self._path)
        typed = [
            (place.pair, grade) for place, grade in zip(self._places, self.given, strict=False)
        ]
        if stored != typed[: len(stored)]:
            found.append(f"of {len(typed)} typed grades the file has {len(stored)} others")
        self._facts.add("kills before the screen told of a stored grade", len(stored) > seen)
        self._facts.add("kills before the grade was stored", len(stored) < len(self.given))
        self.given = [grade for _, grade in stored]
        self._facts.violations += found


def shown(text: str, before: int) -> int:
    """How many grades a screen shows as saved; ``before``: as many there were at the start.

    The first line counts them, and the line below the document has a mark for each of the latest.
    """
    judged, latest = _JUDGED.search(text), _LATEST.search(text)
    marks = len(latest[1].split()) if latest else 0
    return max(before + marks, int(judged[1]) if judged else before)


def _places(path: Path) -> list[Place]:
    """All documents in the order in which they come to the desk."""
    copy = shutil.copy(path, path.with_name("copy.db"))
    places = []
    with closing(Project.open(Path(copy))) as project:
        desk = Desk(project, "ann")
        queries = desk.progress()
        for number, one in enumerate(queries, start=1):
            cards = desk.cards(one.query)
            for at, card in enumerate(cards, start=1):
                place = f"query {one.qid} ({number} of {len(queries)}) · document {at} of"
                title = project.documents.get(card.document).title
                places.append(Place(card.pair, place, f"{title} "))
    return places


def _stored(path: Path) -> list[tuple[int, int]]:
    with closing(sqlite3.connect(path)) as db:
        return db.execute("SELECT pair_id, grade FROM judgment ORDER BY id").fetchall()
