"""LaTeX in which no text is a command: escaped texts, numbers with their marks, booktabs tables."""

from __future__ import annotations

import re
from collections.abc import Sequence

from annotator.text.numbers import ESTIMATE, UNDEFINED, ZEROED
from annotator.text.safe import one_line

_SPECIAL = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
    **{sign: f"{{{sign}}}" for sign in "<>|\"'`-[]"},  # no ligature, no option of a line break
}
_SIGNS = {ESTIMATE: r"$\sim$", ZEROED: r"$^\circ$", "±": r"$\pm$", UNDEFINED: "---", "<": "$<$"}


_IN_SENTENCES = {**_SPECIAL, **_SIGNS}


def escaped(text: str) -> str:
    r"""A text in which LaTeX finds no command.

    >>> print(escaped(r"a_1 \input{x}"))
    a\_1 \textbackslash{}input\{x\}
    """
    return "".join(_SPECIAL.get(sign, sign) for sign in one_line(text))


def number(text: str) -> str:
    r"""A written number with its marks as LaTeX has them, and a minus that is one.

    >>> print(number("~-0.250 ±0.031"))
    $\sim$$-$0.250 $\pm$0.031
    """
    return "".join(_SIGNS.get(sign, sign) for sign in re.sub(r"-(?=\d)", "$-$", text))


def sentence(text: str) -> str:
    """Plain text in which the mark of what is expected may stand."""
    return "".join(_IN_SENTENCES.get(sign, sign) for sign in one_line(text))


def tabular(heads: Sequence[str], rows: Sequence[Sequence[str]], columns: str) -> str:
    """A table; heads and cells are LaTeX, ``columns`` has a letter for each."""
    lines = [" & ".join(row) + r" \\" for row in [heads, *rows]]
    begin, end = f"\\begin{{tabular}}{{{columns}}}", r"\end{tabular}"
    parts = [begin, r"\toprule", lines[0], r"\midrule", *lines[1:], r"\bottomrule", end]
    return "\n".join(parts) + "\n"


def floating(table: str, caption: str, label: str) -> str:
    """A table with its caption, which is plain text, and what the document has to load."""
    head = [r"% \usepackage{booktabs}", r"\begin{table}", r"\centering"]
    head += [f"\\caption{{{sentence(caption)}}}", f"\\label{{tab:{label}}}"]
    return "\n".join([*head, table + r"\end{table}", ""])
