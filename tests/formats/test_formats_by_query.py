"""JSON objects of queries with lists of documents, as scripts dump them."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from annotator.errors import InputError
from annotator.formats import Source
from tests.formats.reading import documents, qrels, queries, rows_of

Write = Callable[[str | bytes], Source]

BOTH = {"red": ["a", "b"], "blue hats": ["c"], "none": []}
SCORED = {"red": [["a", 2.5], ["b", 1]], "blue hats": [["c", -1.0]]}


@pytest.mark.parametrize("indent", [None, 1])
def test_lists_of_ids_are_a_ranking_or_what_is_relevant(written: Write, indent: int | None) -> None:
    source = written(json.dumps(BOTH, indent=indent))
    assert [row[:3] for row in rows_of(source)] == [
        ("red", "a", 1), ("red", "b", 2), ("blue hats", "c", 1),
    ]  # fmt: skip
    assert [(row.qid, row.docid, row.grade) for row in qrels(source)] == [
        ("red", "a", 1), ("red", "b", 1), ("blue hats", "c", 1),
    ]  # fmt: skip


@pytest.mark.parametrize("indent", [None, 1])
def test_pairs_and_objects_have_their_scores(written: Write, indent: int | None) -> None:
    expected = [("red", "a", 2.5), ("red", "b", 1.0), ("blue hats", "c", -1.0)]
    named = {
        query: [{"doc_id": docid, "score": score} for docid, score in found]
        for query, found in SCORED.items()
    }
    for value in (SCORED, named):
        rows = rows_of(written(json.dumps(value, indent=indent)))
        assert [(qid, docid, score) for qid, docid, _, score in rows] == expected


def test_objects_have_their_grades(written: Write) -> None:
    value = {"red": [{"doc_id": "a", "grade": 3}], "blue": [{"doc_id": "b", "grade": 0}]}
    found = [(row.qid, row.docid, row.grade) for row in qrels(written(json.dumps(value)))]
    assert found == [("red", "a", 3), ("blue", "b", 0)]


@pytest.mark.parametrize(
    ("read", "value"),
    [
        (queries, BOTH),
        (documents, BOTH),
        (rows_of, {"red": ["a"], "blue": "c"}),
        (rows_of, {"red": ["a", {"x": 1}]}),
        (qrels, {"red": [["a", 2.5], ["b", 1.5]]}),
        (rows_of, {"data": ["a", "b"]}),
        (rows_of, {"red": [["a", "b"], ["c", "d"]]}),
    ],
)
def test_what_is_none_of_these_is_refused(
    written: Write, read: Callable[[Source], object], value: object
) -> None:
    with pytest.raises(InputError):
        read(written(json.dumps(value)))


def test_a_list_below_a_name_is_not_a_query(written: Write) -> None:
    for name in ("data", "items", "documents", "train"):
        rows = [{"docid": "a", "text": "t"}, {"docid": "b", "text": "u"}]
        found = documents(written(json.dumps({name: rows})))
        assert [one.docid for one in found] == ["a", "b"]


def test_a_file_with_ranks_and_grades_is_what_is_asked_for(written: Write) -> None:
    source = written("qid,docid,rank,label\n1,a,1,0\n1,b,2,3\n")
    assert [row.grade for row in qrels(source)] == [0, 3]
    assert [row[:3] for row in rows_of(source)] == [("1", "a", 1), ("1", "b", 2)]
