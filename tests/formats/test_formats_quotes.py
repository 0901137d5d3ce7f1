"""Quotes in tables: what writers of CSV put in quotes comes back, and a lone quote is a letter."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotator.domain import Query
from annotator.errors import InputError
from annotator.formats import Source
from annotator.formats.qrels.writer import WRITERS
from tests.formats.reading import documents, qrels, queries, rows_of

pandas = pytest.importorskip("pandas")
Write = Callable[[str | bytes], Source]
Ids = list[tuple[str, str, int]]

# One word each, with quotes anywhere; what looks like a formula is undone by the table's reader.
ids = st.text(st.sampled_from("\"'ab1é,;"), min_size=1, max_size=6).filter(
    lambda name: not name.startswith("'")
)
texts = st.text(st.sampled_from("\"'ab1é,; \t"), max_size=12).map(str.strip)


@pytest.mark.parametrize(
    ("lines", "grades"),
    [
        (['1\t"red\ta\t3', "1\tred\tb\t0", '1\tred"\tc\t2', "2\tblue\td\t1"], [3, 0, 2, 1]),
        (['1\t"\ta\t3', '1\t""\tb\t0', '1\t"x" y\tc\t2', '1\ta"b\td\t1'], [3, 0, 2, 1]),
        (['1\tx\t"a\t3', '1\tx\tb"\t0'], [3, 0]),
    ],
)
def test_no_cell_of_a_table_with_tabs_swallows_a_line(
    written: Write, lines: list[str], grades: list[int]
) -> None:
    rows = qrels(written("\n".join(["qid\tquery\tdocid\trating", *lines])))
    assert [row.grade for row in rows] == grades


def test_texts_with_lone_quotes_stay_as_they_are(written: Write) -> None:
    source = written('pid\ttext\n1\t"Rambo and more\n2\tplain\n3\tsecond one"\n4\t"a" or "b"\n')
    assert [one.text for one in documents(source)] == [
        '"Rambo and more',
        "plain",
        'second one"',
        '"a" or "b"',
    ]


@settings(deadline=None)
@given(rows=st.lists(st.tuples(ids, ids, st.integers(0, 3)), min_size=1), text=texts)
@pytest.mark.parametrize("dialect", ["excel-tab", "excel", "all tabs", "all", "semicolons"])
def test_what_pythons_csv_writes_comes_back(
    written: Write, dialect: str, rows: Ids, text: str
) -> None:
    how = {
        "all tabs": {"delimiter": "\t", "quoting": csv.QUOTE_ALL},
        "all": {"quoting": csv.QUOTE_ALL},
        "semicolons": {"delimiter": ";"},
    }.get(dialect, {"dialect": dialect})
    file = io.StringIO()
    table = csv.writer(file, **how)  # type: ignore[arg-type]
    table.writerow(["qid", "docid", "rating", "query"])
    table.writerows([*row, f"t{text}t"] for row in rows)
    assert [row[:3] for row in qrels(written(file.getvalue()))] == rows


@settings(deadline=None, max_examples=40)
@given(rows=st.lists(st.tuples(ids, ids, st.integers(0, 3)), min_size=1))
@pytest.mark.parametrize("separator", ["\t", ","])
def test_what_pandas_writes_comes_back(written: Write, separator: str, rows: Ids) -> None:
    frame = pandas.DataFrame(rows, columns=["query_id", "doc_id", "rating"])
    text = frame.to_csv(sep=separator, index=False)
    assert [row[:3] for row in qrels(written(text))] == rows


@settings(deadline=None)
@given(rows=st.lists(st.tuples(ids, ids, st.integers(0, 3)), min_size=1))
def test_qrels_for_beir_are_read_by_its_loader_and_by_this_one(written: Write, rows: Ids) -> None:
    lines = "\n".join(WRITERS["beir"]((Query(qid, ""), docid, grade) for qid, docid, grade in rows))
    reader = csv.reader(io.StringIO(lines), delimiter="\t", quoting=csv.QUOTE_MINIMAL)
    next(reader)
    assert [(row[0], row[1], int(row[2])) for row in reader] == rows
    assert [row[:3] for row in qrels(written(lines))] == rows


def test_queries_and_runs_with_tabs_have_their_quotes_put_right(written: Write) -> None:
    source = written('1\t"say ""hello"""\n2\t"half\n3\thalf"\n')
    assert [one.text for one in queries(source)] == ['say "hello"', '"half', 'half"']
    run = written('qid\tdocid\trank\tquery\n1\ta\t1\t"red\n1\tb\t2\tred\n1\tc\t3\tred"\n')
    assert [row[1] for row in rows_of(run)] == ["a", "b", "c"]


def test_a_cell_over_lines_in_a_table_with_tabs_is_refused_with_what_to_do(written: Write) -> None:
    frame = pandas.DataFrame({"docid": ["1"], "text": ["one\ntwo"]})
    with pytest.raises(InputError) as caught:
        documents(written(frame.to_csv(sep="\t", index=False)))
    (told,) = caught.value.details
    assert ":3: expected 2 cells as in the heading, found 1; in a file with tabs no quoted" in told
    found = documents(written(frame.to_csv(index=False)))  # as the message says
    assert found[0].text == "one\ntwo"


def test_every_badly_quoted_line_of_a_csv_is_told(written: Write) -> None:
    rows = "".join(f'q,"d"x{n},1\nq,e{n},0\n' for n in range(25))
    with pytest.raises(InputError) as caught:
        qrels(written(f"query,docid,rating\n{rows}"))
    assert "25 lines cannot be read" in caught.value.message
    assert len(caught.value.details) == 21
    assert "a quote closes before its cell ends" in caught.value.details[0]
    with pytest.raises(InputError) as caught:
        qrels(written('query\tdocid\trating\nq\t"d\tx\t1\n'))
    assert 'q\\t"d\\tx\\t1' in caught.value.details[0]


def test_rows_that_a_csv_cell_would_swallow_are_refused(written: Write) -> None:
    rows = 'qid,query,docid,rating\n1,"red,a,3\n1,red,b,0\n1,red",c,2\n2,blue,d,1\n'
    with pytest.raises(InputError) as caught:
        qrels(written(rows))
    assert "each of these lines is a whole row by itself" in caught.value.details[0]
