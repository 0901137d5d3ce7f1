"""Measures how long one waits while grading: from a key to the next document, and for the opening.

    python benchmarks/latency.py [--data FOLDER] [--keys N] [--starts N] [--small]

A project of 1,000 queries, 20 systems and 200,000 pooled pairs is made in a temporary folder, or in
FOLDER, which is kept. The programs run in pseudo-terminals, in turn; the time goes from writing
the key to reading the bytes that show the next document, whose label is on the disk by then.
Beside the app run two bare ones (``bare_app.py``): one that only swaps the same texts, and one
that before commits a row to a file of its own. Opening goes from the start of the process to the
first document; there a third bare one opens the file as a project, with all that is checked and set
then. The disk's share is shown apart: what it takes to write 4 kB for good. On a machine that does
other work as well seconds mean little: look at the ratios, and at the processor time.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path

import numpy as np
from terminal import Terminal

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from latency_projects import BIG, MARK, make, make_sized  # noqa: E402

QUERIES = 1_000
GAP = 0.3  # longer than what the app takes for a held key
ENV = {"PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": ""}  # compiled, as pip installs it
Command = Sequence[object]


def grading(path: Path) -> Command:
    """The command that opens the app."""
    return (sys.executable, "-m", "annotator", "-p", path, "grade", "--assessor", "bench")


def opened(command: Command) -> tuple[Terminal, float]:
    """A program, and the milliseconds until its first document."""
    terminal = Terminal(*command, env=ENV)
    return terminal, terminal.opens(MARK)


def opening(commands: dict[str, Command], times: int) -> None:
    """Print how long each takes to open, in turn, after one start that is not counted."""
    clock: dict[str, list[float]] = {name: [] for name in commands}
    cpu: dict[str, list[float]] = {name: [] for name in commands}
    for again in range(times + 1):
        for name, command in commands.items():
            terminal, milliseconds = opened(command)
            if again:
                clock[name].append(milliseconds)
                cpu[name].append(terminal.cpu())
            terminal.close()
    print(f"{'opening: ms, ratio':30}" + "".join(f"{name:>15}" for name in commands))
    row("median", [float(np.median(one)) for one in clock.values()])
    row("least", [min(one) for one in clock.values()])
    row("processor time, mean", [float(np.mean(one)) for one in cpu.values()])


def keys(commands: dict[str, Command], times: int) -> tuple[dict[str, list[float]], list[float]]:
    """How long each takes from key to document, in turn; and the processor time of a key."""
    running = {name: opened(command)[0] for name, command in commands.items()}
    for terminal in running.values():
        terminal.rest(8)  # the scoreboard is read, and what was loaded late is loaded
        terminal.press(b"1", MARK, 1)
    before = [terminal.cpu() for terminal in running.values()]
    taken: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(times):
        for name, terminal in running.items():
            taken[name].append(terminal.press(b"1", MARK, GAP))
    cpu = [(one.cpu() - began) / times for one, began in zip(running.values(), before, strict=True)]
    for name, terminal in running.items():
        if terminal.ignored:
            print(f"{name}: {terminal.ignored} keys ignored and pressed again")
        terminal.close()
    return taken, cpu


def while_reading(command: Command, starts: int) -> list[float]:
    """How long keys take that come while the scoreboard is first read."""
    taken = []
    for _ in range(starts):
        terminal, _ = opened(command)
        terminal.rest(GAP)
        taken += [terminal.press(b"1", MARK, GAP) for _ in range(8)]
        terminal.close()
    return taken


def sized(folder: Path) -> dict[str, tuple[float, float, float]]:
    """Opening, next document and scrolling, by the length of the documents."""
    found = {}
    for name, size, lines in SIZES:
        path = folder / f"sized-{size}-{'lines' if lines else 'line'}.db"
        if not path.exists():
            make_sized(path, size, lines=lines)
        first = []
        for _ in range(STARTS):
            terminal, taken = opened(grading(path))
            terminal.close()
            first.append(taken)
        terminal, _ = opened(grading(path))
        terminal.rest(3)
        scrolled = [terminal.press(key, b"\x1b[", GAP) for key in (b"\x1b[6~", b"\x1b[5~") * 15]
        following = []
        for _ in range(BIG - 2):
            following.append(terminal.press(b"1", MARK, GAP))
            terminal.rest(2)  # nobody reads faster
        terminal.close()
        path.unlink()  # its documents are judged now
        found[name] = middle(first), middle(following), middle(scrolled)
    return found


def middle(values: Sequence[float]) -> float:
    """The median."""
    return float(np.median(values))


STARTS = 7
SIZES = (("5 kB", 5_000, True), ("5 MB", 5_000_000, True), ("5 MB, one line", 5_000_000, False))


def disk(folder: Path) -> float:
    """Milliseconds to write 4 kB into a file for good."""
    path, taken = folder / "sync", []
    with path.open("wb+") as file:
        file.write(bytes(65536))
        os.fsync(file.fileno())
        for at in range(50):
            began = time.perf_counter()
            os.pwrite(file.fileno(), os.urandom(4096), at % 16 * 4096)
            os.fdatasync(file.fileno())
            taken.append(1000 * (time.perf_counter() - began))
    path.unlink()
    return float(np.median(taken))


def row(name: str, values: Sequence[float]) -> None:
    """Print one line of the result: each in milliseconds, and as a ratio to the bare one."""
    cells = "".join(f"{one:9.1f}{one / values[1]:6.2f}" for one in values)
    print(f"{name:30}{cells}")


def run(folder: Path, times: int, starts: int, queries: int) -> None:
    """Measure, and print the table."""
    path = folder / f"latency-{queries}.db"
    if not path.exists():
        print(f"making {path} …", flush=True)
        make(path, queries=queries)
    bare = (sys.executable, ROOT / "benchmarks" / "bare_app.py", path)
    commands = {
        "app": grading(path),
        "bare": bare,
        "bare, commits": (*bare, folder / "labels.db"),
    }
    print(f"a write of 4 kB to this disk: {disk(folder):.2f} ms", flush=True)
    opening({"app": grading(path), "bare": bare, "bare, project": (*bare, "--project")}, starts)
    print(f"{'milliseconds, ratio':30}" + "".join(f"{name:>15}" for name in commands))
    taken, cpu = keys(commands, times)
    for share, name in ((50, "median"), (99, "p99")):
        row(
            f"key to document, {name}", [float(np.percentile(one, share)) for one in taken.values()]
        )
    row("processor time of a key", cpu)
    reading = while_reading(commands["app"], 6)
    for share in (50, 99):
        one, other = (float(np.percentile(of, share)) for of in (reading, taken["app"]))
        print(f"while the scoreboard is read, p{share}: {one:.1f}, else {other:.1f}")
    print(f"{'':16}{'opening':>15}{'next document':>15}{'a page on':>15}")
    found = sized(folder)
    for name, times_ in found.items():
        ratios = zip(times_, found["5 kB"], strict=True)
        print(f"{name:16}" + "".join(f"{one:9.1f}{one / other:6.2f}" for one, other in ratios))


def main() -> None:
    """Read the options and measure."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--data", type=Path, help="keep the project in this folder")
    parser.add_argument("--keys", type=int, default=200)
    parser.add_argument("--starts", type=int, default=11)
    parser.add_argument("--small", action="store_true", help="50 queries, to try it out")
    options = parser.parse_args()
    kept = nullcontext(options.data) if options.data else tempfile.TemporaryDirectory()
    with kept as folder:
        Path(folder).mkdir(parents=True, exist_ok=True)
        run(Path(folder), options.keys, options.starts, 50 if options.small else QUERIES)


if __name__ == "__main__":
    main()
