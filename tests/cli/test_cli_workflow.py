"""From an empty folder to labels: init, import, pool, status."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run


def test_init_says_what_was_made_and_what_comes_next(run: Run) -> None:
    result = run("-p", "my project.db", "init", "--rubric", "rag-chunk")
    assert (result.code, result.out) == (0, "")
    assert "made my project.db: grades 0 to 3 under the rubric rag-chunk v1" in result.err
    assert "annotator -p 'my project.db' import queries FILE" in result.err


@pytest.mark.parametrize(
    "words",
    [
        ["-p", "a.db", "import", "queries", "queries.tsv"],
        ["import", "-p", "a.db", "queries", "queries.tsv"],
        ["import", "queries", "-p", "a.db", "queries.tsv"],
        ["-p", "b.db", "import", "queries", "queries.tsv", "--project", "a.db"],
    ],
)
def test_the_project_may_be_named_before_or_after_the_command(run: Run, words: list[str]) -> None:
    Path("queries.tsv").write_text("q1\tfirst\n")
    run("init", "-p", "a.db")
    assert run(*words).code == 0
    assert run("-p", "a.db", "status").out.count("1 query") == 1


def test_the_project_may_be_named_by_the_environment(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANNOTATOR_PROJECT", "mine.db")
    assert "annotator import" in run("init").err
    assert Path("mine.db").exists()


def test_an_import_tells_what_it_found(run: Run, small: Path) -> None:
    Path("c.run").write_text("q1 Q0 d1 1 5 c\nq1 Q0 d1 2 4 c\nq9 Q0 d5 1 3 c\n")
    result = run("import", "run", "c.run", "queries.tsv", "--name", "c")
    assert result.code == 2
    result = run("import", "run", "c.run")
    assert (result.code, result.err) == (0, "")
    lines = result.out.splitlines()
    assert lines[0] == "c.run (run)"
    assert ["duplicate", "documents", "dropped", "1"] in [line.split() for line in lines]
    assert any(line.startswith("  ! 1 ") and "q9" in line for line in lines)


def test_an_import_tells_programs_too(run: Run, small: Path) -> None:
    result = run("import", "qrels", "labels.txt", "--assessor", "ann", "--format", "json")
    data = json.loads(result.out)
    assert data["dry_run"] is False
    assert data["files"][0]["source"] == "labels.txt"
    assert data["files"][0]["facts"]["assessor"] == "ann"
    assert data["files"][0]["facts"]["judgments added"] == 2


@pytest.mark.parametrize(
    "words",
    [
        ["import", "queries", "more.tsv"],
        ["import", "run", "c.run"],
        ["import", "qrels", "labels.txt", "--assessor", "ann"],
        ["import", "documents", "texts.jsonl", "--all"],
        ["import", "judgments", "log.jsonl"],
    ],
)
def test_a_dry_run_says_the_same_and_leaves_the_file_unchanged(
    run: Run, small: Path, words: list[str]
) -> None:
    Path("more.tsv").write_text("q3\tthird question\n")
    Path("c.run").write_text("q1 Q0 d9 1 5 c\n")
    run("export", "judgments", "log.jsonl")
    log = Path("log.jsonl").read_text()
    Path("log.jsonl").write_text(log.replace('"labels"', '"somebody"'))
    before = small.read_bytes()
    rehearsed = run(*words, "--dry-run")
    assert rehearsed.code == 0
    assert rehearsed.err.endswith("dry run: nothing was stored\n")
    assert small.read_bytes() == before
    assert run(*words).out == rehearsed.out
    assert small.read_bytes() != before


def test_of_several_files_all_are_taken_or_none(run: Run, small: Path) -> None:
    Path("c.run").write_text("q1 Q0 d9 1 5 c\n")
    Path("d.run").write_text("q1 Q0 d9 one 5 c\n")
    before = small.read_bytes()
    result = run("import", "run", "c.run", "d.run")
    assert (result.code, result.out) == (3, "")
    assert small.read_bytes() == before


def test_a_pool_tells_how_many_judgments_it_is(run: Run, small: Path) -> None:
    Path("c.run").write_text("q2 Q0 d7 1 5 c\n")
    run("import", "run", "c.run")
    result = run("pool")
    assert result.code == 0
    facts = dict(line.split("  ", 1) for line in result.out.splitlines())
    assert {name: value.strip() for name, value in facts.items()} == {
        "systems": "a, b, c",
        "depth": "10",
        "pairs added": "1",
        "pairs pooled": "5",
        "left to judge": "3",
        "documents without text": "5",
    }
    assert "5 pooled documents have no text" in result.err
    assert "annotator grade  3 judgments" in result.err


def test_a_pool_that_keeps_its_order_says_so(run: Run, small: Path) -> None:
    assert "--seed changes nothing" in run("pool", "--seed", "5").err
    assert "--seed" not in run("pool", "--seed", "0").err
    assert json.loads(run("pool", "--format", "json").out)["pooled"] == 4


def test_status_counts_what_is_judged_and_what_is_missing(run: Run, small: Path) -> None:
    result = run("status", "--format", "json", "--per-query", "-k", "1")
    data = json.loads(result.out)
    assert data["pool"] == {
        "depth": 10, "queries": 2, "pooled": 4, "judged": 2,
        "later": 0, "cannot_judge": 0, "left": 2,
    }  # fmt: skip
    assert data["systems"][0] == {
        "system": "a",
        "judged": [{"k": 1, "judged": 1, "places": 2, "share": 0.5}],
    }
    assert [one["query"] for one in data["queries"]] == ["q1", "q2"]
    assert data["queries"][1]["judged_at"] == [{"k": 1, "judged": 0, "places": 2, "share": 0.0}]
    assert data["seconds_left"] is None


def test_status_says_what_to_do_first(run: Run) -> None:
    run("init")
    assert "annotator import run FILE..." in run("status").err
    Path("a.run").write_text("q1 Q0 d1 1 9 a\n")
    run("import", "run", "a.run")
    assert "annotator pool" in run("status").err


def test_a_project_without_labels_can_be_looked_at(run: Run, small: Path) -> None:
    run("rubric", "set", "dl-passage")
    for words in (["status", "--per-query"], ["score", "--per-query"], ["export", "qrels", "-"]):
        assert run(*words).code == 0
    assert "2" in run("status").out.split("labels of another rubric, not counted")[1].split("\n")[0]


def test_systems_that_share_no_document_with_any_other_are_told(run: Run) -> None:
    def pool_of(**ids: str) -> str:
        for name, form in ids.items():
            places = (f"q1 Q0 {form.format(n)} {n} {9 - n} t\n" for n in range(1, 61))
            Path(f"{name}.run").write_text("".join(places))
        run("init")
        assert run("import", "run", *(f"{name}.run" for name in ids)).code == 0
        said = run("pool", "--depth", "60").err
        Path("judgments.db").unlink()
        return said

    assert "no document with any other" not in pool_of(a="{}", b="{}")
    assert "no document with any other" not in pool_of(a="{}")
    assert "c shares no document with any other system: are the ids those of" in pool_of(
        a="{}", b="{}", c="doc{}"
    )
    assert "a, c share no document with any other system" in pool_of(a="{}", c="doc{}")
