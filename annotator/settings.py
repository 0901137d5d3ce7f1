"""What a person has set: keys, theme, breaks. One TOML file, which need not be there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from platformdirs import user_config_path

from annotator.errors import InputError
from annotator.text.safe import one_line

BREAK_MINUTES = 50
_TABLES = {"keys", "theme", "break_minutes", "backups"}


@dataclass(frozen=True)
class Settings:
    """What may be set.

    Parameters
    ----------
    keys
        The keys of a binding, separated by commas, by the binding's id.
    theme
        The name of a theme; empty for the program's own.
    break_minutes
        After so much work without a rest one is suggested; 0 for never.
    backups
        How many daily backups of a project are kept; 0 for none, None for as many as usual.
    source
        The file they were read from, for messages.
    """

    keys: Mapping[str, str] = field(default_factory=dict)
    theme: str = ""
    break_minutes: int = BREAK_MINUTES
    backups: int | None = None
    source: str = "config.toml"


def settings_path() -> Path:
    """Where the settings are looked for on this system."""
    return user_config_path("annotator", appauthor=False) / "config.toml"


def read_settings(path: Path) -> Settings:
    """Read the settings; those of the program where there is no file.

    Raises
    ------
    InputError
        If the file cannot be read, or something in it is not a setting.
    """
    try:
        text = path.read_text("utf-8")
        from tomllib import loads  # few have such a file

        values = loads(text)
    except FileNotFoundError:
        return Settings(source=str(path))
    except OSError as error:
        raise InputError(f"{path}: it cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise InputError(f"{path}: not a TOML file: {one_line(str(error))}") from error
    if unknown := [one_line(key, 40) for key in values if key not in _TABLES]:
        raise InputError(
            f"{path}: no setting {', '.join(unknown)}; there are {', '.join(sorted(_TABLES))}"
        )
    theme, minutes = values.get("theme", ""), values.get("break_minutes", BREAK_MINUTES)
    if not isinstance(theme, str):
        raise InputError(f"{path}: theme must be text")
    if not isinstance(minutes, int) or isinstance(minutes, bool) or minutes < 0:
        raise InputError(f"{path}: break_minutes must be a number of minutes, 0 for never")
    backups = values.get("backups")
    if backups is not None and (type(backups) is not int or backups < 0):
        raise InputError(f"{path}: backups must be a number of copies to keep, 0 for none")
    return Settings(_keys(path, values.get("keys", {})), theme, minutes, backups, str(path))


def _keys(path: Path, values: Any) -> dict[str, str]:
    """The keys by id, whether an id was quoted or TOML took its dots for tables."""
    if not isinstance(values, dict):
        raise InputError(f'{path}: keys must be a table such as [keys] with "grade.0" = "a"')
    keys: dict[str, str] = {}
    for name, value in values.items():
        if isinstance(value, dict):
            keys |= {f"{name}.{rest}": one for rest, one in _keys(path, value).items()}
            continue
        listed = value if isinstance(value, list) else [value]
        if not all(isinstance(one, str) for one in listed):
            raise InputError(f"{path}: keys: {one_line(name, 40)} must be text or a list of texts")
        keys[name] = ",".join(listed)
    return keys
