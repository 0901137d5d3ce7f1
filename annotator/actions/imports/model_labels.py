"""Labels that models gave into a project: each with its model and prompt, and no label by itself.

They are entries of the log, of assessors of the kind model. Nothing counts them as labels; what is
asked for them by name gets them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from annotator.actions.imports.log import judgments_of, storing_log
from annotator.actions.imports.report import Found
from annotator.actions.imports.transaction import Storing
from annotator.domain import AssessorKind, JudgmentEvent, ModelLabel
from annotator.errors import UsageError
from annotator.formats import Hints, JudgmentLog, model_answers, model_labels
from annotator.formats.input.source import Source
from annotator.formats.model_labels import Asked
from annotator.formats.problems import Problems
from annotator.store import Project
from annotator.store.staging.area import Staging
from annotator.text.plural import some
from annotator.text.safe import one_line

SHOWN = 5


def model_labels_of(project: Project, source: Source, *, asked: Asked, name: str = "") -> Storing:
    """Read what models said of pairs, to be entries of the log.

    The assessor is called ``name``, or as its model. An answer that is no grade of the rubric is
    stored as the failure it is.

    Raises
    ------
    InputError
        If a line is bad, names no model, or has no hash of its prompt.
    UsageError
        If one assessor would have labels of two models or by two prompts.
    """
    problems = Problems(source.name)
    labels = list(model_labels.read(source, problems, asked, project.rubrics.active().rubric.top))
    if problems.count:
        problems.advice = (
            "Labels of a model are taken with the model and the prompt that gave them: "
            "--model NAME --prompt FILE, or `model` and `prompt_hash` in each line of JSON"
        )
        problems.raise_if_any("judgments")
    _check_prompts(project, labels, name)
    events = [(one.line, _event(one, name)) for one in labels]
    store = storing_log(project, JudgmentLog({}, [], iter(())), events, problems)
    return lambda: _with_failures(store(), labels)


def judgments_or_model_labels_of(
    project: Project,
    staged: Staging,
    path: Path,
    *,
    asked: Asked,
    name: str = "",
    hints: Hints | None = None,
) -> Storing:
    """Read a log, or labels of a model if the person or the file says that they are such."""
    source = Source(path, hints)
    if asked.model or model_labels.recognise(source.head()):
        return model_labels_of(project, source, asked=asked, name=name)
    return judgments_of(project, staged, path, source=source)


def _event(label: ModelLabel, name: str) -> JudgmentEvent:
    return JudgmentEvent(
        qid=label.qid,
        docid=label.docid,
        assessor=name or label.answer.model,
        assessor_kind=AssessorKind.MODEL,
        grade=label.grade,
        at=label.at,
        answer=model_answers.dumps(label.answer),
    )


def _check_prompts(project: Project, labels: Sequence[ModelLabel], name: str) -> None:
    """Refuse to mix models or prompts under one name."""
    asked = dict[str, tuple[str, str, str]]()
    versions = [one.id for one in project.rubrics.all()]
    for known, number in project.models.models().items():
        for one in project.models.answers(number, versions)[:1]:
            asked[known] = model_answers.loads(one.answer)[:3]
    for label in labels:
        who, how = name or label.answer.model, label.answer[:3]
        if asked.setdefault(who, how) != how:
            raise UsageError(
                f"{one_line(who, 40)} would have labels of two models, versions or prompts "
                f"(line {label.line}): import them apart, each with an --assessor NAME of its own"
            )


def _with_failures(found: Found, labels: Sequence[ModelLabel]) -> Found:
    """Say which answers are no grades."""
    failed = [one for one in labels if one.grade is None]
    kinds = Counter(one.answer.status for one in failed)
    shown = [
        f"line {one.line}: {one_line(one.answer.raw, 20) or one_line(one.answer.status, 20)}"
        for one in failed[:SHOWN]
    ]
    for kind, count in kinds.items():
        found.note(count, f"answers that failed: {one_line(kind, 40)}")
    if failed:
        found.warn(
            f"{len(failed):,} of {len(labels):,} answers are no grades and stay without one, never "
            f"0: {some(shown + [''] * (len(failed) - len(shown)), SHOWN)}"
        )
    found.warn(
        "labels of a model are evidence, not judgments: coverage, bounds, tests and `export qrels` "
        "leave them out"
    )
    return found
