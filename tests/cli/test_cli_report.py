"""The report: inert, complete, small, the same each time, and checked against the project."""

from __future__ import annotations

import csv
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from defusedxml.ElementTree import parse

from tests.cli.conftest import Run
from tests.cli.strict_page import Page, page_of
from tests.projects import qrels_lines, run_lines

HOSTILE = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=y>',
    "\x1b]0;x\x07",
    "\u202eevil",
    "`a`|b",
]


@pytest.fixture(scope="module")
def demo_page(
    built_demo: Path, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, dict[str, list[str]]]:
    """The demo's page with its figures, and the texts of each part by its heading."""
    from annotator.cli import main

    folder = tmp_path_factory.mktemp("report")
    demo = Path(shutil.copy(built_demo, folder / "demo.db"))
    words = ["-p", demo, "report", folder / "r.html", "--figures", folder / "figures"]
    assert main([str(word) for word in words]) == 0
    parts: dict[str, list[str]] = {"": []}
    page, heading = Page((folder / "r.html").read_text("utf-8")), ""
    assert page.texts
    for piece in re.split(r"(<h2 id=\"\w+\">[^<]+</h2>)", (folder / "r.html").read_text("utf-8")):
        if found := re.fullmatch(r"<h2 id=\"(\w+)\">[^<]+</h2>", piece):
            heading = found[1]
        else:
            parts[heading] = [" ".join(re.sub("<[^>]+>", " ", piece).split())]
    return folder, parts


def test_a_page_is_well_formed_and_loads_and_runs_nothing(
    demo_page: tuple[Path, dict[str, list[str]]],
) -> None:
    page_of(demo_page[0] / "r.html")


def test_the_page_begins_with_the_answer_and_has_every_part(
    demo_page: tuple[Path, dict[str, list[str]]],
) -> None:
    _, parts = demo_page
    assert "lsa_200 and bm25_lucene are level on nDCG@10" in parts[""][0]
    assert list(parts)[1:] == [
        "systems", "queries", "pairs", "verdicts", "losses", "companions", "labels", "rubric",
        "method",
    ]  # fmt: skip
    assert "imported" in parts["labels"][0]
    assert "Highly relevant" in parts["rubric"][0]
    assert "annotator 0.1.0" in parts["method"][0]


def test_the_page_has_the_numbers_that_the_commands_print(
    run: Run, demo: Path, demo_page: tuple[Path, dict[str, list[str]]]
) -> None:
    _, parts = demo_page
    for words, part in (
        (("score", "-m", "nDCG@10,nDCG@3", "--format", "markdown"), "systems"),
        (("compare", "lsa_200", "bm25_lucene", "-m", "nDCG@10", "--format", "markdown"), "pairs"),
        (("compare", "--all", "--format", "markdown"), "verdicts"),
        (("ceiling", "--format", "markdown"), "losses"),
        (("companions", "-k", "3", "-k", "10", "--format", "markdown"), "companions"),
        (("status", "--pool-bias", "--format", "markdown"), "labels"),
    ):
        out = run("-p", demo, *words).out.split("Method:")[0]
        cells = {cell.strip() for line in out.splitlines() for cell in line.split("|")[1:-1]}
        numbers = [cell for cell in cells if re.search(r"\d\.\d", cell)]
        assert numbers
        for cell in numbers:
            assert cell.replace("\\", "") in parts[part][0], (words, cell)


def test_the_same_project_gives_the_same_bytes_at_any_time(run: Run, demo: Path) -> None:
    for name in ("one.html", "two.html"):
        assert run("-p", demo, "report", name, "lsa_200", "bm25_lucene").code == 0
    assert Path("one.html").read_bytes() == Path("two.html").read_bytes()


def test_each_figure_is_a_file_too(demo_page: tuple[Path, dict[str, list[str]]]) -> None:
    figures = sorted((demo_page[0] / "figures").iterdir())
    names = ["differences-1", "queries", "scores", "spread", "verdicts"]
    assert [one.stem for one in figures] == names
    for one in figures:
        svg = parse(one).getroot()
        assert svg is not None
        assert svg.tag == "{http://www.w3.org/2000/svg}svg"


