"""CSV, TSV and JSON lines whose columns are found by name."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotator.blocks.run_table import run_table
from annotator.domain import Document, Qrel, Query
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
from annotator.formats.qrels.writer import WRITERS
from annotator.text.csv_formulas import neutral, original

Write = Callable[[str | bytes], Source]


def hinted(source: Source, columns: str) -> Source:
    return Source(source.path, Hints.parse(columns=columns))


@pytest.mark.parametrize("delimiter", [",", "\t", ";"])
def test_a_table_is_split_at_what_splits_its_heading(written: Write, delimiter: str) -> None:
    rows = ["Query Text,Doc ID,Rating", "a b,007,2", "", '"x ""y"" z", 7 ,']
    source = written("\r\n".join(row.replace(",", delimiter) for row in rows))
    assert read_qrels(source, Problems("file")) == [
        Qrel("a b", "007", 2, 2),
        Qrel('x "y" z', "7", -1, 4),
    ]


def test_an_id_of_the_query_goes_before_its_text(written: Write) -> None:
    source = written("qid,query,docid,rating\n7,a question,d,1\n8,another,d,1\n7,a question,e,1\n")
    assert [row.qid for row in read_qrels(source, Problems("file"))] == ["7", "8", "7"]
    assert list(read_queries(source, Problems("file"))) == [
        Query("7", "a question"),
        Query("8", "another"),
    ]


def test_columns_are_what_the_person_says(written: Write) -> None:
    csv = written("q,url,Ann,Bob,mean\nfirst,/a,1,,0.5\n")
    named = hinted(csv, "query=q,docid=url,grade=Ann,grade=bob")
    assert read_qrels(named, Problems("file")) == [Qrel("first", "/a", 1, 2, "Ann")]
    lines = written('{"q": "first", "url": "/a", "g": 2}\n')
    named = hinted(lines, "query=q,docid=url,grade=g")
    assert read_qrels(named, Problems("file")) == [Qrel("first", "/a", 2, 1)]
    named = hinted(written("key,words\n1,two words\n"), "query=key,text=words")
    assert list(read_queries(named, Problems("file"))) == [Query("1", "two words")]
    named = hinted(written('{"key": 1, "body": "a text"}\n'), "docid=key")
    assert list(read_documents(named, Problems("file"))) == [Document("1", "", "a text")]
    with pytest.raises(
        UsageError, match=r"has no column x; its columns are: q, url, Ann, Bob, mea"
    ):
        read_qrels(hinted(csv, "query=x"), Problems("file"))
    with pytest.raises(InputError, match="no column for docid and grade is known"):
        read_qrels(hinted(csv, "query=q"), Problems("file"))


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ("q,d", "file:2: expected 3 cells as in the heading, found 2: q,d"),
        ("q,d,1,2", "file:2: expected 3 cells"),
        (",d,1", "file:2: query is empty"),
        ("q,d,high", "file:2: the grade must be an integer, not high"),
        ('q,"d,1', "file:2: not CSV: a quote opens here that nothing closes"),
        ('q,"d"x,1', "file:2: not CSV:"),
    ],
)
def test_a_bad_row_is_told_with_its_line(written: Write, row: str, told: str) -> None:
    problems = Problems("file")
    read_qrels(written(f"query,docid,rating\n{row}\n"), problems)
    with pytest.raises(InputError) as caught:
        problems.raise_if_any("qrels")
    assert caught.value.details[0].startswith(told)


def test_a_quoted_cell_may_run_over_lines(written: Write) -> None:
    source = written('docid,title,text\n1,T,"one\ntwo"\n2,,x\n')
    assert list(read_documents(source, Problems("file"))) == [
        Document("1", "T", "one\ntwo"),
        Document("2", "", "x"),
    ]


@pytest.mark.parametrize(
    ("content", "rows"),
    [
        ("query,docid,rank\na,d1,1\na,d2,2\n", [(1, -1.0), (2, -2.0)]),
        ("qid,docid,score\na,d1,0.5\na,d2,0.7\n", [(0, 0.5), (0, 0.7)]),
        ('{"qid":"a","docid":"d1"}\n'.replace("}", ',"rank":1}'), [(1, -1.0)]),
        ('{"qid":"a","results":["d1","d2"]}\n', [(1, -1.0), (2, -2.0)]),
        ('{"query":"a","hits":[{"id":1,"score":3},{"id":2,"score":"2"}]}\n', [(0, 3.0), (0, 2.0)]),
    ],
)
def test_a_run_has_ranks_or_scores_or_its_order(
    written: Write, content: str, rows: list[tuple[int, float]]
) -> None:
    problems = Problems("file")
    table = run_table(read_run(written(content), problems))
    assert list(zip(table.rank.tolist(), table.score.tolist(), strict=True)) == rows
    assert (table.qids, problems.count) == (["a"], 0)


def test_a_run_with_texts_is_also_queries_and_documents(written: Write) -> None:
    source = written(
        '{"query": {"qid": "1", "text": "what"}, "candidates": ['
        '{"docid": "d1", "score": 2.5, "doc": {"contents": "one", "title": "T"}},'
        '{"docid": "d2", "score": 1.5, "doc": {"contents": "two"}}]}\n'
    )
    assert run_table(read_run(source, Problems("file"))).documents.names() == ["d1", "d2"]
    assert list(read_queries(source, Problems("file"))) == [Query("1", "what")]
    assert list(read_documents(source, Problems("file"))) == [
        Document("d1", "T", "one"),
        Document("d2", "", "two"),
    ]
    rows = written('{"qid": "1", "query": "what", "docid": "d1", "rank": 1, "text": "one"}\n' * 2)
    assert list(read_queries(rows, Problems("file"))) == [Query("1", "what")]
    assert list(read_documents(rows, Problems("file"))) == [Document("d1", "", "one")]


@pytest.mark.parametrize("place", ['"rank": 1.5', '"rank": true', '"score": "x"', '"score": NaN'])
def test_a_place_that_is_no_number_is_told(written: Write, place: str) -> None:
    problems = Problems("file")
    run_table(read_run(written(f'{{"qid": "a", "docid": "d", {place}}}\n'), problems))
    assert problems.count == 1


def test_labels_of_a_language_model_are_read_from_json_lines(written: Write) -> None:
    source = written(
        '{"query_id": 1, "doc_id": "d", "label": "2", "model": "m", "explanation": "x"}\n'
        '{"query_id": 1, "doc_id": "e", "label": null}\n'
        '{"query_id": 1, "doc_id": "f", "label": 2.5}\n'
    )
    problems = Problems("file")
    assert read_qrels(source, problems) == [Qrel("1", "d", 2, 1, "m"), Qrel("1", "e", -1, 2)]
    assert problems.count == 1


ids = st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"]), min_size=1).filter(
    lambda name: name == name.strip()
)


@settings(deadline=None)
@given(st.lists(st.tuples(ids, ids, st.integers(0, 9)), min_size=1))
def test_every_row_written_as_csv_is_read_and_none_is_a_formula(
    written: Write, rows: list[tuple[str, str, int]]
) -> None:
    lines = list(WRITERS["csv"]((Query(qid, "=1+1"), docid, grade) for qid, docid, grade in rows))
    problems = Problems("file")
    read = read_qrels(written("\n".join(lines)), problems)
    assert problems.count == 0
    assert [row[:3] for row in read] == rows
    assert all(",'=1+1," in line for line in lines[1:])


@given(st.text(alphabet="'=+-@\tab1"))
def test_no_cell_is_a_formula_and_all_come_back(cell: str) -> None:
    assert original(neutral(cell)) == cell
    assert not neutral(cell).startswith(tuple("=+-@\t\r"))


@pytest.mark.parametrize("bad", ["a\nb", " a", ""])
def test_an_id_that_a_table_cannot_hold_is_refused(bad: str) -> None:
    for form in ("beir", "csv"):
        with pytest.raises(UsageError, match="export as judgments instead"):
            list(WRITERS[form]([(Query(bad, ""), "d", 1)]))
