"""Columns as a frame of pandas or polars, neither of which is needed for anything else."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from rubric.errors import RubricError

LIBRARIES = ("pandas", "polars")


def frame(columns: Mapping[str, Any]) -> Any:
    """A frame of columns of one length: of the library that is in use, else of one that is there.

    Raises
    ------
    RubricError
        If neither is installed.
    """
    in_use_first = sorted(LIBRARIES, key=lambda one: one not in sys.modules)
    for one in in_use_first:
        if one in sys.modules or find_spec(one) is not None:
            return import_module(one).DataFrame(dict(columns))
    raise RubricError("a frame", ["install pandas or polars; columns() needs neither"])