@pytest.mark.parametrize(("kind", "begins"), [("png", b"\x89PNG\r\n"), ("pdf", b"%PDF-")])
def test_figures_are_drawn_as_other_files_where_the_library_is_there(
    run: Run, demo: Path, kind: str, begins: bytes
) -> None:
    pytest.importorskip("cairosvg")
    words = ("report", "r.html", "--figures", "drawn", "--figures-as", kind)
    assert run("-p", demo, *words).code == 0
    drawn = sorted(Path("drawn").iterdir())
    assert {one.suffix for one in drawn} == {f".{kind}"}
    assert len(drawn) == 5
    for one in drawn:
        content = one.read_bytes()
        assert content.startswith(begins)
        assert len(content) > 5_000, one.name  # an empty one has a third of that
    assert run("-p", demo, "report", "r.html", "--verify").code == 0


def test_without_the_library_a_line_says_what_is_missing_and_nothing_is_written(
    run: Run, small: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "cairosvg", None)
    result = run("report", "r.html", "--figures", "drawn", "--figures-as", "png")
    assert result.code == 2
    assert "pip install 'pool-annotator[figures]'" in result.err
    assert not Path("drawn").exists()
    assert not Path("r.html").exists()


def test_the_figure_of_verdicts_has_the_marks_of_the_table(
    run: Run, demo: Path, demo_page: tuple[Path, dict[str, list[str]]]
) -> None:
    svg = parse(demo_page[0] / "figures" / "verdicts.svg").getroot()
    assert svg is not None
    drawn = [one.text or "" for one in svg.iter("{http://www.w3.org/2000/svg}text")]
    table = run("-p", demo, "compare", "--all", "--format", "csv", "-m", "nDCG@10").out
    verdicts = [one["verdict"] for one in csv.DictReader(table.splitlines())]
    for verdict, sign in (("proved", "!"), ("credible", "*"), ("within 0.02", "=")):
        assert sum(one.endswith(sign) for one in drawn) == 2 * verdicts.count(verdict)
    assert len(set(verdicts)) > 1


def test_a_page_is_verified_until_a_label_changes_a_number(run: Run, demo: Path) -> None:
    assert run("-p", demo, "report", "r.html", "-m", "P@5", "--gain", "linear").code == 0
    same = run("-p", demo, "report", "r.html", "--verify")
    assert (same.code, same.out) == (0, "")
    assert "still gives these numbers" in same.err
    Path("more.txt").write_text("190 0 285 0\n")
    assert run("-p", demo, "import", "qrels", "more.txt").code == 0
    other = run("-p", demo, "report", "r.html", "--verify")
    assert other.code == 1
    assert "no longer gives these numbers" in other.err
    assert "  - " in other.err
    assert "  + " in other.err
    assert run("-p", demo, "report", "r.html", "--force").code == 0
    assert run("-p", demo, "report", "r.html", "--verify").code == 0


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "is no page that `annotator report` wrote"),
        ("<p>hello", "is no page that `annotator report` wrote"),
        ('<meta name="annotator-options" content="[1]">', "is no page"),
        (
            '<meta name="annotator-options" content="{&quot;margin&quot;: &quot;x&quot;}">',
            "options",
        ),
        ('<meta name="annotator-options" content="{&quot;measures&quot;: 7}">', "options"),
    ],
)
def test_what_is_no_report_is_not_verified(
    run: Run, small: Path, content: str, message: str
) -> None:
    Path("r.html").write_text(content)
    result = run("report", "r.html", "--verify")
    assert result.code == 3
    assert message in result.err
    assert "Traceback" not in result.err


def test_labels_of_models_are_named_and_not_mixed_with_those_of_people(
    run: Run, small: Path
) -> None:
    assert run("report", "before.md").code == 0
    before = Path("before.md").read_text()
    assert "language model" not in before
    Path("prompt.txt").write_text("Grade it.")
    words = ("--model", "a-model", "--prompt", "prompt.txt")
    assert run("import", "judgments", "labels.txt", *words).code == 0
    assert run("report", "after.md").code == 0
    after = Path("after.md").read_text()
    labels = len(Path("labels.txt").read_text().splitlines())
    assert f"In addition {labels} labels from language models are kept as evidence" in after
    assert re.findall(r"\(grades in the log: .*?\)", after) == re.findall(
        r"\(grades in the log: .*?\)", before
    )
    audit = run("agreement", "--models", "--format", "markdown").out.split("Method:")[0]
    assert audit in after.replace("### Language models beside people\n\n", "")
    assert "Language models beside people" not in before
    assert run("report", "helped.md", "--models").code == 0
    assert "(a-model): they have a part in what is expected" in Path("helped.md").read_text()
    for heading in ("The systems", "The queries"):
        one, other = (text.split(f"## {heading}")[1].split("\n## ")[0] for text in (before, after))
        assert one == other


