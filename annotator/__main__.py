"""Runs the program: ``annotator``, or ``python -m annotator``."""

from __future__ import annotations

import gc
import os
import sys

gc.set_threshold(50_000)  # what a start makes stays: to look for garbage in it takes a tenth of it

# Matrices here are small: threads wait for one another longer than they multiply.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from annotator.cli import main  # noqa: E402

if __name__ == "__main__":
    sys.exit(main())
