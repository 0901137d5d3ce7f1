from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from annotator.domain import Document
from annotator.errors import InputError
from annotator.formats import Source, read_documents
from annotator.formats.problems import Problems

Write = Callable[[str | bytes], Source]


def test_documents_are_read_under_every_usual_key(written: Write) -> None:
    lines = [
        {"_id": "007", "title": "NA", "text": "two\r\nlines\t\u2028", "metadata": {"url": "u"}},
        {"id": 7, "contents": "", "url": "v", "metadata": {"url": "u"}},
        {"docid": "CR#93E", "body": "b", "title": None},
        {"doc_id": "x" * 10_000, "title": "only a title", "metadata": {"url": 5}},
        {"_id": "s", "title": "\ud800", "text": "\udfff \ud83d\ude00"},
    ]
    source = written("\ufeff# c\r\n" + "\r\n\r\n".join(json.dumps(line) for line in lines))
    problems = Problems("file")
    assert list(read_documents(source, problems)) == [
        Document("007", "NA", "two\r\nlines\t\u2028", "u"),
        Document("7", "", "", "v"),
        Document("CR#93E", "", "b"),
        Document("x" * 10_000, "only a title", None),
        Document("s", "\ufffd", "\ufffd \N{GRINNING FACE}"),
    ]
    assert problems.count == 0


def test_each_bad_document_is_told_with_its_number_and_the_rest_is_read(written: Write) -> None:
    source = written(
        '{"_id": "1", "text": "a"}\n{"_id": "2", "text": 5}\n\n{"text": "a"}\nplain\n'
        '{"_id": "\\udc80", "text": "a"}\n{"_id": {}, "text": "a"}\n{"_id": "9", "text": "z"}'
    )
    problems = Problems("file")
    assert [document.docid for document in read_documents(source, problems)] == ["1", "9"]
    with pytest.raises(InputError) as caught:
        problems.raise_if_any("documents")
    assert [detail.partition(": {")[0] for detail in caught.value.details] == [
        "file:2: text must be text, not an integer",
        "file:4: no id: expected a key _id",
        "file:5: not JSON: Expecting value at column 1: plain",
        "file:6: _id holds half of a character (a lone surrogate)",
        "file:7: _id must be text or an integer, not an object",
    ]


def test_documents_are_streamed(written: Write) -> None:
    good = '{"_id": "1", "text": "a"}\n'
    source = written((good * 50_000).encode() + b"\xff")
    documents = read_documents(source, Problems("file"))
    assert next(documents) == Document("1", "", "a")
    with pytest.raises(InputError, match=":50001: not UTF-8"):
        list(documents)
