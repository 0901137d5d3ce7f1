"""LaTeX: no text is a command, and every number keeps its sign and mark."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from annotator.text.latex import escaped, number, sentence, tabular
from annotator.text.safe import one_line

COMMANDS = r"\\textbackslash\{\}|\\textasciitilde\{\}|\\textasciicircum\{\}|\\[&%$#_{}]"
MARKS = r"\$\\sim\$|\$\^\\circ\$|\$\\pm\$|\$<\$"


@given(st.text(alphabet="\\{}$&#%^_~-[]<>|'`\"ab \n") | st.text())
def test_no_text_is_a_command(text: str) -> None:
    for written in (escaped(text), sentence(text)):
        rest = re.sub(f"{COMMANDS}|{MARKS}", "", written)
        rest = re.sub(r"\{[<>|\"'`\-\[\]]\}", "", rest)
        assert not set("\\$&#%^_~{}") & set(rest)
        assert "\n" not in written


@given(st.text(alphabet="\\{}$&#%^_~-[]<>|'`\"ab "))
def test_a_text_can_be_read_back(text: str) -> None:
    names = {"textbackslash": "\\", "textasciitilde": "~", "textasciicircum": "^"}
    written = re.sub(r"\{([<>|\"'`\-\[\]])\}", r"\1", escaped(text))
    read = re.sub(r"\\(text\w+)\{\}|\\(.)", lambda m: names.get(m[1], m[2]), written)
    assert read == one_line(text)


def test_numbers_have_a_true_minus_and_their_marks() -> None:
    assert number("~-0.250 ±0.031") == r"$\sim$$-$0.250 $\pm$0.031"
    assert number("[-0.100, 0.200]") == "[$-$0.100, 0.200]"
    assert number("<0.001") == "$<$0.001"


def test_a_table_has_a_row_a_line_and_as_many_cells_as_columns() -> None:
    lines = tabular(["a", "b"], [["1", "2"], ["3", "4"]], "lr").splitlines()
    rows = [line.removesuffix(r" \\").split(" & ") for line in lines if line.endswith(r"\\")]
    assert rows == [["a", "b"], ["1", "2"], ["3", "4"]]
