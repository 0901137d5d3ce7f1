"""A share looks the same in commands and in the app, and is never rounded to none or all."""

from __future__ import annotations

import ast
import re

from hypothesis import given
from hypothesis import strategies as st

from annotator.text.percentages import part, percent
from tests.projects import ROOT


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


def test_shares_of_counts_are_written_in_one_place() -> None:
    """Nobody formats a fraction of counts by hand: ``:.0%`` of a name is a chance or a progress."""
    elsewhere = []
    for path in sorted((ROOT / "annotator").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.FormattedValue) and isinstance(node.value, ast.BinOp):
                spec = ast.unparse(node.format_spec) if node.format_spec else ""
                if isinstance(node.value.op, (ast.Div, ast.FloorDiv)) and "%" in spec:
                    elsewhere.append(path.name)
                if "100 *" in ast.unparse(node.value):
                    elsewhere.append(path.name)
    assert elsewhere in ([], ["verdicts.py"])  # how sure a verdict is, which is no share of counts
