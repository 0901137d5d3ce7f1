"""The scoreboard as text: no number without its name and flag."""

from __future__ import annotations

import csv
import json
import re
from dataclasses import replace

import pytest

from annotator.report.scoreboard_text import write_scoreboard
from annotator.report.tables import STANDARD, Format
from annotator.results.method import Method
from annotator.results.more_labels import MoreLabels
from annotator.results.scores import MeasureScore, Neighbours, QueryScore, ScoreTable, SystemScore
from rubric import Summary, Verdict

METHOD = Method(
    k=(10,),
    gain="exponential",
    threshold=1,
    ties="displayed",
    empty_ideal="exclude",
    missing_queries="zero",
    rubric={"name": "general", "version": 1, "fingerprint": "sha256:" + "0" * 64},
    pool={"method": "depth", "depth": 10, "systems": ["a"]},
    assessors=("ann",),
    disagreements="the latest label holds",
    disputed=0,
    outdated=0,
    judged_pairs=1,
    pooled_pairs=2,
    pooled_judged=1,
    tool="annotator",
)
QUERIES = tuple(
    QueryScore(qid, None, 0.1, 0.9, None, 0.2, point, 1, defined)
    for qid, point, defined in (("q1", 0.3, "yes"), ("q2", None, "maybe"), ("q3", None, "no"))
)


def measured(
    value: float | None, lower: float | None, upper: float | None, condensed: float | None,
    unjudged: int = 0,
) -> MeasureScore:  # fmt: skip
    scored = 0 if condensed is None else 3
    ci95 = None if condensed is None else (0.05, 0.95)
    summary = Summary(
        value, lower, upper, condensed, condensed, condensed, condensed, condensed, condensed,
        ci95, 0.875, unjudged,
        scored, 3 - scored,
    )  # fmt: skip
    return MeasureScore("nDCG@10", summary, 0, QUERIES)


def board(**systems: MeasureScore) -> ScoreTable:
    return ScoreTable(METHOD, tuple(SystemScore(name, (one,)) for name, one in systems.items()))


def rows(text: str) -> list[list[str]]:
    lines = text.splitlines()
    start = next(at for at, line in enumerate(lines) if line.startswith("---"))
    return [line.split() for line in lines[start + 1 : lines.index("", start)]]


SETTLED = measured(0.5, 0.5, 0.5, 0.5)
OPEN = measured(None, 0.3, 0.8, 0.7, unjudged=4)
UNKNOWN = measured(None, None, None, None)


def test_the_best_stands_first_and_the_undefined_last() -> None:
    text = write_scoreboard(board(none=UNKNOWN, done=SETTLED, open=OPEN), Format.TABLE)
    assert [row[0] for row in rows(text)] == ["open", "done", "none"]


def test_an_open_number_has_its_mark_and_flag_and_no_value() -> None:
    text = write_scoreboard(board(open=OPEN), Format.TABLE, width=200)
    [row] = rows(text)
    assert row[1] == "—"
    assert "°0.7000" in row
    assert "°[0.0500," in row
    assert text.count(" 0.7000") == 2  # zero-filled and condensed, in the columns of these names
    assert "4 unjudged" in text
    assert "is by zero-filled scores" in text


def test_a_settled_number_has_no_mark() -> None:
    text = write_scoreboard(board(done=SETTLED), Format.TABLE, width=200)
    assert "~" not in text
    assert rows(text)[0][1] == "0.5000"


def test_the_undefined_is_a_dash() -> None:
    [row] = rows(write_scoreboard(board(none=UNKNOWN), Format.TABLE, width=200))
    assert row.count("—") == 7
    assert not any(cell.startswith(("0.", "~")) for cell in row)


def test_overlapping_bounds_are_said_in_words_with_their_number() -> None:
    low = measured(0.1, 0.1, 0.1, 0.1)
    text = write_scoreboard(board(a=OPEN, b=SETTLED, c=OPEN, d=low), Format.TABLE)
    said = " ".join(text.split())
    assert "The bounds of a and c overlap: they do not settle which is better." in said
    assert "So do those of 1 more neighbouring pair." in said


def test_neighbours_are_told_apart_in_the_words_of_comparisons() -> None:
    found = (
        Neighbours("nDCG@10", "a", "b", Verdict.OPEN, False, MoreLabels(120, 60, 240)),
        Neighbours("nDCG@10", "b", "c", Verdict.CREDIBLE, False, None),
    )
    table = replace(board(a=OPEN, b=OPEN, c=OPEN), neighbours=found)
    said = " ".join(write_scoreboard(table, Format.TABLE).split())
    assert (
        "Neighbours in this order: credible: b > c; open: a > b (about 60 to 240 more labels)."
        in said
    )
    assert "overlap" not in said


