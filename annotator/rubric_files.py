"""Rubrics as TOML files: the presets that ship with the program, and a person's own."""

from __future__ import annotations

import re
import tomllib
from importlib.resources import files
from pathlib import Path

import tomli_w

from annotator.errors import InputError, UsageError
from annotator.text.safe import one_line
from rubric import Rubric, RubricError

DEFAULT = "general"
LARGEST = 256 * 1024
PARTS = 16
DOTTED = re.compile(rf"(?<![\w'\"-])(?:[\w'\"-]++[ \t]*+\.[ \t]*+){{{PARTS}}}")
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
    if path.exists() and not path.is_file():
        raise InputError(f"{name_or_file}: is a folder or a device; name a file with a rubric")
    try:
        return from_toml(_text(path), name_or_file)
    except UnicodeDecodeError as error:
        raise InputError(f"{name_or_file}: not UTF-8 text (byte {error.start})") from error
    except OSError as error:
        raise UsageError(
            f"rubric {name_or_file}: neither a preset ({', '.join(known)}) nor a file that can be "
            "read; `annotator rubric list` shows the presets"
        ) from error


def _text(path: Path) -> str:
    """The text of a file, which must be as short as a rubric is."""
    with path.open("rb") as file:
        content = file.read(LARGEST + 1)
    if len(content) > LARGEST:
        raise InputError(f"{path}: is no rubric: it has more than {LARGEST >> 10} KiB")
    return content.decode("utf-8-sig")


def _check_depth(text: str) -> None:
    """Refuse keys of many parts, whose square TOML's reader takes of memory.

    Raises
    ------
    TOMLDecodeError
        If there are any.
    """
    if many := DOTTED.search(text):
        line = text.count("\n", 0, many.start()) + 1
        raise tomllib.TOMLDecodeError(f"a key of more than {PARTS} parts (at line {line})")


def from_toml(text: str, source: str) -> Rubric:
    """Read a rubric from TOML text.

    Raises
    ------
    InputError
        If it is no TOML, or no valid rubric: with all of its faults.
    """
    try:
        _check_depth(text)
        return Rubric.from_dict(tomllib.loads(text))
    except RecursionError:
        raise InputError(f"{source}: not a rubric: nested too deeply") from None
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{source}: not a TOML file: {one_line(str(error))}") from error
    except RubricError as error:
        faults = [one_line(fault) for fault in error.faults]
        raise InputError(f"{source}: not a valid rubric; {len(faults)} to mend", faults) from error


def to_toml(rubric: Rubric) -> str:
    """A rubric as TOML text that :func:`from_toml` reads back as the same."""
    return tomli_w.dumps(rubric.to_dict(), multiline_strings=False)
