"""What a shell completes: names from the project, presets, measures; silent whatever goes wrong."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.shell_completion import ShellComplete

from annotator.cli import group
from annotator.domain import Query
from annotator.rubric_files import presets
from annotator.store import Project
from rubric import KINDS, Measure
from tests.projects import ROOT, finished, new_project, start_python

SYSTEMS = ["bm25_lucene", "bm25plus_nostem", "tfidf_cosine", "ql_dirichlet", "lsa_200"]


def completed(*words: str, begun: str = "") -> list[str]:
    """What a shell is offered, without files."""
    found = ShellComplete(group, {}, "annotator", "_X").get_completions([*words], begun)
    assert len({item.type for item in found}) < 2, "bash would offer files only"
    return [item.value for item in found if item.type == "plain"]


def takers(start: click.Group = group, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Each command with each of its parameters that takes a name of the project."""
    context = click.Context(start)
    for name in start.list_commands(context):
        command = start.get_command(context, name)
        assert command
        if isinstance(command, click.Group):
            yield from takers(command, (*path, name))
            continue
        for one in command.params:
            if one.name in ("system", "systems", "pair", "query", "qid", "assessor", "assessors"):
                option = one.opts[0] if isinstance(one, click.Option) else ""
                if path != ("import",):  # there it is a name to be given
                    yield (*path, name, option, one.name)


@pytest.mark.parametrize("words", [*takers()], ids=" ".join)
def test_each_parameter_that_takes_a_name_of_the_project_completes_it(
    demo: Path, words: tuple[str, ...]
) -> None:
    *command, option, name = words
    found = completed(*command, "-p", str(demo), *filter(None, [option]))
    if name in ("system", "systems", "pair"):
        assert set(found) <= set(SYSTEMS)
        assert "bm25_lucene" in found
    elif name in ("query", "qid"):
        assert found == [*Project.open(demo).queries.ids()]
    else:
        assert found == [*Project.open(demo).judgments.assessors()]


def test_the_project_is_that_of_the_folder_or_the_one_that_is_named(
    demo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert completed("compare", begun="bm") == []
    assert completed("-p", str(demo), "compare", begun="bm") == ["bm25_lucene", "bm25plus_nostem"]
    monkeypatch.setenv("ANNOTATOR_PROJECT", str(demo))
    assert completed("compare", begun="bm") == ["bm25_lucene", "bm25plus_nostem"]
    monkeypatch.delenv("ANNOTATOR_PROJECT")
    demo.rename("judgments.db")
    assert completed("compare", begun="bm") == ["bm25_lucene", "bm25plus_nostem"]


def test_presets_and_measures_are_completed() -> None:
    for command in ("init --rubric", "rubric show", "rubric set", "score --rubric"):
        assert completed(*command.split()) == [*presets()]
    found = completed("score", "-m")
    assert [Measure.parse(name).name for name in found] == [*KINDS]
    assert completed("score", "-m", begun="RR@5,nD") == ["RR@5,nDCG@10"]


def test_names_that_a_shell_would_obey_are_not_offered(folder: Path) -> None:
    names = ["good-1.x", "two words", "$(reboot)", "a;b", "esc\x1b[31m", "`x`", "quote'", "a\nb"]
    project = new_project(folder / "judgments.db")
    project.queries.store(Query(name, "") for name in names)
    project.close()
    assert completed("grade", "--query") == ["good-1.x"]


@pytest.mark.parametrize("content", [b"", b"no database", b"SQLite format 3\0" + b"\xff" * 4000])
def test_a_file_that_is_no_project_completes_nothing_and_stays(
    folder: Path, content: bytes, capfd: pytest.CaptureFixture[str]
) -> None:
    file = folder / "judgments.db"
    file.write_bytes(content)
    assert completed("compare") == []
    assert capfd.readouterr() == ("", "")
    assert [*folder.iterdir()] == [file]
    assert file.read_bytes() == content


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_documented_line_makes_the_shell_complete(shell: str) -> None:
    name, value = "_ANNOTATOR_COMPLETE", f"{shell}_source"
    assert value in (ROOT / "docs" / "app.md").read_text()
    script = f"import os; os.environ[{name!r}] = {value!r}; from annotator.cli import main; main()"
    assert name in finished(start_python(script))