def test_a_system_that_was_not_pooled_is_told_how_many_labels_place_it() -> None:
    said = " ".join(write_scoreboard(board(a=OPEN, b=OPEN), Format.TABLE).split())
    assert "b is not in the pool: label 4 documents to place it." in said
    assert "a is not in the pool" not in said


def test_settled_and_undefined_neighbours_are_not_called_open() -> None:
    text = write_scoreboard(board(a=SETTLED, b=SETTLED, c=UNKNOWN), Format.TABLE)
    assert "overlap" not in text


@pytest.mark.parametrize("width", [60, 80, 100, 120, 200])
def test_tail_and_uncertainty_are_there_at_any_width_and_no_number_is_cut(width: int) -> None:
    text = write_scoreboard(board(a_system=OPEN, b_system=SETTLED), Format.TABLE, width=width)
    for number in ("[0.3000, 0.8000]", "°0.7000", "87.5%", "4 unjudged", "°[0.0500, 0.9500]"):
        assert number in text
    headings = " ".join(text.split())
    for heading in ("p10", "median", "bootstrap 95%", "worst queries", "zero-filled", "condensed"):
        assert heading in headings
    assert max(map(len, text.splitlines())) <= max(width, 40)


def test_the_texts_of_the_worst_queries_come_with_the_board() -> None:
    table = replace(board(a=OPEN), texts={"q1": "what is lift " * 20, "q2": "not among the worst"})
    for form in (Format.TABLE, Format.MARKDOWN):
        text = write_scoreboard(table, form, width=80)
        assert "what is lift" in text
        assert "not among" not in text
    assert max(map(len, write_scoreboard(table, Format.TABLE, width=80).splitlines())) <= 80
    assert "Worst queries" not in write_scoreboard(board(a=OPEN), Format.TABLE)
    [worst] = json.loads(write_scoreboard(table, Format.JSON))["systems"][0]["measures"][0]["worst"]
    assert worst["text"] == table.texts["q1"]


def test_as_many_worst_queries_as_asked_for_are_listed() -> None:
    queries = tuple(
        QueryScore(f"q{at}", at / 9, at / 9, at / 9, at / 9, at / 9, at / 9, 0, "yes")
        for at in range(9, -1, -1)
    )
    table = board(a=replace(SETTLED, per_query=queries))
    for count in (0, 1, 5, 10, 99):
        text = write_scoreboard(table, Format.TABLE, worst=count)
        listed = re.findall(r"^(?:a|) +(q\d) +[01]\.\d{4}", text, flags=re.M)
        assert listed == [f"q{at}" for at in range(min(count, 10))]
        [row] = csv.DictReader(write_scoreboard(table, Format.CSV, worst=count).splitlines())
        assert json.loads(row["worst"]) == listed


def test_rows_for_programs_name_the_method_by_the_fingerprint_that_json_has() -> None:
    for table in (board(a=OPEN), board(a=SETTLED), board(a=OPEN, b=OPEN)):
        made = json.loads(write_scoreboard(table, Format.JSON))["method"]
        for per_query in (False, True):
            text = write_scoreboard(table, Format.CSV, per_query=per_query)
            assert {row["method"] for row in csv.DictReader(text.splitlines())} == {
                made["fingerprint"]
            }
    other = replace(board(a=OPEN), method=replace(METHOD, gain="linear"))
    assert other.made()["fingerprint"] != board(a=OPEN).made()["fingerprint"]


def test_a_very_long_name_is_cut_for_people_only() -> None:
    table = board(**{"x" * 500: OPEN})
    assert "x" * 100 not in write_scoreboard(table, Format.TABLE)
    assert "x" * 500 in write_scoreboard(table, Format.JSON)
    assert "x" * 500 in write_scoreboard(table, Format.CSV)


def test_queries_that_are_undefined_are_flagged() -> None:
    text = write_scoreboard(board(a=OPEN), Format.TABLE, per_query=True)
    assert "1 unjudged, undefined so far" in text
    assert "1 unjudged, undefined\n" in text


def test_every_form_carries_the_method() -> None:
    for form in (Format.TABLE, Format.MARKDOWN, Format.JSON):
        text = write_scoreboard(board(a=OPEN), form, per_query=True)
        assert "exponential" in text
        assert "general" in text


def test_a_board_without_systems_is_no_error() -> None:
    for form in STANDARD:
        assert write_scoreboard(board(), form)


def test_json_is_that_of_the_table() -> None:
    table = board(a=OPEN, none=UNKNOWN)
    assert json.loads(write_scoreboard(table, Format.JSON)) == json.loads(
        json.dumps(table.to_dict())
    )
