"""Bulk requests of Elasticsearch and OpenSearch: what is done in one line, a document in the next.

Source of the format: the reference of the bulk API. An update has its document under ``doc``, a
deletion has none.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from annotator.formats.json_values import Record
from annotator.formats.problems import Problems

ACTIONS = {"index", "create", "update", "delete"}
_REQUEST = re.compile(r"\s*(?:POST|PUT)[ \t]+\S*_bulk\b")


def is_request(line: str) -> bool:
    """Whether it is the line that a console shows above."""
    return _REQUEST.match(line) is not None


def is_action(record: Record | None) -> bool:
    """Whether an object says what is done to a document."""
    if record is None or len(record) != 1:
        return False
    name, value = next(iter(record.items()))
    return name in ACTIONS and isinstance(value, dict)


def documents(
    records: Iterable[tuple[int, Record]], problems: Problems | None = None
) -> Iterator[tuple[int, Record]]:
    """Each document with its id as ``_id`` and its line; what lacks its other line is noted."""
    problems = problems or Problems("")
    index: object = None
    action: tuple[str, Record] | None = None
    number = 0
    for number, record in records:
        if action is None:
            if is_action(record):
                action = _action(record)
            else:
                problems.add(number, "expected what is done to a document, such as an index line")
            continue
        (done, about), action = action, None
        if index is None:
            index = about.get("_index")
        if about.get("_index", index) != index:
            problems.add(number, "is of another index: import each index from a file of its own")
            continue
        changed = record.get("doc") if done == "update" else record
        if isinstance(changed, dict):
            own = {"_id": about["_id"]} if about.get("_id") is not None else {}
            yield number, {**changed, **own}
        else:
            problems.add(number, "an update without a document under doc")
    if action is not None:
        problems.add(number, "no document follows this line")


def _action(record: Record) -> tuple[str, Record] | None:
    """What is done, and to which document; None for a deletion, which no document follows."""
    done, about = next(iter(record.items()))
    return None if done == "delete" or not isinstance(about, dict) else (done, about)