def test_what_disagreement_does_is_there_where_two_graded_one_pair(run: Run, small: Path) -> None:
    heading = "What disagreement does to the scores"
    assert run("report", "one.md").code == 0
    assert heading not in Path("one.md").read_text()
    Path("second.txt").write_text("q1 0 d1 0\nq1 0 d2 3\n")
    assert run("import", "qrels", "second.txt").code == 0
    assert run("report", "two.md").code == 0
    assert run("report", "alone.md", "a").code == 0
    assert heading not in Path("alone.md").read_text()
    said = run("disagreement", "b", "a", "--format", "markdown").out.split("Method:")[0]
    assert said.startswith(
        "2 documents were graded by two or more assessors, 2 of them differently"
    )
    assert said in Path("two.md").read_text().split(heading)[1]


def test_the_answer_stands_once_and_not_again_with_the_labels(
    demo_page: tuple[Path, dict[str, list[str]]],
) -> None:
    answer = re.split(r"(?<=[.;]) ", demo_page[1][""][0])[0]
    assert "level on nDCG@10" in answer
    assert "level on nDCG@10:" not in demo_page[1]["labels"][0]


def test_files_are_reported_on_without_a_project(run: Run, small: Path) -> None:
    words = ("--qrels", "labels.txt", "--run", "a.run", "b.run", "--queries", "queries.tsv")
    assert run("report", "r.html", *words).code == 0
    text = Path("r.html").read_text()
    page_of("r.html")
    assert "first question" in text
    assert 'id="labels"' not in text
    assert run("report", "r.html", "--verify").code == 0


def test_named_systems_are_compared_with_the_first(run: Run, demo: Path) -> None:
    names = ("ql_dirichlet", "lsa_200", "bm25_lucene")
    assert run("-p", demo, "report", "r.json", *names).code == 0
    data = json.loads(Path("r.json").read_text())
    assert [(one["first"], one["second"]) for one in data["chosen"]] == [
        ("ql_dirichlet", "lsa_200"),
        ("ql_dirichlet", "bm25_lucene"),
    ]
    assert {one["system"] for one in data["scores"]["systems"]} == set(names)


def test_one_system_alone_has_a_page(run: Run, small: Path) -> None:
    assert run("report", "r.html", "a").code == 0
    page = page_of("r.html")
    assert "pairs" not in page.ids
    assert any("nothing to compare it with" in one for one in page.texts)


def test_without_a_label_there_is_a_page_that_claims_nothing(run: Run, folder: Path) -> None:
    Path("a.run").write_text("q1 Q0 d1 1 9 a\n")
    Path("b.run").write_text("q1 Q0 d2 1 9 b\n")
    run("init")
    assert run("import", "run", "a.run", "b.run").code == 0
    for name in ("r.html", "r.md", "r.json"):
        assert run("report", name).code == 0
    assert not re.search(r"\bnan\b", Path("r.html").read_text(), flags=re.I)


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_ids_and_texts_are_inert(run: Run, small: Path, name: str) -> None:
    Path("more.jsonl").write_text(json.dumps({"_id": name, "text": name}))
    Path("texts2.jsonl").write_text(json.dumps({"_id": name, "title": name, "text": name}))
    Path("c.jsonl").write_text(
        json.dumps({"query_id": name, "doc_id": name, "score": 1.0})
        + "\n"
        + json.dumps({"query_id": "q1", "doc_id": name, "score": 1.0})
    )
    Path("rel.jsonl").write_text(json.dumps({"query_id": name, "doc_id": name, "relevance": 1}))
    assert run("import", "queries", "more.jsonl").code == 0
    assert run("import", "run", "c.jsonl", "--name", name).code == 0
    assert run("pool").code == 0
    assert run("import", "documents", "texts2.jsonl").code == 0
    assert run("import", "qrels", "rel.jsonl").code == 0
    assert run("report", "r.html", "--figures", "figures", name, "a").code == 0
    page_of("r.html")
    for file in (Path("r.html"), *Path("figures").iterdir()):
        text = file.read_text("utf-8")
        assert not set("\x1b\x07\u202e") & set(text)
        assert "<script" not in text
        assert "<img" not in text


