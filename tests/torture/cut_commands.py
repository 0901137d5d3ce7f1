"""A crash of the machine at each step that a command takes on the disk.

However the machine goes down, each file is there as it was before the command or as it is after,
and whole; what the command replaces is there under another name; nothing else lies about but what
is hidden and goes with the next run of the same command, which works. Where the command had ended,
all that it did is there.

What changes a project is one transaction of SQLite: its journal, which is synced before the file is
written to, takes back what did not come to its end. What makes a file writes under a hidden name,
syncs, gives it its name by a link or a rename, and syncs the folder.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import NamedTuple

from annotator.judging import Session
from annotator.store import Desk, Project
from tests.projects import ROOT, qrels_lines, run_lines
from tests.store.project_files import altered
from tests.torture import shim
from tests.torture.audit import violations
from tests.torture.commands import run_command
from tests.torture.crashes import TOLD, crashes, put
from tests.torture.disk import Disk
from tests.torture.facts import Facts
from tests.torture.grading import MEMORY, act, project_of

PROJECT, OLD = "judgments.db", "old.db"
_SIDES = ("-journal", "-wal", "-shm")
Files = dict[str, str]
"""What is in each file of a folder, as a digest of what it says."""


class Scene(NamedTuple):
    """A command; words with ``@`` are files beside the project.

    ``again``: how its next run may end; ``keeps``: what it replaces stays somewhere; ``project``:
    what must be whole if it is there.
    """

    prepare: Callable[[Path], object]
    words: tuple[str, ...]
    again: tuple[int, ...] = (0,)
    keeps: bool = False
    project: str = PROJECT


def cut_commands(name: str, seed: int, facts: Facts, *, torn: int, share: float = 1) -> None:
    """Run a command; at each step go down in every way, or at a ``share`` of the steps."""
    random, scene = Random(f"{seed} {name}"), SCENES[name]
    with TemporaryDirectory(dir=MEMORY) as place:
        folder, after, log = Path(place, "folder"), Path(place, "after"), Path(place, "log")
        folder.mkdir()
        after.mkdir()
        scene.prepare(folder)
        disk, before = Disk(folder), _files(folder)
        ended = subprocess.run(
            [sys.executable, "-m", "annotator", "-p", folder / PROJECT, *_words(scene, folder)],
            env={**os.environ, "PYTHONPATH": str(ROOT), **shim.environment(folder, log=log)},
            check=False,
            capture_output=True,
        )
        assert ended.returncode in scene.again, ended.stderr
        done = _files(folder)
        steps = [*shim.recorded(log, folder), shim.Step("w", TOLD, 0, b"done\n")]
        for left, told in crashes(disk, steps, seed, torn, facts):
            if random.random() > share and not told:
                continue
            put(left, after)
            found = wrong(after, scene, before, done, acknowledged=bool(told))
            step = facts.counts["steps on the disk"]
            facts.violations += [f"{name}, step {step}: {one}" for one in found]
            facts.add("states after a crash, opened and looked through")


def wrong(
    folder: Path, scene: Scene, before: Files, done: Files, *, acknowledged: bool
) -> Iterator[str]:
    """What must not be in a folder that a crash left."""
    there = _files(folder)
    for name in sorted(there.keys() | before.keys() | done.keys()):
        seen, ways = there.get(name), (before.get(name), done.get(name))
        if seen != ways[1] if acknowledged else seen not in ways:
            yield f"{name} is {seen}, of {ways}"
    if scene.keeps and before[PROJECT] not in there.values():
        yield "what was there before is lost"
    if scene.project in there:
        yield from violations(folder / scene.project, [])
    again = run_command(folder / PROJECT, *_words(scene, folder))
    if again.code not in scene.again:
        yield f"run again, it ends with {again.code}: {again.err}"
    if lying := [one.name for one in folder.iterdir() if _is_hidden(one)]:
        yield f"run again, it leaves {lying}"


def _words(scene: Scene, folder: Path) -> list[str]:
    return [word.replace("@", f"{folder}/") for word in scene.words]


def _files(folder: Path) -> Files:
    """What each file says that is not hidden; a project with its journal, which is a file's part.

    It is read from a copy: nothing is mended by it.
    """
    with TemporaryDirectory(dir=MEMORY) as place:
        copy = Path(shutil.copytree(folder, Path(place, "copy")))
        visible = [one for one in sorted(copy.iterdir()) if not _is_hidden(one)]
        return {one.name: _digest(one) for one in visible if not one.name.endswith(_SIDES)}


def _is_hidden(path: Path) -> bool:
    return path.name.startswith(".")


def _digest(path: Path) -> str:
    content = path.read_bytes()
    if content.startswith(b"SQLite format 3\0"):
        try:
            with closing(sqlite3.connect(path)) as db:
                version = db.execute("PRAGMA user_version").fetchall()
                content = "\n".join([str(version), *db.iterdump()]).encode()
        except sqlite3.Error:
            content += path.name.encode()  # like no other
    return hashlib.blake2b(content, digest_size=6).hexdigest()


def _nothing(_: Path) -> None:
    """An empty folder."""


def _project(folder: Path) -> Path:
    """A project with some judgments, and files to import."""
    path = project_of(folder / PROJECT, queries=2, documents=15)
    with closing(Project.open(path)) as project:
        session = Session(Desk(project, "ann"))
        session.start()
        for at in range(10):
            act(session, Random(at))
    ranked = {f"q{at}": [f"n{rank}" for rank in range(150)] for at in range(3)}
    (folder / "more.run").write_text(run_lines(ranked))
    (folder / "labels.qrels").write_text(qrels_lines({("q0", f"d{at}"): 1 for at in range(15)}))
    (folder / "texts.jsonl").write_text(
        "".join(f'{{"_id": "n{at}", "text": "{at} {"text " * 99}"}}\n' for at in range(50))
    )
    return path


def _longer(folder: Path) -> None:
    """The same with a run that is not pooled yet, and a backup of the state before."""
    path = _project(folder)
    shutil.copy(path, folder / OLD)
    run_command(path, "import", "run", str(folder / "more.run"))
    for daily in folder.glob("*.daily.backup.db"):
        daily.unlink()


def _with_earlier(folder: Path) -> None:
    """A project with judgments, and a backup with the version of an earlier schema."""
    _longer(folder)
    altered(folder / OLD, "PRAGMA user_version = 0")


def _half_written(folder: Path) -> None:
    """The same with a project that a crash left in the midst of a commit."""
    _longer(folder)
    path = folder / PROJECT
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("PRAGMA cache_size = 1")
        db.execute("BEGIN")
        db.execute("UPDATE document SET title = title || hex(zeroblob(3000))")
        for one in (path, Path(f"{path}-journal")):
            shutil.copy(one, folder / f"{one.name}.as-it-is")
        db.execute("ROLLBACK")
    for one in folder.glob("*.as-it-is"):
        one.replace(one.with_suffix(""))


def _damaged(folder: Path) -> None:
    path = _project(folder)
    with path.open("rb+") as file:
        file.seek(6 * 4096)
        file.write(bytes(4096))


def _earlier(folder: Path) -> None:
    altered(_project(folder), "PRAGMA user_version = 0")


SCENES = {
    "create": Scene(_nothing, ("init",), (0, 4)),
    "import run": Scene(_project, ("import", "run", "@more.run")),
    "import qrels": Scene(_project, ("import", "qrels", "@labels.qrels")),
    "import documents": Scene(_longer, ("import", "documents", "@texts.jsonl")),
    "pool": Scene(_longer, ("pool", "--depth", "20")),
    "rubric": Scene(_project, ("rubric", "set", "ecommerce")),
    "migrate": Scene(_earlier, ("status",), keeps=True),
    "backup": Scene(_project, ("backup", "@copy.db"), (0, 2)),
    "restore": Scene(_longer, ("restore", f"@{OLD}"), keeps=True),
    "restore of an earlier": Scene(_with_earlier, ("restore", f"@{OLD}"), keeps=True),
    "restore in place of a half": Scene(_half_written, ("restore", f"@{OLD}"), keeps=True),
    "export": Scene(_project, ("export", "judgments", "@out.jsonl"), (0, 2)),
    "export over": Scene(
        lambda folder: (_project(folder), (folder / "out.jsonl").write_text("before\n")),
        ("export", "judgments", "@out.jsonl", "--force"),
    ),
    "rescue": Scene(_damaged, ("doctor", "--rescue", "@new.db"), (0, 1, 4), project="new.db"),
}
"""What is done while the machine goes down."""
