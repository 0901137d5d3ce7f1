"""Score ranked retrieval results, with exact bounds over the documents that nobody has judged.

Everything works on arrays over many queries at once (:class:`JudgedRankings`); :func:`score` takes
plain dicts. Nothing here reads a file, looks at the clock, or prints.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

from rubric.errors import RubricError
from rubric.gains import Gain
from rubric.scale import Level, Rubric

if TYPE_CHECKING:
    from rubric.public import *  # noqa: F403

__all__ = ["Gain", "Level", "Rubric", "RubricError"]


def __getattr__(name: str) -> object:
    """Give all else when it is first asked for: who only reads a rubric need not load numpy."""
    if find_spec(f"rubric.{name}"):  # a module that is being imported, perhaps by what is public
        raise AttributeError(f"module {__name__!r} has no attribute {name!r} yet")
    public = import_module("rubric.public")
    if name not in public.__all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value: object = getattr(public, name)
    globals()[name] = value
    return value
