"""What a refusal advises works on the very file that was refused."""

from __future__ import annotations

import ast
import io
import re
import shlex
import subprocess
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import NamedTuple

import pytest

from annotator.cli import main

RUN, QRELS, QUERIES, DOCUMENTS = "run", "qrels", "queries", "documents"
ANSWER = '{"took": 1, "hits": {"total": 1, "hits": [{"_id": "a", "_score": 2.5}]}}'

CASES = {
    # columns of unknown names, with and without headings
    "run-columns": (RUN, "asked,found,place\nq1,d1,1\nq1,d2,2\n"),
    "run-without-headings": (RUN, "q1,d1,1\nq1,d2,2\nq2,d1,1\n"),
    "run-distance": (RUN, "qid,docid,distance\n1,a,0.1\n1,b,0.2\n"),
    "run-list": (RUN, '{"asked": "q", "found": ["a", "b"], "worth": 2}\n'),
    "qrels-columns": (QRELS, "asked;found;worth\nq1;d1;3\nq1;d2;0\n"),
    "qrels-columns-with-commas": (QRELS, '"asked, by";found;"worth, all"\nq1;d1;3\nq2;d2;0\n'),
    "qrels-without-headings": (QRELS, "q1,d1,2\nq1,d2,1\nq2,d1,0\n"),
    "qrels-keys": (QRELS, '{"asked": {"nr": "q1"}, "found": "d1", "worth": 2}\n'),
    "qrels-two-grades": (QRELS, "qid,docid,rating,relevance\nq,a,1,2\nr,c,2,1\n"),
    "qrels-heading-twice": (QRELS, "qid,docid,rating,rating\nq,a,1,2\nr,c,2,1\n"),
    "qrels-heading-of-pandas": (QRELS, "qid,docid,docid.1,rating\nq,a,b,1\nr,c,d,2\n"),
    "queries-without-headings": (QUERIES, '"1","red, shoes"\n"2","blue hats"\n'),
    "queries-trailing-tab": (QUERIES, "1\tred shoes\t\n2\tblue hats\t\n"),
    "queries-columns": (QUERIES, "key,question\n1,what is lift\n2,what is drag\n"),
    "queries-headings-perhaps": (QUERIES, "word\tphrase\na1\tred shoes\nb2\tblue hats\n"),
    "queries-one-line": (QUERIES, "num\tred shoes\n"),
    "queries-heading-twice": (QUERIES, "id,query,query\n1,a,b\n2,c,d\n"),
    "documents-address": (DOCUMENTS, "url,text\nhttp://e.org/c,some text\nhttp://e.org/d,more\n"),
    "documents-columns": (DOCUMENTS, "page_id,body,headline\n13,a long text,words\n14,more,some\n"),
    "documents-without-headings": (DOCUMENTS, "1,first text\n2,second text\n"),
    "documents-title-perhaps": (DOCUMENTS, "ref\twords\nc1\ta text\nc2\tanother text\n"),
    "documents-two-ids": (DOCUMENTS, "docid,chunk_id,text\na,1,t\na,2,u\n"),
    # what may be two things
    "pairs": (QRELS, "1\t7555\n2\t1366\n"),
    "pairs-or-queries": (QUERIES, "1\t7555\n2\t1366\n"),
    "pairs-no-documents": (DOCUMENTS, "1\t7555\n2\t1366\n"),
    "three-columns": (QRELS, "1 a 2\n1 b 0\n"),
    "three-columns-with-headings": (QRELS, "the query\tdoc\tgrade of it\n1\ta\t2\n1\tb\t0\n"),
    "three-columns-of-ranks": (RUN, "1\ta\t1\n2\tb\t1\n"),
    "five-columns": (QRELS, "1 0 a 2 0.5\n1 0 b 0 0.25\n"),
    "subtopics": (QRELS, "1 1 a 2\n1 2 a 1\n1 1 b 0\n"),
    "second-column": (QRELS, "1 1 a 2\n1 2 a 2\n1 1 b 0\n"),
    "whole-scores": (RUN, '{"1": {"a": 3, "b": 2}}'),
    "answers": (RUN, ANSWER),
    "answers-as-qrels": (QRELS, ANSWER),
    # grades
    "grades-words": (QRELS, "qid,docid,grade\n1,a,Exact\n1,b,Partial\n1,c,Irrelevant\n"),
    "grades-with-commas": (QRELS, 'qid,docid,grade\n1,a,"good, mostly"\n1,b,3 - best\n1,c,10%\n'),
    "grades-missing": (QRELS, "qid,docid,grade\n1,a,N/A\n1,b,2\n1,c,nan\n1,d,?\n"),
    "grades-truths": (QRELS, "qid,docid,grade\n1,a,TRUE\n1,b,FALSE\n"),
    "grades-decimal": (QRELS, "1 0 a 0.5\n1 0 b -2\n1 0 c 1\n"),
    "grades-decimal-commas": (QRELS, "qid;docid;grade\n1;a;0,5\n1;b;1,0\n"),
    "grades-beyond": (QRELS, "1 0 a 5\n1 0 b 4\n1 0 c 0\n"),
    "grades-of-labels": ("judgments", '{"qid": "1", "docid": "a", "label": "Exact"}\n'),
    # files of another kind, or not ready to be read
    "documents-for-queries": (QUERIES, '{"_id": "a", "title": "T", "text": "t"}\n'),
    "topics-for-qrels": (QRELS, "<top>\n<num> 1\n<title> lift\n</top>\n"),
    "latin-1": (QUERIES, "1\tH\xfcte\n"),
    "utf-16": (QUERIES, "1\0\t\0r\0e\0d\0\n\0"),
    "two-texts": (QUERIES, "1\tred shoes\n1\tblue hats\n"),
    "one-query-of-levels": (QRELS, "dummy01 L3\ndummy02 L0\n"),
    "one-query-of-documents": (RUN, "dummy11\ndummy01\n"),
}  # fmt: skip


