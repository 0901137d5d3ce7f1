"""How a document looks: words of the query by their stems, Markdown, themes."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.domain import Document
from annotator.errors import InputError
from annotator.settings import Settings
from annotator.text.safe import visible
from annotator.tui.app import AnnotatorApp
from annotator.tui.query_words import Terms
from annotator.tui.themes import CONTRAST, DARK, LIGHT, THEMES
from annotator.tui.widgets.document_view import DocumentView
from annotator.tui.widgets.markdown import marked_up
from annotator.tui.widgets.matches import Matches
from tests.tui.workplaces import make_small, running, said, shown, workplace


def marked(query: str, text: str) -> list[str]:
    return [found[0] for found in Terms(query).finditer(text, 0, len(text))]


@pytest.mark.parametrize(
    ("query", "text", "expected"),
    [
        ("measuring flows", "Measurements measured the flow, the Measure", "Measurements measured "
         "flow Measure"),
        ("the effect of heat", "The heat of the effects", "heat effects"),
        ("nothing", "noting, anothing", ""),
        ("полёта крыльев", "полёт крыло и крылья", "полёт крылья"),
        ("लड़कियों की", "लड़की लड़के नहीं", "लड़की"),
        ("風洞実験", "新しい風洞で実験した", "風洞 実験"),
        ("a_b c", "a_b", ""),
        ("", "nothing", ""),
    ],
)  # fmt: skip
def test_words_of_the_query_are_found_by_their_stems(query: str, text: str, expected: str) -> None:
    found = marked(query, text)
    if query.startswith(("полёта", "लड़कियों")):
        assert set(expected.split()) & set(found)
    else:
        assert found == expected.split()


SPELLINGS = ("naive", "na\u00efve", "nai\u0308ve", "NA\u00cfVE", "na\u00adive", "na\u200bive",
             "na\ufffdi\u0308ve", "n\u2060ai\u0308\u200dve")  # fmt: skip


@pytest.mark.parametrize("sought", SPELLINGS)
def test_accents_and_unseen_signs_make_no_difference_to_marking_and_finding(sought: str) -> None:
    text = " ".join(visible(one) for one in SPELLINGS)
    assert marked(f"a {sought} view", text) == text.split()
    found = Matches.of(sought, text, 0).places
    assert [text[first:last] for first, last in found] == text.split()


def test_a_sign_that_parts_words_leaves_each_of_them_to_be_found() -> None:
    assert marked("flow", visible("heat\u2028flow flow\u200bheat")) == ["flow", "flow"]


def test_letters_that_are_others_are_not_taken_for_each_other() -> None:
    for one, other in (("\u0939\u093f", "\u0939"), ("\uac00", "\uac01"), ("o", "0")):
        assert not Matches.of(one, other, 0)


def test_a_letter_is_found_whether_written_as_one_sign_or_several() -> None:
    codes = [*range(0xC0, 0x250), *range(0x370, 0x530), *range(0x1E00, 0x2000),
             *range(0x3041, 0x30FF), *range(0xAC00, 0xD7A4, 97)]  # fmt: skip
    for letter in filter(str.isalpha, map(chr, codes)):
        one, several = (unicodedata.normalize(form, letter) for form in ("NFC", "NFD"))
        for sought in (letter, one, several):
            assert Matches.of(sought, one, 0), letter
            assert Matches.of(sought, several, 0), letter


@given(st.text(), st.text())
def test_any_text_can_be_looked_through(query: str, text: str) -> None:
    assert all(0 <= one.start() < one.end() <= len(text)
               for one in Terms(query).finditer(text, 0, len(text)))  # fmt: skip


def looks(text: str) -> list[tuple[str, str]]:
    return [(text[first:last], kind) for first, last, kind in marked_up(text, 0, len(text))]


def test_markdown_is_told_by_its_look() -> None:
    assert looks("# Title") == [("# Title", "heading")]
    assert looks("> said") == [("> said", "quote")]
    assert looks("a **b c** and `d*e*` and *f*") == [
        ("**b c**", "strong"),
        ("`d*e*`", "code"),
        ("*f*", "emphasis"),
    ]
    assert looks("2 * 3 * 4, #no, a*b*c") == []


async def test_markdown_and_plain_text_take_turns_and_the_text_stays(tmp_path: Path) -> None:
    documents = [Document(f"d{one}", "", "# Big\n\nplain **strong**") for one in range(1, 6)]
    small = make_small(tmp_path / "demo.db", documents=documents)
    async with running(workplace(small)) as pilot:
        view = pilot.app.screen.query_one(DocumentView)

        def bold() -> list[str]:
            return [
                segment.text
                for y in range(2, view.size.height)
                for segment in view.render_line(y)
                if segment.style and segment.style.bold
            ]

        before = shown(pilot)
        assert bold() == []
        await pilot.press("t")
        assert bold() == ["# Big", "**strong**"]
        assert said(pilot).startswith("Markdown")
        await pilot.press("1")
        assert bold() == ["# Big", "**strong**"]
        await pilot.press("t")
        assert bold() == []
        assert "**strong**" in before


@pytest.mark.parametrize("theme", [LIGHT, CONTRAST, "nord", DARK, ""])
async def test_a_theme_can_be_chosen(small: Path, theme: str) -> None:
    async with running(workplace(small), settings=Settings(theme=theme)) as pilot:
        assert pilot.app.theme == (theme or DARK)
        await pilot.press("1")
        assert "✓ saved 1" in said(pilot)


def test_a_theme_that_is_none_is_refused_with_those_there_are(small: Path) -> None:
    with pytest.raises(InputError, match=r"there are .*high-contrast.*light"):
        AnnotatorApp(workplace(small), Settings(theme="mauve"))


def _luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [one / 12.92 if one <= 0.04045 else ((one + 0.055) / 1.055) ** 2.4 for one in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize(("theme", "least"), [(LIGHT, 4.5), (CONTRAST, 7.0)])
def test_the_grades_stand_out_from_the_ground(theme: str, least: float) -> None:
    found = THEMES[theme]
    for name, colour in found.variables.items():
        if name.startswith("grade-"):
            one, other = _luminance(colour), _luminance(str(found.background))
            assert (max(one, other) + 0.05) / (min(one, other) + 0.05) >= least
