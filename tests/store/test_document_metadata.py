"""What is stored of a document beside its text."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from annotator.domain import Document
from annotator.store import Project
from tests.projects import general

FIELDS = (("year", "1962"), ("an \"odd\" 'name'", "é\n\0\N{GRINNING FACE}"), ("", ""))
PLAIN = Document("d1", "T", "one", "u")


def stored(project: Project, document: Document) -> Document:
    project.documents.store([document])
    return project.documents.get(project.documents.ids(["d1"])["d1"])


def test_it_comes_back_as_it_was_in_its_order(tmp_path: Path) -> None:
    with closing(Project.create(tmp_path / "a.db", general())) as project:
        document = PLAIN._replace(metadata=FIELDS)
        assert stored(project, document) == document


def test_it_is_added_to_a_text_that_had_none_and_then_stays(tmp_path: Path) -> None:
    with closing(Project.create(tmp_path / "a.db", general())) as project:
        assert stored(project, PLAIN).metadata == ()
        assert stored(project, PLAIN._replace(metadata=FIELDS)).metadata == FIELDS
        assert stored(project, PLAIN).metadata == FIELDS
        assert stored(project, PLAIN._replace(metadata=(("year", "1"),))).metadata == FIELDS


def test_it_is_not_taken_from_a_file_with_another_text(tmp_path: Path) -> None:
    with closing(Project.create(tmp_path / "a.db", general())) as project:
        stored(project, PLAIN)
        assert stored(project, PLAIN._replace(text="two", metadata=FIELDS)) == PLAIN
