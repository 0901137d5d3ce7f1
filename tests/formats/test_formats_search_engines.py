"""What people have of search engines and their tools: documents sent to them, labels of Argilla."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

import pytest

from annotator.domain import Document
from annotator.errors import InputError
from annotator.formats import Hints, Problems, Source, read_documents, read_qrels
from tests.formats.reading import documents, qrels

Write = Callable[[str | bytes], Source]


def test_solr_documents_are_read_with_all_their_fields() -> None:
    first, second = documents("solr/vidcard.xml")
    assert (first.docid, first.title) == (
        "EN7800GTX/2DHTV/256M",
        "ASUS Extreme N7800GTX/2DHTV (256 MB)",
    )
    shown = dict(first.metadata)
    assert shown["cat"] == "electronics, graphics card"
    assert "486MHz, 256MB" in shown["features"]
    assert second.docid == "100-435805"


@pytest.mark.parametrize(
    "text",
    [
        '<add><doc><field name="id">a</field><field name="text">t &amp; u</field></doc></add>',
        '<?xml version="1.0"?>\n<add commitWithin="5">\n<!-- c -->\n<doc boost="2">\n'
        '<field name="id">a</field>\n<field name="text">t &amp; u</field></doc>\n</add>\n',
        '<add><doc><field name="id">a</field><field name="text">t &amp; u</field>'
        '<doc><field name="id">b</field></doc></doc></add>',
    ],
)
def test_solr_documents_are_known_however_they_are_written(written: Write, text: str) -> None:
    assert documents(written(text)) == [Document("a", "", "t & u")]


def test_a_solr_field_of_another_name_is_named(written: Write) -> None:
    fields = '<field name="sku">a</field><field name="words">t</field>'
    source = written(f"<add><doc>{fields}</doc></add>")
    source.hints = replace(Hints(), columns={"docid": ("sku",), "text": ("words",)})
    assert documents(source) == [Document("a", "", "t")]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('<add><doc><field name="id">a</field>', "is not well-formed XML"),
        ('<!DOCTYPE x [<!ENTITY e "e">]><add><doc><field name="id">&e;</field></doc></add>', "ent"),
    ],
)
def test_bad_solr_documents_are_refused(written: Write, text: str, told: str) -> None:
    with pytest.raises(InputError, match=told):
        documents(Source(written(text).path, Hints(format="solr")))


BULK = [
    '{"index": {"_id": "a"}}\n{"title": "A", "text": "t"}\n',
    '{"create":{"_index":"x","_id":"a"}}\n{"title":"A","text":"t"}\n',
    '{"update":{"_id":"a"}}\n{"doc":{"title":"A","text":"t"},"doc_as_upsert":true}\n',
    '{"delete":{"_id":"z"}}\n{"index":{"_id":"a"}}\n{"title":"A","text":"t"}\n',
    '{"index":{}}\n{"title":"A","text":"t","id":"a"}\n',
    'POST things/_bulk?refresh\n{"index":{"_id":"a"}}\n{"title":"A","text":"t"}\n',
    '{"index":{"_id":1}}\n{"title":"A","text":"t"}\n',
]


@pytest.mark.parametrize("text", BULK)
def test_bulk_requests_are_documents(written: Write, text: str) -> None:
    (document,) = documents(written(text))
    assert document == Document("1" if '"_id":1' in text else "a", "A", "t")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('{"index":{"_id":"a"}}\n{"text":"t"}\n{"index":{"_id":"b"}}\n', ":3: no document follows"),
        ('{"index":{"_id":"a"}}\n{"text":"t"}\n{"text":"u"}\n', ":3: expected what is done"),
        (
            '{"index":{"_index":"x","_id":"a"}}\n{"text":"t"}\n'
            '{"index":{"_index":"y","_id":"a"}}\n{"text":"u"}\n',
            ":4: is of another index",
        ),
        ('{"index":{}}\n{"id":1,"text":"t"}\n{"update":{"_id":"b"}}\n{"x":1}\n', ":4: an update"),
    ],
)
def test_what_is_missing_of_a_bulk_request_is_told(written: Write, text: str, told: str) -> None:
    source = written(text)
    with pytest.raises(InputError) as caught:
        documents(source)
    assert f"{source.name}{told}" in " ".join(caught.value.details)


@pytest.mark.parametrize("wrap", [True, False])
def test_answers_of_solr_are_documents_too(written: Write, wrap: bool) -> None:
    docs = [{"id": "a", "title": ["A"], "text": ["one", "two"]}, {"id": "b", "title": ["B"]}]
    value = {"responseHeader": {"params": {"q": "red"}}, "response": {"numFound": 2, "docs": docs}}
    assert documents(written(json.dumps(value if wrap else docs))) == [
        Document("a", "A", "one\ntwo"),
        Document("b", "B"),
    ]


def test_fields_beside_a_text_that_lies_inside_are_shown_or_held_back(written: Write) -> None:
    source = {"title": "A", "text": "t", "price": 2, "label": 3}
    hit = {"_id": "a", "_score": 1, "_source": source}
    problems = Problems("file")
    (document,) = read_documents(written(json.dumps(hit) + "\n"), problems)
    assert document == Document("a", "A", "t", "", (("price", "2"),))
    assert {"label", "_score"} <= set(problems.fields.held_back)


def flat(answers: list[tuple[object, str, str]], **more: object) -> dict[str, object]:
    """A record as Argilla exports it flat."""
    values, users, status = ([*column] for column in zip(*answers, strict=True))
    return {
        **{
            "id": "r1",
            "status": "completed",
            "query": "red",
            "qid": "1",
            "docid": "a",
            "text": "t",
        },
        **{"rel.responses": values, "rel.responses.users": users, "rel.responses.status": status},
        **{"rel.suggestion": "0", "rel.suggestion.score": None, "rel.suggestion.agent": None},
        **more,
    }


@pytest.mark.parametrize("many", [True, False])
def test_the_answers_that_argilla_exports_flat_are_each_persons(written: Write, many: bool) -> None:
    record = flat([("3", "u1", "submitted"), ("1", "u2", "submitted"), ("0", "u3", "draft")])
    source = written(json.dumps([record]) if many else json.dumps(record) + "\n")
    found = [(row.assessor, row.grade) for row in qrels(source)]
    assert found == [("u1", 3), ("u2", 1), ("u3", -1)]


def test_of_two_questions_of_argilla_each_has_its_own_people(written: Write) -> None:
    other = {
        "use.responses": ["1"],
        "use.responses.users": ["u9"],
        "use.responses.status": ["submitted"],
    }
    source = written(json.dumps(flat([("3", "u1", "submitted")], **other)) + "\n")
    with pytest.raises(InputError, match=r"the grade may be responses\.rel\.value, responses\.use"):
        list(read_qrels(source, Problems("file")))
    for question, expected in (("rel", ("u1", 3)), ("use", ("u9", 1))):
        source.hints = Hints(columns={"grade": (f"responses.{question}.value",)})
        assert [(row.assessor, row.grade) for row in qrels(source)] == [expected]


def test_pairs_are_relevant_documents_where_a_person_says_so(written: Write) -> None:
    path = written("1\t7555\n2\t1366\n").path
    for grades, grade in (("", 1), ("1:3", 3)):
        hints = Hints.parse(form="trec-2", grades=grades)
        found = [(row.qid, row.docid, row.grade) for row in qrels(Source(path, hints))]
        assert found == [("1", "7555", grade), ("2", "1366", grade)]
