"""A text is broken into lines that fit, and nothing of it is lost."""

from __future__ import annotations

import sys
from collections.abc import Callable

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from rich.cells import cell_len

from annotator.tui.widgets.line_breaks import CHARACTERS_PER_CELL, Lines
from annotator.tui.widgets.long_texts import wrap_long
from annotator.tui.widgets.wrapping import LONG, expand_tabs, wrap

SEQUENCES = (
    "e\u0301",
    "\u0301",
    "👩\u200d👩\u200d👧",
    "❤\ufe0f",
    "\u200d",
    "\ufe0f",
    "👍🏽",
    "🇫🇷",
    "नमस्ते",
)
WORDS = (
    "word",
    "a-very-long-word-without-a-blank",
    "漢字",
    "。",
    "é",
    " ",
    "  ",
    "\n",
    "\t",
    "\u200c",
)
PIECES = st.sampled_from(WORDS + SEQUENCES)
TEXTS = st.lists(PIECES, max_size=40).map("".join) | st.text()


def spans(lines: Lines) -> list[tuple[int, int]]:
    return list(zip(lines.starts, lines.ends, strict=True))


def lines(text: str, width: int) -> list[str]:
    return [text[start:end] for start, end in spans(wrap(text, width))]


@given(TEXTS, st.integers(4, 20))
@example("\ufe0f#\ufe0f\u200d\tx", 4)
@example("ab\u200d\u200d\u200d漢漢", 4)
@example("\u200d\ufe0f❤\u200d\ufe0f\ufe0f漢", 4)
@example("\0\ufe0f漢漢漢 a", 4)
@example(" \n\n  \n", 4)
def test_a_long_text_is_broken_as_a_short_one(text: str, width: int) -> None:
    assert spans(wrap_long(text, width)) == spans(wrap(text, width))


@given(TEXTS, st.integers(4, 20))
@example("\ufe0f#\ufe0f\u200d\tx", 4)
@example("word\t\ufe0f", 4)
@example("ab\u200d\u200d\u200d漢漢", 4)
@example("a" + "\u200dx" * 100, 4)
@example("a" + "\u200d" * 99 + "漢漢漢", 4)
def test_every_line_fits(text: str, width: int) -> None:
    for line in lines(text, width):
        assert cell_len(expand_tabs(line, 0)) <= width
        assert len(line) <= width * CHARACTERS_PER_CELL


@given(TEXTS, st.integers(4, 20))
def test_lines_cover_the_text_in_order(text: str, width: int) -> None:
    at = 0
    for number, (start, end) in enumerate(spans(wrap(text, width))):
        between = text[at:start]
        assert between.strip(" \t") in {"", "\n"}
        assert number == 0 or end > start or "\n" in between
        at = end
    assert not text[at:].strip(" \t")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", [""]),
        ("\n\n", ["", "", ""]),
        ("one two three", ["one two", "three"]),
        ("one  two   \n  three", ["one  two", "  three"]),
        ("eight 88 8", ["eight 88", "8"]),
        ("incomprehensible", ["incompre", "hensible"]),
        ("漢字漢字漢字", ["漢字漢字", "漢字"]),
        ("漢字漢字。漢", ["漢字漢", "字。漢"]),
        ("ab漢字漢字 cd", ["ab漢字漢", "字 cd"]),
        ("a漢字漢字", ["a漢字漢", "字"]),
        ("e\u0301" * 9, ["e\u0301" * 8, "e\u0301"]),
        ("👩\u200d👩\u200d👧" * 5, ["👩\u200d👩\u200d👧" * 4, "👩\u200d👩\u200d👧"]),
        ("❤\ufe0f" * 5, ["❤\ufe0f" * 4, "❤\ufe0f"]),
        ("a\tb\tc\td", ["a\tb", "c\td"]),
        ("काकी काकी", ["काकी", "काकी"]),
    ],
)
def test_lines_break_where_a_reader_expects(text: str, expected: list[str]) -> None:
    assert lines(text, 8) == expected


def test_a_width_too_small_for_a_character_is_widened() -> None:
    assert lines("漢字漢", 1) == ["漢字", "漢"]


def test_a_heap_of_marks_without_width_is_broken() -> None:
    assert max(map(len, lines("a" + "\u0301" * 10_000, 10))) == 10 * CHARACTERS_PER_CELL


def test_tabs_reach_the_next_stop_of_the_line() -> None:
    assert expand_tabs("a\tb\t漢\tc", 0) == "a   b   漢  c"
    assert expand_tabs("\tb", 3) == " b"


def calls(work: Callable[[], object]) -> int:
    """How many functions are called and left, Python's own too: work that no load changes."""
    count = 0

    def counted(*_event: object) -> None:
        nonlocal count
        count += 1

    sys.setprofile(counted)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.parametrize("unit", ["word and word ", "x", "\n", " ", "漢字。", "e\u0301", "a\tb\n"])
def test_the_work_of_breaking_a_long_text_grows_with_its_lines_alone(unit: str) -> None:
    wrap(unit * LONG, 88)  # what it needs is loaded
    few, many = (unit * (size // len(unit)) for size in (100_000, 400_000))
    assert calls(lambda: wrap(many, 88)) < 4.1 * calls(lambda: wrap(few, 88))
    assert calls(lambda: wrap(many, 88)) < 100 * len(wrap(many, 88)) + 10_000
