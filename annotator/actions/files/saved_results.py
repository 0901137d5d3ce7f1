"""Results that were saved as JSON, compared."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from annotator.errors import InputError
from annotator.results.saved_results import ResultChanges, changes

MOST_BYTES = 500_000_000


def changes_of_files(before: Path, after: Path) -> ResultChanges:
    """Compare two files that `annotator score --format json` wrote.

    Raises
    ------
    InputError
        If one of them is something else.
    """
    old, new = _read(before), _read(after)
    for path, result in ((before, old), (after, new)):
        try:
            changes(result, result)
        except (KeyError, TypeError, ValueError, AttributeError):
            raise _no_result(path) from None
    return changes(old, new)


def _read(path: Path) -> Any:
    try:
        if path.stat().st_size > MOST_BYTES:
            raise _no_result(path)
        return json.loads(path.read_text("utf-8"))
    except (ValueError, RecursionError):
        raise _no_result(path) from None


def _no_result(path: Path) -> InputError:
    return InputError(
        f"{path}: no result of `annotator score --format json`; two of these can be compared, or "
        "two systems of a project, or runs with --qrels"
    )
