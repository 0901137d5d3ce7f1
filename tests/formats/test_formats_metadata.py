"""What documents carry beside their texts, from each format that has it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping

import pytest

from annotator.domain import Document, Metadata
from annotator.errors import InputError
from annotator.formats import Source, read_documents
from annotator.formats.metadata import LONGEST_VECTOR
from annotator.formats.problems import Problems

Read = Callable[[str], Document]


@pytest.fixture
def read(written: Callable[[str], Source]) -> Read:
    """Reads a file of one document."""

    def one(text: str) -> Document:
        problems = Problems("file")
        (document,) = read_documents(written(text), problems)
        assert problems.count == 0
        return document

    return one


def of_json(read: Read, fields: Mapping[str, object]) -> Metadata:
    return read(json.dumps({"_id": "1", "text": "a", **fields})).metadata


def test_json_fields_are_kept_in_their_order_with_those_inside_metadata(read: Read) -> None:
    found = of_json(
        read, {"year": 1962, "authors": ["Ann", "Bo"], "metadata": {"venue": "J", "url": "u"}}
    )
    assert found == (("year", "1962"), ("authors", "Ann, Bo"), ("venue", "J"))


def test_a_second_text_or_id_is_kept_as_a_field(read: Read) -> None:
    assert of_json(read, {"body": "b", "docid": "1"}) == (("body", "b"),)
    with pytest.raises(InputError, match="the document may be docid, _id"):
        of_json(read, {"docid": "x"})


@pytest.mark.parametrize("nothing", [None, "", "  ", [], {}, [0.5] * (LONGEST_VECTOR + 1)])
def test_empty_fields_and_embeddings_are_left_out(read: Read, nothing: object) -> None:
    assert of_json(read, {"field": nothing}) == ()


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (True, "true"),
        (0, "0"),
        (1.5, "1.5"),
        ([1, "a"], '[1, "a"]'),
        ({"a": {"b": "é"}}, '{"a": {"b": "é"}}'),
    ],
)
def test_other_values_are_written_as_json(read: Read, value: object, text: str) -> None:
    assert of_json(read, {"field": value}) == (("field", text),)


def test_half_characters_are_replaced_in_names_and_values(read: Read) -> None:
    assert of_json(read, {"a\ud800": "b\udfff"}) == (("a\ufffd", "b\ufffd"),)


@pytest.mark.parametrize(
    "name", ["rank", "Score", "run_id", "system", "meanRelevance", "for-query", "a_rating", "_"]
)
def test_what_would_end_blindness_is_left_out(read: Read, name: str) -> None:
    assert of_json(read, {name: "1", "metadata": {name: "2"}}) == ()


def test_other_columns_of_a_table(read: Read) -> None:
    found = read("docid,title,text,author,,score,year\nd1,T,one,Ann,9,0.3,\n")
    assert found == Document("d1", "T", "one", "", (("author", "Ann"),))


def test_fields_of_trec_documents_leave_the_text(read: Read) -> None:
    found = read(
        "<DOC>\n<DOCNO>1</DOCNO>\n<DATE><P>May 1, 1989\n</P></DATE>\n<SUBJECT>A &amp; B</SUBJECT>\n"
        "<SUBJECT>C</SUBJECT>\n<BYLINE></BYLINE>\n<TEXT>\nbody\n</TEXT>\n</DOC>\n"
    )
    assert found == Document(
        "1", "", "body", "", (("date", "May 1, 1989"), ("subject", "A & B; C"))
    )


def test_what_a_page_tells_of_itself(read: Read) -> None:
    found = read(
        '<!doctype html><html><head><title>T</title><meta name="Author" content="Ann">'
        '<meta name="viewport" content="width"><meta name="date">'
        '<link rel="canonical" href="https://a.example/"></head><body><p>one</body></html>',
    )
    assert found == Document(found.docid, "T", "one", "https://a.example/", (("author", "Ann"),))
