"""Tables as spreadsheets and scripts write them: none is read for less, or for something else."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from annotator.errors import InputError
from annotator.formats import Source
from tests.formats.reading import documents, qrels, queries, rows_of

Write = Callable[[str | bytes], Source]

IDS = ["007", "1e5", "NaN", "null", "2024-01-02", "TRUE", "1.0", "-3", "None", "#N/A"]


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_ids_are_text_whatever_they_look_like(
    written: Write, delimiter: str, end: str, mark: str
) -> None:
    def table(last: str) -> Source:
        lines = [["qid", "docid", last], *([name, name, "1"] for name in IDS)]
        return written(mark + end.join(delimiter.join(cells) for cells in lines) + end)

    expected = [(name, name) for name in IDS]
    assert [(row.qid, row.docid) for row in qrels(table("grade"))] == expected
    assert [row[:2] for row in rows_of(table("rank"))] == expected


@pytest.mark.parametrize(("number", "grade"), [("1,0", 1), ("2.0", 2), ("3,000", 3), ("1", 1)])
def test_a_whole_grade_is_whole_in_any_country(written: Write, number: str, grade: int) -> None:
    assert qrels(written(f"qid;docid;grade\n1;a;{number}\n"))[0].grade == grade


def test_a_rank_may_be_a_whole_decimal_number_and_no_other(written: Write) -> None:
    assert [row[2] for row in rows_of(written("qid,docid,rank\n1,a,1.0\n1,b,2.00\n"))] == [1, 2]
    for rank in ("1.5", "1.", "1e0", ".0", "first", "1.0.0"):
        with pytest.raises(InputError) as caught:
            rows_of(written(f"qid,docid,rank\n1,a,{rank}\n"))
        assert "the rank must be an integer" in caught.value.details[0]


@pytest.mark.parametrize("score", ["12,5", "1.234,5", "1,2e1"])
def test_a_score_with_a_comma_is_not_guessed(written: Write, score: str) -> None:
    with pytest.raises(InputError) as caught:
        rows_of(written(f"qid;docid;score\n1;a;{score}\n"))
    assert f"must be a number with a decimal point, not {score}" in caught.value.details[0]


@pytest.mark.parametrize("twin", ["{0}", "{0}.1"])
@pytest.mark.parametrize(
    ("read", "headings", "name"),
    [
        (queries, ["id", "query"], "query"),
        (documents, ["docid", "text"], "text"),
        (documents, ["docid", "title", "text"], "docid"),
        (qrels, ["qid", "docid", "grade"], "grade"),
        (qrels, ["qid", "docid", "grade"], "docid"),
        (rows_of, ["qid", "docid", "rank"], "rank"),
    ],
)
def test_a_heading_that_is_there_twice_is_not_guessed(
    written: Write, read: Callable[[Source], object], headings: list[str], name: str, twin: str
) -> None:
    first = ["1", "2", "3"][: len(headings)]
    names = ",".join([*headings, twin.format(name)])
    with pytest.raises(InputError, match=rf"may be {name}, {name}\."):
        read(written(f"{names}\n{','.join([*first, '9'])}\n"))
    same = first[headings.index(name)]
    read(written(f"{names}\n{','.join([*first, same])}\n"))  # equal columns are one


@pytest.mark.parametrize(
    ("read", "headings"),
    [
        *((queries, "id\tquery"), (queries, "word\ttext"), (queries, "id,query")),
        *((qrels, "qid,docid,grade"), (rows_of, "qid,docid,rank"), (documents, "docid,text")),
    ],
)
def test_headings_without_rows_are_an_empty_file(
    written: Write, read: Callable[[Source], object], headings: str
) -> None:
    with pytest.raises(InputError, match=r"no row below|its only line may be"):
        read(written(headings + "\n"))


def test_an_id_that_begins_with_a_hash_is_no_comment(written: Write) -> None:
    text = "# a comment\n#red\tred shoes\n## more\tof it\n2\tblue hats\n"
    assert [query.qid for query in queries(written(text))] == ["#red", "2"]
    assert [document.docid for document in documents(written(text))] == ["#red", "2"]


def test_one_line_with_a_tab_is_a_query(written: Write) -> None:
    for line in ("1\tred shoes", "shoes\thats", "word\tsome words"):
        (query,) = queries(written(line))
        assert query[:2] == tuple(line.split("\t"))
