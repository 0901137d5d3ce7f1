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


def spooled(owner: object) -> Path:
    """Copy standard input to a temporary file, which is removed with its owner.

    Raises
    ------
    UsageError
        If there is none.
    """
    if sys.stdin is None:
        raise UsageError("-: there is no standard input")
    handle, name = tempfile.mkstemp(prefix="annotator-")
    weakref.finalize(owner, Path(name).unlink, missing_ok=True)
    with os.fdopen(handle, "wb") as file:
        shutil.copyfileobj(sys.stdin.buffer, file)
    return Path(name)
