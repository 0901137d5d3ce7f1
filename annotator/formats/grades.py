"""What the qrels readers share: a grade as it stands in a file."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import TypeAlias

from annotator.formats.json_values import json_type

INTEGER = re.compile(r"[+-]?[0-9]{1,15}", re.ASCII)
WHOLE = re.compile(r"([+-]?[0-9]{1,15})[.,]0{1,15}", re.ASCII)
DECIMAL = re.compile(r"[+-]?[0-9]*[.,][0-9]+", re.ASCII)
NUMBER = re.compile(r"[+-]?(?=[.0-9])[0-9]{0,15}(\.[0-9]{0,15})?", re.ASCII)

UNJUDGED = -1
"""What a row says that has no grade, as TREC qrels do."""

RELEVANT = 1
"""The grade of what a file only lists as relevant."""

Scale: TypeAlias = dict[str | Decimal, int]
"""What each grade of a file is in the rubric; numbers are compared as numbers."""


def remark_on_lists(what: str) -> str:
    """The sentence on such a grade."""
    return f"{what} has grade {RELEVANT}; --grades {RELEVANT}:3 says another"


def grade(text: str, scale: Scale | None = None) -> int:
    """Read a grade: a whole number, or what the scale says of it.

    It is never rounded, since cutting off its decimals would change it.

    Raises
    ------
    ValueError
        With the reason.
    """
    if scale:
        if (key := scale_key(text)) in scale:
            return scale[key]
        raise ValueError(f"--grades says nothing of the grade {text or 'nothing'}")
    if INTEGER.fullmatch(text):
        return int(text)
    if whole := WHOLE.fullmatch(text):
        return int(whole[1])
    if DECIMAL.fullmatch(text):
        raise ValueError(f"the grade must be an integer (it is never rounded), not {text}")
    raise ValueError(f"the grade must be an integer, not {text or 'nothing'}")


def grade_of(value: object, scale: Scale | None = None) -> int:
    """Read a grade as JSON has it: a number or text; null leaves the row unjudged.

    Raises
    ------
    ValueError
        With the reason.
    """
    if value is None:
        return UNJUDGED
    if isinstance(value, bool):
        return grade(str(value).lower(), scale)
    if not isinstance(value, int | float | str):
        raise ValueError(f"the grade must be an integer, not {json_type(value)}")
    return grade(str(value).strip(), scale)


def scale_key(text: str) -> str | Decimal:
    """What a grade is looked up by: ``1``, ``1.0`` and ``1,0`` are one, so are ``E`` and ``e``."""
    number = text.replace(",", ".")  # as tables from many countries have it
    if NUMBER.fullmatch(number) and number.strip("+-."):
        return Decimal(number)
    return text.casefold()
