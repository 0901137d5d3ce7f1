"""Ids, names, notes and file names reach no shell, no other path, no terminal by any command."""

from __future__ import annotations

import re
from contextlib import closing
from pathlib import Path

import pytest

from annotator.actions.imports.texts import import_run
from annotator.actions.pool import make_pool
from annotator.domain import Document, Query
from annotator.rubric_files import presets
from annotator.store import Desk, Project
from tests.cli.conftest import Run
from tests.projects import pair_number, run_lines, write

OBEYED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069]")
HOSTILE = {
    "path": "../../outside",
    "absolute": "/tmp/annotator-outside",
    "shell": "$(touch${IFS}outside);`touch${IFS}outside`",
    "escape": "\x1b]2;T\x07\x1b[31m\x9b31m\u202e",
}
COMMANDS = [
    ("status", "--per-query"),
    ("score", "--per-query"),
    ("score", "--format", "markdown"),
    ("score", "--format", "json", "--per-query"),
    ("score", "--format", "csv"),
    ("compare", "--all"),
    ("ceiling",),
    ("companions",),
    ("plan",),
    ("history",),
    ("history", "--format", "csv"),
    ("history", "--format", "json"),
    ("doctor",),
    ("doctor", "--rescue", "made.db"),
    ("backup",),
    ("export", "qrels", "made.qrels"),
    ("export", "qrels", "made.csv", "--as", "csv"),
    ("export", "judgments", "made.jsonl"),
    ("export", "judgments", "-"),
    ("export", "scores", "made.json"),
    ("export", "scores", "made.md"),
]


@pytest.fixture(params=HOSTILE)
def project(request: pytest.FixtureRequest, folder: Path) -> Path:
    """A project in which every text and every name is hostile."""
    bad = HOSTILE[request.param]
    inside = folder / "inside"
    inside.mkdir()
    path = inside / "judgments.db"
    with closing(Project.create(path, presets()["general"])) as project:
        for name in (bad, f"other{bad}"):
            rankings = {f"q{bad}": [f"d{bad}", f"e{bad}"]}
            import_run(project, write(inside / "one.run", run_lines(rankings)), name=name)
        project.queries.store([Query(f"q{bad}", bad, bad, bad)])
        project.documents.store([Document(f"d{bad}", bad, bad, bad, ((bad, bad),))])
        make_pool(project, 10)
        Desk(project, bad).say(pair_number(project, f"q{bad}", f"d{bad}"), grade=2, note=bad)
    return path


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_nothing_of_a_project_is_obeyed(
    run: Run, project: Path, words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(project.parent)
    result = run("-p", project, *words)
    assert result.code in (0, 1, 2), result.err
    assert "fault of the program" not in result.err
    assert OBEYED.findall(result.out + result.err) == []
    made = {one.name for one in project.parent.iterdir()} - {"judgments.db", "one.run"}
    assert all(one.startswith(("made.", "judgments.")) for one in made)
    assert [one.name for one in project.parent.parent.iterdir()] == ["inside"]
    assert not Path("/tmp/annotator-outside").exists()


@pytest.mark.parametrize("name", ["$(touch outside).run", "\x1b[31m;touch outside.run", "-x.run"])
@pytest.mark.parametrize("what", ["run", "qrels", "judgments", "documents"])
def test_no_name_of_an_imported_file_is_obeyed(
    run: Run, folder: Path, name: str, what: str
) -> None:
    (folder / name).write_text("q1 Q0 d1 1 9 tag\n")
    run("init")
    result = run("import", what, "--", name)
    assert OBEYED.findall(result.out + result.err) == []
    assert {one.name for one in folder.iterdir()} == {name, "judgments.db"}
