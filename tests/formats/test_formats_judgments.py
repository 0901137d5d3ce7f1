from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import fields, replace
from datetime import UTC

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotator.domain import AssessorKind, JudgmentEvent, Mark
from annotator.errors import InputError
from annotator.formats import Source, read_judgments
from annotator.formats.judgment_log import dumps, header
from annotator.formats.problems import Problems
from annotator.text.times import stored

Write = Callable[[str | bytes], Source]

EVENT = JudgmentEvent(
    event=1,
    qid="007",
    docid="CR#93E\u00a01",
    assessor="ann",
    assessor_kind=AssessorKind.HUMAN,
    rubric="sha256:ab",
    grade=3,
    mark=None,
    note='two\nlines, "quoted", é',
    at="2025-01-31T09:30:00.000+00:00",
    seconds=1.25,
    position=4,
    blind=True,
    undoes=None,
    restates=None,
)

texts = st.text(st.characters(exclude_categories=["Cs"]))
ids = texts.filter(lambda text: bool(text.strip()))
numbers = st.integers(-(2**63), 2**63 - 1)
verdicts = st.one_of(
    st.tuples(numbers, st.none()), st.tuples(st.none(), st.none() | st.sampled_from(Mark))
)


@st.composite
def judgment_events(draw: st.DrawFn) -> JudgmentEvent:
    grade, mark = draw(verdicts)
    return JudgmentEvent(
        identity=draw(texts),
        qid=draw(ids),
        docid=draw(ids),
        assessor=draw(ids),
        assessor_kind=draw(st.sampled_from(AssessorKind)),
        rubric=draw(texts),
        grade=grade,
        mark=mark,
        note=draw(texts),
        at=draw(st.datetimes(timezones=st.just(UTC)).map(stored)),
        seconds=draw(st.none() | st.floats(0, allow_infinity=False)),
        position=draw(st.none() | numbers),
        blind=draw(st.booleans()),
        undoes=draw(st.none() | texts),
        restates=draw(st.none() | texts),
        chosen=draw(st.none() | texts),
        text_hash=draw(st.none() | texts),
        answer=draw(st.none() | texts),
    )


@settings(deadline=None)
@given(st.lists(judgment_events(), min_size=1), st.none() | st.dictionaries(texts, texts))
def test_a_log_that_is_written_is_read_without_loss(
    written: Write, events: list[JudgmentEvent], rubrics: dict[str, str] | None
) -> None:
    head = [] if rubrics is None else [header(rubrics)]
    lines = [*head, *map(dumps, events)]
    problems = Problems("file")
    log = read_judgments(written("\n".join(lines) + "\n"), problems)
    assert log.rubrics == (rubrics or {})
    assert [replace(event, event=0) for event in log.events] == events
    assert problems.count == 0


def test_an_event_is_one_line_under_its_field_names() -> None:
    line = dumps(EVENT)
    assert "\n" not in line
    names = {field.name for field in fields(JudgmentEvent)} - {"event"}
    assert set(json.loads(line)) == names
    assert line.startswith('{"identity": ')
    assert "é" in line


def test_control_characters_and_half_characters_stay_escaped() -> None:
    note = "\x00\x1b\x7f\x85\x9b\u2028\u202e\ud800"
    line = dumps(replace(EVENT, note=note))
    assert r"\u0000\u001b\u007f\u0085\u009b\u2028\u202e\ud800" in line
    assert json.loads(line)["note"] == note


def test_a_log_may_lack_its_header_and_have_comments(written: Write) -> None:
    log = read_judgments(written(f"\ufeff# c\r\n\r\n{dumps(EVENT)}"), Problems("file"))
    assert log.rubrics == {}
    assert [replace(event, event=1) for event in log.events] == [EVENT]


