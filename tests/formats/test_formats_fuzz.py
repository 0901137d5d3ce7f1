from __future__ import annotations

import gzip
from collections.abc import Callable
from dataclasses import astuple
from pathlib import Path
from typing import Any

import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st

from annotator.blocks.lines import Lines
from annotator.domain import JudgmentEvent
from annotator.errors import InputError
from annotator.formats import READERS, JudgmentLog, Problems, Reader, Source

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
TABLE = ["query,docid,rating\n", "qid\tdocid\trank\n", "a_rating", '"', ",", ";", "\n", "'=1"]
RATED = ['{"judgmentRatings": [', '{"query": "q", "ratings": [', '{"docId": 1, "rating": "2.0"}']
RANKED = ['{"q": {"d": 0.5', '"e": 1', "}}", '{"qid": 1, "docid": 2, "rank": 3}\n', '"results": [']
NESTED = ['{"queries": [', '"relevant_documents": {"1": [', '"placeholders": {"$query": "q"}']
PAGES = ["<html>", "<p>", "<DOC>\n", "<DOCNO>1</DOCNO>", "</DOC>\n", "<!--", "2 qid:1 # d\n"]
MORE = [*TABLE, *RATED, *RANKED, *NESTED, *PAGES]
WORDS = st.sampled_from([*COLUMNS, *LINES, *TAGS, *XML, *XML_HEAD, *JSON, *OBJECTS, *MORE])

contents = st.one_of(
    st.binary(),
    st.text().map(lambda text: text.encode("utf-8", "surrogatepass")),
    st.lists(WORDS).map(lambda words: "".join(words).encode()),
    st.binary().map(gzip.compress),
    st.text(max_size=200).map(lambda text: text.encode("utf-16", "surrogatepass")),
    st.binary().map(lambda tail: b"\xfd7zXZ\x00" + tail),
    st.binary().map(lambda tail: b"BZh9" + tail),
    st.binary(max_size=40).map(lambda tail: gzip.compress(b"q1 0 d1 1")[:-5] + tail),
    st.binary(max_size=40).map(lambda tail: zstandard.compress(b"q1 0 d1 1")[:-2] + tail),
)


@pytest.mark.parametrize(
    "reader", EVERY_READER, ids=lambda reader: f"{reader.read.__module__}.{reader.name}"
)
@given(content=contents)
@settings(deadline=None)
def test_no_content_raises_anything_but_an_input_error(
    written: Write, reader: Reader[Any], content: bytes
) -> None:
    error = refusal(reader, written(content))
    if error:
        assert not any("\n" in line for line in (error.message, *error.details))


FORMATS = Path(__file__).parents[1] / "data" / "formats"
REAL = sorted(path for path in FORMATS.rglob("*.*") if path.stat().st_size < 60_000)


@st.composite
def mutated(draw: st.DrawFn) -> bytes:
    """A real file with some of it changed, lost, doubled or mixed with another."""
    content = draw(st.sampled_from(REAL)).read_bytes()
    for _ in range(draw(st.integers(0, 4))):
        start = draw(st.integers(0, len(content)))
        end = min(len(content), start + draw(st.sampled_from([0, 1, 2, 10, 500])))
        put = draw(st.one_of(st.binary(max_size=4), WORDS.map(str.encode), st.just(content[:200])))
        content = content[:start] + put + content[end:]
    return content


@given(content=mutated())
@settings(deadline=None, max_examples=60)
def test_a_damaged_real_file_raises_nothing_but_an_input_error(
    written: Write, content: bytes
) -> None:
    source = written(content)
    for reader in EVERY_READER:
        error = refusal(reader, source)
        if error:
            assert not any("\n" in line for line in (error.message, *error.details))


def refusal(reader: Reader[Any], source: Source) -> InputError | None:
    problems = Problems("file")
    try:
        reader.recognise(source.head())
        product = reader.read(source, problems)
        rows = product.events if isinstance(product, JudgmentLog) else product
        assert all(
            storable(value)
            for one in rows
            for row in (one.rows() if isinstance(one, Lines) else [one])
            for value in (astuple(row) if isinstance(row, JudgmentEvent) else row)
        )
        problems.raise_if_any("a file")
    except InputError as error:
        return error
    return None


def storable(value: object) -> bool:
    """Whether SQLite can hold a value: no half characters, no integer of more than 64 bits."""
    if isinstance(value, str):
        return not any("\ud800" <= character <= "\udfff" for character in value)
    return not isinstance(value, int) or -(2**63) <= value < 2**63
