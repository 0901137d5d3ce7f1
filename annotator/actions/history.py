"""The judgment log as a person reads it: who said what of which pair, and what that replaced."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from annotator.domain import JudgmentEvent, Mark
from annotator.errors import UsageError
from annotator.store import Project
from annotator.store.model_labels import MODELS_SEEN
from annotator.store.precedence import held
from annotator.text.safe import one_line

SAID = {Mark.LATER: "later", Mark.CANNOT: "cannot judge"}


class Entry(NamedTuple):
    """One entry of the log; ``replaced`` is what held for the same assessor before its time.

    ``earlier_text`` says that the document has another text now.
    """

    event: int
    at: str
    assessor: str
    query: str
    document: str
    said: str
    replaced: str
    note: str
    rubric: str
    blind: bool
    chosen: str
    earlier_text: bool


def heads(project: Project) -> list[str]:
    """Of each chain of the log how many entries it has, its head, and whose entries they are."""
    return [
        f"{one.entries}:{one.head.hex()} {one_line(one.assessor)}"
        for one in project.judgments.chains()
    ]


def history(
    project: Project,
    *,
    query: str | None = None,
    document: str | None = None,
    assessor: str | None = None,
    since: datetime | None = None,
    until: datetime | None = None,
    latest: int | None = None,
) -> list[Entry]:
    """The entries that fit, in the order they were stored; only the ``latest`` of them if given.

    ``since`` and ``until`` go by the time that an entry says it was made.

    Raises
    ------
    UsageError
        If no assessor has that name.
    """
    known = project.judgments.assessors()
    if assessor is not None and assessor not in known:
        raise UsageError(f"no assessor {assessor}; there are: {', '.join(known) or 'none yet'}")
    events = list(project.judgments.events())  # before the rubrics: one may be new
    rubrics = {
        one.fingerprint: f"{one.rubric.name} v{one.rubric.version}" for one in project.rubrics.all()
    }
    earlier = project.judgments.of_earlier_texts()
    numbers = {event.identity: event.event for event in events}
    said_of: dict[tuple[str, str, str], list[JudgmentEvent]] = {}
    for event in events:
        said_of.setdefault((event.assessor, event.qid, event.docid), []).append(event)
    entries: deque[Entry] = deque(maxlen=latest)
    for event in events:
        said, pair = _said(event, numbers), said_of[event.assessor, event.qid, event.docid]
        wanted = (query, document, assessor)
        if all(
            want in (None, have)
            for want, have in zip(wanted, (event.qid, event.docid, event.assessor), strict=True)
        ) and _within(event.at, since, until):
            entries.append(
                Entry(
                    event.event, event.at, event.assessor, event.qid, event.docid, said,
                    _replaced(event, pair), event.note, rubrics[event.rubric], event.blind,
                    event.chosen or "", event.event in earlier,
                )
            )  # fmt: skip
    return list(entries)


def _within(at: str, since: datetime | None, until: datetime | None) -> bool:
    if since is until is None:
        return True
    moment = datetime.fromisoformat(at)
    return not (since and moment < since) and not (until and moment > until)


def _replaced(event: JudgmentEvent, pair: Sequence[JudgmentEvent]) -> str:
    """What held for the assessor when an entry was made; empty if they had not spoken yet."""
    before = [one for one in pair if (one.at, one.identity) < (event.at, event.identity)]
    last = held(before)
    return _state(last) if last else "no label" if before else ""


def _state(event: JudgmentEvent) -> str:
    if event.grade is not None:
        return str(event.grade)
    return SAID[event.mark] if event.mark else "no label"


def _said(event: JudgmentEvent, numbers: Mapping[str, int]) -> str:
    if event.undoes is not None:
        return f"undo of {numbers.get(event.undoes, '?')}: {_state(event)}"
    if event.chosen == "removed":
        return "removed: no label"
    if event.chosen == MODELS_SEEN:
        return f"saw what models said: {_state(event)}"
    if event.restates is not None or (event.grade is None and event.mark is None):
        return f"note: {_state(event)}"
    return _state(event)
