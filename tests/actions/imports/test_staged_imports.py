"""What is imported is staged while it is read and stored at once, whatever others do meanwhile."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from annotator.actions.imports.report import Found
from annotator.actions.imports.runs import run_of
from annotator.actions.imports.texts import (
    documents_of,
    import_documents,
    import_queries,
    import_run,
)
from annotator.actions.imports.transaction import Reading, Storing, import_all
from annotator.domain import Query
from annotator.formats import Hints
from annotator.formats.runs import trec as run_trec
from annotator.store import Desk, Project, collection
from annotator.store.staging import ids as staged_ids
from annotator.store.staging import queries as staged_queries
from annotator.store.staging import run as staged_run
from annotator.store.staging.area import Staging
from tests.projects import (
    contents,
    labels_of,
    new_project,
    open_project,
    pair_number,
    pooled_project,
    run_lines,
    temporary_project,
    write,
)

ROWS = st.lists(
    st.tuples(
        st.sampled_from(["q1", "q2", "q3", "été"]),
        st.sampled_from([f"d{number}" for number in range(12)]),
        st.integers(0, 5),
        st.integers(0, 3),
    ),
    min_size=1,
    max_size=60,
)


def rankings_of(project: Project, system: str) -> dict[str, list[tuple[str, float]]]:
    names = project.documents.names()
    queries = {number: query.qid for number, query in project.queries.all().items()}
    stored = project.systems.named(system)
    assert stored is not None
    return {
        queries[one.query]: [
            (names[document], score)
            for document, score in zip(one.documents.tolist(), one.scores.tolist(), strict=True)
        ]
        for one in project.systems.rankings(stored.id)
    }


def displayed(rows: list[tuple[str, str, int, int]]) -> dict[str, list[tuple[str, float]]]:
    """The rankings of a run by dicts alone."""
    queries: dict[str, list[tuple[int, int, str]]] = {}
    for qid, docid, rank, score in rows:
        queries.setdefault(qid, []).append((rank, score, docid))
    several = [ranking for ranking in queries.values() if len(ranking) > 1]
    by_score = bool(several) and all(len({row[0] for row in one}) == 1 for one in several)
    rankings: dict[str, list[tuple[str, float]]] = {}
    for qid, ranking in queries.items():
        ranking.sort(key=lambda row: -row[1] if by_score else row[0])
        once: dict[str, float] = {}
        for _, score, docid in ranking:
            once.setdefault(docid, float(score))
        rankings[qid] = list(once.items())
    return rankings


@pytest.fixture(params=[1, 10**6])
def little_memory(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks of a few lines, of which hardly anything is remembered; or all at once."""
    monkeypatch.setattr(run_trec, "BATCH", 40 * request.param)
    monkeypatch.setattr(staged_ids, "MOST_IDS", 3 * request.param)
    monkeypatch.setattr(staged_ids, "STEP", 2 * request.param)
    monkeypatch.setattr(staged_run, "ROWS", 3 * request.param)


