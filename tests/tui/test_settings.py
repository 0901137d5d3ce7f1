"""Settings: what is read, and what is refused with its reason."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
from textual.events import Key
from textual.widgets import Input

from annotator.errors import InputError
from annotator.settings import BREAK_MINUTES, Settings, read_settings, settings_path
from annotator.tui import screens
from annotator.tui.app import AnnotatorApp
from annotator.tui.contexts import contexts
from annotator.tui.keyboard_layouts import LATIN, latin_key
from annotator.tui.keymap import keymap
from annotator.tui.palette import ScreenCommands
from annotator.tui.screens.base import BaseScreen
from annotator.tui.screens.document import DocumentScreen
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
        (
            {"app.help": "v", "app.verdict": "z"},
            "v would be both screen.leave and app.help (verdict)",
        ),
        ({"screen.leave": "o"}, "o would be both queries.only-open and screen.leave (queries)"),
    ],
)
def test_keys_that_cannot_be_are_refused(keys: dict[str, str], told: str) -> None:
    with pytest.raises(InputError) as refused:
        keymap(Settings(keys), contexts(AnnotatorApp.BINDINGS))
    assert told in refused.value.message


def test_all_that_is_wrong_with_the_keys_is_told_at_once() -> None:
    keys = {"grade.0": "s", "grade.1": "d", "grade.10": "a", "app.quit": "Q", "grade.note": ""}
    with pytest.raises(InputError) as refused:
        keymap(Settings(keys), contexts(AnnotatorApp.BINDINGS))
    told = "\n".join([refused.value.message, *refused.value.details])
    for name in (*keys, "grade.later", "grade.need"):
        assert name in told
    assert len(told.splitlines()) == 5


@pytest.mark.parametrize(
    "key", ["\x1b[31m", "\x9b31m", "\x07", "\u202e", "a b", "]0;x\x07", "\u200b"]
)
def test_what_is_no_key_never_reaches_the_terminal(key: str) -> None:
    with pytest.raises(InputError, match="is no key") as refused:
        keymap(Settings({"grade.0": f"{key},0"}), contexts(AnnotatorApp.BINDINGS))
    assert refused.value.message.isprintable()


@pytest.mark.parametrize("key", ["à", "\u0433", "\u0661", "\uff11", "ctrl+t", "f5", "~", "(", "é"])
def test_every_sign_that_a_keyboard_has_can_be_a_key(key: str) -> None:
    assert keymap(Settings({"grade.0": key}), contexts(AnnotatorApp.BINDINGS))["grade.0"]


@pytest.mark.parametrize(("width", "wide"), [(80, True), (60, False)])
async def test_keys_of_ones_own_leave_the_words_of_the_grades(
    small: Path, width: int, *, wide: bool
) -> None:
    own = {"grade.0": "à", "grade.1": "&", "grade.2": "é", "grade.3": '"'}
    async with running(workplace(small), (width, 24), settings=Settings(own), board=True) as pilot:
        for key, word in zip('à&é"', ("Not", "Marginal", "Relevant", "Highly"), strict=True):
            assert (f" {key}  {word}" in shown(pilot)) == wide
        assert (" à = 0 " in shown(pilot)) != wide


async def test_keys_of_ones_own_work_and_are_the_ones_shown(small: Path) -> None:
    own = {"grade.2": "y", "grade.3": "2", "grade.note": "e", "app.help": "f1,?"}
    async with running(workplace(small), (120, 40), settings=Settings(own), board=True) as pilot:
        assert " y  Relevant " in shown(pilot)
        assert " 2  Highly relevant " in shown(pilot)
        assert " e Note" in shown(pilot)
        await pilot.press("y", "2", "3")
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
        assert ["y", "Grade", "2,", "save,", "and", "go", "on", "grade.2"] in rows
        assert any(row[:2] == ["f1", "?"] for row in rows)


async def test_two_grades_can_change_places(small: Path) -> None:
    own = {"grade.0": "3", "grade.3": "0"}
    async with running(workplace(small), settings=Settings(own)) as pilot:
        await pilot.press("3", "0")
        assert [event.grade for event in events(small)] == [0, 3]


@pytest.mark.parametrize("way", [(), ("b",), ("q",), ("h",), ("b", "enter", "enter")])
async def test_all_that_a_screen_does_is_found_by_its_word_its_id_and_what_it_says(
    begun: Path, way: tuple[str, ...]
) -> None:
    async with running(workplace(begun)) as pilot:
        await pilot.press(*way)
        commands = ScreenCommands(pilot.app.screen)
        for active in list(pilot.app.screen.active_bindings.values()):
            one = active.binding
            if not one.id or one.id == "app.commands":
                continue
            says = f"{one.description}: {one.tooltip}"
            for words in (one.description.lower(), one.id, one.tooltip):
                hits = [hit async for hit in commands.search(words)]
                best = max(hit.score for hit in hits)
                assert says in [str(hit.text) for hit in hits if hit.score == best], words


@pytest.mark.parametrize(
    ("words", "found"),
    [("take back", "Undo"), ("search", "Find"), ("previous document", "Back"), ("comment", "Note"),
     ("leave", "Quit"), ("stop", "Verdict"), ("shortcuts", "Help"), ("earlier", "History")],
)  # fmt: skip
async def test_commands_are_found_by_other_words_for_them(
    small: Path, words: str, found: str
) -> None:
    async with running(workplace(small)) as pilot:
        await pilot.pause()
        hits = [hit async for hit in ScreenCommands(pilot.app.screen).search(words)]
        assert str(max(hits, key=lambda hit: hit.score).text).startswith(f"{found}:")


async def test_the_palette_offers_what_the_screen_does(small: Path) -> None:
    async with running(workplace(small)) as pilot:
        await pilot.press("ctrl+p", *"aside", "enter")
        await pilot.pause()
        assert [event.mark for event in events(small)] == ["later"]
        await pilot.press("ctrl+p", *"scoreboard", "enter")
        await pilot.pause()
        assert "Scores" in shown(pilot)


def test_a_screen_that_is_put_into_the_package_has_its_keys_checked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "new_screen.py").write_text(
        "from textual.binding import Binding\n"
        "from annotator.tui.screens.base import BaseScreen\n"
        "from annotator.tui.widgets.rows_view import RowsView\n"
        "class NewScreen(BaseScreen[None]):\n"
        "    CONTEXT = 'something new'\n"
        "    KEYED = (RowsView,)\n"
        "    BINDINGS = [Binding('z', 'zoom', 'Zoom', id='new.zoom')]\n"
    )
    monkeypatch.setattr(screens, "__path__", [*screens.__path__, str(tmp_path)])
    try:
        with pytest.raises(InputError, match=r"both new.zoom and rows.down \(something new\)"):
            keymap(Settings({"new.zoom": "j"}), contexts(AnnotatorApp.BINDINGS))
    finally:
        sys.modules.pop(f"{screens.__name__}.new_screen")


def test_every_screen_that_has_keys_has_them_checked() -> None:
    contexts(AnnotatorApp.BINDINGS)  # now all are loaded
    waiting: list[type[BaseScreen[Any]]] = [BaseScreen]
    unnamed = set()
    while waiting:
        screen = waiting.pop()
        waiting += screen.__subclasses__()
        own = screen.__module__.startswith(screens.__name__) and "BINDINGS" in vars(screen)
        if own and not screen.CONTEXT:
            unnamed.add(screen)
    assert unnamed == {DocumentScreen}  # only inherited


@pytest.mark.parametrize(("letter", "key"), LATIN.items())
def test_a_letter_of_another_alphabet_is_the_key_at_its_place(letter: str, key: str) -> None:
    event = Key(letter, letter)
    found = latin_key(event)
    assert found is not None
    assert (found.key, found.character, found.time) == (key, key, event.time)
    assert latin_key(found) is None


async def test_keys_work_on_another_alphabet_and_text_is_typed_in_it(small: Path) -> None:
    async with running(workplace(small), settings=Settings({"app.history": "й"})) as pilot:
        await pilot.press("к")  # r
        assert "Rubric" in shown(pilot)
        await pilot.press("escape", "т", *"крыло")  # n
        assert pilot.app.screen.query_one(Input).value == "крыло"
        await pilot.press("escape", "й")  # q, had it no meaning of its own
        assert "Judgments" in shown(pilot)
