"""Text from files is safe to show, and offsets into it stay true."""

from __future__ import annotations

import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.text.safe import document_text, one_line, visible

ANY_TEXT = st.text(st.characters())
KEPT = "\n\t\u200c\u200d"


def test_every_control_and_format_character_is_replaced_and_no_other() -> None:
    every = "".join(map(chr, range(0x110000)))
    unassigned = {0x2065, *range(0x13439, 0x13440), *range(0xE0000, 0xE0080)}
    for before, after in zip(every, visible(every), strict=True):
        hidden = unicodedata.category(before) in {"Cc", "Cf", "Cs", "Zl", "Zp"}
        if before in KEPT or not (hidden or ord(before) in unassigned):
            assert after == before
        else:
            assert after == "\ufffd" or "\u2400" <= after <= "\u2421"


def test_control_characters_become_their_pictures() -> None:
    assert visible("\x00\x07\x1b[31m\r\x7f") == "␀␇␛[31m␍␡"


def test_c1_bidi_zero_width_tag_and_surrogate_become_the_replacement_character() -> None:
    assert visible("\x9b\u202e\u2066\u061c\u200b\ufeff\u00ad\U000e0041\ud800") == "\ufffd" * 9


def test_what_scripts_and_emoji_need_is_kept() -> None:
    text = "क्\u200dष می\u200cخوریم 👩\u200d🚀 ❤\ufe0f e\u0301\n\t"
    assert visible(text) == text


@given(ANY_TEXT)
def test_one_character_in_is_one_character_out(text: str) -> None:
    assert len(visible(text)) == len(text)
    assert visible(visible(text)) == visible(text)


@given(ANY_TEXT, st.none() | st.integers(1, 20))
def test_one_line_is_one_line_and_not_too_long(text: str, width: int | None) -> None:
    line = one_line(text, width)
    assert line == visible(line)
    assert not set(line) & set("\n\t")
    assert "  " not in line
    assert width is None or len(line) <= width


@pytest.mark.parametrize(
    ("text", "width", "line"),
    [
        (" a\r\n\t b  c\n", None, "a b c"),
        ("abcdef", 6, "abcdef"),
        ("abcdefg", 6, "abcde…"),
        ("a\u2028b\x1b", None, "a\ufffdb␛"),
        ("", 5, ""),
        ("a" + " " * 1000 + "b", 5, "a…"),
    ],
)
def test_one_line_joins_and_cuts(text: str, width: int | None, line: str) -> None:
    assert one_line(text, width) == line


def test_a_document_keeps_its_lines_and_shows_a_lone_carriage_return() -> None:
    assert document_text("a\r\nb\rc\n\td") == "a\nb␍c\n\td"


def test_the_beginning_of_a_huge_text_costs_nothing() -> None:
    text = "word " * 1_000_000
    before = time.perf_counter()
    for _ in range(100):
        one_line(text, 60)
    assert time.perf_counter() - before < 0.5
