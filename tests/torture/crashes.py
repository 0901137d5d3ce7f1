"""The states that a crash of the machine may leave, one after another, from what was recorded."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random

from tests.torture import shim
from tests.torture.disk import Contents, Disk
from tests.torture.facts import Facts

TOLD = "told"
"""What is written to this file is not lost: it is what somebody was told."""


def crashes(
    disk: Disk, steps: Iterable[shim.Step], seed: int, torn: int, facts: Facts
) -> Iterator[tuple[Contents, str]]:
    """Each different state that a crash may leave, and what had been told by then."""
    random, told = Random(seed), ""
    seen: set[tuple[str, bytes]] = set()
    for step in steps:
        if step.name == TOLD:
            told += step.data.decode()
            facts.add("entries and commands acknowledged", step.data.count(b"\n"))
        else:
            disk.do(step)
            facts.add("steps on the disk")
            facts.add("syncs among them", step.kind == "s")
        for left in disk.crashes(random, torn):
            key = told, _fingerprint(left)
            if key not in seen:
                seen.add(key)
                yield left, told


def _fingerprint(left: Contents) -> bytes:
    digest = hashlib.blake2b()
    for name in sorted(left):
        digest.update(b"%s %d " % (name.encode(), len(left[name])))
        digest.update(left[name])
    return digest.digest()


def put(left: Contents, folder: Path) -> None:
    for path in folder.iterdir():
        path.unlink()
    for name, content in left.items():
        (folder / name).write_bytes(content)
