"""Records that Argilla exports flat: the answers of each question in lists side by side.

``rel.responses``, ``rel.responses.users`` and ``rel.responses.status`` of the question ``rel``
(argilla-io/argilla, ``records/_io/_generic.py``).
"""

from __future__ import annotations

from collections.abc import Collection

from annotator.formats.json_values import Record

ANSWERS = ".responses"
USERS = f"{ANSWERS}.users"
STATUS = f"{ANSWERS}.status"


def is_flat(keys: Collection[str]) -> bool:
    """Whether these are keys of such records."""
    return any(key.endswith(USERS) for key in keys)


def nested(record: Record) -> Record:
    """The record with each answer as an object, as Argilla exports it otherwise.

    Lists of different lengths are left as they are.
    """
    questions = [key.removesuffix(USERS) for key in record if key.endswith(USERS)]
    if not questions:
        return record
    answers: Record = {}
    gone = set()
    for question in questions:
        names = [question + end for end in (ANSWERS, USERS, STATUS)]
        columns = [record.get(name) or [] for name in names]
        lists = [column for column in columns if isinstance(column, list)]
        if len(lists) != len(columns) or len({len(column) for column in lists}) != 1:
            continue
        gone |= set(names)
        answers[question] = [
            {"value": value, "user_id": user, "status": status}
            for value, user, status in zip(*lists, strict=True)
        ]
    return {**{key: one for key, one in record.items() if key not in gone}, "responses": answers}
