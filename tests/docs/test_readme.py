"""What README and docs say is run: the tour, the commands, the library example."""

from __future__ import annotations

import doctest
import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text("utf-8")
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def blocks(section: str) -> list[list[str]]:
    """The commands of each shell block of a section."""
    text = README.split(f"## {section}\n")[1].split("\n## ")[0]
    return [
        [line.split("  #")[0].strip() for line in block.splitlines() if line.strip()]
        for block in re.findall(r"```sh\n(.*?)```", text, flags=re.S)
    ]


def run(command: str, folder: Path) -> str:
    """Run one command of the README as written, with this Python's `annotator`."""
    program, *arguments = shlex.split(command)
    assert program == "annotator"
    done = subprocess.run(
        [sys.executable, "-m", "annotator", *arguments],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, f"{command}: {done.stderr}"
    assert "Traceback" not in done.stderr
    return done.stdout + done.stderr


@pytest.fixture(scope="module")
def tour(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, str]]:
    """Walk the whole tour; the folder it was walked in, and what each command said last."""
    folder = tmp_path_factory.mktemp("tour")
    said = {}
    commands = [line for block in blocks("Five minutes on real data") for line in block]
    for number, command in enumerate(commands):
        said[f"{number} {command}"] = run(command, folder)
    return folder, said


def said_by(tour: tuple[Path, dict[str, str]], beginning: str) -> list[str]:
    """What the commands with this beginning said, in order."""
    return [text for key, text in tour[1].items() if key.split(" ", 1)[1].startswith(beginning)]


def test_the_tour_pools_793_pairs_and_then_queues_just_the_74_missing(
    tour: tuple[Path, dict[str, str]],
) -> None:
    first, second = said_by(tour, "annotator pool")
    assert "793" in first
    assert "74" in second


def test_the_tour_shows_coverage_dropping_and_bounds_instead_of_a_number(
    tour: tuple[Path, dict[str, str]],
) -> None:
    (status,) = said_by(tour, "annotator status")
    assert "81.5%" in status
    open_scores, settled_scores = said_by(tour, "annotator score -m nDCG@10")
    assert "74 unjudged" in open_scores
    assert "0.7738" in open_scores
    assert "unjudged" not in settled_scores.split("Method:")[0]


def test_the_order_that_the_readme_promises_changes(tour: tuple[Path, dict[str, str]]) -> None:
    folder, _ = tour
    done = run("annotator score -m nDCG@10 --format json", folder)
    measures = {one["system"]: one["measures"][0] for one in json.loads(done)["systems"]}
    assert measures["lsa_200"]["value"] - measures["bm25_lucene"]["value"] == pytest.approx(
        0.026, abs=5e-4
    )


def test_the_tour_settles_these_queries_and_claims_nothing_of_others(
    tour: tuple[Path, dict[str, str]],
) -> None:
    (said,) = said_by(tour, "annotator compare")
    assert "Settled on these 40 queries" in said
    assert "p = 0.48" in said
    assert "not significant" in said


def test_the_demo_is_behind_by_what_the_readme_says(tmp_path: Path) -> None:
    run("annotator demo", tmp_path)
    done = run("annotator -p demo.db score -m nDCG@10 --format json", tmp_path)
    measures = {one["system"]: one["measures"][0] for one in json.loads(done)["systems"]}
    behind = measures["bm25_lucene"]["zero_filled"] - measures["lsa_200"]["zero_filled"]
    assert behind == pytest.approx(0.009, abs=5e-4)


def test_the_exported_files_of_the_tour_hold_every_label(
    tour: tuple[Path, dict[str, str]],
) -> None:
    folder, _ = tour
    assert len((folder / "labels.qrels").read_text().splitlines()) == 867
    assert len((folder / "labels.jsonl").read_text().splitlines()) == 868


def test_the_library_example_is_true() -> None:
    parser = doctest.DocTestParser()
    page = (ROOT / "docs" / "library.md").read_text("utf-8")
    example = re.findall(r"```python\n(.*?)```", page, flags=re.S)[0]
    test = parser.get_doctest(example, {}, "library", "library.md", 0)
    assert test.examples
    assert doctest.DocTestRunner().run(test).failed == 0


def test_every_command_is_in_the_readme() -> None:
    helped = subprocess.run(
        [sys.executable, "-m", "annotator", "--help"], capture_output=True, text=True, timeout=60
    ).stdout
    commands = re.findall(r"^  ([a-z]+) ", helped.split("Commands:")[1], flags=re.M)
    assert len(commands) >= 10
    for command in commands:
        assert re.search(rf"^\| `{command}\b", README, flags=re.M), command


def test_the_readme_is_short() -> None:
    assert len(README.encode()) <= 8192


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.name))
def test_every_file_that_a_page_names_or_links_to_is_there(page: Path) -> None:
    text = page.read_text("utf-8")
    named = re.findall(r"`((?:tests|benchmarks|docs|annotator|rubric)/[\w/.-]+)`", text)
    linked = re.findall(r"\]\((?!https?:)([^)#:]+)\)", text)
    for target in [*(page.parent / link for link in linked), *(ROOT / name for name in named)]:
        assert target.exists(), target


def test_every_promise_of_reliability_names_a_test_and_every_ordeal_is_named() -> None:
    page = (ROOT / "docs" / "reliability.md").read_text("utf-8")
    section = page.split("## Promises and their tests\n")[1].split("\n\n- ")[0]
    rows = [line for line in section.splitlines() if line.startswith("| ")][2:]
    assert len(rows) > 10
    for row in rows:
        assert "tests/" in row or "the same" in row, row
    torture = (ROOT / "benchmarks" / "torture.py").read_text("utf-8")
    for ordeal in re.findall(r'^    "(\w+)": \(', torture, flags=re.M):
        assert f"(`{ordeal}`)" in section, ordeal
