"""A disk that loses what was not synced: a model of what a crash of the machine may leave.

What a program did is replayed on it step by step. At any point the machine may go down. Then all
that was synced is there. Of what was not, each file has kept any part: of each sector it holds what
was there after some of the writes to it, and a cut to a length happened or not. Names are apart
from contents: a file made, renamed or unlinked is so for good only when its folder was synced.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from tests.torture.shim import Step

SECTOR = 512
Contents = dict[str, bytes]
"""What a folder holds: the bytes of each file by its name."""


@dataclass(eq=False)
class _File:
    """The synced bytes of a file, and the writes and cuts since, each with its number."""

    synced: bytes = b""
    since: list[tuple[int, Step]] = field(default_factory=list)


Arrived = Callable[[Hashable, int], bool]
"""Whether a numbered step arrived in a place: a name, or a file and sector (or its length)."""


class Disk:
    """One folder, as it is and as it is sure to be."""

    def __init__(self, folder: Path) -> None:
        self._now = {path.name: _File(path.read_bytes()) for path in folder.iterdir()}
        self._sure: dict[str, _File] = dict(self._now)
        self._renamed: list[tuple[int, str, _File | None]] = []
        self._step = 0

    def do(self, step: Step) -> None:
        """Replay one step."""
        self._step += 1
        match step.kind:
            case "c":
                self._name(step.name, _File())
            case "u":
                self._name(step.name, None)
            case "r":
                moved = self._now[step.name]
                self._name(step.name, None)
                self._name(Path(step.data.decode()).name, moved)
            case "l":
                self._name(Path(step.data.decode()).name, self._now[step.name])
            case "s" if step.name == ".":
                for _, name, file in self._renamed:
                    self._set(self._sure, name, file)
                self._renamed = []
            case "s":
                file = self._now[step.name]
                file.synced, file.since = _content(file, lambda *_: True), []
            case _:
                self._now[step.name].since.append((self._step, step))

    def _name(self, name: str, file: _File | None) -> None:
        self._renamed.append((self._step, name, file))
        self._set(self._now, name, file)

    @staticmethod
    def _set(names: dict[str, _File], name: str, file: _File | None) -> None:
        if file is None:
            names.pop(name, None)
        else:
            names[name] = file

    def crashes(self, random: Random, times: int) -> Iterator[Contents]:
        """What a crash now may leave: after each number of the unsynced steps, and torn."""
        unsynced = {number for number, _, _ in self._renamed}
        for file in self._files():
            unsynced |= {number for number, _ in file.since}
        for last in [0, *sorted(unsynced)]:
            yield self._left(_until(last))
        for _ in range(times if unsynced else 0):
            yield self._left(_torn(random, sorted(unsynced)))

    def _left(self, arrived: Arrived) -> Contents:
        names = dict(self._sure)
        for number, name, file in self._renamed:
            if arrived(name, number):
                self._set(names, name, file)
        return {name: _content(file, arrived) for name, file in names.items()}

    def _files(self) -> set[_File]:
        named = {file for _, _, file in self._renamed if file is not None}
        return named | set(self._sure.values()) | set(self._now.values())


def _until(last: int) -> Arrived:
    return lambda _place, number: number <= last


def _torn(random: Random, unsynced: list[int]) -> Arrived:
    """Let each place keep what was there after some step; more or fewer of them keep all."""
    bias = random.random()
    kept: dict[Hashable, int] = {}

    def arrived(place: Hashable, number: int) -> bool:
        if place not in kept:
            some = random.choice([0, *unsynced])
            kept[place] = unsynced[-1] if random.random() < bias else some
        return number <= kept[place]

    return arrived


def _content(file: _File, arrived: Arrived) -> bytes:
    content = bytearray(file.synced)
    for number, step in file.since:
        if step.kind == "t":
            if arrived((file, "length"), number):
                del content[step.at :]
                content.extend(bytes(step.at - len(content)))
            continue
        for start, end in _sectors(step.at, step.at + len(step.data)):
            if arrived((file, start // SECTOR), number):
                content.extend(bytes(max(0, end - len(content))))
                content[start:end] = step.data[start - step.at : end - step.at]
    return bytes(content)


def _sectors(start: int, end: int) -> Iterator[tuple[int, int]]:
    while start < end:
        until = min(end, (start // SECTOR + 1) * SECTOR)
        yield start, until
        start = until
