"""People who graded apart bring their projects together: nothing is lost, doubled or overruled."""

from __future__ import annotations

import re
import shutil
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotator.actions.imports.log import export_judgments, judgments_of
from annotator.actions.imports.project import project_of
from annotator.actions.imports.report import Found
from annotator.actions.imports.transaction import import_all, import_one
from annotator.actions.scoring import score
from annotator.domain import Document, Mark, Query
from annotator.errors import InputError, UsageError
from annotator.scoring.options import ScoreOptions
from annotator.store import Desk, Project
from annotator.store.checks import check, check_heads
from tests.projects import (
    contents,
    general,
    labels_of,
    new_project,
    open_project,
    pair_number,
    pooled_project,
    write,
)
from tests.store.project_files import altered_past_triggers

START = datetime(2026, 1, 1, tzinfo=UTC)
SYSTEMS = {"alpha": {"q1": ["d1", "d2", "d3"], "q2": ["d1", "d4"]}}
MORE = {"beta": {"q2": ["d4", "d5"], "q3": ["d6"]}}


def merged(project: Project, *paths: Path, **how: bool) -> list[Found]:
    def reading(path: Path):  # type: ignore[no-untyped-def]
        return lambda target, staged: project_of(target, staged, path, **how)

    return import_all(project, [reading(path) for path in paths])


def identities(project: Project) -> set[str]:
    return {event.identity for event in project.judgments.events()}


def is_whole(project: Project) -> bool:
    return [one for one in check(project.file) if one.problems] == []


def test_two_people_on_two_copies_lose_nothing_and_each_keeps_their_chain(tmp_path: Path) -> None:
    mine, copy = tmp_path / "mine.db", tmp_path / "copy.db"
    project = pooled_project(mine, SYSTEMS)
    first, second = pair_number(project, "q1", "d1"), pair_number(project, "q2", "d4")
    Desk(project, "ann").say(first, grade=3)
    shutil.copy(mine, copy)
    other = open_project(copy)
    ben = Desk(other, "ben")
    ben.say(second, grade=1)
    ben.say(first, mark=Mark.CANNOT)
    ben.undo()
    Desk(project, "ann").say(second, grade=2, note="mine")
    heads = [one.head.hex() for one in (*project.judgments.chains(), *other.judgments.chains())]
    both = identities(project) | identities(other)
    (found,) = merged(project, copy)
    assert found.facts["entries added"] == 3
    assert identities(project) == both
    assert is_whole(project)
    assert check_heads(project.file, heads).problems == ()
    (again,) = merged(project, copy)
    assert again.facts["entries added"] == 0
    assert "nothing changed" in again.warnings


def test_one_person_on_two_copies_keeps_both_chains(tmp_path: Path) -> None:
    mine, copy = tmp_path / "mine.db", tmp_path / "copy.db"
    project = pooled_project(mine, SYSTEMS)
    pairs = [pair_number(project, *one) for one in (("q1", "d1"), ("q1", "d2"), ("q1", "d3"))]
    Desk(project, "ann").say(pairs[0], grade=3)
    shutil.copy(mine, copy)
    other = open_project(copy)
    Desk(other, "ann").say(pairs[1], grade=1)
    Desk(other, "ann").say(pairs[0], grade=0)
    Desk(project, "ann").say(pairs[2], grade=2)
    heads = [one.head.hex() for one in (*project.judgments.chains(), *other.judgments.chains())]
    merged(project, copy)
    merged(other, mine)
    for one in (project, other):
        assert is_whole(one)
        assert check_heads(one.file, heads).problems == ()
        assert labels_of(one) == {("q1", "d1"): 0, ("q1", "d2"): 1, ("q1", "d3"): 2}
        Desk(one, "ann").say(pairs[2], grade=3)  # and goes on
        assert is_whole(one)


entries = st.tuples(
    st.sampled_from(["ann", "ben"]),
    st.integers(0, 2),
    st.sampled_from(["grade", "later", "note", "undo"]),
    st.integers(0, 3),
)


def say_all(project: Project, said: list[tuple[str, int, str, int]], hour: int) -> None:
    """Say these things from this hour on, a minute each, so that no two projects have one time."""
    now = iter(range(10_000))
    project.clock = lambda: START + timedelta(hours=hour, minutes=next(now))
    pairs = [pair_number(project, "q1", docid) for docid in ("d1", "d2", "d3")]
    desks = {name: Desk(project, name) for name in ("ann", "ben")}
    for name, pair, how, grade in said:
        if how == "grade":
            desks[name].say(pairs[pair], grade=grade)
        elif how == "later":
            desks[name].say(pairs[pair], mark=Mark.LATER)
        elif how == "note":
            desks[name].note(pairs[pair], f"note {grade}")
        else:
            desks[name].undo()


