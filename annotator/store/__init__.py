"""The project file; nothing else in the program knows that it is SQLite.

Reading a project and grading load neither numpy nor sqlite-utils: those are imported where arrays
are made and where the schema is. What an import fills is in :mod:`annotator.store.staging`.
"""

from __future__ import annotations

from annotator.store.desk import Desk
from annotator.store.file import ProjectFile
from annotator.store.labels import Labels
from annotator.store.log import Entry
from annotator.store.pool import Pool
from annotator.store.project import Clock, Project
from annotator.store.rubrics import RubricVersion
from annotator.store.staged_texts import StagedTexts, Stored
from annotator.store.systems import System

__all__ = [
    "Clock",
    "Desk",
    "Entry",
    "Labels",
    "Pool",
    "Project",
    "ProjectFile",
    "RubricVersion",
    "StagedTexts",
    "Stored",
    "System",
]
