"""How a model came to its grade, as a JSON object in the judgment log."""

from __future__ import annotations

import json
import re

from annotator.domain import ModelAnswer

LONGEST = 1000
"""Characters of a model's answer that are kept."""

OK, EMPTY, UNREADABLE, OUT_OF_RANGE = "ok", "empty", "unreadable", "out of range"
_HASH = re.compile(r"[0-9a-f]{16,128}")


def dumps(answer: ModelAnswer) -> str:
    """Return the answer as one line, without what is not known."""
    usual = ModelAnswer._field_defaults
    said = {
        name: value
        for name, value in answer._replace(raw=answer.raw[:LONGEST])._asdict().items()
        if name not in usual or value != usual[name]
    }
    return json.dumps(said, ensure_ascii=False, allow_nan=False, sort_keys=True)


def loads(text: str) -> ModelAnswer:
    """Read it again.

    Raises
    ------
    ValueError
        If it is none, or does not name the model and the hash of its prompt.
    """
    said = json.loads(text)
    try:
        answer = ModelAnswer(**said)
    except TypeError:
        raise ValueError("the answer of a model needs model and prompt, and has no other keys "
                         f"than {', '.join(ModelAnswer._fields)}") from None  # fmt: skip
    named = [answer.model, answer.version, answer.status, answer.raw]
    if not all(isinstance(one, str) for one in named) or not answer.model or not answer.status:
        raise ValueError("the answer of a model names its model and status in text")
    if not isinstance(answer.prompt, str) or not _HASH.fullmatch(answer.prompt):
        raise ValueError("the answer of a model has no hash of its prompt")
    for name in ("temperature", "cost"):
        number(getattr(answer, name), name)
    return answer


def number(value: object, name: str) -> float | None:
    """A number of 0 or more, or none.

    Raises
    ------
    ValueError
        If it is something else.
    """
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < 1e12:
        raise ValueError(f"{name} must be a number from 0 on")
    return float(value)
