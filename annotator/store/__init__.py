"""The project file; nothing else in the program knows that it is SQLite.

Reading a project and grading load neither numpy nor sqlite-utils: those are imported where arrays
are made and where the schema is. What an import fills is in :mod:`annotator.store.staging.area`.
"""

from __future__ import annotations

from annotator.store.assessor_view import Desk
from annotator.store.labels import Labels
from annotator.store.log import Entry, Placed
from annotator.store.pool import Pool, Pooled
from annotator.store.project import Clock, Project
from annotator.store.rubrics import RubricVersion
from annotator.store.sqlite.file import ProjectFile
from annotator.store.staging.texts import StagedTexts, Stored
from annotator.store.systems import System

__all__ = [
    "Clock",
    "Desk",
    "Entry",
    "Labels",
    "Placed",
    "Pool",
    "Pooled",
    "Project",
    "ProjectFile",
    "RubricVersion",
    "StagedTexts",
    "Stored",
    "System",
]
