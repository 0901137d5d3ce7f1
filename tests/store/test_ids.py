"""Ids and names are kept and told apart as they are."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotator.domain import AssessorKind, Document, Query
from annotator.errors import UsageError
from tests.projects import new_project, open_project

ODD = ["007", "7", "A", "a", "o'b\"r", "x\0y", "x", "🎯", "ä", "a\u0308", " ", "%", "D" * 10_000]


def test_ids_are_kept_as_they_are_whatever_is_in_them(tmp_path: Path) -> None:
    project = new_project(tmp_path / "judgments.db")
    project.queries.store(Query(qid, f"about {qid}") for qid in ODD)
    numbers = project.documents.ids(ODD)
    project.documents.store(Document(docid, docid, docid, docid) for docid in ODD)
    again = open_project(project.file.path)
    assert [query.qid for query in again.queries.all().values()] == ODD
    assert again.documents.ids(ODD) == numbers
    assert len(set(numbers.values())) == len(ODD)
    for docid in ODD:
        assert again.documents.get(numbers[docid]) == Document(docid, docid, docid, docid)
    by_bytes = sorted(ODD, key=str.encode)
    assert [again.documents.names()[one] for one in again.documents.in_id_order()] == by_bytes


def test_assessors_are_told_apart_by_case_and_kind(tmp_path: Path) -> None:
    judgments = new_project(tmp_path / "judgments.db").judgments
    assert judgments.assessor("ann", AssessorKind.HUMAN) != judgments.assessor(
        "Ann", AssessorKind.HUMAN
    )
    with pytest.raises(UsageError, match="known as human, not imported"):
        judgments.assessor("ann", AssessorKind.IMPORTED)
