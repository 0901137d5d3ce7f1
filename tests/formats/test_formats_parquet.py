from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

import pyarrow
from hypothesis import given, settings
from hypothesis import strategies as st
from pyarrow import parquet

from annotator.blocks.run_table import run_table
from annotator.errors import InputError
from annotator.formats import Kind, Problems, Source, read_qrels, read_run

Write = Callable[[str | bytes], Source]


def packed(columns: dict[str, list[Any]], **options: Any) -> bytes:
    file = io.BytesIO()
    parquet.write_table(pyarrow.table(columns), file, **options)
    return file.getvalue()


LABELS: dict[str, list[Any]] = {
    "qid": ["1", "1", "é"],
    "docid": ["a", "b", "c"],
    "grade": [2, None, 0],
}
PLACES: dict[str, list[Any]] = {
    "qid": ["1", "1"],
    "docid": ["a", "b"],
    "score": [2.5, 1.0],
    "rank": [1, 2],
}
FILES = [packed(LABELS), packed(PLACES), packed(LABELS, compression="zstd", row_group_size=1)]


def test_rows_are_read_as_json_lines_are(written: Write) -> None:
    rows = read_qrels(written(FILES[0]), Problems("file"))
    assert [row[:3] for row in rows] == [("1", "a", 2), ("1", "b", -1), ("é", "c", 0)]
    assert run_table(read_run(written(FILES[1]), Problems("file"))).documents.names() == ["a", "b"]


@st.composite
def mutated(draw: st.DrawFn) -> bytes:
    """A small file with some of it changed, lost or put in."""
    content = draw(st.sampled_from(FILES))
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(4, len(content)))
        end = min(len(content), start + draw(st.sampled_from([0, 1, 1, 2, 10, 200])))
        content = content[:start] + draw(st.binary(max_size=4)) + content[end:]
    return content


@given(content=mutated())
@settings(deadline=None, max_examples=200)
def test_a_damaged_file_raises_nothing_but_an_input_error(written: Write, content: bytes) -> None:
    for kind in (Kind.RUN, Kind.QRELS):
        message = refusal(kind, written(content))
        assert "\n" not in message


def refusal(kind: Kind, source: Source) -> str:
    problems = Problems("file")
    try:
        if kind is Kind.RUN:
            run_table(read_run(source, problems))
        else:
            read_qrels(source, problems)
    except InputError as error:
        return error.message
    return ""
