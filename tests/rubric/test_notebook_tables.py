"""What the library shows in a notebook: inert tables with its numbers, columns, and frames."""

from __future__ import annotations

import sys
from html.parser import HTMLParser
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from rubric import RubricError, compare_runs, score
from rubric.html import MOST

HOSTILE = '<script>alert(1)</script>\u202e\x1b[2J&"'
QRELS = {HOSTILE: {"a": 3, "b": 0, "x": -1}, "q2": {"c": 2}}
RUN = {HOSTILE: {"x": 9.1, "a": 7.4}, "q2": ["d", "c"]}
OTHER = {HOSTILE: ["b", "a"], "q2": ["c"]}
SCORES = score(QRELS, RUN, ["nDCG@10", "RBP"])
SHOWN = [SCORES, SCORES["nDCG@10"], compare_runs(QRELS, RUN, OTHER, "nDCG@10")]


class Table(HTMLParser):
    """The cells of a table whose tags all close in their turn."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.cells: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in {"table", "thead", "tbody", "tr", "th", "td", "p"}
        assert attrs == []
        self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.cells.append(data)


@pytest.mark.parametrize("one", SHOWN, ids=lambda one: type(one).__name__)
def test_results_show_themselves_as_tables_in_which_ids_are_inert(one: Any) -> None:
    shown = one._repr_html_()
    assert not set("\u202e\x1b") & set(shown)
    assert len(Table(shown).cells) > 8


def test_the_tables_have_the_numbers_of_the_arrays() -> None:
    one = SCORES["nDCG@10"]
    cells = Table(one._repr_html_()).cells
    for column in (one.lower, one.upper, one.zero_filled):
        assert {f"{number:.4f}" for number in column} <= set(cells)
    assert "\N{EM DASH}" in cells  # the value that missing grades leave open
    cells = Table(SCORES._repr_html_()).cells
    for scores in SCORES.values():
        assert f"{scores.zero_filled.mean():.4f}" in cells


def test_of_many_queries_a_table_shows_some_and_says_so() -> None:
    qrels = {f"q{at}": {"a": 1} for at in range(MOST + 5)}
    found = score(qrels, {qid: ["a"] for qid in qrels}, "P@1")["P@1"]
    cells = Table(found._repr_html_()).cells
    assert f"q{MOST - 1}" in cells
    assert f"q{MOST}" not in cells
    assert f"{MOST} of {MOST + 5} queries" in cells


@pytest.mark.parametrize("one", SHOWN, ids=lambda one: type(one).__name__)
@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_a_frame_is_of_the_library_that_is_in_use(
    monkeypatch: pytest.MonkeyPatch, one: Any, library: str
) -> None:
    for name in ("pandas", "polars"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    there = ModuleType(library)
    there.DataFrame = dict  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, library, there)
    found = one.frame()
    assert list(found) == list(one.columns())
    assert len({len(column) for column in found.values()}) == 1
    assert found["query"][0] == HOSTILE


def test_pandas_takes_the_columns_as_they_are() -> None:
    pandas = pytest.importorskip("pandas")
    found = pandas.DataFrame(SCORES["nDCG@10"].columns())
    assert found["lower"].tolist() == SCORES["nDCG@10"].lower.tolist()
    assert np.isnan(found["value"]).tolist() == np.isnan(SCORES["nDCG@10"].value).tolist()


def test_without_a_library_of_frames_the_columns_are_offered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("pandas", "polars"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.setattr("rubric.frames.find_spec", lambda name: None)
    with pytest.raises(RubricError, match=r"install pandas or polars; columns\(\) needs neither"):
        SCORES.frame()


def test_without_measures_there_is_an_empty_table() -> None:
    none = type(SCORES)()
    assert none.columns() == {}
    assert Table(none._repr_html_()).cells
