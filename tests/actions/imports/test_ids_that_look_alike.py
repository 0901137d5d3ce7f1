"""Labels and runs under ids that the project does not know never come in without a word."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from annotator.actions.found import Found
from annotator.actions.importing import import_queries, import_run
from annotator.actions.journal import import_judgments
from annotator.actions.labelling import import_qrels
from annotator.errors import UsageError
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
    row = {"event": 1, "qid": "51 ", "docid": "a", "grade": 1}
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