@pytest.mark.usefixtures("little_memory")
@settings(
    deadline=None, max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(ROWS, ROWS, st.booleans())
def test_a_run_is_the_same_in_whatever_order_and_blocks_it_comes(
    first: list[tuple[str, str, int, int]], second: list[tuple[str, str, int, int]], grouped: bool
) -> None:
    with temporary_project() as project:
        for name, rows in (("a", first), ("b", second)):
            rows = sorted(rows, key=lambda row: row[0]) if grouped else rows
            text = "".join(
                f"{qid} Q0 {docid} {rank} {score} t\n" for qid, docid, rank, score in rows
            )
            import_run(project, write(project.file.path.with_name(f"{name}.run"), text))
            expected = displayed(rows)
            assert rankings_of(project, name) == expected
            findings = next(one.findings for one in project.systems.all() if one.name == name)
            kept = sum(map(len, expected.values()))
            assert findings["rows"] == len(rows)
            assert findings["duplicates"] == len(rows) - kept
            assert findings["documents"] == len({row[1] for row in rows})
            assert findings["queries"] == len(expected)


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return pooled_project(tmp_path / "judgments.db", {"old": {"q1": ["d1", "d2"]}})


CONTENT: dict[Callable[..., Storing], str] = {
    run_of: "q1 Q0 d9 1 2 t\n",
    documents_of: '{"docid": "d1", "text": "one"}\n',
}


def during(act: Callable[[], object]) -> Hints:
    """Hints that let something happen once, in the middle of the reading."""
    waiting = [act]

    def watch(_done: int, _total: int | None) -> None:
        if waiting:
            waiting.pop()()

    return Hints(watch=watch)


@pytest.mark.parametrize("read", [run_of, documents_of])
def test_a_grade_given_while_a_file_is_read_is_stored_at_once(
    project: Project, tmp_path: Path, read: Callable[..., Storing]
) -> None:
    other = open_project(project.file.path)
    other.file.db.execute("PRAGMA busy_timeout = 0")  # it waits for nobody
    desk = Desk(other, "ann")
    pair = pair_number(other, "q1", "d1")
    hints = during(lambda: desk.say(pair, grade=3))
    path = write(tmp_path / "new", CONTENT[read])
    import_all(project, [partial(read, path=path, hints=hints)])
    assert labels_of(project) == {("q1", "d1"): 3}


@pytest.mark.parametrize("read", [run_of, documents_of])
def test_leaving_off_while_a_file_is_read_changes_nothing(
    project: Project, tmp_path: Path, read: Callable[..., Storing]
) -> None:
    def interrupt() -> None:
        raise KeyboardInterrupt

    before = contents(project)
    path = write(tmp_path / "new", CONTENT[read])
    with pytest.raises(KeyboardInterrupt):
        import_all(project, [partial(read, path=path, hints=during(interrupt))])
    assert contents(project) == before
    assert import_all(project, [partial(read, path=path)])[0].facts


def meanwhile(act: Callable[[Project], object]) -> Reading:
    """What another process does between the reading of files and their storing."""

    def reading(project: Project, _staged: Staging) -> Storing:
        with closing(Project.open(project.file.path)) as other:
            act(other)
        return lambda: Found("", "")

    return reading


def test_documents_that_others_add_meanwhile_keep_their_numbers(
    project: Project, tmp_path: Path
) -> None:
    run = write(tmp_path / "new.run", run_lines({"q1": ["d2", "d7", "d8"], "q2": ["d9", "d7"]}))
    theirs = write(tmp_path / "theirs.run", run_lines({"q1": ["d8", "d7"]}))
    texts = write(tmp_path / "texts", '{"docid": "d1", "text": "one"}\n')
    mine = partial(documents_of, path=texts, everything=True)
    other = write(tmp_path / "other", '{"docid": "d1", "text": "theirs"}\n')
    found = import_all(
        project,
        [
            partial(run_of, path=run),
            mine,
            meanwhile(lambda other: import_run(other, theirs)),
            meanwhile(lambda project: import_documents(project, other)),
        ],
    )
    documents = {
        qid: [docid for docid, _ in one] for qid, one in rankings_of(project, "new").items()
    }
    assert documents == {"q1": ["d2", "d7", "d8"], "q2": ["d9", "d7"]}
    assert [docid for docid, _ in rankings_of(project, "theirs")["q1"]] == ["d8", "d7"]
    assert sorted(project.documents.names().values()) == ["d1", "d2", "d7", "d8", "d9"]
    assert found[1].facts["documents that differ from what is stored"] == 1
    assert project.documents.get(1).text == "theirs"


def test_a_text_is_replaced_on_request_only(tmp_path: Path) -> None:
    project = new_project(tmp_path / "judgments.db")
    for text in ("one", "two"):
        path = write(tmp_path / f"{text}.jsonl", json.dumps({"docid": "d1", "text": text}) + "\n")
        import_documents(project, path)
    assert project.documents.get(1).text == "one"
    found = import_documents(project, path, replace=True)
    assert project.documents.get(1).text == "two"
    assert found.facts["documents replaced by another text"] == 1
    assert import_documents(project, path, replace=True).facts["documents stored already"] == 1


def test_queries_are_stored_a_few_at_a_time_in_the_order_of_their_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (staged_queries, collection):
        monkeypatch.setattr(module, "BATCH", 2)
    qids = ["b", "a", "c", "051", "51", "z", "y"]
    path = tmp_path / "queries.tsv"
    path.write_text("".join(f"{qid}\tabout {qid}\n" for qid in [*qids, "a"]))
    with closing(new_project(tmp_path / "p.db")) as project:
        project.queries.store([Query("y", ""), Query("z", "another text")])
        found = import_queries(project, path)
        assert list(project.queries.ids()) == ["y", "z", "b", "a", "c", "051", "51"]
        assert project.queries.all()[1].text == "about y"
    assert found.facts == {
        "queries added": 5,
        "queries known by id before, now with text": 1,
        "queries stored already": 1,
        "queries that differ from what is stored": 1,
    }
