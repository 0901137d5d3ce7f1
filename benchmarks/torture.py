"""Treats the program as badly as machines, disks and other programs do, and counts what is lost.

    python benchmarks/torture.py ORDEAL [--rounds N] [--seed S]

kill    the app is killed while one grades in a terminal, and started again; then a program that
        says all that can be said, and each command that writes
cut     the machine goes down after each step on the disk of a program that grades, and of each
        command that writes: a new project, imports, pool, rubric, migration, backup, restore,
        export and rescue; and loses any part of what was not synced (needs gcc)
full    no room, no permission, a quota, a broken disk; the file moved, deleted or replaced; a clock
        that jumps (needs gcc; a read-only file system only where one may mount)
crowd   8 programs grade and 2 import at once, for so many seconds as there are rounds
rot     bytes flipped, pages blank, wild or in another's place, the file cut short

Each prints plain facts. The exit status is 1 if anything did not hold: a grade lost that was shown
as saved, one there twice, a damaged file, a score from one without a word. Short forms of all run
with the tests, in tests/torture, where the ordeals themselves are.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.torture import crowd, cut, full, kill, rot
from tests.torture.facts import Facts

ORDEALS: dict[str, tuple[Callable[[int, int], Facts], int]] = {
    "kill": (kill.kill, 200),
    "cut": (cut.cut, 60),
    "full": (full.full, 5),
    "crowd": (crowd.crowd, 60),
    "rot": (rot.rot, 1000),
}
"""Each ordeal, and how many rounds it takes where nobody says so."""


def main() -> int:
    """Read the options, run the ordeal, print what was found."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("ordeal", choices=ORDEALS)
    parser.add_argument("--rounds", type=int)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    ordeal, usual = ORDEALS[options.ordeal]
    began = time.monotonic()
    facts = ordeal(options.rounds or usual, options.seed)
    print("\n".join(facts.lines()))
    print(f"  {'seconds':48}{time.monotonic() - began:>12.0f}")
    return 1 if facts.violations else 0


if __name__ == "__main__":
    sys.exit(main())
