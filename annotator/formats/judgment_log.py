"""The judgment log as JSON lines: every event with all it holds, and the rubrics in a header.

Labels made elsewhere may leave out all but `qid`, `docid` and `grade`.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields
from datetime import datetime
from enum import StrEnum
from functools import partial
from types import NoneType
from typing import Any, get_args, get_type_hints

from annotator.domain import InForce, Judgment, JudgmentEvent
from annotator.errors import InputError
from annotator.formats import json_values, timestamps
from annotator.formats.grades import grade_of
from annotator.formats.input.source import Head, Source
from annotator.formats.problems import Problems
from annotator.formats.qrels import rows as qrels_rows
from annotator.formats.reader import Kind, Reader
from annotator.formats.tables.rows import rows
from annotator.text.times import stored

FORMAT = "annotator-judgments"
VERSION = 1

# What a terminal would obey if the file were shown in it; JSON itself escapes only the first 32.
ESCAPED = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")

# What an event that leaves a key out says; empty texts stand for the importer's own.
DEFAULTS: Mapping[str, object] = {
    field.name: field.default for field in fields(JudgmentEvent) if field.default is not MISSING
}
_SAID = [field.name for field in fields(Judgment)]
_KEYS = (
    *(field.name for field in fields(JudgmentEvent) if field.name not in ("event", *_SAID)),
    *_SAID,
)
_REQUIRED = ("qid", "docid")


@dataclass(frozen=True, eq=False)
class JudgmentLog:
    """A judgment log as read: the rubrics' canonical texts by fingerprint, and the events.

    ``in_force`` are the rubrics in the order they came into force.
    """

    rubrics: dict[str, str]
    in_force: list[InForce]
    events: Iterator[JudgmentEvent]


def header(rubrics: Mapping[str, str], in_force: Sequence[InForce] = ()) -> str:
    """Return the log's first line: the rubrics' canonical texts, and which were in force."""
    values = {"rubrics": dict(rubrics), "in_force": [list(one) for one in in_force]}
    return _line({"format": FORMAT, "version": VERSION, **values})


def dumps(event: JudgmentEvent) -> str:
    """Return an event as one line of the log."""
    return _line({key: getattr(event, key) for key in _KEYS})


def _line(values: Mapping[str, object]) -> str:
    line = json.dumps(values, ensure_ascii=False, allow_nan=False)
    return ESCAPED.sub(lambda character: f"\\u{ord(character[0]):04x}", line)


def recognise(head: Head) -> bool:
    """The first line is the header, or an object with the keys of an event; or they are labels."""
    keys = set(json_values.keys(head[0]))
    return (
        _is_header(head[0])
        or {"qid", "docid", "identity"} <= keys
        or qrels_rows.recognise_json(head)
    )


def read(source: Source, problems: Problems) -> JudgmentLog:
    """Read the header at once, the events as they are asked for.

    Raises
    ------
    InputError
        If the log is of a newer version, or its header is damaged.
    """
    number, first = next(source.content_lines())
    if _is_header(first):
        rubrics, in_force = _header(f"{source.name}:{number}", first)
        return JudgmentLog(rubrics, in_force, _events(source, problems, after=number))
    if "identity" in json_values.keys(first):
        return JudgmentLog({}, [], _events(source, problems, after=0))
    return JudgmentLog({}, [], _labels(source, problems))


def _is_header(line: str) -> bool:
    return line.startswith("{") and re.search(rf'"format"\s*:\s*"{FORMAT}"', line) is not None


def _header(where: str, line: str) -> tuple[dict[str, str], list[InForce]]:
    try:
        record = json_values.record(line)
    except ValueError as fault:
        raise InputError(f"{where}: the header is damaged: {fault}") from None
    version, rubrics = record.get("version"), record.get("rubrics", {})
    if version != VERSION:
        raise InputError(
            f"{where}: format version {json.dumps(version)[:20]} of the judgments is not known, "
            f"only version {VERSION}; update the program"
        )
    if not isinstance(rubrics, dict) or not all(isinstance(text, str) for text in rubrics.values()):
        raise InputError(f"{where}: the header's rubrics must be texts by fingerprint")
    listed = record.get("in_force", [])
    in_force = [_in_force(one) for one in listed] if isinstance(listed, list) else [None]
    if None in in_force:
        raise InputError(
            f"{where}: the header's in_force must be [fingerprint, true or false, time in UTC]"
        )
    texts = {_stored(fingerprint): _stored(text) for fingerprint, text in rubrics.items()}
    return texts, [one for one in in_force if one]


def _in_force(value: object) -> InForce | None:
    """One rubric that came into force; None if the value is none."""
    if not isinstance(value, list) or [type(part) for part in value] != [str, bool, str]:
        return None
    rubric, carries, since = value
    try:
        return InForce(_stored(rubric), carries, stored(datetime.fromisoformat(since)))
    except (ValueError, OverflowError):
        return None


def _stored(text: str) -> str:
    return json_values.SURROGATE.sub(json_values.REPLACEMENT, text)


def _events(source: Source, problems: Problems, after: int) -> Iterator[JudgmentEvent]:
    unused: dict[str, None] = {}
    for problems.line, line in source.content_lines():
        if problems.line <= after:
            continue
        try:
            record = json_values.record(line)
            unused |= dict.fromkeys(record.keys() - set(_KEYS))
            event = _event(problems.line, {**record, "at": _time(record, problems)})
        except ValueError as fault:
            problems.add(problems.line, str(fault), line)
        else:
            yield event
    problems.unused = sorted(unused)


def _labels(source: Source, problems: Problems) -> Iterator[JudgmentEvent]:
    """Labels made elsewhere, by whatever names; an event's other keys count beside them."""
    number = 0
    for row in rows(source, problems, Kind.QRELS):
        problems.line = row.line
        try:
            also = {key: row.record[key] for key in DEFAULTS if key in row.record}
            for grade, who in qrels_rows.grades_of(row.columns, row):
                at, seconds = qrels_rows.time_of(row, source, problems)
                label = {"qid": row.id("query"), "docid": row.id("docid"), "assessor": who}
                value = None if grade is None else grade_of(grade, source.hints.grades)
                number += 1
                yield _event(
                    number, {**also, **label, "grade": value, "at": at, "seconds": seconds}
                )
        except ValueError as fault:
            problems.add(row.line, str(fault), row.shown())
    problems.unused = [name for name in problems.unused if name not in DEFAULTS]


