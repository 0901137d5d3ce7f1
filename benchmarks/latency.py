"""Measures how long one waits while grading: key to next document, and the opening of the app.

    python benchmarks/latency.py [--data FOLDER] [--keys N] [--small]

A project of 1,000 queries, 20 systems and 200,000 pooled pairs is made in a temporary folder, or in
FOLDER, which is kept. The app runs in a pseudo-terminal; the time goes from writing the key to
reading the first bytes that show the next document, whose label is on the disk by then. Beside it,
in turn in the same run, a bare Textual app swaps the same texts and stores nothing. Opening goes
from the start of the process to the first document; the bare app also opens the file. On a machine
that does other work as well, seconds mean little: look at the ratios.
"""

from __future__ import annotations

import argparse
import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time
from contextlib import nullcontext
from pathlib import Path

import numpy as np

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from annotator.records import Document, Query  # noqa: E402
from annotator.rubrics import presets  # noqa: E402
from annotator.store import Project  # noqa: E402

QUERIES, SYSTEMS, DEPTH, POOLED = 1_000, 20, 100, 200
WORDS = [
    "flow",
    "of",
    "heat",
    "over",
    "thin",
    "wings",
    "at",
    "high",
    "speed",
    "was",
    "measured",
    "and",
    "compared",
    "with",
    "theory",
]
GAP = 0.25  # longer than what the app takes for a held key
PATIENCE = 60.0
MARK = "Document-"

BARE = """
import sys
from pathlib import Path
from annotator.store import Project
from textual.app import App
from textual.containers import VerticalScroll
from textual.widgets import Footer, Static

project = Project.open(Path(sys.argv[1]))
rows = project.file.tuples("select title, text from document limit 400")
texts = [title + "\\n\\n" + text for title, text in rows]

class Bare(App):
    BINDINGS = [("1", "swap", "Next"), ("ctrl+q", "quit", "Quit")]
    at = 0

    def compose(self):
        with VerticalScroll():
            yield Static(texts[0], markup=False)
        yield Footer()

    def action_swap(self):
        self.at += 1
        self.query_one(Static).update(texts[self.at])

Bare().run()
"""


def make(path: Path, *, queries: int) -> None:
    """Write a project whose queries each have 200 pooled documents, found by 20 systems."""
    random = np.random.default_rng(7)
    project = Project.create(path, presets()["general"])
    with project.file.writing():
        project.queries.store(
            Query(f"q{at:04d}", " ".join(random.choice(WORDS, 5)), "What is meant.")
            for at in range(queries)
        )
        project.documents.store(
            Document(f"d{at}", f"{MARK}{at}", " ".join(random.choice(WORDS, 800)))
            for at in range(2_000)
        )
        numbers = list(project.documents.ids([f"d{at}" for at in range(2_000)]).values())
        entries = []
        rankings = []
        for query in project.queries.all():
            pooled = random.choice(numbers, POOLED, replace=False)
            entries += [(query, int(one), 1, ["s0"]) for one in pooled]
            rankings.append((query, [random.permutation(pooled)[:DEPTH] for _ in range(SYSTEMS)]))
        scores = np.arange(DEPTH, 0, -1, dtype=np.float64).tobytes()
        for system in range(SYSTEMS):
            number = project.file.execute(
                "INSERT INTO system (name, file_hash, order_rule, findings, created)"
                " VALUES (?, '', 'rank', '{}', ?)",
                (f"s{system}", project.now()),
            )
            project.file.many(
                "INSERT INTO ranking (system_id, query_id, documents, scores) VALUES (?, ?, ?, ?)",
                [
                    (number, query, ranked[system].astype("<i4").tobytes(), scores)
                    for query, ranked in rankings
                ],
            )
        names = [f"s{system}" for system in range(SYSTEMS)]
        project.pool.extend("depth", DEPTH, 0, names, entries, project.now())
    project.close()


