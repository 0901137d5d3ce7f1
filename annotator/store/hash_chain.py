"""What identifies an entry of the judgment log, and the chain that keeps entries in their places.

The identity of an entry is blake2b-256 of its content: a JSON object of what the entry says, by the
names of :class:`JudgmentEvent`, sorted, without blanks. What is not known (null, or an empty time)
is left out, so that a field that is new one day leaves all earlier identities as they are.
`seconds` stand in it as whole `milliseconds`; `event` and `identity` do not. Nothing in it depends
on the file: two files that hold the same entry hold the same identity.

The chain of an assessor in one project is blake2b-256 over the project's identity and the
assessor's name, then over that and the first entry's identity, and so on. Its head shows an entry
that was removed, put in or moved from outside. Who writes identities and heads anew is found only
by a head that was kept elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields
from hashlib import blake2b
from sqlite3 import Connection
from typing import Any

from annotator.domain import AssessorKind, Judgment, JudgmentEvent, Mark

SIZE = 32
"""Bytes of an identity and of a head."""

SAID = tuple(field.name for field in fields(Judgment))
"""What an assessor says, by the names of the columns of the log."""

_FALSE = "json('false')"


def identity(content: str) -> bytes:
    """The identity of an entry with this content."""
    return blake2b(content.encode(), digest_size=SIZE).digest()


def start(origin: bytes, assessor: str) -> bytes:
    """The head of a chain without an entry."""
    return blake2b(origin + assessor.encode(), digest_size=SIZE).digest()


def head(before: bytes, identities: Iterable[bytes]) -> bytes:
    """The head of a chain after these further entries."""
    for one in identities:
        before = blake2b(before + one, digest_size=SIZE).digest()
    return before


_ALWAYS = {"qid", "docid", "assessor", "assessor_kind", "rubric", "note", "blind"}
_IMPORTED = {"grade", "at", "text_hash"}
_USUAL = (_IMPORTED, {*_IMPORTED, "milliseconds", "position", "chosen"})
"""What most entries say beside that: their content is made without looking for nulls, which takes
half of the time."""


def _content(source: Mapping[str, str]) -> str:
    """The content of an entry in SQL; SQLite makes it in a third of the time that Python takes."""
    parts = dict(source)
    if seconds := parts.pop("seconds", ""):
        parts["milliseconds"] = f"CAST(round({seconds} * 1000) AS INTEGER)"
    whole = f"json_patch('{{}}', {_object(parts)})"
    if not parts.keys() >= set().union(*_USUAL):
        return whole
    cases = " ".join(_usual(parts, said) for said in _USUAL)
    return f"CASE {cases} ELSE {whole} END"


def _usual(parts: Mapping[str, str], said: set[str]) -> str:
    rest = [value for name, value in parts.items() if name not in said | _ALWAYS]
    there = " || ".join(parts[name] for name in sorted(said))
    usual = {name: value for name, value in parts.items() if name in said | _ALWAYS}
    return f"WHEN coalesce({', '.join(rest)}) IS NULL AND {there} IS NOT NULL THEN {_object(usual)}"


def _object(parts: Mapping[str, str]) -> str:
    listed = ", ".join(f"'{name}', {parts[name]}" for name in sorted(parts))
    return f"json_object({listed})"


def _truth(value: str) -> str:
    return f"json(iif({value}, 'true', 'false'))"


def _identity_of(entry: str) -> str:
    found = f"FROM judgment AS one WHERE one.id = judgment.{entry}"
    return f"(SELECT lower(hex(one.identity)) {found})"


_NAMES = {
    "qid": "qid",
    "docid": "docid",
    "assessor": "assessor.name",
    "assessor_kind": "kind",
    "rubric": "fingerprint",
}
_VALUES = {
    **_NAMES,
    "undoes": _identity_of("undoes"),
    "restates": _identity_of("restates"),
    **{name: f"judgment.{name}" for name in SAID},
}
_HASHED = {**_VALUES, "blind": _truth("judgment.blind"), "at": "nullif(judgment.at, '')"}
_JOINED = (
    "FROM judgment LEFT JOIN pair ON pair.id = pair_id LEFT JOIN query ON query.id = query_id"
    " LEFT JOIN document ON document.id = document_id"
    " LEFT JOIN assessor ON assessor.id = judgment.assessor_id"
    " LEFT JOIN rubric_version ON rubric_version.id = rubric_version_id"
)

_EVENT_FIELDS = ("event", "identity", *_VALUES)
EVENTS = f"SELECT judgment.id, lower(hex(identity)), {', '.join(_VALUES.values())} {_JOINED}"
"""Entries, for :func:`event_of`."""

CONTENTS = (
    f"SELECT judgment.id, {_content(_HASHED)}, identity, chain_id {_JOINED}"
    " WHERE judgment.id > ? ORDER BY judgment.id LIMIT ?"
)
"""Number, content, stored identity and chain of the entries, in pieces."""

_TIMELESS = {name: value for name, value in _HASHED.items() if name != "at"}
TIMELESS = f"SELECT judgment.id, {_content(_TIMELESS)} {_JOINED} ORDER BY judgment.id"
"""Number and content of all entries as if they did not say when they were made."""

_GIVEN = {name: f":{name}" for name in _VALUES}
_GIVEN |= {"blind": _truth(":blind"), "at": "nullif(:at, '')"}
_CONTENT = f"SELECT {_content(_GIVEN)}"

_STAGED = {
    **_NAMES,
    "rubric": ":fingerprint",
    "grade": "entry.grade",
    "note": "''",
    "at": "entry.at",
    "seconds": "entry.seconds",
    "blind": _FALSE,
    "text_hash": "hash",
}
STAGED = (
    f"SELECT entry.id + :last, pair, assessor, entry.grade, entry.at, entry.seconds, hash,"  # noqa: S608 -- only names
    f" {_content(_STAGED)} FROM temp.staged_entry AS entry CROSS JOIN pair ON pair.id = pair"
    " CROSS JOIN query ON query.id = query_id CROSS JOIN document ON document.id = document_id"
    " CROSS JOIN assessor ON assessor.id = assessor ORDER BY entry.id"
)
"""Number, pair, assessor, grade, time, seconds, hash of the text and content of grades about to be
stored."""


def content_of(db: Connection, values: Mapping[str, Any]) -> str:
    """The content of an entry from its values by the names of a JudgmentEvent."""
    return str(db.execute(_CONTENT, {name: values.get(name) for name in _GIVEN}).fetchone()[0])


def identity_of(db: Connection, event: JudgmentEvent) -> bytes:
    """The identity of an entry that some file holds."""
    return identity(content_of(db, {name: getattr(event, name) for name in _VALUES}))


def event_of(row: Iterable[Any]) -> JudgmentEvent:
    """An entry from a row of EVENTS."""
    values = _typed(dict(zip(_EVENT_FIELDS, row, strict=True)))
    values["assessor_kind"] = AssessorKind(values["assessor_kind"])
    return JudgmentEvent(**values)


def judgment_of(row: Iterable[Any]) -> Judgment:
    """What was said, from the columns SAID."""
    return Judgment(**_typed(dict(zip(SAID, row, strict=True))))


def _typed(values: dict[str, Any]) -> dict[str, Any]:
    mark = Mark(values["mark"]) if values["mark"] else None
    return values | {"mark": mark, "blind": bool(values["blind"])}
