"""Grade pooled documents in the terminal, track coverage, score systems honestly."""

from __future__ import annotations

__version__ = "0.1.0"
