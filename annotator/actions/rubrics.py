"""Changing what the grades mean, without changing what was said under the old meaning."""

from __future__ import annotations

from dataclasses import dataclass

from annotator.errors import UsageError
from annotator.store import Project
from rubric import Rubric


@dataclass(frozen=True)
class RubricChange:
    """The rubric in force before, and how many labels counted then and count now."""

    before: Rubric
    counted_before: int
    counted_now: int


def set_rubric(project: Project, rubric: Rubric, *, carry_labels: bool = False) -> RubricChange:
    """Grade by a rubric from now on; labels under the one before count on only if carried.

    Raises
    ------
    UsageError
        If its version is not above those stored under its name, or carried labels do not fit it.
    """
    with project.file.writing():
        active = project.rubrics.active()
        labels = project.judgments.labels(project.rubrics.counted())
        if active.fingerprint == rubric.fingerprint:
            return RubricChange(active.rubric, len(labels.grade), len(labels.grade))
        highest = int(labels.grade.max(initial=0))
        if carry_labels and highest > rubric.top:
            raise UsageError(
                f"rubric {rubric.name} has grades 0 to {rubric.top}, and there are labels of grade "
                f"{highest}: they cannot be carried over"
            )
        _check_version(project, rubric)
        number = project.rubrics.add(rubric, project.now())
        project.rubrics.put_in_force(number, project.now(), carries=carry_labels)
        counted = project.judgments.labels(project.rubrics.counted())
    return RubricChange(active.rubric, len(labels.grade), len(counted.grade))


def _check_version(project: Project, rubric: Rubric) -> None:
    """A new text must be newer than all of its name; one that is stored may come back."""
    named = [one for one in project.rubrics.all() if one.rubric.name == rubric.name]
    newest = max((one.rubric.version for one in named), default=0)
    stored = any(one.fingerprint == rubric.fingerprint for one in named)
    if not stored and rubric.version <= newest:
        raise UsageError(
            f"rubric {rubric.name} version {rubric.version}: another text is stored as version "
            f"{newest}, and no stored version is ever changed; set `version = {newest + 1}` in the "
            "file"
        )