class Terminal:
    """A program in a pseudo-terminal."""

    def __init__(self, *command: object) -> None:
        self._master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
        self.began = time.perf_counter()
        self._process = subprocess.Popen(
            list(map(str, command)),
            stdin=slave, stdout=slave, stderr=slave, start_new_session=True,
            env={**os.environ, "PYTHONPATH": str(ROOT), "TERM": "xterm-256color",
                 "COLORTERM": "truecolor"},
        )  # fmt: skip
        os.close(slave)

    def shows(self, mark: str, began: float) -> float:
        """Milliseconds until something is written that has this in it."""
        seen = b""
        while mark.encode() not in seen:
            left = PATIENCE - (time.perf_counter() - began)
            if left < 0 or not select.select([self._master], [], [], left)[0]:
                raise SystemExit(f"in vain for {mark}: {seen[-2000:]!r}")
            seen += os.read(self._master, 65536)
        return 1000 * (time.perf_counter() - began)

    def press(self, key: str) -> float:
        """Milliseconds from a key to the next document."""
        began = time.perf_counter()
        os.write(self._master, key.encode())
        taken = self.shows(MARK, began)
        self.rest(GAP)
        return taken

    def rest(self, seconds: float) -> None:
        """Read what comes for a while."""
        until = time.perf_counter() + seconds
        while (left := until - time.perf_counter()) > 0:
            if select.select([self._master], [], [], left)[0]:
                os.read(self._master, 65536)

    def close(self) -> None:
        """End the program."""
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()
        os.close(self._master)


def opened(*command: object) -> tuple[Terminal, float]:
    """A program, and the milliseconds until its first document."""
    terminal = Terminal(*command)
    return terminal, terminal.shows(MARK, terminal.began)


def row(name: str, ours: list[float], bare: list[float], share: float) -> str:
    """One line of the result: a percentile of both, and their ratio."""
    one, other = (float(np.percentile(taken, share)) for taken in (ours, bare))
    return f"{name:28}{one:10.1f}{other:10.1f}{one / other:8.2f}"


def run(folder: Path, keys: int, queries: int) -> None:
    """Measure, and print the table."""
    path = folder / f"latency-{queries}.db"
    if not path.exists():
        print(f"making {path} …", flush=True)
        make(path, queries=queries)
    app = (sys.executable, "-m", "annotator", "-p", path, "grade", "--assessor", "bench")
    bare = (sys.executable, "-c", BARE, path)
    opening: dict[str, list[float]] = {"app": [], "bare": []}
    for _ in range(5):
        for name, command in (("app", app), ("bare", bare)):
            terminal, taken = opened(*command)
            opening[name].append(taken)
            terminal.close()
    ours, plain = opened(*app)[0], opened(*bare)[0]
    ours.rest(0.4)
    during = [ours.press("1") for _ in range(10)]
    ours.rest(10)
    pressed: dict[str, list[float]] = {"app": [], "bare": []}
    for _ in range(keys):
        pressed["app"].append(ours.press("1"))
        pressed["bare"].append(plain.press("1"))
    ours.close()
    plain.close()
    print(f"{'milliseconds':28}{'app':>10}{'bare':>10}{'ratio':>8}")
    print(row("key to document, median", pressed["app"], pressed["bare"], 50))
    print(row("key to document, p99", pressed["app"], pressed["bare"], 99))
    print(row("opening, median", opening["app"], opening["bare"], 50))
    print(f"key to document while the scoreboard is read: at most {max(during):.1f}")


def main() -> None:
    """Read the options and measure."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--data", type=Path, help="keep the project in this folder")
    parser.add_argument("--keys", type=int, default=200)
    parser.add_argument("--small", action="store_true", help="50 queries, to try it out")
    options = parser.parse_args()
    kept = nullcontext(options.data) if options.data else tempfile.TemporaryDirectory()
    with kept as folder:
        Path(folder).mkdir(parents=True, exist_ok=True)
        run(Path(folder), options.keys, 50 if options.small else QUERIES)


if __name__ == "__main__":
    main()
