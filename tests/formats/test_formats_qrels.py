"""TREC and BEIR qrels: read as they stand, each bad line told, nothing guessed; written as read."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotator.domain import Qrel
from annotator.errors import InputError, UsageError
from annotator.formats import Source, read_qrels
from annotator.formats.problems import Problems
from annotator.formats.qrels import trec as qrels_trec

Write = Callable[[str | bytes], Source]
LONG = "x" * 10_000


def test_trec_qrels_with_awkward_lines_are_read_as_they_stand(written: Write) -> None:
    source = written(
        "\ufeff# comment\r\n007 0 CR#93E 1\r\n7\tQ0\t \tNA\t-1\r\n\r\n  7 x é\u00a0 +3 \r\n"
        f"{LONG} 0 '\"' 0"
    )
    problems = Problems("file")
    assert read_qrels(source, problems) == [
        Qrel("007", "CR#93E", 1, 2),
        Qrel("7", "NA", -1, 3),
        Qrel("7", "é\u00a0", 3, 5),
        Qrel(LONG, "'\"'", 0, 6),
    ]
    assert problems.count == 0


def test_beir_qrels_with_awkward_lines_are_read_as_they_stand(written: Write) -> None:
    source = written(
        "\ufeffquery-id\tcorpus-id\tscore\r\n# c\r\n\r\n007\tCR#93E\t1\r\n7\ta b\t-1\r\n"
        f"{LONG}\tNA\t0"
    )
    problems = Problems("file")
    assert read_qrels(source, problems) == [
        Qrel("007", "CR#93E", 1, 4),
        Qrel("7", "a b", -1, 5),
        Qrel(LONG, "NA", 0, 6),
    ]
    assert problems.count == 0


@pytest.mark.parametrize(
    ("grade", "told"),
    [
        ("1.9", "the grade must be an integer (it is never rounded), not 1.9"),
        ("0,5", "the grade must be an integer (it is never rounded), not 0,5"),
        ("relevant", "the grade must be an integer, not relevant"),
        ("1_0", "the grade must be an integer, not 1_0"),
        ("\u0661", "the grade must be an integer, not \u0661"),
        ("1e0", "the grade must be an integer, not 1e0"),
        ("9" * 5000, "the grade must be an integer, not 999"),
    ],
)
@pytest.mark.parametrize(
    ("first", "line"),
    [("q 0 d 1", "q 0 e {}"), ("query-id\tcorpus-id\tscore", "q\te\t{}")],
    ids=["trec", "beir"],
)
def test_a_grade_that_is_no_integer_is_told_and_never_cut(
    written: Write, first: str, line: str, grade: str, told: str
) -> None:
    problems = Problems("file")
    read_qrels(written(f"{first}\n\n{line.format(grade)}"), problems)
    with pytest.raises(InputError) as caught:
        problems.raise_if_any("qrels")
    (fault,) = caught.value.details
    assert fault.startswith(f"file:3: {told}")


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("q 0 d 1\nq 0 d", "file:2: expected 4 columns (query 0 document grade), found 3"),
        (
            "q 0 d 1\nq 0 g d 1",
            "file:2: expected 4 columns (query 0 document grade), found 5",
        ),
        (
            "query-id\tcorpus-id\tscore\nq d 1",
            "file:2: expected 3 cells (query, document, grade) with tabs, found 1",
        ),
        ("query-id\tcorpus-id\tscore\nq\t0\td\t1", "file:2: expected 3 cells"),
        ("query-id\tcorpus-id\tscore\nq\t\t1", "file:2: an id is empty"),
        ("query-id\tcorpus-id\tscore\nq\td\t", "file:2: the grade must be an integer, not nothing"),
    ],
)
def test_each_bad_line_is_told_with_its_number(written: Write, content: str, told: str) -> None:
    problems = Problems("file")
    read_qrels(written(content), problems)
    with pytest.raises(InputError) as caught:
        problems.raise_if_any("qrels")
    (fault,) = caught.value.details
    assert fault.startswith(told)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (
            "1.EC F:Ret F:Rnk FR94 1\n2.EC 0 0 FR94 0\n",
            [
                "has 5 columns",
                "  1.EC F:Ret F:Rnk FR94 1",
                "--as trec-5",
                "preference judgments (query group subgroup document level): these are not read",
            ],
        ),
        ("1 0 d1 2 ann\n1 0 d2 0 ben\n", ["has 5 columns", "--as trec-5"]),
        ("1 184 2\n1 29 2\n", ["has 3 columns", "--as trec-3"]),
        (
            "151 1 d1 0\n151 2 d1 1\n",
            [
                "line 2 repeats the pair 151 d1 with another second column (1 and 2)",
                "--as trec-subtopics (the highest counts)",
                "--as trec-judges",
            ],
        ),
    ],
)
def test_what_may_be_two_things_is_shown_and_not_guessed(
    written: Write, content: str, told: list[str]
) -> None:
    source = written(content)
    with pytest.raises(InputError) as caught:
        read_qrels(source, Problems("file"))
    said = "\n".join([caught.value.message, *caught.value.details])
    assert all(words in said.replace(source.name, "file") for words in told)


def test_pairs_without_grades_are_told_to_be_a_list_to_judge(written: Write) -> None:
    with pytest.raises(InputError, match="lists pairs to be judged, without grades"):
        read_qrels(written("q49 0 p1\nq49 0 p2\n"), Problems("file"))


def test_a_second_column_that_repeats_no_pair_means_nothing(written: Write) -> None:
    rows = read_qrels(written("1 0.5 d1 0\n1 1 d2 1\n"), Problems("file"))
    assert [row[:3] for row in rows] == [("1", "d1", 0), ("1", "d2", 1)]


ids = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\0\t\n\v\f\r "), min_size=1
)
qrels_rows = st.tuples(
    ids.filter(lambda qid: qid[0] not in "#\ufeff{[<"), ids, st.integers(-(10**14), 10**14)
)


@settings(deadline=None)
@given(st.lists(qrels_rows, min_size=1))
def test_every_row_that_is_written_is_read(
    written: Write, rows: list[tuple[str, str, int]]
) -> None:
    problems = Problems("file")
    read = read_qrels(written("\n".join(qrels_trec.write(rows))), problems)
    assert problems.count == 0
    assert [qrel[:3] for qrel in read] == rows


@pytest.mark.parametrize("bad", ["a b", "a\tb", "a\nb", " a", "", "\r"])
def test_an_id_with_blanks_is_refused_by_name(bad: str) -> None:
    for row in ((bad, "d", 1), ("q", bad, 1)):
        with pytest.raises(UsageError, match=r"TREC qrels cannot hold a (query|document) id"):
            list(qrels_trec.write([("q", "d", 0), row]))


def test_a_query_that_would_be_read_as_a_comment_is_refused() -> None:
    with pytest.raises(UsageError, match="'#1'"):
        list(qrels_trec.write([("#1", "d", 1)]))
    assert list(qrels_trec.write([("1", "#1", 1)])) == ["1 0 #1 1"]
