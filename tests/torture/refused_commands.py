"""Commands while the disk refuses: each ends with a sentence, changes nothing, works afterwards."""

from __future__ import annotations

import errno
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from random import Random

from tests.projects import ROOT, qrels_lines, run_lines
from tests.torture import shim
from tests.torture.audit import violations
from tests.torture.commands import run_command
from tests.torture.facts import Facts
from tests.torture.grading import project_of

PROJECT = "judgments.db"


def commands(place: Path, random: Random, facts: Facts, most: int) -> list[str]:
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


def read_only(place: Path, random: Random, facts: Facts, most: int) -> list[str]:
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