def _time(record: json_values.Record, problems: Problems) -> str:
    return timestamps.moment(record.get("at"), "at", problems)


def _event(number: int, record: json_values.Record) -> JudgmentEvent:
    if missing := [key for key in _REQUIRED if key not in record]:
        raise ValueError(f"an event lacks {', '.join(missing)}")
    if not {"identity", "grade", "mark"} & record.keys():
        raise ValueError("an event lacks grade")
    values: dict[str, Any] = {
        key: _value(key, record[key]) for key in _KEYS if key in record and key not in _REQUIRED
    }
    event = JudgmentEvent(
        event=number,
        qid=sys.intern(json_values.identifier(record, ("qid",))),
        docid=json_values.identifier(record, ("docid",)),
        **values,
    )
    if event.grade is not None and event.mark is not None:
        raise ValueError("an event has a grade or a mark, not both")
    start, end = event.evidence_start, event.evidence_end
    if (start, end) != (None, None) and not 0 <= (-1 if start is None else start) < (end or 0):
        raise ValueError("evidence_start and evidence_end must be places in a text, in this order")
    return event


def _value(key: str, value: object) -> object:
    """A value as its field wants it."""
    kinds = set(get_args(_TYPES[key]) or (_TYPES[key],))
    if value is None and NoneType in kinds:
        return None
    (kind,) = kinds - {NoneType}
    read = partial(_choice, kind) if issubclass(kind, StrEnum) else _READERS[kind]
    return read(value, key)


def _integer(value: object, key: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise ValueError(f"{key} must be an integer, not {json_values.json_type(value)}")
    if not -(2**63) <= value < 2**63:
        raise ValueError(f"{key} is out of range")
    return value


def _truth(value: object, key: str) -> bool:
    if not isinstance(value, bool):
        raise ValueError(f"{key} must be true or false, not {json_values.json_type(value)}")
    return value


def _text(value: object, key: str) -> str:
    text = json_values.text({key: value}, (key,))
    if text is None:
        raise ValueError(f"{key} must be text, not null")
    return sys.intern(text)


def _choice(choices: type[StrEnum], value: object, key: str) -> StrEnum:
    if not isinstance(value, str) or value not in list(choices):
        raise ValueError(f"{key} must be one of {', '.join(choices)}")
    return choices(value)


_TYPES = get_type_hints(JudgmentEvent)
_READERS: Mapping[type, Callable[[object, str], object]] = {
    int: _integer,
    str: _text,
    bool: _truth,
    float: timestamps.duration,
}

JUDGMENT_LOG = Reader(
    name="jsonl",
    title="JSON lines of judgment events, as exported",
    recognise=recognise,
    read=read,
)
