from __future__ import annotations

from tests.projects import _close_projects

__all__ = ["_close_projects"]
