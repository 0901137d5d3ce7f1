"""Labels that a model gave: JSON or a table that says how, or qrels for which a person says it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from annotator.domain import ModelAnswer, ModelLabel
from annotator.formats.input.source import Head, Source
from annotator.formats.json_values import Record, keys, text
from annotator.formats.model_answers import (
    EMPTY,
    LONGEST,
    OK,
    OUT_OF_RANGE,
    UNREADABLE,
    dumps,
    loads,
    number,
)
from annotator.formats.problems import Problems
from annotator.formats.qrels import rows as qrels_rows
from annotator.formats.reader import Kind
from annotator.formats.registry import each_qrel
from annotator.formats.tables.rows import Row, rows
from annotator.formats.timestamps import judged_at

ASKED = ("prompt_hash", "prompt_sha256")
_ANSWERS = ("answer", "raw", "raw_answer", "response")
_USED = {*ASKED, *_ANSWERS, "model", "version", "model_version", "temperature", "status", "cost"}
_WHOLE = re.compile(r"\s*[+-]?[0-9]{1,9}(\.0*)?\s*")


class Asked(NamedTuple):
    """What a person says of all labels of a file: which model, by which prompt (its hash)."""

    model: str = ""
    prompt: str = ""
    version: str = ""
    temperature: float | None = None


def recognise(head: Head) -> bool:
    """Its objects say which prompt a model was asked by."""
    return bool(set(ASKED) & set(keys(head[0])))


def read(source: Source, problems: Problems, asked: Asked, top: int) -> Iterator[ModelLabel]:
    """Read what a model said of each pair; an answer that is no grade 0..``top`` is a failure.

    What a row says itself counts before what is ``asked`` of the whole file. A row without a
    model or without the hash of its prompt is a bad line.
    """
    head = source.head()
    if qrels_rows.recognise_json(head) or qrels_rows.recognise_table(head):
        yield from _rows(source, problems, asked, top)
        return
    for row in each_qrel(source, problems):
        grade, status = (None, EMPTY) if row.grade < 0 else _in_range(row.grade, top)
        answer = ModelAnswer(asked.model, asked.prompt, asked.version, asked.temperature, status,
                             "" if status == OK else str(row.grade))  # fmt: skip
        if not (asked.model and asked.prompt):
            problems.add(row.line, "no model and prompt are named for its labels")
            continue
        yield ModelLabel(row.qid, row.docid, grade, answer, row.line, row.at)


def _rows(source: Source, problems: Problems, asked: Asked, top: int) -> Iterator[ModelLabel]:
    for row in rows(source, problems, Kind.QRELS):
        try:
            at = judged_at(row.values.get("at"), "at", problems)
            grade, answer = _answered(row, asked, top)
            loads(dumps(answer))
            qid, docid = row.id("query"), row.id("docid")
        except ValueError as fault:
            problems.add(row.line, str(fault), row.shown())
        else:
            yield ModelLabel(qid, docid, grade, answer, row.line, at)
    problems.unused = [name for name in problems.unused if name not in _USED]


def _answered(row: Row, asked: Asked, top: int) -> tuple[int | None, ModelAnswer]:
    record = {key: value for key, value in row.record.items() if value != ""}
    value = row.values.get("grade")
    grade, status = _graded(value, top)
    said = (text(record, ("status",)) or OK).strip().lower()
    if said not in (OK, "success", "done", "completed"):
        grade, status = None, said
    raw = text(record, _ANSWERS) or ("" if status == OK or value is None else str(value))
    answer = ModelAnswer(
        model=text(record, ("model",)) or asked.model,
        prompt=(text(record, ASKED) or asked.prompt).lower().removeprefix("sha256:"),
        version=text(record, ("version", "model_version")) or asked.version,
        temperature=_number(record, "temperature", asked.temperature),
        status=status[:100],
        raw=raw[:LONGEST],
        cost=_number(record, "cost", None),
    )
    if not answer.model:
        raise ValueError("the label names no model")
    if not answer.prompt:
        raise ValueError("the label has no hash of the prompt")
    return grade, answer


def _number(record: Record, name: str, otherwise: float | None) -> float | None:
    value = record.get(name)
    if isinstance(value, str):
        try:
            value = float(value)
        except ValueError:
            raise ValueError(f"{name} must be a number from 0 on") from None
    return otherwise if value is None else number(value, name)


def _graded(value: object, top: int) -> tuple[int | None, str]:
    """The grade that a model's answer is, and whether it is one."""
    if value is None or (isinstance(value, str) and not value.strip()):
        return None, EMPTY
    if isinstance(value, bool) or not _WHOLE.fullmatch(str(value)):
        return None, UNREADABLE
    return _in_range(int(float(str(value))), top)


def _in_range(grade: int, top: int) -> tuple[int | None, str]:
    return (grade, OK) if 0 <= grade <= top else (None, OUT_OF_RANGE)
