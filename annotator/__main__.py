"""Runs the program: ``annotator``, or ``python -m annotator``."""

from __future__ import annotations

import sys

from annotator.cli import main

if __name__ == "__main__":
    sys.exit(main())
