"""What the person says of a file: the name of its format, what its grades mean."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from annotator.errors import InputError, UsageError
from annotator.formats import Hints, Source, read_qrels
from annotator.formats.problems import Problems

Write = Callable[[str | bytes], Source]


@pytest.mark.parametrize(
    ("form", "content", "rows"),
    [
        ("trec-3", "1 184 2\n", [("1", "184", 2, 1, "")]),
        ("trec-5", "q 0 d 1 0.7\n", [("q", "d", 1, 1, "")]),
        ("trec-judges", "q a d 1\nq b d 2\n", [("q", "d", 1, 1, "a"), ("q", "d", 2, 2, "b")]),
        ("trec-subtopics", "q 1 d 0\nq 2 d 2\nq 3 d 1\n", [("q", "d", 2, 2, "")]),
        ("trec", "q 1 d 0\nq 2 d 2\n", [("q", "d", 0, 1, ""), ("q", "d", 2, 2, "")]),
    ],
)
def test_a_format_that_is_named_is_read(
    written: Write, form: str, content: str, rows: list[tuple[object, ...]]
) -> None:
    source = Source(written(content).path, Hints(format=form))
    problems = Problems("file")
    assert [row[:5] for row in read_qrels(source, problems)] == rows
    assert problems.count == 0


def test_a_format_that_is_not_there_is_answered_with_those_that_are(written: Write) -> None:
    with pytest.raises(UsageError, match="no format of qrels is called sgml; there are: beir, ltr"):
        read_qrels(Source(written("q 0 d 1\n").path, Hints(format="sgml")), Problems("file"))


@pytest.mark.parametrize(
    ("typed", "value", "grade"),
    [
        ("", "3.000", 3),
        ("", "-0.0", 0),
        ("0:0,0.5:1,1:3", "0.50", 1),
        ("0:0,0.5:1,1:3", "1", 3),
        ("E:3,S:2,C:1,I:0", "s", 2),
        ("-1:3,4:1", "-1", 3),
        ("a:b:-1", "a:b", -1),
    ],
)
def test_grades_are_mapped_as_the_person_says(
    written: Write, typed: str, value: str, grade: int
) -> None:
    for line in (f"q 0 d {value}\n", f"query,docid,rating\nq,d,{value}\n"):
        problems = Problems("file")
        source = Source(written(line).path, Hints.parse(grades=typed))
        (row,) = read_qrels(source, problems)
        assert (row.qid, row.docid, row.grade, problems.count) == ("q", "d", grade, 0)


def test_a_grade_that_the_mapping_leaves_out_is_told(written: Write) -> None:
    problems = Problems("file")
    source = Source(written("q 0 d 0.7\n").path, Hints.parse(grades="0:0,1:3"))
    assert read_qrels(source, problems) == []
    with pytest.raises(InputError) as caught:
        problems.raise_if_any("qrels")
    assert "--grades says nothing of the grade 0.7" in caught.value.details[0]


def test_a_decimal_comma_is_mapped_like_a_point(written: Write) -> None:
    source = written("query;docid;rating\nq;d;0,5\nq;e;1\n")
    source.hints = Hints.parse(grades="0.5:1,1:3")
    assert [row.grade for row in read_qrels(source, Problems(source.name))] == [1, 3]


@pytest.mark.parametrize(
    "typed",
    [
        {"grades": "1"},
        {"grades": "1:x"},
        {"grades": ":1"},
        {"grades": "1:1,1.0:2"},
        {"columns": "query"},
        {"columns": "topic=q"},
        {"encoding": "utf-9"},
        {"encoding": "zip"},
    ],
)
def test_hints_that_cannot_be_understood_are_refused(typed: dict[str, str]) -> None:
    with pytest.raises(UsageError):
        Hints.parse(**typed)
