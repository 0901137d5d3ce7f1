"""Runs in Parquet: read as columns, and just as their rows would be read one by one."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from typing import Any

import pyarrow
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyarrow import parquet

from annotator.errors import AnnotatorError
from annotator.formats import Source
from annotator.formats.input import parquet as parquet_rows
from annotator.formats.runs import columns, rows
from tests.formats.reading import rows_of

Write = Callable[[str | bytes], Source]
ID = st.one_of(
    st.sampled_from(["a", "b", "a b", " a", "b\t", "é", "\u3000a", "", "x" * 40, "a\0b", "10"]),
    st.none(),
)
TYPES = st.sampled_from([pyarrow.string(), pyarrow.large_string()])


@st.composite
def tables(draw: st.DrawFn) -> pyarrow.Table:
    count = draw(st.integers(1, 6))

    def column(values: st.SearchStrategy[Any]) -> list[Any]:
        return draw(st.lists(values, min_size=count, max_size=count))

    made = {
        "query": pyarrow.array(column(st.sampled_from(["1", "2", "2 "])), draw(TYPES)),
        "docid": draw(
            st.sampled_from([
                pyarrow.array(column(ID), draw(TYPES)),
                pyarrow.array(column(st.integers(-5, 5)), pyarrow.int64()),
            ])
        ),
    }  # fmt: skip
    number = st.one_of(st.integers(-3, 9), st.none())
    if draw(st.booleans()):
        made["rank"] = pyarrow.array(
            column(number), draw(st.sampled_from([pyarrow.int32(), pyarrow.int64()]))
        )
    if "rank" not in made or draw(st.booleans()):
        score = st.one_of(st.floats(width=32), st.none())
        made["score"] = pyarrow.array(
            column(score), draw(st.sampled_from([pyarrow.float32(), pyarrow.float64()]))
        )
    return pyarrow.table(made)


def packed(table: pyarrow.Table, **options: Any) -> bytes:
    file = io.BytesIO()
    parquet.write_table(table, file, **options)
    return file.getvalue()


def read(source: Source) -> object:
    """The rows, or why there are none."""
    try:
        return rows_of(source)
    except AnnotatorError as error:
        return [one.replace(source.name, "FILE") for one in (error.message, *error.details)]


@given(table=tables(), groups=st.integers(1, 6))
@settings(deadline=None, max_examples=150)
def test_columns_are_read_as_their_rows_are(
    written: Write, table: pyarrow.Table, groups: int
) -> None:
    source = written(packed(table, row_group_size=groups))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rows, "parquet_lines", lambda *_: None)
        one_by_one = read(source)
    assert read(source) == one_by_one


@pytest.mark.parametrize("name", ["document", "docno", "doc_id"])
def test_columns_of_any_order_and_known_name_are_found(written: Write, name: str) -> None:
    table = pyarrow.table({"score": [2.5], "note": [[1]], name: ["d"], "qid": [7]})
    assert rows_of(written(packed(table))) == [("7", "d", 0, 2.5)]


def test_what_may_be_two_things_is_not_guessed(written: Write) -> None:
    table = pyarrow.table({"qid": ["1"], "topic": ["2"], "docid": ["d"], "score": [1.0]})
    message = read(written(packed(table)))
    same = json.dumps({"qid": "1", "topic": "2", "docid": "d", "score": 1.0})
    assert message == read(written(same))


@pytest.mark.parametrize("long", ["query", "docid"])
def test_a_long_text_that_may_stand_in_every_row_is_not_spread_out(
    written: Write, long: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    short = "docid" if long == "query" else "query"
    table = {long: ["x" * 5000] * 50, short: list(map(str, range(50))), "score": [1.0] * 50}
    source = written(packed(pyarrow.table(table)))
    with source.path.open("rb") as file:
        assert parquet_rows.long_texts(file, [long, short]) == [long]
    monkeypatch.setattr(columns, "fields_of", None)
    assert len(rows_of(source)) == 50
