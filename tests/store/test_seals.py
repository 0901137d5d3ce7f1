"""Nothing is read for scoring that is not as it was stored, though SQLite finds nothing wrong."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from hashlib import blake2b
from pathlib import Path

import pytest

from annotator.actions.imports.log import export_judgments
from annotator.actions.imports.qrels import export_qrels, import_qrels
from annotator.actions.scoring import score
from annotator.actions.status import status
from annotator.domain import Document, Evidence, Mark
from annotator.errors import ProjectError
from annotator.scoring.options import ScoreOptions
from annotator.store import Desk, Project
from annotator.store.checks import check
from annotator.store.identity import identity_of
from annotator.store.systems import TOP
from tests.projects import new_project, open_project, pair_number, pooled_project, write
from tests.store.project_files import altered_past_triggers

SYSTEMS = {"alpha": {"q1": ["d1", "d2"], "q2": ["d3"]}, "beta": {"q1": ["d2", "d4"]}}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "judgments.db"
    project = pooled_project(path, SYSTEMS)
    import_qrels(project, write(tmp_path / "some.qrels", "q1 0 d1 3\nq2 0 d3 0\n"))
    project.close()
    return path


ALTERED = [
    "UPDATE ranking SET documents = scores WHERE id = 1",
    "UPDATE ranking SET scores = zeroblob(length(scores)) WHERE id = 1",
    "UPDATE ranking SET query_id = 2 WHERE system_id = 2",
    "DELETE FROM ranking WHERE id = 2",
    "UPDATE system SET name = 'gamma' WHERE id = 1",
    "UPDATE query SET qid = 'q3' WHERE id = 2",
    "INSERT INTO query (qid, text, description, narrative) VALUES ('q9', '', '', '')",
    "UPDATE pool SET depth = 3",
    "DELETE FROM pool_entry WHERE pair_id = 1",
    "UPDATE pair SET document_id = 3 WHERE id = 3",
    "UPDATE rubric_version SET text = replace(text, 'exponential', 'linear')",
    "UPDATE rubric_in_force SET carries = 1",
    "UPDATE assessor SET name = 'eve'",
    "UPDATE judgment SET grade = 1 WHERE id = 1",
    "DELETE FROM judgment WHERE id = 2",
    "DELETE FROM seal",
]


@pytest.mark.parametrize("sql", ALTERED)
def test_what_was_altered_is_never_scored(path: Path, sql: str) -> None:
    altered_past_triggers(path, sql)
    reads: list[Callable[[Project], object]] = [lambda one: score(one, ScoreOptions()), status]
    for read in reads:
        with pytest.raises(ProjectError, match="the file is damaged; run `annotator doctor`"):
            read(open_project(path))
    assert any(one.problems for one in check(open_project(path).file))


@pytest.mark.parametrize(
    ("sql", "said"),
    [
        ("DELETE FROM document WHERE docid = 'd4'", "system beta ranks 1 document that"),
        ("DELETE FROM _sqlite_migrations WHERE id = 1", "the record of migrations is not"),
    ],
)
def test_doctor_finds_what_no_score_depends_on(tmp_path: Path, sql: str, said: str) -> None:
    path = tmp_path / "judgments.db"
    pooled_project(path, SYSTEMS, depth=1).close()
    altered_past_triggers(path, sql)
    found = [problem for one in check(open_project(path).file) for problem in one.problems]
    assert [one for one in found if one.startswith(said)]


@pytest.mark.parametrize("in_index", [False, True])
@pytest.mark.parametrize("damaged", [b"d8", b"d1"])
def test_an_id_that_is_damaged_in_one_of_its_places_is_neither_shown_nor_exported(
    path: Path, in_index: bool, damaged: bytes
) -> None:
    tree = "sqlite_autoindex_document_1" if in_index else "document"
    with closing(sqlite3.connect(path)) as db:
        sql = "SELECT rootpage FROM sqlite_schema WHERE name = ?"
        ((page,),) = db.execute(sql, (tree,)).fetchall()
    content = bytearray(path.read_bytes())
    at = content.index(b"d4", (page - 1) * 4096)
    content[at : at + 2] = damaged  # a document that nobody judged
    path.write_bytes(content)
    project = open_project(path)
    desk = Desk(project, "ann")
    reads: list[Callable[[], object]] = [
        lambda: list(export_qrels(project, unjudged=-1)),
        project.documents.in_id_order,
        lambda: [desk.cards(query) for query in desk.queries()],
        lambda: desk.docids([1, 2, 3, 4]),
    ]
    for read in reads:
        with pytest.raises(ProjectError, match="the file is damaged"):
            read()


TEXTS = [
    "UPDATE document SET metadata = replace(metadata, 'Ada', 'Eve')",
    "UPDATE document SET metadata = '{'",
    "UPDATE document SET docid = 'd0'",
    "UPDATE document SET text = text || '.'",
    "UPDATE document SET hash = ''",
    "UPDATE document SET hash = '', text = 'Another'",
    "DELETE FROM document",
]


@pytest.mark.parametrize("unsealed", [False, True])
@pytest.mark.parametrize("sql", TEXTS)
def test_a_document_that_is_not_as_it_was_imported_is_never_shown(
    path: Path, sql: str, unsealed: bool
) -> None:
    project = open_project(path)
    fields = (("author", "Ada"),)
    project.documents.store([Document("d1", "Title", "Text", metadata=fields)])
    number = project.documents.ids(["d1"])["d1"]
    assert project.documents.get(number).metadata == fields
    project.close()
    altered_past_triggers(path, f"{sql} WHERE id = {number}")
    if unsealed:
        altered_past_triggers(path, f"DELETE FROM seal WHERE name = 'document {number}'")
    with pytest.raises(ProjectError, match="damaged"):
        open_project(path).documents.get(number)
    assert any(one.problems for one in check(open_project(path).file))


def test_a_text_whose_seal_is_gone_is_never_shown(path: Path) -> None:
    open_project(path).documents.store([Document("d1", "Title", "Text")])
    altered_past_triggers(path, "DELETE FROM seal WHERE name = 'document 1'")
    with pytest.raises(ProjectError, match="damaged"):
        open_project(path).documents.get(1)
    assert any(one.problems for one in check(open_project(path).file))


DEEP = {f"q{n}": [f"d{n}x{place}" for place in range(TOP + 5)] for n in range(3)}


@pytest.fixture
def deep(tmp_path: Path) -> Path:
    path = tmp_path / "deep.db"
    pooled_project(path, {"alpha": DEEP, "beta": {"q1": ["d1x2", "d1x0"]}}).close()
    return path


@pytest.mark.parametrize("depth", [1, TOP, TOP + 1])
@pytest.mark.parametrize("sql", ["", "DELETE FROM seal WHERE name LIKE 'first %'"])
def test_the_first_places_are_those_of_the_whole_rankings(deep: Path, depth: int, sql: str) -> None:
    with closing(sqlite3.connect(deep)) as db, db:
        db.execute(sql)
    systems = open_project(deep).systems
    for system in (1, 2):
        whole = {one.query: one.documents[:depth].tolist() for one in systems.rankings(system)}
        assert {one.query: one.documents.tolist() for one in systems.tops(system, depth)} == whole


@pytest.mark.parametrize("sql", [one for one in ALTERED if "ranking" in one])
def test_first_places_that_were_altered_are_not_counted_in_the_status(
    path: Path, sql: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("annotator.actions.status.MOST_RANKINGS", 0)
    altered_past_triggers(path, sql)
    if "SET scores" in sql:  # which the status does not look at
        assert status(open_project(path)).systems
        return
    with pytest.raises(ProjectError, match="the file is damaged"):
        status(open_project(path))


def test_whatever_the_program_does_leaves_every_seal_whole(path: Path) -> None:
    project = open_project(path)
    Desk(project, "ann").say(pair_number(project, "q1", "d2"), grade=2)
    project.close()
    project = open_project(path)
    assert score(project, ScoreOptions()).systems
    assert [one for one in check(project.file) if one.problems] == []


def test_a_table_that_another_writes_to_meanwhile_is_not_taken_for_damaged(path: Path) -> None:
    reader, writer = open_project(path), open_project(path)
    assert len(reader.queries.all()) == 2
    import_qrels(writer, write(path.with_name("more.qrels"), "q1 0 d4 1\n"))
    assert score(reader, ScoreOptions()).systems


def test_identities_and_heads_can_be_computed_without_the_program(tmp_path: Path) -> None:
    project = pooled_project(tmp_path / "judgments.db", {"alpha": {'q"1\\': ["d\u20ac'1"]}})
    pair, desk = int(project.file.tuples("SELECT id FROM pair")[0][0]), Desk(project, "\u00e9va")
    desk.say(pair, grade=3, note="tab\there\x01\nline \u00e9 \x7f", seconds=1.2345, position=0)
    desk.say(pair, mark=Mark.LATER, evidence=Evidence(0, 2), chosen="depth")
    desk.undo()
    _, *lines = export_judgments(project)
    head = blake2b(identity_of(project.file) + "\u00e9va".encode(), digest_size=32).digest()
    for line in lines:
        said = {key: value for key, value in json.loads(line).items() if value is not None}
        identity = said.pop("identity")
        if "seconds" in said:
            said["milliseconds"] = int(said.pop("seconds") * 1000 + 0.5)
        content = json.dumps(said, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
        assert blake2b(content.encode(), digest_size=32).hexdigest() == identity
        head = blake2b(head + bytes.fromhex(identity), digest_size=32).digest()
    assert [(one.entries, one.head) for one in project.judgments.chains()] == [(3, head)]


def test_an_empty_project_is_whole(tmp_path: Path) -> None:
    assert [one for one in check(new_project(tmp_path / "new.db").file) if one.problems] == []


def test_nothing_is_counted_from_a_log_whose_index_lost_its_entries(path: Path) -> None:
    with closing(sqlite3.connect(path)) as db:
        ((page,),) = db.execute(
            "SELECT rootpage FROM sqlite_schema WHERE name = 'judgment_by_pair'"
        ).fetchall()
        ((size,),) = db.execute("PRAGMA page_size").fetchall()
    content, start = bytearray(path.read_bytes()), (page - 1) * size
    content[start + 3 : start + 5] = bytes(2)  # how many entries this page has
    path.write_bytes(content)
    project = open_project(path)
    reads: list[Callable[[], object]] = [
        lambda: score(project, ScoreOptions()),
        lambda: status(project),
        lambda: list(project.judgments.events()),
    ]
    for read in reads:
        with pytest.raises(ProjectError, match="damaged"):
            read()