@settings(deadline=None, max_examples=8)
@given(st.lists(st.lists(entries, max_size=5), min_size=3, max_size=3))
def test_in_whatever_order_and_how_often_projects_are_merged_the_outcome_is_one(
    tmp_path_factory: pytest.TempPathFactory, said: list[list[tuple[str, int, str, int]]]
) -> None:
    folder = tmp_path_factory.mktemp("merged")
    base = folder / "base.db"
    pooled_project(base, SYSTEMS).close()
    for at, one in enumerate(said):
        shutil.copy(base, folder / f"{at}.db")
        with closing(Project.open(folder / f"{at}.db")) as project:
            say_all(project, one, hour=at)
    outcomes = []
    for number, order in enumerate([(0, 1, 2), (2, 1, 0), (1, 2, 0, 1, 2)]):
        shutil.copy(base, united := folder / f"united-{number}.db")
        with closing(Project.open(united)) as project:
            for at in order:
                merged(project, folder / f"{at}.db")
            outcomes.append((identities(project), labels_of(project)))
            assert is_whole(project)
    with closing(Project.open(folder / "0.db")) as project:  # 1 and 2 first, then into 0
        with closing(Project.open(folder / "1.db")) as other:
            merged(other, folder / "2.db")
        merged(project, folder / "1.db")
        outcomes.append((identities(project), labels_of(project)))
    assert all(outcome == outcomes[0] for outcome in outcomes)


def test_queries_texts_systems_and_pools_are_united(tmp_path: Path) -> None:
    project = pooled_project(tmp_path / "mine.db", SYSTEMS)
    other = pooled_project(tmp_path / "other.db", MORE)
    other.documents.store([Document("d6", "six", "text of six"), Document("d4", "", "four")])
    project.documents.store([Document("d4", "", "another four")])
    Desk(other, "ben").say(pair_number(other, "q3", "d6"), grade=2)
    desk = Desk(other, "ben")
    desk.see_rankings(other.queries.ids()["q3"])
    (found,) = merged(project, tmp_path / "other.db")
    assert [one.name for one in project.systems.all()] == ["alpha", "beta"]
    assert set(project.queries.ids()) == {"q1", "q2", "q3"}
    assert any("1 document has another text here" in one for one in found.warnings)
    assert {one.docid: one.text for one in project.documents.stored()} == {
        "d4": "another four",
        "d6": "text of six",
    }
    assert project.pool.size() == 5 + 3 - 1
    assert Desk(project, "ben").has_seen_rankings(project.queries.ids()["q3"])
    assert is_whole(project)
    both = pooled_project(tmp_path / "both.db", {**SYSTEMS, **MORE})
    exported = write(tmp_path / "log.jsonl", "\n".join(export_judgments(project)))
    import_one(both, lambda target, staged: judgments_of(target, staged, exported))
    tables = [score(one, ScoreOptions()).to_dict() for one in (project, both)]
    assert tables[0]["systems"] == tables[1]["systems"]


def test_an_older_label_never_replaces_a_newer_one(tmp_path: Path) -> None:
    mine, copy = tmp_path / "mine.db", tmp_path / "copy.db"
    project = pooled_project(mine, SYSTEMS)
    pair = pair_number(project, "q1", "d1")
    shutil.copy(mine, copy)
    other = open_project(copy)
    other.clock = lambda: START
    Desk(other, "ann").say(pair, grade=0)
    project.clock = lambda: START + timedelta(days=1)
    Desk(project, "ann").say(pair, grade=3)
    (found,) = merged(project, copy)
    assert labels_of(project) == {("q1", "d1"): 3}
    assert any("older than what the same assessor said" in one for one in found.warnings)


def test_what_contradicts_is_refused_with_what_to_do_and_nothing_is_stored(tmp_path: Path) -> None:
    project = pooled_project(tmp_path / "mine.db", SYSTEMS)
    project.queries.store([Query("q1", "one question")])
    texts = pooled_project(tmp_path / "texts.db", SYSTEMS)
    texts.queries.store([Query("q1", "another question")])
    pooled_project(tmp_path / "runs.db", {"alpha": {"q1": ["d3", "d1"]}})
    rubric = replace(general(), instructions="Other.", version=2)
    new_project(tmp_path / "rubric.db", rubric)
    before = contents(project)
    for name, words in {
        "texts.db": "1 query has another text here; --keep-mine",
        "runs.db": "1 system has other rankings here (alpha); --keep-mine",
        "rubric.db": "grades by general v2, this project by general v1",
        "mine.db": "is this project itself",
    }.items():
        with pytest.raises((InputError, UsageError), match=re.escape(words)):
            merged(project, tmp_path / name)
        assert contents(project) == before
    merged(project, tmp_path / "texts.db", tmp_path / "runs.db", keep_mine=True)
    assert project.queries.all()[1].text == "one question"
    merged(project, tmp_path / "rubric.db", any_rubric=True)
    assert is_whole(project)


def test_a_damaged_project_is_not_merged(tmp_path: Path) -> None:
    project = pooled_project(tmp_path / "mine.db", SYSTEMS)
    other = pooled_project(tmp_path / "other.db", SYSTEMS)
    Desk(other, "ben").say(pair_number(other, "q1", "d1"), grade=2)
    other.close()
    altered_past_triggers(tmp_path / "other.db", "UPDATE judgment SET grade = 0")
    with pytest.raises(InputError, match="is damaged"):
        merged(project, tmp_path / "other.db")
