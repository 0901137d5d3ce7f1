"""What tests do with a session: look at its desk, grade, go to a document."""

from __future__ import annotations

from annotator.domain import Card
from annotator.judging import Session
from annotator.store import Project


def on_desk(session: Session) -> Card:
    assert session.card is not None
    return session.card


def place(session: Session) -> tuple[str, str]:
    assert session.query
    return session.query.qid, on_desk(session).docid


def grade(session: Session, grade: int = 1) -> Card:
    """Grade the card on the desk; which it was."""
    card = on_desk(session)
    assert session.grade(card.pair, grade)
    return card


def met_by_grading(session: Session) -> list[tuple[str, str]]:
    met = []
    while session.card:
        met.append(place(session))
        grade(session)
    return met


def at(session: Session, docid: str) -> Card:
    """Go back and forth to a document of the query on the desk."""
    while session.back():
        pass
    while on_desk(session).docid != docid:
        assert session.forward()
    return on_desk(session)


def events(project: Project) -> int:
    return project.judgments.last_event()
