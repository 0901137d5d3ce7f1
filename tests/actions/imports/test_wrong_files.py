"""Whatever is imported: the same file again changes nothing, and the wrong file is refused."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from annotator.actions.imports.log import import_judgments
from annotator.actions.imports.qrels import import_qrels
from annotator.actions.imports.report import Found
from annotator.actions.imports.texts import import_documents, import_queries, import_run
from annotator.errors import InputError, UsageError
from annotator.store import Project
from tests.actions.conftest import refused
from tests.actions.imports.conftest import Write
from tests.projects import contents, run_lines

TWICE: dict[Callable[..., Found], str] = {
    import_queries: "q1\tone\n",
    import_documents: '{"_id": "d1", "text": "one"}\n',
    import_run: "q1 Q0 d1 1 1.5 t\n",
    import_qrels: "q1 0 d1 1\n",
    import_judgments: '{"qid": "q1", "docid": "d1", "grade": 2}\n',
}


@pytest.mark.parametrize("import_file", TWICE, ids=lambda one: one.__name__)
def test_the_same_file_again_changes_nothing_and_says_so(
    project: Project, file: Write, import_file: Callable[..., Found]
) -> None:
    path = file(TWICE[import_file], "file")
    assert "nothing changed" not in " ".join(import_file(project, path).warnings)
    before = contents(project)
    assert import_file(project, path).warnings[-1].endswith("nothing changed")
    assert contents(project) == before


def test_a_file_of_another_query_set_is_refused(project: Project, file: Write) -> None:
    import_queries(project, file("q1\tone\n", "queries.tsv"))
    run = file(run_lines({"7": ["d1"], "8": ["d1"]}))
    qrels = file("7 0 d1 1\n", "qrels.txt")
    for act in (lambda: import_run(project, run), lambda: import_qrels(project, qrels)):
        assert "another query set" in refused(project, act, UsageError)


def test_a_file_that_is_of_another_kind_is_refused(project: Project, file: Write) -> None:
    run, qrels = file(run_lines({"q1": ["d1"]})), file("q1 0 d1 1\n", "qrels.txt")
    refused(project, lambda: import_qrels(project, run), InputError)
    refused(project, lambda: import_run(project, qrels), InputError)
    refused(project, lambda: import_run(project, qrels.with_name("missing.run")), InputError)
