"""Results as JSON: one way to write them all.

Keys may be added, none is renamed: programs read them. docs/json.md lists every one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from enum import Enum
from typing import Any, ClassVar

WORST = 20
"""The worst queries that are listed unless another number is asked for."""


@dataclass(frozen=True)
class Detail:
    """How much is to be written: every query, and how many of the worst.

    ``texts`` are those of the queries by id, as far as there are any.
    """

    per_query: bool = False
    worst: int = WORST
    texts: Mapping[str, str] = field(default_factory=dict)


class Result:
    """A frozen dataclass that is written as JSON: its fields, and what a subclass adds.

    ``hidden`` fields are not written; ``renamed`` ones are written under another key.
    """

    hidden: ClassVar[tuple[str, ...]] = ()
    renamed: ClassVar[Mapping[str, str]] = {}

    def keys(self, detail: Detail) -> dict[str, Any]:
        """The keys and their values; these are written in the same way in their turn."""
        names = (one.name for one in fields(self))  # type: ignore[arg-type]  # all are dataclasses
        return {self.renamed.get(one, one): getattr(self, one)
                for one in names if one not in self.hidden}  # fmt: skip

    def to_dict(self, *, per_query: bool = False, worst: int = WORST) -> dict[str, Any]:
        """The JSON form: dicts, lists, text, numbers, and None for what is undefined."""
        data: dict[str, Any] = json_form(self, Detail(per_query, worst))
        return data


def json_form(value: object, detail: Detail) -> Any:
    """A value as JSON has it; arrays and other objects are no part of a result."""
    if isinstance(value, Result):
        return {key: json_form(one, detail) for key, one in value.keys(detail).items()}
    if is_dataclass(value) and not isinstance(value, type):
        return {one.name: json_form(getattr(value, one.name), detail) for one in fields(value)}
    if isinstance(value, Mapping):
        return {key: json_form(one, detail) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [json_form(one, detail) for one in value]
    return value.value if isinstance(value, Enum) else value
