"""A project: one SQLite file with everything that is known of one comparison."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from annotator.store import identity
from annotator.store.bookmarks import BookmarkTable
from annotator.store.collection import DocumentTable, QueryTable
from annotator.store.judgments import JudgmentTable
from annotator.store.model_labels import ModelLabelTable
from annotator.store.pool import PoolTable
from annotator.store.presence import PresenceTable
from annotator.store.removals import RemovalTable
from annotator.store.rubrics import RubricTable
from annotator.store.sight import SightTable
from annotator.store.sqlite.file import ProjectFile
from annotator.store.systems import SystemTable
from annotator.store.weights import WeightTable
from annotator.text.times import stored
from rubric import Rubric

if TYPE_CHECKING:
    from annotator.store.staging.area import Staging

Clock = Callable[[], datetime]


def utc_now() -> datetime:
    """The time, in UTC."""
    return datetime.now(UTC)


class Project:
    """The tables of one project file, over one connection."""

    def __init__(self, file: ProjectFile, clock: Clock = utc_now) -> None:
        self.file = file
        self.clock = clock
        self.rubrics = RubricTable(file)
        self.queries = QueryTable(file)
        self.documents = DocumentTable(file)
        self.weights = WeightTable(file)
        self.systems = SystemTable(file)
        self.pool = PoolTable(file)
        self.judgments = JudgmentTable(file)
        self.models = ModelLabelTable(file)
        self.removals = RemovalTable(file)
        self.sight = SightTable(file)
        self.presence = PresenceTable(file)
        self.bookmarks = BookmarkTable(file)

    @classmethod
    def create(
        cls,
        path: Path,
        rubric: Rubric,
        clock: Clock = utc_now,
        begin: Callable[[Project], object] = id,
    ) -> Project:
        """Make a project file that grades by a rubric; it is there when ``begin`` has filled it.

        Raises
        ------
        ProjectError
            If the file exists or cannot be written.
        """

        def fill(file: ProjectFile) -> None:
            project = cls(file, clock)
            identity.give(file, project.now())
            project.rubrics.put_in_force(project.rubrics.add(rubric, project.now()), project.now())
            begin(project)

        return cls(ProjectFile.create(path, fill), clock)

    @classmethod
    def open(
        cls, path: Path, clock: Clock = utc_now, tell: Callable[[str], object] = str
    ) -> Project:
        """Open a project file; ``tell`` gets a sentence if another program has to be waited for.

        Raises
        ------
        ProjectError
            If it is missing, of another kind, of a newer release, damaged, or not writable.
        """
        return cls(ProjectFile.open(path, tell), clock)

    def now(self) -> str:
        """The time as it is stored: ISO 8601, UTC, milliseconds."""
        now = self.clock()
        return stored(now.replace(microsecond=now.microsecond // 1000 * 1000))

    def staging(self) -> AbstractContextManager[Staging]:
        """A place outside the project for what is read of files."""
        from annotator.store.staging.area import staging

        return staging(self.file)

    def close(self) -> None:
        """Close the file."""
        self.file.close()
