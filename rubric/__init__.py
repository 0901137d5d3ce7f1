"""Score ranked retrieval results, with exact bounds over the documents that nobody has judged.

Everything works on arrays over many queries at once (:class:`JudgedRankings`); :func:`score` takes
plain dicts. Nothing here reads a file, looks at the clock, or prints.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

from rubric.errors import RubricError as RubricError
from rubric.gains import Gain as Gain
from rubric.scale import Level as Level
from rubric.scale import Rubric as Rubric

if TYPE_CHECKING:
    from rubric.public import *  # noqa: F403
    from rubric.public import __all__ as __all__

__version__ = "0.1.0"


def __getattr__(name: str) -> object:
    """Give all else when it is first asked for: who only reads a rubric need not load numpy."""
    if find_spec(f"rubric.{name}"):  # a module that is being imported, perhaps by what is public
        raise AttributeError(f"module {__name__!r} has no attribute {name!r} yet")
    public = import_module("rubric.public")
    if name != "__all__" and name not in public.__all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value: object = getattr(public, name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """All that is public, for completion and help."""
    public = import_module("rubric.public")
    return sorted({*public.__all__, *(name for name in globals() if name.startswith("__"))})
