"""Times as files have them: ISO 8601 with any offset, or a number of seconds since 1970."""

from __future__ import annotations

import math
import re
from datetime import UTC, datetime, timedelta

from annotator.formats.json_values import json_type
from annotator.formats.problems import Problems
from annotator.text.times import stored

EXAMPLE = "2025-01-31T09:30:00Z"

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_NUMBER = re.compile(r"[0-9]{9,17}(\.[0-9]{1,9})?", re.ASCII)
_UNITS = ((1e11, 1_000_000), (1e14, 1_000), (math.inf, 1))
"""Up to which number a time is in seconds, in milliseconds, in microseconds."""


def moment(value: object, name: str, problems: Problems) -> str:
    """A time as it is stored, empty for none; one without a zone is UTC, and that is remarked.

    Raises
    ------
    ValueError
        With the reason.
    """
    if value is None or value == "":
        return ""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise ValueError(f"{name} must be a time such as {EXAMPLE}, not {json_type(value)}")
    text = str(value).strip()
    try:
        if not isinstance(value, str) or _NUMBER.fullmatch(text):
            return stored(_since_1970(float(text), text))
        if text.isdecimal() and len(text) != len("20250131"):
            raise ValueError
        made = datetime.fromisoformat(re.sub(r"\s?(UTC|GMT)$", "+00:00", text))
        if made.tzinfo is None:
            said = "{count:time has|times have} no zone: taken as UTC"
            problems.remark("times without a zone", said)
        return stored(made)
    except (ValueError, OverflowError):
        raise ValueError(f"{name} must be a time such as {EXAMPLE}, not {text[:60]}") from None


def judged_at(value: object, name: str, problems: Problems) -> str:
    """The time of a label; where a file's own time cannot be read that is remarked, and none taken.

    Raises
    ------
    ValueError
        If what is called ``at``, here or by a person, is no time.
    """
    try:
        return moment(value, name, problems)
    except ValueError:
        if name == "at":
            raise
        problems.remark(
            "times that cannot be read",
            "{count:time|times} cannot be read, so these labels are taken as of now; a time "
            f"such as {EXAMPLE} can",
        )
        return ""


def _since_1970(number: float, text: str) -> datetime:
    unit = next(unit for most, unit in _UNITS if abs(number) < most)
    whole, _, rest = text.partition(".")
    if "e" in text.lower():
        whole, rest = str(int(number)), ""
    fraction = round(float(f"0.{rest or 0}") * unit)
    return _EPOCH + timedelta(microseconds=int(whole) * unit + fraction)


def duration(value: object, name: str) -> float | None:
    """How long a judgment took in seconds, None where nothing is said.

    Raises
    ------
    ValueError
        With the reason.
    """
    if value is None or value == "":
        return None
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise ValueError(f"{name} must be a number, not {json_type(value)}")
    try:
        seconds = float(value)
    except ValueError:
        raise ValueError(f"{name} must be a number, not text") from None
    except OverflowError:  # an integer that no float holds
        seconds = math.inf
    if not 0 <= seconds < math.inf:
        raise ValueError(f"{name} must be finite and not negative")
    return seconds
