"""Settings: what is read, and what is refused with its reason."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.widgets import Input

from annotator.errors import InputError
from annotator.tui.app import AnnotatorApp
from annotator.tui.contexts import contexts
from annotator.tui.keymap import keymap
from annotator.tui.settings import BREAK_MINUTES, Settings, read_settings, settings_path
from tests.projects import write
from tests.tui.workplaces import events, running, shown, until, workplace


def test_without_a_file_there_are_the_programs_own_settings(tmp_path: Path) -> None:
    settings = read_settings(tmp_path / "config.toml")
    assert (settings.keys, settings.break_minutes) == ({}, BREAK_MINUTES)


def test_settings_have_a_place_of_their_own(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert settings_path().parts[-2:] == ("annotator", "config.toml")


def test_an_id_may_be_quoted_or_not_and_keys_be_listed(tmp_path: Path) -> None:
    text = '[keys]\n"grade.0" = "a"\ngrade.undo = ["ctrl+u", "z"]\nbreak_at = "x"\n'
    settings = read_settings(write(tmp_path / "config.toml", text))
    assert settings.keys == {"grade.0": "a", "grade.undo": "ctrl+u,z", "break_at": "x"}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("keys = [", "not a TOML file"),
        ("colour = 1", "no setting colour; there are backups, break_minutes, keys, theme"),
        ("theme = 1", "theme must be text"),
        ("break_minutes = -1", "0 for never"),
        ("break_minutes = true", "0 for never"),
        ("keys = 1", "keys must be a table"),
        ("[keys]\na = 1", "a must be text"),
    ],
)
def test_what_is_no_setting_is_refused_by_name(tmp_path: Path, text: str, told: str) -> None:
    path = write(tmp_path / "config.toml", text)
    with pytest.raises(InputError, match=r"config\.toml: ") as refused:
        read_settings(path)
    assert told in refused.value.message


@pytest.mark.parametrize(
    ("keys", "told"),
    [
        ({"grade.undo": "1"}, "1 would be both grade.1 and grade.undo (grading)"),
        ({"grade.0": "a", "grade.1": "a"}, "a would be both grade.0 and grade.1"),
        ({"grade.0": ""}, "grade.0: no key is left"),
        ({"grade.0": "space"}, "space would be both grade.0 and document.page-down"),
        ({"grade.9": "?"}, "question_mark would be both grade.9 and app.help"),
        ({"grade.10": "a"}, "there is no such binding"),
        ({"app.quit": "Q"}, "Q is needed to write with"),
        ({"ask.leave": "z"}, "z is needed to write with"),
        ({"screen.leave": "o"}, "o would be both queries.only-open and screen.leave (queries)"),
    ],
)
def test_keys_that_cannot_be_are_refused(keys: dict[str, str], told: str) -> None:
    with pytest.raises(InputError) as refused:
        keymap(Settings(keys), contexts(AnnotatorApp.BINDINGS))
    assert told in refused.value.message


async def test_keys_of_ones_own_work_and_are_the_ones_shown(small: Path) -> None:
    own = {"grade.2": "k", "grade.3": "2", "grade.note": "e", "app.help": "f1,?"}
    async with running(workplace(small), (120, 40), settings=Settings(own)) as pilot:
        assert " k = 2 " in shown(pilot)
        assert " 2 = 3 " in shown(pilot)
        assert " e Note" in shown(pilot)
        await pilot.press("k", "2", "3")
        assert [event.grade for event in events(small)] == [2, 3]
        await pilot.press("slash")
        await until(pilot, lambda: isinstance(pilot.app.focused, Input))
        await pilot.press(*"text", "enter")
        await until(pilot, lambda: not isinstance(pilot.app.focused, Input))
        await pilot.press("n", "escape", "e")
        await until(pilot, lambda: pilot.app.screen.query("#answer"))
        await pilot.press("escape", "f1")
        await until(pilot, lambda: "grade.2" in shown(pilot))
        rows = [line.split() for line in shown(pilot).splitlines()]
        assert ["k", "Grade", "2,", "save,", "and", "go", "on", "grade.2"] in rows
        assert any(row[:2] == ["f1", "?"] for row in rows)


async def test_two_grades_can_change_places(small: Path) -> None:
    own = {"grade.0": "3", "grade.3": "0"}
    async with running(workplace(small), settings=Settings(own)) as pilot:
        await pilot.press("3", "0")
        assert [event.grade for event in events(small)] == [0, 3]


async def test_the_palette_offers_what_the_screen_does(small: Path) -> None:
    async with running(workplace(small)) as pilot:
        await pilot.press("ctrl+p", *"aside", "enter")
        await pilot.pause()
        assert [event.mark for event in events(small)] == ["later"]
        await pilot.press("ctrl+p", *"scoreboard", "enter")
        await pilot.pause()
        assert "Scores" in shown(pilot)
