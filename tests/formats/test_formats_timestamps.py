"""Times, durations and people of labels are kept, however a file writes them."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotator.formats import Hints, Source, each_qrel, read_judgments
from annotator.formats.problems import Problems
from annotator.formats.timestamps import moment
from annotator.text.times import stored

Write = Callable[[str | bytes], Source]

WHEN = datetime(2025, 2, 12, 22, 24, 30, 974829, UTC)
WRITTEN = [
    "2025-02-12T22:24:30.974829Z",
    "2025-02-12T23:24:30.974829+01:00",
    "2025-02-12 17:54:30.974829-04:30",
    "2025-02-12 22:24:30.974829 UTC",
    "20250212T222430.974829Z",
    1739399070.974829,
    "1739399070.974829",
    1739399070974829,
]


@pytest.mark.parametrize("value", WRITTEN)
def test_a_moment_is_the_same_however_it_is_written(value: object) -> None:
    problems = Problems("file")
    assert moment(value, "at", problems) == "2025-02-12T22:24:30.974829+00:00"
    assert problems.remarks == {}


offsets = st.integers(-23 * 60, 23 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))
moments = st.datetimes(datetime(1971, 1, 2), datetime(2999, 1, 1), timezones=offsets)  # noqa: DTZ001


@settings(deadline=None)
@given(moments)
def test_every_offset_is_exact(when: datetime) -> None:
    assert moment(when.isoformat(), "at", Problems("file")) == stored(when)
    whole = when.replace(microsecond=0)
    if whole.timestamp() > 10**9:
        assert moment(int(whole.timestamp()), "at", Problems("file")) == stored(whole)
        assert moment(int(whole.timestamp()) * 1000, "at", Problems("file")) == stored(whole)


@pytest.mark.parametrize("text", ["2025-02-12T22:24:30", "2025-02-12 22:24:30", "2025-02-12"])
def test_a_time_without_a_zone_is_utc_and_that_is_remarked(text: str) -> None:
    problems = Problems("file")
    assert moment(text, "at", problems).endswith("+00:00")
    assert list(problems.remarks) == ["times without a zone"]


@pytest.mark.parametrize("value", ["yesterday", "12/02/2025", True, [1], 1e300, -5e20, "1" * 30])
def test_what_is_no_time_is_refused(value: object) -> None:
    with pytest.raises(ValueError, match="at must be a time such as 2025-01-31T09:30:00Z"):
        moment(value, "at", Problems("file"))


ROW = {"qid": "1", "docid": "a", "grade": 2}
PEOPLE = ["annotator", "completed_by", "user", "assessor", "rater"]


def from_json(source: Source, problems: Problems) -> tuple[str, str, float | None]:
    (row,) = each_qrel(source, problems)
    return row.assessor, row.at, row.seconds


def from_log(source: Source, problems: Problems) -> tuple[str, str, float | None]:
    (event,) = read_judgments(source, problems).events
    return event.assessor, event.at, event.seconds


@pytest.mark.parametrize("read", [from_json, from_log])
@pytest.mark.parametrize("person", PEOPLE)
@pytest.mark.parametrize("time", ["created_at", "updated_at", "timestamp", "at"])
def test_json_lines_keep_who_when_and_how_long(
    written: Write, read: Callable[..., object], person: str, time: str
) -> None:
    row = {**ROW, person: "ann", time: "2025-02-12T23:24:30+01:00", "lead_time": 3.5, "why": "x"}
    problems = Problems("file")
    found = read(written(json.dumps(row)), problems)
    assert found == ("ann", "2025-02-12T22:24:30.000+00:00", 3.5)
    assert list(problems.unused) == ["why"]


@pytest.mark.parametrize("time", ["created_at", "updated at", "Timestamp", "at"])
def test_tables_keep_who_when_and_how_long(written: Write, time: str) -> None:
    source = written(f"qid,docid,grade,annotator,{time},lead_time,why\n1,a,2,7,1739399070,3.5,x\n")
    problems = Problems("file")
    assert from_json(source, problems) == ("7", "2025-02-12T22:24:30.000+00:00", 3.5)
    assert list(problems.unused) == ["why"]


@pytest.mark.parametrize("read", [from_json, from_log])
@pytest.mark.parametrize(
    ("person", "name"),
    [(7, "7"), ("7", "7"), ({"id": 7, "email": "ann@example.org"}, "ann@example.org"), (None, "")],
)
def test_numbers_and_objects_name_people_too(
    written: Write, read: Callable[..., tuple[str, str, float | None]], person: object, name: str
) -> None:
    assert read(written(json.dumps({**ROW, "completed_by": person})), Problems("file"))[0] == name


@pytest.mark.parametrize("read", [from_json, from_log])
def test_the_latest_of_several_times_counts_and_columns_say_which_is_meant(
    written: Write, read: Callable[..., tuple[str, str, float | None]]
) -> None:
    row = {**ROW, "created_at": "2025-01-01T00:00:00Z", "updated_at": "2025-02-01T00:00:00Z",
           "seen": "2025-03-01T00:00:00Z"}  # fmt: skip
    source = written(json.dumps(row))
    assert read(source, Problems("file"))[1].startswith("2025-02-01")
    source = Source(source.path, Hints.parse(columns="at=seen"))
    assert read(source, Problems("file"))[1].startswith("2025-03-01")


@pytest.mark.parametrize("read", [from_json, from_log])
def test_a_time_of_another_tool_that_cannot_be_read_is_remarked_and_left_out(
    written: Write, read: Callable[..., tuple[str, str, float | None]]
) -> None:
    problems = Problems("file")
    assert read(written(json.dumps({**ROW, "created_at": "last week"})), problems)[1] == ""
    assert list(problems.remarks) == ["times that cannot be read"]


@pytest.mark.parametrize("grade", [2, 2.0, "2", "2.0", " 2 "])
@pytest.mark.parametrize("names", [("qid", "docid", "grade"), ("query_id", "doc_id", "label")])
def test_judgments_take_the_spellings_that_qrels_take(
    written: Write, grade: object, names: tuple[str, str, str]
) -> None:
    line = json.dumps(dict(zip(names, ("1", "a", grade), strict=True)))
    (event,) = read_judgments(written(line), Problems("file")).events
    assert (event.qid, event.docid, event.grade) == ("1", "a", 2)


def test_judgments_are_read_by_named_columns(written: Write) -> None:
    source = written(json.dumps({"frage": "1", "text": "a", "wert": "gut", "wer": "ann"}))
    hints = Hints.parse(
        columns="query=frage,docid=text,grade=wert,assessor=wer", grades="gut:3,schlecht:0"
    )
    problems = Problems("file")
    (event,) = read_judgments(Source(source.path, hints), problems).events
    assert (event.qid, event.docid, event.grade, event.assessor) == ("1", "a", 3, "ann")
    assert problems.unused == []
