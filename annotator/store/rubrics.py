"""Rubric versions: each is kept for good, known by the fingerprint of its text."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from annotator.domain import InForce
from annotator.errors import UsageError
from annotator.store.sqlite.file import ProjectFile
from rubric import Rubric


class RubricVersion(NamedTuple):
    """A stored rubric, and whether it is the one in force."""

    id: int
    rubric: Rubric
    fingerprint: str
    in_force: bool


class RubricTable:
    """The rubric versions of a project, and which of them has been in force when."""

    def __init__(self, file: ProjectFile) -> None:
        self._file = file

    def all(self) -> list[RubricVersion]:
        """Every version, in the order they were stored."""
        self._file.check("rubric_version", "rubric_in_force")
        active = self.number_in_force()
        return [
            RubricVersion(
                row["id"],
                Rubric.from_dict(json.loads(row["text"])),
                row["fingerprint"],
                row["id"] == active,
            )
            for row in self._file.rows("SELECT * FROM rubric_version ORDER BY id")
        ]

    def number_in_force(self) -> int | None:
        """The number of the version in force; None in a project that has no rubric."""
        rows = self._file.tuples(
            "SELECT rubric_version_id FROM rubric_in_force ORDER BY id DESC LIMIT 1"
        )
        return rows[0][0] if rows else None

    def active(self, as_of: datetime | None = None) -> RubricVersion:
        """The version in force (then; the first one, if none was yet)."""
        chain = self._chain(as_of)
        for version in self.all():
            if chain and version.id == chain[0][0]:
                return version
        raise UsageError(f"{self._file.path}: the project has no rubric; run `annotator init`")

    def counted(self, as_of: datetime | None = None) -> frozenset[int]:
        """The versions whose labels count (then): the one in force, and those it carries over."""
        return frozenset(version for version, _, _ in self._chain(as_of))

    def history(self) -> list[InForce]:
        """Every rubric that has been in force, oldest first."""
        self._file.check("rubric_version", "rubric_in_force")
        rows = self._file.tuples(
            "SELECT fingerprint, carries, since FROM rubric_in_force AS force"
            " JOIN rubric_version ON rubric_version.id = rubric_version_id ORDER BY force.id"
        )
        return [InForce(rubric, bool(carries), since) for rubric, carries, since in rows]

    def _chain(self, as_of: datetime | None = None) -> list[tuple[int, str, bool]]:
        """The versions that came into force one carrying the other, newest first."""
        self._file.check("rubric_version", "rubric_in_force")
        rows = self._file.tuples(
            "SELECT rubric_version_id, fingerprint, carries, since FROM rubric_in_force AS force"
            " JOIN rubric_version ON rubric_version.id = rubric_version_id ORDER BY force.id DESC"
        )
        if as_of is not None:
            then = [row for row in rows if datetime.fromisoformat(row[3]) <= as_of]
            rows = then or rows[-1:]
        chain = []
        for version, fingerprint, carries, _ in rows:
            chain.append((version, fingerprint, bool(carries)))
            if not carries:
                break
        return chain

    def add(self, rubric: Rubric, now: str) -> int:
        """Store a version, if this exact text is not there yet; its id.

        Raises
        ------
        UsageError
            If another text is stored under the same name and version.
        """
        with self._file.writing():
            known = self._file.one(
                "SELECT id, fingerprint FROM rubric_version WHERE name = ? AND version = ?",
                (rubric.name, rubric.version),
            )
            if known and known["fingerprint"] != rubric.fingerprint:
                raise UsageError(
                    f"rubric {rubric.name} version {rubric.version} is stored with another text; "
                    "a stored version is never changed, so raise `version` in the file"
                )
            if known:
                return int(known["id"])
            number = self._file.execute(
                "INSERT INTO rubric_version (name, version, text, fingerprint, created)"
                " VALUES (?, ?, ?, ?, ?)",
                (rubric.name, rubric.version, rubric.canonical(), rubric.fingerprint, now),
            )
            self._file.seal("rubric_version")
            return number

    def put_in_force(self, version: int, now: str, *, carries: bool = False) -> None:
        """Grade by this version from now on; with ``carries``, labels go on counting.

        Raises
        ------
        UsageError
            If labels that would go on counting may be above the grades of this version.
        """
        with self._file.writing():
            if carries:
                self._check_tops(version)
            self._file.execute(
                "INSERT INTO rubric_in_force (rubric_version_id, carries, since) VALUES (?, ?, ?)",
                (version, int(carries), now),
            )
            self._file.seal("rubric_in_force")

    def restore(self, history: Sequence[InForce]) -> None:
        """Let these versions have been in force, and no other: for a project without labels."""
        numbers = {one.fingerprint: one.id for one in self.all()}
        with self._file.writing():
            self._file.execute("DELETE FROM rubric_in_force")
            self._file.many(
                "INSERT INTO rubric_in_force (rubric_version_id, carries, since) VALUES (?, ?, ?)",
                ((numbers[one.rubric], int(one.carries), one.since) for one in history),
            )
            self._file.seal("rubric_in_force")

    def _check_tops(self, version: int) -> None:
        tops = {one.id: one.rubric.top for one in self.all()}
        highest = max((tops[one] for one in self.counted()), default=0)
        if highest > tops[version]:
            raise UsageError(
                f"the labels so far may have grades up to {highest}, the new rubric only up to "
                f"{tops[version]}, so they cannot be carried over"
            )
