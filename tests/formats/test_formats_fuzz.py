from __future__ import annotations

import gzip
from collections.abc import Callable

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from annotator.errors import InputError
from annotator.formats import READERS, Source
from annotator.formats.judgments_jsonl import JudgmentLog
from annotator.formats.problems import Problems
from annotator.records import RunTable

Write = Callable[[str | bytes], Source]

EVERY_READER = [reader for readers in READERS.values() for reader in readers]

# What makes the readers look closer: their own words, in any order.
WORDS = st.sampled_from(
    ["\t", " ", "\n", "\r\n", "Q0", "0", "1", "-1", "1.0", "nan", "0,5", "q1", "#", "\ufeff", "\0"]
    + ["<top>", "<num>", "Number: 7", "<title>", "</title>", "<narr>", "</top>", "&amp;", "&#0;"]
    + ["<topics>", "<topic number='1'>", "<query>", "</query>", "</topic>", "</topics>", "<!--"]
    + ["<!DOCTYPE t [", "<!ENTITY a 'b'>", "]>", "<?xml version='1.0' encoding='utf-16'?>", "&a;"]
    + ["{", "}", "[", "]", ":", ",", '"', '"_id"', '"text"', '"metadata"', "null", "true", "1e999"]
    + ['{"_id": "1", "text": "a"}', '"\\ud800"', '"format": "annotator-judgments"', '"version": 1']
    + ["query-id\tcorpus-id\tscore", "q1 Q0 d1 1 0.5 t", "q1 0 d1 1", "é", "\u2028", "\x85"]
)
contents = st.one_of(
    st.binary(),
    st.text().map(lambda text: text.encode("utf-8", "surrogatepass")),
    st.lists(WORDS).map("".join).map(str.encode),
    st.binary().map(gzip.compress),
    st.binary(max_size=40).map(lambda data: gzip.compress(b"q1 0 d1 1")[:-5] + data),
    st.binary(max_size=40).map(lambda data: zstandard.compress(b"q1 0 d1 1")[:-2] + data),
)


@given(contents)
@pytest.mark.parametrize("reader", EVERY_READER, ids=lambda reader: f"{reader.read.__module__}")
def test_no_content_raises_anything_but_an_input_error(
    written: Write, reader: object, content: bytes
) -> None:
    source = written(content)
    problems = Problems("file")
    try:
        reader.recognise(source.head())
        product = reader.read(source, problems)
        rows = product.events if isinstance(product, JudgmentLog) else product
        for row in () if isinstance(rows, RunTable) else rows:
            assert all(map(storable, row))
        problems.raise_if_any("a file")
    except InputError as error:
        assert "\n" not in error.message
        assert not any("\n" in detail for detail in error.details)


def storable(value: object) -> bool:
    """Whether a value can go into a database: no half characters, no integer of 65 bits."""
    if isinstance(value, str):
        return bool(value.encode()) or not value
    return not isinstance(value, int) or -(2**63) <= value < 2**63
