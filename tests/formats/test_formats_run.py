from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotator.blocks.run_table import RunTable, run_table
from annotator.errors import InputError
from annotator.formats import Source, read_run
from annotator.formats.problems import Problems

Write = Callable[[str | bytes], Source]
Row = tuple[str, str, int, float]

LONG = "x" * 10_000
AWKWARD = (
    "\ufeff# a comment\r\n007\tQ0\tCR#93E-1860   3  -1.5e2\tNA\r\n"
    "7 Q0 d\u00a0é 1 7 tag more junk 9\r\n"
    f"\r\n  007 0 NA 2 .5 t\r\n{LONG} q0 CR#93E-1860 -1 +0 \xe9"
)


def run_table_of(source: Source, problems: Problems) -> RunTable:
    return run_table(read_run(source, problems))


def rows(run: RunTable) -> list[Row]:
    docids = run.documents.names()
    return [
        (run.qids[query], docids[document], int(rank), float(score))
        for query, document, rank, score in zip(
            run.query, run.document, run.rank, run.score, strict=True
        )
    ]


def test_a_run_with_awkward_lines_is_read_as_it_stands(written: Write) -> None:
    problems = Problems("file")
    run = run_table_of(written(AWKWARD), problems)
    assert problems.count == 0
    assert rows(run) == [
        ("007", "CR#93E-1860", 3, -150.0),
        ("7", "d\u00a0é", 1, 7.0),
        ("007", "NA", 2, 0.5),
        (LONG, "CR#93E-1860", -1, 0.0),
    ]
    assert run.qids == ["007", "7", LONG]
    assert run.documents.names() == ["CR#93E-1860", "d\u00a0é", "NA"]
    assert [str(column.dtype) for column in (run.query, run.rank, run.score)] == [
        "int32",
        "int32",
        "float64",
    ]


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("q Q0 d 1 2", "expected 6 columns (query Q0 document rank score tag), found 5"),
        ("q", "expected 6 columns (query Q0 document rank score tag), found 1"),
        ("q Q0 d 1.0 2 t", "the rank must be an integer, not 1.0"),
        ("q Q0 d first 2 t", "the rank must be an integer, not first"),
        ("q Q0 d 1_0 2 t", "the rank must be an integer, not 1_0"),
        ("q Q0 d \u0661 2 t", "the rank must be an integer, not \u0661"),
        ("q Q0 d 9223372036854775808 2 t", "the rank is out of range: 9223372036854775808"),
        ("q Q0 d 1 nan t", "the score must be finite, not nan"),
        ("q Q0 d 1 -inf t", "the score must be finite, not -inf"),
        ("q Q0 d 1 1e999 t", "the score must be finite, not 1e999"),
        ("q Q0 d 1 0,5 t", "the score must be a number with a decimal point, not 0,5"),
        ("q Q0 d 1 high t", "the score must be a number, not high"),
        ("q Q0 d 1 1_0 t", "the score must be a number, not 1_0"),
        ("q Q0 d 1 0x10 t", "the score must be a number, not 0x10"),
        ("q Q0 d " + "1" * 5000 + " 1 t", "the rank must be an integer, not 1111"),
        ("q Q0 \x1b[31m 1 x\x1b]0; t", "the score must be a number, not x\N{SYMBOL FOR ESCAPE}]0;"),
    ],
)
def test_each_bad_line_is_told_with_its_number_and_left_out(
    written: Write, line: str, told: str
) -> None:
    problems = Problems("file")
    run = run_table_of(written(f"q Q0 a 1 2 t\n\n{line}\nq Q0 b 2 1 t\n"), problems)
    assert [row[1] for row in rows(run)] == ["a", "b"]
    with pytest.raises(InputError) as caught:
        problems.raise_if_any("a run")
    (fault,) = caught.value.details
    assert fault.startswith(f"file:3: {told}")
    assert len(fault) < 300


def test_a_file_of_bad_lines_only_is_told_line_by_line(written: Write) -> None:
    problems = Problems("file")
    run = run_table_of(written("q Q0 d 1 0,5 t\nq Q0 e 2 0,4 t\n"), problems)
    assert problems.count == 2
    assert rows(run) == []
    assert len(run.score) == 0


ids = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\0\t\n\v\f\r "), min_size=1
)
run_rows = st.tuples(
    ids.filter(lambda qid: qid[0] not in "#\ufeff{[<"),
    ids,
    st.integers(-(2**63), 2**63 - 1),
    st.floats(allow_nan=False, allow_infinity=False),
)


@settings(deadline=None)
@given(st.lists(run_rows, min_size=1), st.sampled_from(["\n", "\r\n"]))
def test_every_row_that_is_written_is_read(
    written: Write, expected: list[tuple[str, str, int, float]], end: str
) -> None:
    lines = [f"{qid} Q0 {docid} {rank} {score!r} t" for qid, docid, rank, score in expected]
    problems = Problems("file")
    run = run_table_of(written(end.join(lines)), problems)
    assert problems.count == 0
    assert rows(run) == expected
    assert len(set(run.qids)) == len(run.qids)
    docids = run.documents.names()
    assert len(set(docids)) == len(docids)
