"""Labels and runs under ids that the project does not know never come in without a word."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from annotator.actions.files.scores import score_files
from annotator.actions.imports.log import import_judgments
from annotator.actions.imports.qrels import import_qrels
from annotator.actions.imports.report import Found
from annotator.actions.imports.texts import import_documents, import_queries, import_run
from annotator.actions.pool import make_pool
from annotator.errors import UsageError
from annotator.scoring.options import ScoreOptions
from annotator.store import Project
from tests.actions.conftest import refused
from tests.projects import import_systems, labels_of, new_project, run_lines, write

KNOWN = {"51": ["a", "b"], "q-caf\u00e9": ["a", "c"]}

Import = Callable[[Project, Path], Found]
Written = Callable[[Path, list[str]], Path]


def as_qrels(folder: Path, qids: list[str]) -> Path:
    rows = "".join(f'"{qid}",a,1\n' for qid in qids)
    return write(folder / "labels.csv", f"qid,docid,grade\n{rows}")


def as_judgments(folder: Path, qids: list[str]) -> Path:
    rows = [json.dumps({"qid": qid, "docid": "a", "grade": 1}) for qid in qids]
    return write(folder / "labels.jsonl", "\n".join(rows))


def as_run(folder: Path, qids: list[str]) -> Path:
    rows = [{"qid": qid, "docid": "a", "rank": 1, "score": 1.0} for qid in qids]
    return write(folder / "other.jsonl", "\n".join(map(json.dumps, rows)))


KINDS = [(as_qrels, import_qrels), (as_judgments, import_judgments), (as_run, import_run)]
LABELS = KINDS[:2]


@pytest.fixture(params=["texts", "runs"])
def project(request: pytest.FixtureRequest, tmp_path: Path) -> Project:
    """A project whose queries are known by their texts, or only from a run."""
    project = new_project(tmp_path / "judgments.db")
    if request.param == "texts":
        rows = "".join(f"{qid}\ttext of {qid}\n" for qid in KNOWN)
        import_queries(project, write(tmp_path / "queries.tsv", rows))
    import_systems(project, {"alpha": KNOWN})
    return project


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("other", "like"),
    [
        ("051", "51"),
        ("51.0", "51"),
        ("Q51", "51"),
        ("Q-CAF\u00c9", "q-caf\u00e9"),
        ("q-cafe\u0301", "q-caf\u00e9"),
        ("q_caf\u00e9", "q-caf\u00e9"),
    ],
)
def test_a_file_of_look_alikes_is_refused_with_the_ids_they_look_like(
    project: Project,
    tmp_path: Path,
    kind: tuple[Written, Import],
    other: str,
    like: str,
) -> None:
    written, imported = kind
    path = written(tmp_path, [other])
    said = refused(project, lambda: imported(project, path), UsageError)
    assert f"{path}: none of its queries" in said
    assert "not the same" in said
    assert like in said


@pytest.mark.parametrize("kind", LABELS)
def test_blanks_at_the_ends_are_no_part_of_an_id(
    project: Project, tmp_path: Path, kind: tuple[Written, Import]
) -> None:
    written, imported = kind
    imported(project, written(tmp_path, ["51 "]))
    assert labels_of(project) == {("51", "a"): 1}


def test_a_log_has_ids_as_they_are_and_blanks_at_their_ends_are_shown(
    project: Project, tmp_path: Path
) -> None:
    row = {"identity": "", "qid": "51 ", "docid": "a", "grade": 1}
    path = write(tmp_path / "log.jsonl", json.dumps(row))
    assert '"51 " and 51' in refused(project, lambda: import_judgments(project, path), UsageError)


@pytest.mark.parametrize("kind", LABELS)
def test_labels_of_some_unknown_queries_are_left_out_with_a_word(
    project: Project, tmp_path: Path, kind: tuple[Written, Import]
) -> None:
    written, imported = kind
    found = imported(project, written(tmp_path, ["51", "051", "new"]))
    assert labels_of(project) == {("51", "a"): 1}
    assert found.facts["unknown queries"] == 2
    assert "left out: 051, new" in found.warnings[0]
    assert "051 and 51" in found.warnings[0]
    assert list(project.queries.ids()) == list(KNOWN)


def test_new_queries_of_a_further_run_come_in_where_no_texts_are_known(tmp_path: Path) -> None:
    project = new_project(tmp_path / "judgments.db")
    import_systems(project, {"alpha": KNOWN})
    found = import_run(project, write(tmp_path / "b.run", run_lines({"51": ["a"], "052": ["a"]})))
    assert found.facts["queries new"] == 1
    twin = import_run(project, write(tmp_path / "c.run", run_lines({"51": ["a"], "52": ["a"]})))
    assert any("52 and 052" in one for one in twin.warnings)


@pytest.mark.parametrize("kind", LABELS)
def test_labels_that_come_first_bring_their_queries(
    tmp_path: Path, kind: tuple[Written, Import]
) -> None:
    project = new_project(tmp_path / "judgments.db")
    written, imported = kind
    imported(project, written(tmp_path, ["51"]))
    assert list(project.queries.ids()) == ["51"]
    path = written(tmp_path, ["051"])
    refused(project, lambda: imported(project, path), UsageError)


@pytest.mark.parametrize("kind", LABELS)
def test_a_text_of_several_queries_stands_for_none_of_them_and_that_is_said(
    tmp_path: Path, kind: tuple[Written, Import]
) -> None:
    project = new_project(tmp_path / "judgments.db")
    import_queries(project, write(tmp_path / "q.tsv", "1\tred shoes\n2\tred  shoes\n3\tcap\n"))
    written, imported = kind
    found = imported(project, written(tmp_path, ["red shoes", "cap"]))
    assert labels_of(project) == {("3", "a"): 1}
    assert "red shoes is the text of queries 1, 2" in found.warnings[0]
    path = written(tmp_path, ["Red Shoes"])
    said = refused(project, lambda: imported(project, path), UsageError)
    assert "Red Shoes looks like the text of query 1" in said


@pytest.mark.parametrize("part", ["page/a#0", "page/a_12", "page/a::chunk3", "page/a-p7"])
@pytest.mark.parametrize("of_parts", ["run", "labels"])
def test_runs_of_parts_and_labels_of_documents_are_told(
    tmp_path: Path, part: str, of_parts: str
) -> None:
    returned, judged = (part, "page/a") if of_parts == "run" else ("page/a", part)
    project = new_project(tmp_path / "judgments.db")
    import_systems(project, {"alpha": {"1": [returned, "page/b"]}})
    qrels = write(tmp_path / "labels.qrels", f"1 0 {judged} 1\n")
    found = import_qrels(project, qrels)
    assert any(f"{part} seems to be a part of page/a" in one for one in found.warnings)


ALIKE = [("D3", "d3"), ("003", "3"), ("3.0", "3"), ("cafe\u0301", "caf\u00e9")]


@pytest.mark.parametrize(("other", "like"), ALIKE)
@pytest.mark.parametrize("kind", ["run", "qrels", "judgments", "documents", "unpooled", "files"])
def test_documents_that_look_like_others_are_named_where_most_ids_are_known(
    tmp_path: Path, kind: str, other: str, like: str
) -> None:
    ids = ["a", "b", "c", like]
    project = new_project(tmp_path / "judgments.db")
    import_systems(project, {"alpha": {"1": ids}})
    qrels = write(
        tmp_path / "l.csv", "qid,docid,grade\n" + "".join(f'1,"{one}",1\n' for one in ids)
    )
    rows = [{"qid": "1", "docid": one, "rank": 1 + n} for n, one in enumerate(["a", "b", other])]
    run = write(tmp_path / "other.jsonl", "\n".join(map(json.dumps, rows)))
    if kind == "run":
        said = import_run(project, run).warnings
    elif kind == "qrels":
        text = f'qid\tdocid\tgrade\n1\ta\t1\n1\t"{other}"\t1\n'
        said = import_qrels(project, write(tmp_path / "q.tsv", text)).warnings
    elif kind == "judgments":
        events = [
            {"identity": "", "qid": "1", "docid": docid, "grade": 1} for docid in ("a", other)
        ]
        log = write(tmp_path / "l.jsonl", "\n".join(map(json.dumps, events)))
        said = import_judgments(project, log).warnings
    elif kind == "files":
        said = score_files(qrels, [("other", run)], ScoreOptions())[1]
    else:
        if kind == "documents":
            make_pool(project, 10)
        texts = [{"_id": docid, "text": f"text of {docid}"} for docid in ("a", "b", other, "z")]
        path = write(tmp_path / "d.jsonl", "\n".join(map(json.dumps, texts)))
        said = import_documents(project, path).warnings
    assert sum("not the same" in one for one in said) == 1
    assert any(one.rstrip().endswith(like) and "documents: " in one for one in said)


@pytest.mark.parametrize("others", [3, 100])
@pytest.mark.parametrize("seen", [3, 100])
def test_of_many_ids_the_fewer_are_held(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seen: int, others: int
) -> None:
    monkeypatch.setattr("annotator.actions.imports.effects.MOST_HELD", 10)
    project = new_project(tmp_path / "judgments.db")
    import_systems(project, {"alpha": {"1": [f"doc{at}" for at in range(seen)]}})
    names = ["DOC1", *(f"other{at}" for at in range(others))]
    lines = [f"1 Q0 {name} {at} {-at} beta\n" for at, name in enumerate(names, start=1)]
    said = import_run(project, write(tmp_path / "b.run", "".join(lines))).warnings
    told = any("DOC1 and doc1" in one or "doc1 and DOC1" in one for one in said)
    assert told is (min(seen, others) < 10)


def test_a_corpus_that_has_both_spellings_is_taken_without_a_word(tmp_path: Path) -> None:
    project = new_project(tmp_path / "judgments.db")
    import_systems(project, {"alpha": {"1": ["d1", "d2"]}})
    make_pool(project, 10)
    texts = [{"_id": docid, "text": docid} for docid in ("D1", "d1", "d2", "D2")]
    path = write(tmp_path / "d.jsonl", "\n".join(map(json.dumps, texts)))
    assert not any("not the same" in one for one in import_documents(project, path).warnings)


@pytest.mark.parametrize("first", ["run", "labels"])
@pytest.mark.parametrize(
    ("qids", "said"),
    [
        (["052", "q-caf\u00e9"], "052 and 52"),
        (["Q52", "x"], "Q52 and 52"),
        (["x", "y"], "(52, q-caf\u00e9): are these the ids of another query set?"),
        (["52", "q-caf\u00e9", "53"], ""),
    ],
)
def test_queries_are_compared_with_those_that_runs_or_labels_brought(
    tmp_path: Path, first: str, qids: list[str], said: str
) -> None:
    project = new_project(tmp_path / "judgments.db")
    brought = ["52", "q-caf\u00e9"]
    if first == "run":
        import_systems(project, {"alpha": {qid: ["a"] for qid in brought}})
    else:
        import_qrels(project, as_qrels(tmp_path, brought))
    rows = "".join(f"{qid}\ttext of {qid}\n" for qid in qids)
    found = import_queries(project, write(tmp_path / "queries.tsv", rows))
    assert any(one.endswith(said) for one in found.warnings) if said else not found.warnings
