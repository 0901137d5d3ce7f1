"""What the qrels readers share: a grade as it stands in a file."""

from __future__ import annotations

import re

INTEGER = re.compile(r"[+-]?[0-9]{1,15}", re.ASCII)
DECIMAL = re.compile(r"[+-]?[0-9]*[.,][0-9]+", re.ASCII)


def grade(text: str) -> int:
    """Read a grade; it must be an integer, since cutting off its decimals would change it.

    Raises
    ------
    ValueError
        With the reason.
    """
    if INTEGER.fullmatch(text):
        return int(text)
    if DECIMAL.fullmatch(text):
        raise ValueError(f"the grade must be an integer (it is never rounded), not {text}")
    raise ValueError(f"the grade must be an integer, not {text or 'nothing'}")
