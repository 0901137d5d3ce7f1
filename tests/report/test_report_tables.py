"""Rows as text: what is shown, what is escaped, what is never changed."""

from __future__ import annotations

import csv
import io
import json
from html.parser import HTMLParser

from hypothesis import given
from hypothesis import strategies as st

from annotator.report.tables import (
    Cell,
    Format,
    escaped,
    facts,
    method_line,
    paragraph,
    render,
    title,
    to_json,
)
from annotator.text.csv_formulas import original
from annotator.text.safe import one_line

cells = st.one_of(st.none(), st.integers(), st.floats(allow_nan=False), st.text())


def test_ids_that_look_like_numbers_stay_as_they_are() -> None:
    rows: list[list[Cell]] = [["007", 1], ["1e5", 2], ["NaN", 3]]
    for form in Format:
        assert all(name in render(["id", "n"], rows, form) for name in ("007", "1e5", "NaN"))


def test_undefined_is_a_dash_for_people_and_nothing_for_programs() -> None:
    rows: list[list[Cell]] = [["a", None]]
    assert "—" in render(["id", "n"], rows, Format.TABLE)
    assert render(["id", "n"], rows, Format.CSV) == "id,n\na,\n"
    assert json.loads(render(["id", "n"], rows, Format.JSON)) == [{"id": "a", "n": None}]


def test_scores_have_four_decimals_for_people_and_all_for_programs() -> None:
    rows: list[list[Cell]] = [[2 / 3]]
    assert "0.6667" in render(["n"], rows, Format.TABLE)
    assert "0.6666666666666666" in render(["n"], rows, Format.CSV)


def test_a_table_without_rows_has_its_headings() -> None:
    for form in (Format.TABLE, Format.CSV, Format.TSV, Format.MARKDOWN):
        assert "id" in render(["id", "n"], [], form)


def test_the_parts_of_a_cell_can_stand_below_each_other() -> None:
    text = render(["id", "flags"], [["a", "one, two"]], Format.TABLE, stacked=[1])
    assert [line.split() for line in text.splitlines()[2:]] == [["a", "one,"], ["two"]]


@given(st.text(alphabet="'=+-@\uff1d\uff0b\uff0d\uff20\t\r\n \x0b,;\"ab1") | st.text())
def test_no_cell_or_heading_is_a_formula_and_all_come_back(text: str) -> None:
    for form, delimiter in ((Format.CSV, ","), (Format.TSV, "\t")):
        written = render([text, "n"], [[text, -1]], form)
        for cell, _ in csv.reader(io.StringIO(written, newline=""), delimiter=delimiter):
            assert not cell.startswith(tuple("=+-@\uff1d\uff0b\uff0d\uff20\t\r\n"))
            assert original(cell) == one_line(text)


def test_numbers_are_not_neutralised() -> None:
    assert render(["n"], [[-1.5]], Format.CSV) == "n\n-1.5\n"


@given(st.lists(st.lists(cells, min_size=3, max_size=3), max_size=5))
def test_no_cell_leaves_its_row(rows: list[list[Cell]]) -> None:
    headers = ["one", "two", "three"]
    for form, delimiter in ((Format.CSV, ","), (Format.TSV, "\t")):
        text = render(headers, rows, form)
        read = list(csv.reader(text.splitlines(), delimiter=delimiter))
        assert [len(row) for row in read] == [3] * (len(rows) + 1)
    table = render(headers, rows, Format.TABLE)
    assert len(table.splitlines()) == len(rows) + 2
    markdown = render(headers, rows, Format.MARKDOWN)
    assert len(markdown.splitlines()) == len(rows) + 2
    assert not set("\x1b\r\x9b\u202e\x07") & set(table + markdown)


def test_markdown_and_html_are_escaped() -> None:
    assert escaped("a|b <i> `x` *y* [z](u)") == r"a\|b \<i\> \`x\` \*y\* [z\](u)"
    assert escaped("[0.1000, 0.2000]") == "[0.1000, 0.2000]"


def test_facts_are_aligned() -> None:
    assert facts([("a", "1"), ("long", "2\x1b")]) == "  a     1\n  long  2\u241b\n"


def test_no_zero_stands_below_zero() -> None:
    for form in Format:
        text = render(["id", "x", "y", "z"], [["a", -0.0, 0.0, -1.5]], form)
        assert "-0" not in text.replace("---", "").replace("--", "")
    assert "-0" not in to_json({"a": [(-0.0, 1)], "b": {"c": -0.0}})


class Tags(HTMLParser):
    """Every tag and text of a piece of HTML."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.texts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


@given(st.text() | st.sampled_from(["<script>", "</td><img src=x onerror=y>", "&lt;", "`<b>`"]))
def test_no_text_is_a_tag_in_a_page(text: str) -> None:
    """And a cell reads as it does on a terminal."""
    for piece in (
        render(["id", text], [[text, text]], Format.HTML),
        title(text, Format.HTML),
        paragraph(text, Format.HTML, 80),
        method_line(text, Format.HTML, 80),
        facts([(text, text)], Format.HTML),
    ):
        read = Tags()
        read.feed(piece)
        read.close()
        assert set(read.tags) <= {
            "div", "table", "thead", "tbody", "tr", "th", "td", "h3", "p", "code", "details",
            "summary", "dl", "dt", "dd",
        }  # fmt: skip
    read = Tags()
    read.feed(render(["id", "n"], [["x", text]], Format.HTML))
    read.close()
    assert "".join(read.texts).strip() == f"idnx{one_line(text)}".replace(
        "\ufffe", "\ufffd"
    ).replace("\uffff", "\ufffd")
