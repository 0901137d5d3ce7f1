from __future__ import annotations

import gzip
from collections.abc import Callable
from typing import Any

import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st

from annotator.errors import InputError
from annotator.formats import READERS, JudgmentLog, Problems, Reader, Source
from annotator.records import RunTable

Write = Callable[[str | bytes], Source]

EVERY_READER = [reader for readers in READERS.values() for reader in readers]

# The readers' own words, in any order, get further than any other text.
COLUMNS = [
    "\t",
    " ",
    "\n",
    "\r\n",
    "\r",
    "\ufeff",
    "\0",
    "\u2028",
    "Q0",
    "1",
    "1.0",
    "nan",
    "é",
    "#",
]
LINES = ["q1 Q0 d1 1 0.5 t\n", "q1 0 d1 1\n", "query-id\tcorpus-id\tscore\n", "qid\tquery\n"]
TAGS = ["<top>", "</top>", "<num>", "Number: 7", "<title>", "</title>", "<narr>", "&#0;", "&amp;"]
XML = ["<topic number='1'>", "<query>", "</query>", "</topic>", "<topics>", "</topics>", "&a;"]
XML_HEAD = ["<?xml version='1.0' encoding='utf-16'?>", "<!DOCTYPE t [", "<!ENTITY a 'b'>", "]>"]
JSON = ["{", "}", "[", "]", ":", ",", '"', '"_id"', '"text"', '"metadata"', "null", "1e999"]
OBJECTS = ['{"_id": "1", "text": "\\ud800"}\n', '"format": "annotator-judgments"', '"version": 1']
WORDS = st.sampled_from([*COLUMNS, *LINES, *TAGS, *XML, *XML_HEAD, *JSON, *OBJECTS])

contents = st.one_of(
    st.binary(),
    st.text().map(lambda text: text.encode("utf-8", "surrogatepass")),
    st.lists(WORDS).map(lambda words: "".join(words).encode()),
    st.binary().map(gzip.compress),
    st.binary(max_size=40).map(lambda tail: gzip.compress(b"q1 0 d1 1")[:-5] + tail),
    st.binary(max_size=40).map(lambda tail: zstandard.compress(b"q1 0 d1 1")[:-2] + tail),
)


@pytest.mark.parametrize("reader", EVERY_READER, ids=lambda reader: reader.read.__module__)
@given(content=contents)
@settings(deadline=None)
def test_no_content_raises_anything_but_an_input_error(
    written: Write, reader: Reader[Any], content: bytes
) -> None:
    error = refusal(reader, written(content))
    if error:
        assert not any("\n" in line for line in (error.message, *error.details))


def refusal(reader: Reader[Any], source: Source) -> InputError | None:
    problems = Problems("file")
    try:
        reader.recognise(source.head())
        product = reader.read(source, problems)
        rows = product.events if isinstance(product, JudgmentLog) else product
        if not isinstance(rows, RunTable):
            assert all(storable(value) for row in rows for value in row)
        problems.raise_if_any("a file")
    except InputError as error:
        return error
    return None


def storable(value: object) -> bool:
    """Whether SQLite can hold a value: no half characters, no integer of more than 64 bits."""
    if isinstance(value, str):
        return not any("\ud800" <= character <= "\udfff" for character in value)
    return not isinstance(value, int) or -(2**63) <= value < 2**63