def synthetic(folder: Path, systems: int, queries: int) -> None:
    """Runs that differ, and grades of most of what they return."""
    grades = {}
    for system in range(systems):
        rankings = {
            f"query-{q}": [f"doc{(q * 7 + system * q + rank * 3) % 40}" for rank in range(12)]
            for q in range(queries)
        }
        (folder / f"system-{system}.run").write_text(run_lines(rankings))
        for qid, docids in rankings.items():
            for docid in docids[:9]:
                grades[qid, docid] = hash((len(qid), int(docid[3:]))) % 4
    (folder / "labels.txt").write_text(qrels_lines(grades))
    texts = "".join(f"query-{q}\ta question of {q} with some sixty characters of text in it\n"
                    for q in range(queries))  # fmt: skip
    (folder / "queries.tsv").write_text(texts)


def test_a_page_of_8_systems_and_50_queries_has_at_most_100_kilobytes(
    run: Run, folder: Path
) -> None:
    synthetic(folder, 8, 50)
    runs = sorted(folder.glob("*.run"))
    words = ("--qrels", "labels.txt", "--queries", "queries.tsv", "--run", *runs)
    assert run("report", "r.html", *words).code == 0
    assert len(Path("r.html").read_bytes()) <= 100_000


def test_a_project_of_four_assessors_has_such_a_page_too(run: Run, folder: Path) -> None:
    synthetic(folder, 8, 50)
    grades = Path("labels.txt").read_text().splitlines()
    assert run("init").code == 0
    assert run("import", "queries", "queries.tsv").code == 0
    assert run("import", "run", *sorted(folder.glob("*.run"))).code == 0
    assert run("pool").code == 0
    for at, name in enumerate(("ann", "ben", "cat", "dan")):
        own = [line if place % 7 else f"{line[:-1]}{at % 4}" for place, line in enumerate(grades)]
        Path(f"{name}.txt").write_text("".join(f"{line}\n" for line in own[at::2]))
        assert run("import", "qrels", f"{name}.txt").code == 0
    assert run("report", "r.html", "-m", "nDCG@10").code == 0
    assert "What disagreement does to the scores" in Path("r.html").read_text()
    assert len(Path("r.html").read_bytes()) <= 100_000


def test_of_more_than_200_queries_some_are_chosen_and_the_page_says_so(
    run: Run, folder: Path
) -> None:
    synthetic(folder, 2, 230)
    words = ("--qrels", "labels.txt", "--run", "system-0.run", "system-1.run", "-m", "P@5")
    assert run("report", "r.html", *words).code == 0
    text = Path("r.html").read_text()
    assert "Of 230 queries those 100 are shown on which the systems differ most." in text
    assert "Of 230 queries those 100 are shown that differ most." in text


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["r.txt"], "a report is written to a file named .html"),
        (["r.html", "gone"], "no system gone in the project"),
        (["r.html", "-m", "nDCG@x"], "nDCG@x"),
        (["gone/r.html"], "there is no folder gone"),
        (["r.html", "--figures-as", "png"], "add --figures FOLDER"),
        (["r.html", "--verify", "-m", "P@5"], "--verify takes its options from the page"),
    ],
)
def test_what_cannot_be_reported_is_said_in_a_line(
    run: Run, small: Path, words: list[str], message: str
) -> None:
    result = run("report", *words)
    assert (result.code, result.out) == (2, "")
    assert message in result.err


def test_no_file_is_replaced_unless_asked_to(run: Run, small: Path) -> None:
    Path("r.html").write_text("mine")
    result = run("report", "r.html")
    assert result.code == 2
    assert "--force replaces it" in result.err
    assert Path("r.html").read_text() == "mine"
    assert run("report", "r.html", "--force").code == 0


@pytest.mark.skipif(shutil.which("chromium") is None, reason="needs Chromium")
def test_a_browser_loads_the_page_alone_and_finds_no_fault(
    demo_page: tuple[Path, dict[str, list[str]]], tmp_path: Path
) -> None:
    log = tmp_path / "net.json"
    done = subprocess.run(
        [
            "chromium", "--headless=new", "--no-sandbox", "--disable-gpu", "--dump-dom",
            "--enable-logging=stderr", f"--log-net-log={log}", f"--user-data-dir={tmp_path}/user",
            (demo_page[0] / "r.html").as_uri(),
        ],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )  # fmt: skip
    assert "The method, for a paper" in done.stdout
    assert "Refused to" not in done.stderr
    assert "CONSOLE" not in done.stderr