def test_a_header_without_rubrics_is_no_event(written: Write) -> None:
    problems = Problems("file")
    source = written(f'# c\n{{"format": "annotator-judgments", "version": 1}}\n{dumps(EVENT)}\n')
    log = read_judgments(source, problems)
    assert log.rubrics == {}
    assert [replace(event, event=1) for event in log.events] == [EVENT]
    assert problems.count == 0


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ('{"format": "annotator-judgments", "version": 2}', r":2: format version 2 of the"),
        ('{"format": "annotator-judgments", "version": "1"}', r':2: format version "1" of the'),
        ('{"format": "annotator-judgments"}', r":2: format version null of the judgments"),
        ('{"format": "annotator-judgments", "version": 1, "rubrics": [1]}', ":2: the header's"),
        (
            '{"format": "annotator-judgments", "version": 1, "rubrics": {"a": 1}}',
            ":2: the header's",
        ),
        ('{"format": "annotator-judgments", "version": 1', ":2: the header is damaged"),
    ],
)
def test_a_header_that_cannot_be_trusted_refuses_the_file(
    written: Write, line: str, told: str
) -> None:
    with pytest.raises(InputError, match=told):
        read_judgments(written(f"# c\n{line}\n{dumps(EVENT)}\n"), Problems("file"))


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"position": "1"}, "position must be an integer, not text"),
        ({"identity": None}, "identity must be text, not null"),
        ({"position": 2**63}, "position is out of range"),
        ({"undoes": 1}, "undoes must be text, not an integer"),
        ({"grade": 1.5}, "grade must be an integer, not a decimal number"),
        ({"grade": True}, "grade must be an integer, not true"),
        ({"qid": ""}, "qid is empty"),
        ({"docid": "\ud800"}, "docid holds half of a character"),
        ({"assessor_kind": "robot"}, "assessor_kind must be one of human, imported, model"),
        ({"mark": "later"}, "an event has a grade or a mark, not both"),
        ({"grade": None, "mark": "soon"}, "mark must be one of later, cannot"),
        ({"grade": None, "mark": ["later"]}, "mark must be one of later, cannot"),
        ({"note": None}, "note must be text, not null"),
        ({"at": "yesterday"}, "at must be a time such as 2025-01-31T09:30:00Z"),
        ({"at": "0001-01-01T00:00:00+05:00"}, "at must be a time such as"),
        ({"seconds": float("nan")}, "seconds must be finite"),
        ({"seconds": "soon"}, "seconds must be a number, not text"),
        ({"seconds": -1}, "seconds must be finite and not negative"),
        ({"blind": 1}, "blind must be true or false, not an integer"),
    ],
)
def test_each_bad_event_is_told_with_its_number_and_left_out(
    written: Write, change: dict[str, object], told: str
) -> None:
    bad = json.dumps({**json.loads(dumps(EVENT)), **change})
    problems = Problems("file")
    log = read_judgments(written(f"{header({})}\n{dumps(EVENT)}\n\n{bad}\n"), problems)
    assert [replace(event, event=1) for event in log.events] == [EVENT]
    with pytest.raises(InputError) as caught:
        problems.raise_if_any("judgments")
    (fault,) = caught.value.details
    assert fault.startswith(f"file:4: {told}")


@pytest.mark.parametrize("key", ["qid", "docid"])
def test_a_missing_id_is_named(written: Write, key: str) -> None:
    values = json.loads(dumps(EVENT))
    del values[key]
    problems = Problems("file")
    list(read_judgments(written(header({}) + "\n" + json.dumps(values)), problems).events)
    with pytest.raises(InputError) as caught:
        problems.raise_if_any("judgments")
    assert caught.value.details[0].startswith(f"file:2: an event lacks {key}: {{")


def test_a_label_made_elsewhere_needs_only_ids_and_a_grade(written: Write) -> None:
    line = json.dumps({"qid": "1", "docid": "a", "grade": 2})
    (event,) = read_judgments(written(line), Problems("file")).events
    assert (event.qid, event.docid, event.grade, event.event) == ("1", "a", 2, 1)
    assert (event.assessor, event.rubric, event.at, event.mark) == ("", "", "", None)
