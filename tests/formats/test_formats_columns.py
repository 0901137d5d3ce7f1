"""Which column or key is what: said, never guessed; and advice that works on the very file."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from annotator.blocks.run_table import run_table
from annotator.domain import Document, Query
from annotator.errors import InputError, UsageError
from annotator.formats import (
    Hints,
    Problems,
    Source,
    read_documents,
    read_qrels,
    read_queries,
    read_run,
)
from tests.formats.reading import documents, qrels, queries, rows_of

Write = Callable[[str | bytes], Source]
READ: dict[str, Callable[[Source, Problems], Any]] = {
    "queries": read_queries,
    "documents": read_documents,
    "qrels": read_qrels,
    "run": lambda source, problems: run_table(read_run(source, problems)).qids,
}


def refusal(kind: str, source: Source) -> InputError:
    with pytest.raises(InputError) as caught:
        list(READ[kind](source, Problems(source.name)))
    return caught.value


def advised(error: InputError) -> Iterator[str]:
    """Every --columns that a refusal names, as a shell would give it."""
    for line in error.details:
        if found := re.search(r"annotator import \w+ (--columns .*)", line):
            yield shlex.split(found[1])[1]


UNCLEAR = [
    ("queries", "key,question\n1,what is lift\n2,what is drag\n"),
    ("queries", "question;nr\nwhat is lift;1\nwhat is drag;2\n"),
    ("queries", "key,question\n1,what is lift\n"),
    ("queries", '{"key": 1, "question": "what is lift"}\n{"key": 2, "question": "b"}\n'),
    ("queries", '[{"key": "a", "question": "what is lift"}, {"key": "b", "question": "b"}]'),
    ("documents", "page_id,body,headline\n13,a long text of words,words\n14,more of it,some\n"),
    ("documents", '{"page_id": 13, "body": "some text", "headline": "t"}\n'),
    ("documents", "ref,words,by\ncat-1,a text,me\ncat-2,another text,you\n"),
    ("documents", "docid,product_id,text\na,b,one text\nc,d,two\n"),
    ("qrels", "query,docid,product_id,rating\nq,a,b,1\nr,c,d,2\n"),
    ("qrels", "query,docid,rating,relevance\nq,a,1,2\nr,c,2,1\n"),
    ("qrels", '{"qid": "1", "docid": "a", "label": "2", "grade": 3}\n'),
    ("qrels", "nr,question,docid,rating\n1,red shoes,a,3\n2,blue,b,0\n"),
    ("qrels", "asked;found;worth\nq1;d1;3\nq1;d2;0\n"),
    ("qrels", '{"asked": {"nr": "q1"}, "found": "d1", "worth": 2}\n'),
    ("qrels", "qid,docid,rating,ann_rating\n1,a,2,3\n"),
    ("run", "nr,question,docid,rank\n1,red shoes,a,1\n2,blue,b,1\n"),
    ("run", "asked,found,place\nq1,d1,1\nq1,d2,2\n"),
]


@pytest.mark.parametrize(("kind", "text"), UNCLEAR)
def test_what_is_not_clear_is_refused_and_each_advice_works_on_the_file(
    written: Write, kind: str, text: str
) -> None:
    source = written(text)
    error = refusal(kind, source)
    assert "cannot be read" in error.message or "is not clear" in error.message
    found = [*advised(error)]
    assert found
    for columns in found:
        hinted = Source(source.path, Hints.parse(columns=columns))
        problems = Problems(source.name)
        rows = list(READ[kind](hinted, problems))
        problems.raise_if_any("a file")
        assert rows


def test_the_advice_for_documents_names_id_text_and_title(written: Write) -> None:
    source = written("page_id,body,headline\n13,a long text of words,words\n")
    assert [*advised(refusal("documents", source))] == ["docid=page_id,text=body,title=headline"]
    source = written("ref,words,caption\n13,a long text of many words,words here\n14,a b c d,c\n")
    assert [*advised(refusal("documents", source))] == ["docid=ref,text=words,title=caption"]


@pytest.mark.parametrize("name", ["num", "qid", "Query-ID", "topic", "id", "_id", "queryId"])
def test_a_column_that_is_an_id_by_name_is_the_id(written: Write, name: str) -> None:
    source = written(f"{name},question\n1,what is lift\n")
    problems = Problems("file")
    assert list(read_queries(source, problems)) == [Query("1", "what is lift")]
    assert problems.read_as == f"query={name}, text=question"


def test_what_was_taken_for_what_is_said_and_what_was_not_used(written: Write) -> None:
    problems = Problems("file")
    list(read_qrels(written("qid,docid,rating,shop,when\n1,a,1,x,y\n"), problems))
    assert problems.read_as == "query=qid, docid=docid, grade=rating"
    assert problems.unused == ["shop", "when"]


def test_the_text_is_the_id_where_no_column_may_be(written: Write) -> None:
    source = written("query,docid,rating,comment\nred shoes,a,3,\nred shoes,b,1,x y\nblue,c,0,\n")
    assert [row.qid for row in qrels(source)] == ["red shoes", "red shoes", "blue"]
    assert queries(written("question,frequency\nred,10\nblue,7\n"))[0] == Query("red", "red")


def test_keys_that_come_later_are_looked_at_too(written: Write) -> None:
    lines = ['{"qid": 1, "docid": "a", "grade": 1}\n'] * 500
    source = written("".join([*lines, '{"qid": 1, "docid": "b", "grade": 2, "rater": "ann"}\n']))
    assert qrels(source)[-1].assessor == "ann"
    source = written("".join([*lines, '{"qid": 1, "docid": "b", "label": 2, "grade": 1}\n']))
    with pytest.raises(InputError, match="the grade may be grade, label"):
        qrels(source)


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        ("1 0 a 3\n1 0 b 0\n", "query=1,docid=3,grade=4"),
        ("x\t1\ta\t3\nx\t1\tb\t0\n", "query=2,docid=3,grade=4"),
        ("3;a;1\n0;b;1\n", "grade=1,docid=2,query=3"),
    ],
)
def test_columns_without_headings_are_named_by_number(
    written: Write, text: str, columns: str
) -> None:
    source = Source(written(text).path, Hints.parse(columns=columns))
    assert [row[:3] for row in qrels(source)] == [("1", "a", 3), ("1", "b", 0)]


def test_headings_are_not_named_by_number(written: Write) -> None:
    source = written("qid,docid,rating\n1,a,2\n")
    with pytest.raises(UsageError, match="by number is for a table without headings"):
        qrels(Source(source.path, Hints.parse(columns="query=1,docid=2,grade=3")))


def test_an_id_may_be_two_columns_together(written: Write) -> None:
    text = "topic,turn,docid,rating\n31,1,a,2\n31,2,b,1\n"
    hints = Hints.parse(columns="query=topic+turn")
    assert [row.qid for row in qrels(Source(written(text).path, hints))] == ["31_1", "31_2"]
    hints = Hints.parse(columns="query=1+2,docid=3,grade=4")
    source = Source(written("31 1 a 2\n31 2 b 1\n").path, hints)
    assert [row.qid for row in qrels(source)] == ["31_1", "31_2"]
    lines = '{"topic": 31, "turn": 1, "docid": "a", "grade": 2}\n'
    source = Source(written(lines).path, Hints.parse(columns="query=topic+turn"))
    assert qrels(source)[0].qid == "31_1"


NESTED = {
    "Label Studio": [
        {
            "id": 101,
            "annotations": [
                {
                    "id": 11,
                    "completed_by": {"id": 1, "email": "ann@example.org"},
                    "was_cancelled": False,
                    "result": [
                        {"value": {"text": ["why"]}, "type": "textarea"},
                        {"value": {"choices": ["3"]}, "from_name": "rel", "type": "choices"},
                    ],
                }
            ],
            "data": {"qid": "1", "query": "red shoes", "docid": "a", "text": "Red."},
        },
        {"id": 102, "annotations": [], "data": {"qid": "1", "docid": "b"}},
    ],
    "Label Studio, minimal": [
        {
            "qid": "1",
            "query": "x",
            "docid": "a",
            "id": 7,
            "rel": "3",
            "annotator": "ann@example.org",
        }
    ],
    "doccano": [{"id": 1, "text": "Red.", "label": ["3"], "qid": "1", "docid": "a"}],
    "Argilla": [
        {
            "id": "r1",
            "fields": {"query": "red shoes", "text": "Red."},
            "metadata": {"qid": "1", "docid": "a"},
            "responses": {"rel": [{"value": 3, "user_id": "u1", "status": "submitted"}]},
        }
    ],
    "Prodigy": [
        {
            "text": "Red.",
            "meta": {"qid": "1", "docid": "a"},
            "accept": ["3"],
            "answer": "accept",
            "_annotator_id": "db-ann",
        }
    ],
    "nested": [{"qid": 1, "docid": "a", "labels": [{"user": "ann", "grade": 3}]}],
}
WHO = ["ann@example.org", "ann@example.org", "", "u1", "db-ann", "ann"]


@pytest.mark.parametrize("form", ["lines", "list"])
@pytest.mark.parametrize(
    ("records", "who"), list(zip(NESTED.values(), WHO, strict=True)), ids=list(NESTED)
)
def test_exports_of_annotation_tools_are_read_with_who_said_it(
    written: Write, records: list[object], who: str, form: str
) -> None:
    lines = "\n".join(map(json.dumps, records))
    rows = qrels(written(lines if form == "lines" else json.dumps(records, indent=2)))
    assert [(row.qid, row.docid, row.grade, row.assessor) for row in rows] == [("1", "a", 3, who)]


def test_several_peoples_labels_inside_one_object_are_each_a_judgment(written: Write) -> None:
    labels = [{"user": "ann", "grade": 3}, {"user": "bob", "grade": 1}]
    rows = qrels(written(json.dumps({"qid": 1, "docid": "a", "labels": labels})))
    assert [(row.grade, row.assessor) for row in rows] == [(3, "ann"), (1, "bob")]


@pytest.mark.parametrize(
    "said", [{"answer": "reject"}, {"answer": "ignore"}, {"was_cancelled": True}]
)
def test_what_a_person_did_not_accept_is_left_unjudged(
    written: Write, said: dict[str, object]
) -> None:
    record = {"qid": "1", "docid": "a", "label": ["3"], **said}
    assert [row.grade for row in qrels(written(json.dumps(record)))] == [-1]


def test_nested_keys_are_named_by_dots(written: Write) -> None:
    record = {"m": {"asked": "1", "found": "a"}, "r": {"worth": 2}}
    hints = Hints.parse(columns="query=m.asked,docid=m.found,grade=r.worth")
    assert qrels(Source(written(json.dumps(record)).path, hints))[0][:3] == ("1", "a", 2)


@pytest.mark.parametrize(
    "record",
    [
        {"id": "c1", "relevant": ["d1", "d2"]},
        {"id": "c1", "question": "red", "expected_ids": ["d1", "d2"]},
        {"qid": "c1", "gold": ["d1", "d2"]},
        {"query": "c1", "relevant_ids": ["d1", "d2"]},
        {"query": "c1", "gold_docs": ["d1", "d2"]},
        {"id": "c1", "reference_context_ids": ["d1", "d2"], "retrieved": ["x"]},
        {"query_id": "c1", "relevant_docs": {"d1": 1, "d2": 1}},
    ],
)
def test_lists_of_what_is_relevant_are_qrels(written: Write, record: dict[str, object]) -> None:
    rows = qrels(written(json.dumps(record) + "\n"))
    assert [row[:3] for row in rows] == [("c1", "d1", 1), ("c1", "d2", 1)]
    rows = qrels(Source(written(json.dumps(record)).path, Hints.parse(grades="1:3")))
    assert [row.grade for row in rows] == [3, 3]


@pytest.mark.parametrize(
    "record",
    [
        {"id": "c1", "retrieved": ["d1", "x"]},
        {"query": "c1", "retrieved_ids": ["d1", "x"], "relevant": ["d1"]},
        {
            "user_input": "c1",
            "retrieved_contexts": ["a b", "c d"],
            "retrieved_context_ids": ["d1", "x"],
        },
        {"qid": "c1", "contexts": ["d1", "x"]},
    ],
)
def test_lists_of_what_was_returned_are_runs(written: Write, record: dict[str, object]) -> None:
    rows = rows_of(written(json.dumps(record) + "\n"))
    assert [row[:3] for row in rows] == [("c1", "d1", 1), ("c1", "x", 2)]


@pytest.mark.parametrize(
    ("question", "contexts", "gold"),
    [
        ("question", "contexts", "gold_contexts"),
        ("user_input", "retrieved_contexts", "reference_contexts"),
    ],
)
def test_contexts_that_are_texts_have_ids_made_of_them(
    written: Write, question: str, contexts: str, gold: str
) -> None:
    lines = [
        {question: "red shoes", contexts: ["Red shoes.", "Blue hats."], gold: ["Red shoes."]},
        {question: "empty one", contexts: [], gold: []},
        {question: "again", contexts: ["Blue hats."], gold: ["None of them."]},
    ]
    source = written("\n".join(map(json.dumps, lines)))
    first, second = documents(source)
    assert (first.text, second.text) == ("Red shoes.", "Blue hats.")
    assert [row[:3] for row in rows_of(source)] == [
        ("red shoes", first.docid, 1),
        ("red shoes", second.docid, 2),
        ("again", second.docid, 1),
    ]
    assert qrels(source)[0][:3] == ("red shoes", first.docid, 1)
    assert [one.qid for one in queries(source)] == ["red shoes", "empty one", "again"]
    problems = Problems("file")
    run_table(read_run(source, problems))
    assert "1 list is empty" in problems.notes[0]


def test_a_list_of_flat_objects_is_read_as_its_lines_are(written: Write) -> None:
    records = [{"_id": "a", "title": "A", "text": "Red."}, {"_id": "b", "title": "", "text": "B"}]
    expected = [Document("a", "A", "Red."), Document("b", "", "B")]
    assert documents(written(json.dumps(records))) == expected
    assert documents(written(json.dumps(records, indent=1))) == expected
    with pytest.raises(InputError) as caught:
        documents(written(json.dumps([*records, 7])))
    assert "item 3: expected an object, found an integer" in caught.value.details[0]
