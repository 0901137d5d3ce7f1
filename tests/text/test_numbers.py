"""A number looks the same in commands and in the app, and never surer than it is."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.text.numbers import (
    BRIEF,
    chance,
    decimal,
    duration,
    interval,
    likely,
    p_is,
    p_value,
    pace,
    part,
    percent,
    signed,
    span,
)
from tests.projects import ROOT

ELSEWHERE = {
    "annotator/cli/progress.py": "how many MB, and how fast",
    "annotator/cli/report.py": "how large a file is",
    "annotator/report/figures/": "where a mark is drawn",
    "annotator/scoring/query_weights.py": "what a digest is of",
    "annotator/text/markup.py": "where a mark is drawn",
    "annotator/text/numbers.py": "the one place",
}


@dataclass(frozen=True)
class Guess:
    value: float | None
    expected: float | None = None
    expected95: tuple[float, float] | None = None


@given(st.integers(0, 10**6), st.integers(1, 10**6))
def test_only_nothing_is_0_and_only_all_is_100(count: int, rest: int) -> None:
    said = part(count, count + rest)
    assert (said == "0%") == (count == 0)
    assert said != "100%"
    assert part(count + rest, count + rest) == "100%"
    if number := re.fullmatch(r"(\d+\.\d)%", said):
        assert abs(float(number[1]) - 100 * count / (count + rest)) <= 0.05 + 1e-9
    else:
        assert said in ("0%", "<0.1%", ">99.9%")


def test_a_share_of_nothing_is_undefined() -> None:
    assert part(0, 0) == percent(None) == "—"


@given(st.floats(0, 1))
def test_a_chance_is_never_none_and_never_certain(share: float) -> None:
    assert chance(share) not in ("0.0%", "0%", "100%", "100.0%")


@given(st.floats(0, 1))
def test_a_p_value_is_never_0_and_stays_on_its_side_of_the_level(p: float) -> None:
    said = p_value(p)
    assert float(said.lstrip("<")) > 0
    if said[0] != "<":
        assert (float(said) < 0.05) == (p < 0.05) or abs(p - 0.05) < 0.00005
    assert p_is(p) == (f"p < {said[1:]}" if said[0] == "<" else f"p = {said}")


def test_what_is_0_but_for_rounding_has_no_sign() -> None:
    assert decimal(-1e-17, mark="~") == "~0.0000"
    assert interval(-1e-17, 0.5) == "[0.0000, 0.5000]"
    assert span(-0.00001, 0.271, BRIEF) == "0.000 to 0.271"
    assert signed(-1e-9) == signed(0.0) == "+0.0000"


def test_undefined_is_a_dash() -> None:
    assert {decimal(None), signed(None), interval(None, 1), span(None, None), p_value(None)} == {
        "—"
    }


@pytest.mark.parametrize(
    ("one", "said"),
    [
        (Guess(0.5), "0.500"),
        (Guess(None, 0.5, (0.25, 0.625)), "~0.500 ±0.250"),
        (Guess(None), "°0.125"),
    ],
)
def test_a_number_bears_the_mark_of_what_it_is(one: Guess, said: str) -> None:
    assert likely(one, BRIEF, filled=0.125) == said


def test_durations_are_as_coarse_as_they_are_sure() -> None:
    said = [duration(seconds) for seconds in (0, 30, 600, 7200, 7_200_000)]
    assert said == ["1 s", "30 s", "10 min", "2.0 h", "2,000.0 h"]
    assert [pace(seconds) for seconds in (0.2, 9.4, 30)] == [
        "0.2 s a judgment", "9.4 s a judgment", "30 s a judgment",
    ]  # fmt: skip


def test_decimals_are_written_in_one_place() -> None:
    """Nobody rounds by hand: a format of decimals or of percent stands in one module."""
    found = set()
    for path in sorted((ROOT / "annotator").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            spec = node.format_spec if isinstance(node, ast.FormattedValue) else None
            if spec is not None and re.search(r"[0-9}+z'][efg%]'$", ast.unparse(spec)):
                found.add(path.relative_to(ROOT).as_posix())
    assert [one for one in found if not one.startswith(tuple(ELSEWHERE))] == []
