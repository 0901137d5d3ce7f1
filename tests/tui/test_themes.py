"""What is written can be read in every theme, and a grade has its colour wherever it stands."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest
from textual.content import Content

from annotator.settings import Settings
from annotator.tui.app import AnnotatorApp
from annotator.tui.themes import COLOURS, CONTRAST, GRADES, LIGHT, NAMES
from annotator.tui.widgets.grade_bar import GradeKey
from annotator.tui.widgets.rows_view import RowsView
from annotator.tui.widgets.status_line import StatusLine
from tests.tui.workplaces import running, workplace

GROUNDS = ("background", "surface")
WRITTEN = [name for name in COLOURS if name not in (*GROUNDS, "panel")]


def luminance(colour: str) -> float:
    """Relative luminance, as WCAG 2.2 defines it."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [one / 12.92 if one <= 0.04045 else ((one + 0.055) / 1.055) ** 2.4 for one in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("at", range(len(NAMES)), ids=NAMES)
def test_its_contrast_is_what_wcag_asks_for(at: int) -> None:
    """4.5 to 1 for text (success criterion 1.4.3), 7 to 1 for enhanced contrast (1.4.6)."""
    least = 7 if NAMES[at] == CONTRAST else 4.5
    for ground, written in product(GROUNDS, WRITTEN):
        pair = sorted(luminance(COLOURS[name][at]) for name in (ground, written))
        assert (pair[1] + 0.05) / (pair[0] + 0.05) >= least, (ground, written)


@pytest.mark.parametrize("at", range(len(NAMES)), ids=NAMES)
def test_the_grades_and_the_accent_differ(at: int) -> None:
    shown = [COLOURS[name][at] for name in (*GRADES, "accent")]
    assert len(set(shown)) == len(shown)


@pytest.mark.parametrize(("theme", "like"), [("textual-light", LIGHT), ("nord", NAMES[0])])
def test_a_theme_of_another_makers_gets_grades_that_suit_its_ground(
    small: Path, theme: str, like: str
) -> None:
    app = AnnotatorApp(workplace(small), Settings(theme=theme))
    variables = app.get_css_variables()
    assert variables["grade-1"] == COLOURS["grade-1"][NAMES.index(like)]


async def test_the_last_grades_stand_in_their_colours_and_other_marks_do_not(small: Path) -> None:
    async with running(workplace(small)) as pilot:
        await pilot.press("3", "s", "0")
        content = pilot.app.screen.query_one(StatusLine).content
        assert isinstance(content, Content)
        styles = {content.plain[span.start : span.end]: span.style for span in content.spans}
        assert (styles[" 3"], styles[" 0"]) == ("$grade-3", "$grade-0")
        assert styles[" s"] == styles["   last:"]


async def test_ones_own_grades_are_listed_in_the_colours_that_they_are_given_in(
    small: Path,
) -> None:
    async with running(workplace(small)) as pilot:
        bar = {str(key.grade): key.rich_style.color for key in pilot.app.screen.query(GradeKey)}
        await pilot.press(*"03s2h")
        rows = pilot.app.screen.query_one(RowsView)
        drawn = [rows.render_line(y) for y in range(1, 5)]
        said = {parts[1].text.strip(): parts[1].style for parts in map(list, drawn)}
        assert said.keys() == {"0", "3", "later", "2"}
        for grade in "032":
            style = said[grade]
            assert style is not None
            assert (style.color, style.bold) == (bar[grade], True)
        assert len({bar[grade] for grade in "0123"}) == 4
