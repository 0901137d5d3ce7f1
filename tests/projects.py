"""Small projects for tests, and what to ask them."""

from __future__ import annotations

import os
import subprocess
import sys
import weakref
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

from annotator.actions.imports.texts import import_run
from annotator.actions.pool import make_pool
from annotator.judging import Session
from annotator.rubric_files import presets
from annotator.store import Desk, Project
from rubric import Rubric

ROOT = Path(__file__).parent.parent
DATA = Path(__file__).parent / "data"

Rankings = Mapping[str, Sequence[str]]
"""The documents of each query, best first."""


class TickingClock:
    """A clock on which a second passes whenever it is read."""

    def __init__(self) -> None:
        self.time = datetime(2026, 1, 1, tzinfo=UTC)

    def __call__(self) -> datetime:
        self.time += timedelta(seconds=1)
        return self.time


def general() -> Rubric:
    """The preset that grades 0 to 3."""
    return presets()["general"]


def new_project(path: Path, rubric: Rubric | None = None) -> Project:
    """Make a project, which is closed when nobody holds it any more."""
    return _closed_at_last(Project.create(path, rubric or general(), TickingClock()))


def open_project(path: Path) -> Project:
    """Open a project, which is closed when nobody holds it any more."""
    return _closed_at_last(Project.open(path, TickingClock()))


def _closed_at_last(project: Project) -> Project:
    weakref.finalize(project.file, project.file.db.close)
    return project


@contextmanager
def temporary_project(systems: Mapping[str, Rankings] | None = None) -> Iterator[Project]:
    """A project in a folder of its own: for tests that need many in one."""
    with TemporaryDirectory() as folder:
        project = Project.create(Path(folder) / "judgments.db", general(), TickingClock())
        try:
            if systems:
                import_systems(project, systems)
                make_pool(project, 10)
            yield project
        finally:
            project.close()


def pooled_project(path: Path, systems: Mapping[str, Rankings], depth: int = 10) -> Project:
    """Make a project with these systems and a pool of their first documents."""
    project = new_project(path)
    import_systems(project, systems)
    make_pool(project, depth)
    return project


def import_systems(project: Project, systems: Mapping[str, Rankings]) -> None:
    """Import each system as a TREC run."""
    for name, rankings in systems.items():
        file = project.file.path.with_name(f"{name}.run")
        import_run(project, write(file, run_lines(rankings)))


def run_lines(rankings: Rankings) -> str:
    """Write rankings as a TREC run with falling scores."""
    return "".join(
        f"{qid} Q0 {docid} {rank} {1000 - rank} tag\n"
        for qid, docids in rankings.items()
        for rank, docid in enumerate(docids, start=1)
    )


def qrels_lines(grades: Mapping[tuple[str, str], int]) -> str:
    """Write grades as TREC qrels."""
    return "".join(f"{qid} 0 {docid} {grade}\n" for (qid, docid), grade in grades.items())


def write(path: Path, text: str) -> Path:
    """Write a file; its path."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    return path


def begin(project: Project, assessor: str = "ann", qid: str | None = None) -> Session:
    """Start a session of an assessor under the rubric in force."""
    session = Session(Desk(project, assessor))
    session.start(qid)
    return session


def pair_number(project: Project, qid: str, docid: str) -> int:
    """The number of a pair, made if there is none."""
    query = project.queries.ids()[qid]
    return project.judgments.pairs([(query, project.documents.ids([docid])[docid])])[0]


def labels_of(project: Project) -> dict[tuple[str, str], int]:
    """The label of each judged pair, by the ids that people know."""
    labels = project.judgments.labels(project.rubrics.counted())
    queries, documents = project.queries.all(), project.documents.names()
    return {
        (queries[query].qid, documents[document]): grade
        for query, document, grade in zip(
            labels.query.tolist(), labels.document.tolist(), labels.grade.tolist(), strict=True
        )
    }


def contents(project: Project) -> list[str]:
    """All that a project holds, as SQL."""
    return list(project.file.db.iterdump())


def start_python(script: str, *arguments: object) -> subprocess.Popen[str]:
    """Start Python text in a process of its own, which can import the program."""
    return subprocess.Popen(
        [sys.executable, "-c", script, *map(str, arguments)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        cwd=ROOT,
    )


def finished(process: subprocess.Popen[str]) -> str:
    """Wait for a process that must succeed; what it printed."""
    out, errors = process.communicate(timeout=60)
    assert process.returncode == 0, errors
    return out
