"""A disk that is full, a quota, a broken disk; a file moved, deleted or replaced underneath.

The real app grades in a terminal. Then something goes wrong: the next grade must not be shown as
saved, the app must say what happened and live on. Then it is put right: the same key must work.
The commands must end with a sentence and leave the project as it was, and work when run again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from annotator.domain import Card
from annotator.judging import Session
from annotator.store import Project
from tests.torture.audit import TellingDesk, told_in, violations
from tests.torture.facts import Facts
from tests.torture.grading import MEMORY, act, project_of
from tests.torture.refused_commands import PROJECT, commands, read_only
from tests.torture.refused_grades import grades, permissions

Ordeal = Callable[[Path, Random, Facts, int], list[str]]
"""Gets a place, and how many of its ways to take at most; what of it must not be."""


def full(rounds: int, seed: int, *, most: int = 100, ordeals: Sequence[Ordeal] = ()) -> Facts:
    """Everything that can be wrong with the disk, so many times over, or ``most`` of it."""
    facts = Facts("full: no room, no permission, a broken disk, a file gone from underneath")
    for at in range(rounds):
        random = Random(f"{seed} {at}")
        for ordeal in ordeals or (*SHORT, permissions):
            with TemporaryDirectory(dir=MEMORY) as place:
                facts.violations += ordeal(Path(place), random, facts, most)
    return facts


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


SHORT: tuple[Ordeal, ...] = (grades, commands, read_only, _clock)
"""Those that go with the tests."""
