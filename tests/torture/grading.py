"""A scripted assessor: grades at random, takes back, puts aside, notes; all from a seed."""

from __future__ import annotations

from pathlib import Path
from random import Random

from annotator.actions.pool import make_pool
from annotator.domain import Document, Query
from annotator.judging import Session
from annotator.rubric_files import presets
from annotator.store import Project
from annotator.store.project import Clock, utc_now
from tests.projects import import_systems

MEMORY = "/dev/shm" if Path("/dev/shm").is_dir() else None
"""A folder whose files no disk has to sync, where there is one."""


def project_of(path: Path, queries: int, documents: int, clock: Clock = utc_now) -> Path:
    """Make a pooled project; each document is titled ``Document-`` and its number."""
    project = Project.create(path, presets()["general"], clock)
    names = [f"d{at}" for at in range(documents)]
    import_systems(project, {"alpha": {f"q{at}": names for at in range(queries)}})
    project.queries.store(Query(f"q{at}", f"question {at}") for at in range(queries))
    project.documents.store(document_of(at) for at in range(documents))
    make_pool(project, documents)
    project.close()
    return path


def document_of(number: int) -> Document:
    """The document of a number."""
    fields = (("author", f"Author-{number}"),)
    return Document(f"d{number}", f"Document-{number}", f"What document {number} says.", "", fields)


def act(session: Session, random: Random) -> None:
    """Say one thing of the document on the desk, or take the last thing back."""
    card = session.card
    chance = random.random()
    if card is None or chance < 0.1:
        session.undo()
        if session.card is None:
            session.open_query(0)
    elif chance < 0.15:
        session.later(card.pair)
    elif chance < 0.2:
        session.cannot_judge(card.pair, f"reason {random.randrange(1000)}")
    elif chance < 0.25:
        session.note(card.pair, f"note {random.randrange(1000)}")
    else:
        session.grade(card.pair, random.randrange(4))
