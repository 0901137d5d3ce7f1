"""Rubrics as TOML files: the presets that ship with the program, and a person's own."""

from __future__ import annotations

import tomllib
from importlib.resources import files
from pathlib import Path

import tomli_w

from annotator.errors import InputError, UsageError
from annotator.sanitise import one_line
from rubric import Rubric, RubricError

DEFAULT = "general"
_PRESETS = files("annotator") / "presets"


def presets() -> dict[str, Rubric]:
    """The rubrics that ship with the program, by name."""
    texts = {
        entry.name.removesuffix(".toml"): entry.read_text("utf-8")
        for entry in sorted(_PRESETS.iterdir(), key=lambda entry: entry.name)
        if entry.name.endswith(".toml")
    }
    return {name: from_toml(text, name) for name, text in texts.items()}


def load(name_or_file: str) -> Rubric:
    """A preset by its name, or a rubric from a TOML file.

    Raises
    ------
    UsageError
        If it is neither.
    InputError
        If the file is not a valid rubric, with all of its faults.
    """
    known = presets()
    if name_or_file in known:
        return known[name_or_file]
    path = Path(name_or_file)
    try:
        return from_toml(path.read_text("utf-8-sig"), name_or_file)
    except UnicodeDecodeError as error:
        raise InputError(f"{name_or_file}: not UTF-8 text (byte {error.start})") from error
    except OSError as error:
        raise UsageError(
            f"rubric {name_or_file}: neither a preset ({', '.join(known)}) nor a file that can be "
            "read; `annotator rubric list` shows the presets"
        ) from error


def from_toml(text: str, source: str) -> Rubric:
    """Read a rubric from TOML text.

    Raises
    ------
    InputError
        If it is no TOML, or no valid rubric: with all of its faults.
    """
    try:
        return Rubric.from_dict(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{source}: not a TOML file: {one_line(str(error))}") from error
    except RubricError as error:
        faults = [one_line(fault) for fault in error.faults]
        raise InputError(f"{source}: not a valid rubric; {len(faults)} to mend", faults) from error


def to_toml(rubric: Rubric) -> str:
    """A rubric as TOML text that :func:`from_toml` reads back as the same."""
    return tomli_w.dumps(rubric.to_dict(), multiline_strings=False)
