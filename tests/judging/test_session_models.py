"""What models said of a document is hidden until one has graded it, and the log says who saw it."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from annotator.actions.history import history
from annotator.actions.imports.model_labels import judgments_or_model_labels_of
from annotator.actions.imports.transaction import import_one
from annotator.formats.model_labels import Asked
from annotator.judging import Session
from annotator.store import Project
from annotator.store.checks import check
from tests.judging.sessions import grade, on_desk
from tests.projects import begin


@pytest.fixture
def labelled(project: Project, tmp_path: Path) -> Project:
    """The project with the labels of a model for all of its pairs, a failure among them."""
    qids, names = project.queries.all(), project.documents.names()
    queries, documents = (part.tolist() for part in project.pool.pairs())
    pairs = [(qids[one].qid, names[two]) for one, two in zip(queries, documents, strict=True)]
    for model, said in (("m", "3"), ("n", "7")):
        path = tmp_path / f"{model}.qrels"
        path.write_text("".join(f"{qid} 0 {docid} {said}\n" for qid, docid in pairs))
        asked = Asked(model, "ab" * 32)
        import_one(project, partial(judgments_or_model_labels_of, path=path, asked=asked))
    return project


def seen(session: Session) -> object:
    return session.see_models(on_desk(session).pair)


def test_nothing_is_shown_of_a_document_that_one_has_not_graded(labelled: Project) -> None:
    session, before = begin(labelled), labelled.judgments.last_event()
    assert seen(session) is None
    first = on_desk(session).pair
    session.later(first)
    assert session.see_models(first) is None
    assert labelled.judgments.last_event() == before + 1


def test_what_models_said_is_shown_once_one_has_graded_and_stored_once(labelled: Project) -> None:
    session = begin(labelled)
    pair = on_desk(session).pair
    grade(session)
    before = labelled.judgments.last_event()
    for _ in range(3):
        assert session.see_models(pair) == [("m", 3), ("n", None)]
    assert labelled.judgments.last_event() == before + 1
    (entry,) = history(labelled, latest=1)
    assert "saw what models said" in entry.said
    assert not [one for one in check(labelled.file) if one.problems]


def test_a_grade_given_after_that_is_not_blind_and_others_stay_so(labelled: Project) -> None:
    session = begin(labelled)
    pair = on_desk(session).pair
    grade(session)
    session.see_models(pair)
    assert session.back()
    grade(session)
    grade(session)
    said = [one for one in labelled.judgments.events() if one.assessor == "ann"]
    given = [one.blind for one in said if one.restates is None]
    assert given == [True, False, True]


def test_the_label_and_its_age_stay_as_they_were(labelled: Project) -> None:
    session = begin(labelled)
    pair = on_desk(session).pair
    grade(session)
    versions = labelled.rubrics.counted()
    before = labelled.judgments.labels(versions)
    session.see_models(pair)
    after = labelled.judgments.labels(versions)
    for name in ("query", "document", "grade", "given", "by_eye", "foreign"):
        assert getattr(after, name).tolist() == getattr(before, name).tolist()


@pytest.mark.parametrize("again", [True, False])
def test_an_undo_takes_back_the_grade_that_was_seen_beside_models_not_the_sight(
    labelled: Project, again: bool
) -> None:
    session = begin(labelled)
    pair = on_desk(session).pair
    grade(session)
    session.see_models(pair)
    session = begin(labelled) if again else session
    undone = session.undo()
    assert undone is not None
    assert (undone.pair, undone.grade is not None) == (pair, True)
    assert on_desk(session).grade is None
    assert seen(session) is None


def test_a_note_after_that_can_be_taken_back(labelled: Project) -> None:
    session = begin(labelled)
    pair = on_desk(session).pair
    grade(session)
    session.see_models(pair)
    assert session.back()
    session.note(pair, "a note")
    undone = session.undo()
    assert undone is not None
    assert (undone.note, undone.restates) == ("a note", True)