class Refusal(NamedTuple):
    """A file that was refused: the command that was, and all that was said."""

    command: list[str]
    said: str

    @property
    def path(self) -> str:
        return self.command[-1]


SHELL_WORD = r"(?:[^\s;`('\"]|'[^']*'|\"[^\"]*\")+"
OPTIONS = re.compile(
    r"(?:say|instance|or|perhaps) (?:"
    rf"(--(?:as|columns|grades|encoding) {SHELL_WORD})|(--keep-first))"
)


def imported(*words: str) -> tuple[int, str]:
    """Run an import that stores nothing; its exit code, and all that it said."""
    said = io.StringIO()
    with redirect_stdout(said), redirect_stderr(said):
        code = main([*words, "--dry-run", "-p", "advice.db"])
    return code, said.getvalue()


@pytest.fixture(scope="module")
def cases(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a project without queries, and a file of each case."""
    folder = tmp_path_factory.mktemp("advice")
    with redirect_stderr(io.StringIO()):
        main(["init", str(folder / "advice.db")])
    for name, (_, text) in CASES.items():
        (folder / f"{name}'s file.txt").write_bytes(text.encode("latin-1"))
    return folder


def refused(name: str) -> Refusal:
    """Import a case, which must be refused."""
    command = ["import", CASES[name][0], f"{name}'s file.txt"]  # a name that a shell would split
    code, said = imported(*command)
    assert code, said
    return Refusal(command, said)


def advised(refusal: Refusal) -> Iterator[list[str]]:
    """Every command that a refusal names, and the refused one with every option that it names."""
    for line in refusal.said.splitlines():
        for command in re.findall(r"annotator (import .*?)(?:`|$)", line):
            words = shlex.split(command)
            if words[-1] == "--help":
                continue
            assert words[-1] == refusal.path, command
            yield words
        for options in OPTIONS.findall(line):
            words = shlex.split("".join(options).replace("GRADE", "1"))
            yield [*refusal.command[:2], *words, refusal.path]
        for script in re.findall(r"awk '.*' FILE", line):
            command = script.replace("FILE", shlex.quote(refusal.path)).replace("QUERY", "1")
            done = subprocess.run(command, shell=True, capture_output=True, check=True)
            made = Path(f"{refusal.path}.of.one.query")
            made.write_bytes(done.stdout)
            yield [*refusal.command[:2], str(made)]


@pytest.mark.parametrize("name", CASES)
def test_each_advice_of_a_refusal_works_on_the_file(
    cases: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(cases)
    refusal = refused(name)
    commands = [*advised(refusal)]
    assert commands, refusal.said
    for command in commands:
        code, said = imported(*command)
        if code:  # the right kind of import may have a question of its own
            for more in advised(Refusal([*command[:2], command[-1]], said)):
                command = more
                code, said = imported(*more)
        assert not code, f"{shlex.join(command)}\n{said}\n--- advised by\n{refusal.said}"


def test_a_title_above_the_headings_is_left_out_and_texts_without_ids_get_a_heading(
    cases: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(cases)
    table, titled = Path("table.csv"), Path("titled.csv")
    table.write_text("qid,docid,grade\n1,a,2\n")
    for title in ("Judgments,,", "sep=,", "Judgments"):
        titled.write_text(f"{title}\n{table.read_text()}")
        code, said = imported("import", QRELS, str(titled))
        assert code == 3
        assert "its first line is a title" in said
    assert imported("import", QRELS, str(table))[0] == 0
    texts = Path("texts.txt")
    texts.write_text("red shoes\nblue hats\n")
    assert "put a line with the word query above them" in imported("import", QUERIES, str(texts))[1]
    texts.write_text(f"query\n{texts.read_text()}")
    assert imported("import", QUERIES, str(texts))[0] == 0


@pytest.mark.parametrize(
    ("text", "told", "grades"),
    [
        ('{"qid": "1", "relevant": ["a", "b"]}\n', "--grades 1:3 says another", "1:3"),
        ("1 0 a -1\n1 0 b 1\n", "map them with --grades", "-1:0,1:3"),
    ],
)
def test_what_is_told_of_grades_that_are_read_can_be_done(
    cases: Path, monkeypatch: pytest.MonkeyPatch, text: str, told: str, grades: str
) -> None:
    monkeypatch.chdir(cases)
    Path("labels").write_text(text)
    assert told in imported("import", QRELS, "labels")[1]
    code, said = imported("import", QRELS, "--grades", grades, "labels")
    assert code == 0
    assert told not in said


SCORED = re.compile(rf"--(qrels|run) with ((?:--(?:as|columns) {SHELL_WORD} ?)+)")


def scored(kind: str, path: str, *options: str) -> str:
    """What is said of a file that is scored without a project, beside another."""
    files = {QRELS: "good.qrels", RUN: "good.run", kind: path}
    said = io.StringIO()
    with redirect_stdout(said), redirect_stderr(said):
        main(["score", "--qrels", files[QRELS], "--run", files[RUN], *options])
    return said.getvalue()


@pytest.mark.parametrize(
    "name", [name for name, (kind, _) in CASES.items() if kind in (QRELS, RUN)]
)
def test_each_advice_works_without_a_project_too(
    cases: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(cases)
    Path("good.qrels").write_text("1 0 a 1\n")
    Path("good.run").write_text("1 Q0 a 1 2.5 t\n")
    path = f"{name}'s file.txt"
    said = scored(CASES[name][0], path)
    assert "annotator import" not in said
    advised = [(kind, shlex.split(options)) for kind, options in SCORED.findall(said)]
    advised += [(CASES[name][0], shlex.split("".join(one))) for one in OPTIONS.findall(said)]
    for kind, options in advised:
        after = scored(kind, path, *[word.replace("GRADE", "1") for word in options])
        assert "is not clear" not in after, (options, after)
        assert "cannot be read" not in after, (options, after)


ADVICE = re.compile(r"--(?:as|columns|grades|encoding|keep-first)\b|annotator import|awk '")


def pieces_of_advice() -> Iterator[str]:
    """What the readers' messages are made of where they name an option or a command."""
    root = Path(main.__code__.co_filename).parents[1]
    for path in (*root.glob("formats/**/*.py"), *root.glob("actions/imports/*.py")):
        tree = ast.parse(path.read_text())
        docs = {id(one.value) for one in ast.walk(tree) if isinstance(one, ast.Expr)}
        for node in ast.walk(tree):
            text = node.value if isinstance(node, ast.Constant) and id(node) not in docs else None
            if isinstance(text, str) and ADVICE.search(text):
                yield " ".join(text.split())


def test_every_advice_on_a_file_is_tried(cases: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(cases)
    said = " ".join(" ".join(refused(name).said.split()) for name in CASES)
    untried = {piece for piece in pieces_of_advice() if piece not in said}
    assert untried == NOT_ABOUT_THE_FILE


# These name other files, or say what is wrong with what a person typed.
NOT_ABOUT_THE_FILE = {
    "(--as",
    "'; write it with --as jsonl",
    "--columns by number is for a table without headings, and the first line has",
    "--columns: no column or key",
    "--grades says nothing of the grade",
    "bytes; name its --encoding",
    "`annotator import queries FILE` adds queries",
    "a label of a model needs the model and the hash of its prompt: bring it in with `annotator "
    "import judgments FILE --model NAME --prompt FILE`",
    "stay: `annotator import weights FILE` gives others",
    ": `annotator import queries FILE` adds their texts",
    ": such a query returned nothing, and scores 0 once its text is imported too "
    "(`annotator import queries`)",
    "has no text, and Quepid knows queries by it: `annotator import queries FILE` adds it",
    "entries, and a log is held in memory; bring in its labels as qrels instead: `annotator export "
    "qrels` where it was made, `annotator import qrels` here",
    # These are told of files that are read; the test above tries them.
    "; --grades",
    '{count:row has|rows have} no grade or one below 0. In TREC qrels that says "pooled, not '
    'judged", so they are in the pool now; if this file means grades, map them with --grades',
}
