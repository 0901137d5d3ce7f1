"""Standard input as a file: it is read more than once, so it is kept until its reader is gone."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import weakref
from pathlib import Path

from annotator.errors import UsageError

STANDARD_INPUT = "standard input"

_OPEN_FILES = Path("/proc/self/fd")
"""Where Linux gives open files another name, by which they can be opened anew."""


def spooled(owner: object) -> Path:
    """Copy standard input to a temporary file, which is removed with its owner.

    Raises
    ------
    UsageError
        If there is none.
    """
    if sys.stdin is None:
        raise UsageError("-: there is no standard input")
    if _OPEN_FILES.is_dir():  # without a name it is gone with this process, however that ends
        kept = tempfile.TemporaryFile()  # noqa: SIM115 -- closed with its owner
        weakref.finalize(owner, kept.close)
        shutil.copyfileobj(sys.stdin.buffer, kept)
        kept.flush()
        return _OPEN_FILES / str(kept.fileno())
    handle, name = tempfile.mkstemp(prefix="annotator-")
    weakref.finalize(owner, Path(name).unlink, missing_ok=True)
    with os.fdopen(handle, "wb") as file:
        shutil.copyfileobj(sys.stdin.buffer, file)
    return Path(name)
