"""The program as a person meets it: in a terminal, from the first key to the last."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from annotator.domain import Mark
from tests.e2e.journeys import Start, leave, press, said
from tests.e2e.terminals import ROOT

SGR = re.compile(rb"\x1b\[([0-9;:]*)m")
COLOURS = {b"%d" % code for first in (30, 40, 90, 100) for code in range(first, first + 9)} - {
    b"39"
}


def test_what_was_shown_as_saved_is_there_after_a_kill(start: Start, demo: Path) -> None:
    words = ("-p", demo, "grade", "--assessor", "ana")
    terminal = start(*words)
    terminal.wait_for("793 of 867 judged")
    terminal.wait_for("document 5 of 22")
    press(terminal, "2", then="saved 2 Relevant")
    (graded,) = said(demo)
    assert (graded.qid, graded.grade) == ("5", 2)
    press(terminal, "u", then="took back 2 Relevant of")
    assert "document 5 of 22" in terminal.text
    press(terminal, "s", then="skipped, comes back")
    press(terminal, "3", then="saved 3 Highly relevant")
    shown = terminal.text.splitlines()[0]
    terminal.kill()

    again = start(*words)
    again.wait_for("794 of 867 judged")
    assert again.text.splitlines()[0] == shown
    assert [(one.grade, one.mark) for one in said(demo)] == [
        (2, None),
        (None, None),
        (None, Mark.LATER),
        (3, None),
    ]
    leave(again)


def test_the_demo_opens_and_leaves_the_terminal_clean(start: Start, tmp_path: Path) -> None:
    terminal = start("demo", "try.db")
    terminal.wait_for("793 of 867 judged")
    press(terminal, "b", then="lsa_200")
    leave(terminal)
    assert (tmp_path / "try.db").is_file()


def test_with_no_color_not_one_colour_is_written(start: Start, demo: Path) -> None:
    words = ("env", "NO_COLOR=1", sys.executable, "-m", "annotator", "-p", str(demo), "grade")
    terminal = start(command=[*words, "--assessor", "ana"])
    terminal.wait_for("793 of 867 judged")
    press(terminal, "2", then="saved 2 Relevant")
    press(terminal, "x", then="Why can it not be judged?")
    press(terminal, "\x1b", then="saved 2 Relevant")
    press(terminal, "b", then="lsa_200")
    leave(terminal)
    looks = [part for sgr in SGR.findall(terminal.written) for part in re.split(b"[;:]", sgr)]
    assert {b"1", b"4", b"7"} <= set(looks)  # bold, underlined and reversed there is
    assert not [part for part in looks if part in COLOURS]


def test_nothing_in_an_imported_document_commands_the_terminal(
    start: Start, tmp_path: Path
) -> None:
    evil = r"\u001b]2;EVIL\u0007\u001b[31m\u009b31m\u202e\u001b]52;c;RVZJTA==\u0007"
    (tmp_path / "evil.jsonl").write_text(
        f'{{"_id": "d1", "title": "TITLE {evil}", "text": "TEXT {evil} END", "url": "{evil}"}}\n'
    )
    (tmp_path / "one.run").write_text("q1 Q0 d1 1 9 tag\n")
    (tmp_path / "queries.jsonl").write_text(f'{{"_id": "q1", "text": "QUERY {evil}"}}\n')
    for words in (
        "init",
        "import queries queries.jsonl",
        "import run one.run",
        "pool",
        "import documents evil.jsonl",
    ):
        subprocess.run(
            [sys.executable, "-m", "annotator", *words.split()],
            cwd=tmp_path,
            env={"PYTHONPATH": str(ROOT), "LANG": "C.UTF-8"},
            check=True,
            capture_output=True,
        )
    terminal = start("grade", "--assessor", "ana")
    terminal.wait_for("END")
    for start_of in ("QUERY", "TITLE", "TEXT"):
        assert f"{start_of} ␛]2;EVIL␇␛[31m�31m�␛]52;c;RVZJTA==␇" in terminal.text
    leave(terminal)
    for command in (b"\x1b]2;", b"\x1b]52;", b"\x1b[31m", b"\xc2\x9b", b"\xe2\x80\xae"):
        assert command not in terminal.written
