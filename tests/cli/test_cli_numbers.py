"""Numbers out of all range end in a sentence, in every option and environment variable."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from annotator.cli import BROKEN, group
from annotator.cli.grade import _check_environment
from annotator.errors import UsageError
from tests.cli.conftest import Run
from tests.projects import ROOT, write

ODD = ["99999999999999999999", "9" * 5000, "-99999999999999999999", "-0", "nan", "inf", "1e400", ""]
NEEDED = {
    "companions": ["a"], "export qrels": ["out"], "export documents": ["out"], "plan": [],
    "compare": ["a", "b"],
}  # fmt: skip


def numbers(command: click.Command, words: list[str]) -> Iterator[tuple[list[str], str]]:
    """Every option that takes a number, with the words of its command."""
    if isinstance(command, click.Group):
        with click.Context(command) as ctx:
            for name in command.list_commands(ctx):
                if inner := command.get_command(ctx, name):
                    yield from numbers(inner, [*words, name])
        return
    for one in command.params:
        if isinstance(one, click.Option) and isinstance(
            one.type, click.types.IntParamType | click.types.FloatParamType
        ):
            yield words, one.opts[0]


OPTIONS = list(numbers(group, []))


def test_options_with_numbers_are_found() -> None:
    found = {(" ".join(words), option) for words, option in OPTIONS}
    assert {("history", "-n"), ("pool", "--depth"), ("export qrels", "--unjudged")} <= found


@pytest.mark.parametrize(("words", "option"), OPTIONS)
def test_every_option_with_a_number_takes_it_or_says_what_it_takes(
    run: Run, small: Path, words: list[str], option: str
) -> None:
    for odd in ODD:
        more = NEEDED.get(" ".join(words), [])
        result = run(
            "-p", small, *words, *more, f"{option}={odd}" if option[1] == "-" else f"{option}{odd}"
        )
        assert result.code in (0, 1, 2, 3, 4), (odd, result.err)
        assert result.code != BROKEN
        assert "Traceback" not in result.err


@pytest.mark.parametrize(
    "head",
    ["9" * 5000 + ":" + "0" * 64, "1:" + "z" * 64, "-1:" + "0" * 64, "1", "\u0661:" + "0" * 64],
)
def test_a_head_that_is_none_is_said_to_be_none(run: Run, small: Path, head: str) -> None:
    result = run("-p", small, "doctor", "--head", head)
    assert (result.code, "N:HEAD NAME" in result.err) == (2, True)


@pytest.mark.parametrize("name", ["seconds", "grade", "position", "evidence"])
@pytest.mark.parametrize("number", [10**400, 10**30, -(10**30), 2**63])
def test_a_number_of_a_log_beyond_all_range_is_told_with_its_line(
    run: Run, small: Path, name: str, number: int
) -> None:
    value = [0, number] if name == "evidence" else number
    record = {"qid": "q1", "docid": "d1", "grade": 1, name: value}
    write(Path("log.jsonl"), json.dumps(record) + "\n")
    result = run("-p", small, "import", "judgments", "log.jsonl")
    assert result.code in (0, 3), result.err
    assert result.code == 0 or "log.jsonl" in result.err


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("TEXTUAL_COLOR_SYSTEM", "x"), ("TEXTUAL_COLOR_SYSTEM", ""), ("TEXTUAL_DRIVER", "x"),
        ("TEXTUAL_DRIVER", ""), ("TEXTUAL_DRIVER", "os:nothing"), ("TEXTUAL_DRIVER", "os:path"),
        ("TEXTUAL_DRIVER", ".x:y"),
    ],
)  # fmt: skip
def test_what_textual_would_fail_on_is_refused_by_name(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(UsageError, match=f"{name} is"):
        _check_environment()


@pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&-", "<&-", "<&- >&- 2>&-"])
def test_closed_streams_are_no_fault(small: Path, closed: str) -> None:
    for words in ("status", "score", "history", "backup b.db", "nonsense"):
        Path("b.db").unlink(missing_ok=True)
        ended = subprocess.run(
            ["sh", "-c", f"{sys.executable} -m annotator -p {small} {words} {closed}"],
            check=False,
            capture_output=True,
            text=True,
            env={"PYTHONPATH": str(ROOT)},
        )
        assert ended.returncode == (2 if words == "nonsense" else 0), ended.stderr
        assert "Traceback" not in ended.stderr
