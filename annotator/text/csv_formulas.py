"""Keeps cells of a CSV file from being run as formulas by a spreadsheet, and reads them back."""

from __future__ import annotations

import re

FORMULA = re.compile("'*[=+\\-@\t\r\n\uff1d\uff0b\uff0d\uff20]")  # the last four are wide = + - @


def neutral(cell: str) -> str:
    """Put an apostrophe before what a spreadsheet would take for a formula."""
    return f"'{cell}" if FORMULA.match(cell) else cell


def original(cell: str) -> str:
    """Take that apostrophe off again."""
    return cell[1:] if cell.startswith("'") and FORMULA.match(cell) else cell
