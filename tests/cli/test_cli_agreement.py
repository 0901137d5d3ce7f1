"""How far assessors agree, from qrels files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from sklearn.metrics import cohen_kappa_score

from annotator.cli import main
from tests.projects import write

ANN = {"q1": {"a": 3, "b": 0, "c": 1}, "q2": {"a": 2, "d": 0, "e": 1}, "q3": {"f": 2}}
BEN = {"q1": {"a": 2, "b": 0, "c": 0}, "q2": {"a": 2, "d": 1, "e": 0}, "q4": {"f": 3}}
SHARED = [(3, 2), (0, 0), (1, 0), (2, 2), (0, 1), (1, 0)]


def trec(labels: dict[str, dict[str, int]]) -> str:
    return "".join(
        f"{qid} 0 {docid} {grade}\n"
        for qid, grades in labels.items()
        for docid, grade in grades.items()
    )


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    return [
        str(write(tmp_path / "ann.qrels", trec(ANN))),
        str(write(tmp_path / "ben.qrels", trec(BEN))),
    ]


def ran(capsys: pytest.CaptureFixture[str], *args: str, code: int = 0) -> str:
    assert main(["agreement", *args]) == code
    shown = capsys.readouterr()
    return shown.err if code else shown.out


def test_two_qrels_files_are_compared_on_the_pairs_that_both_hold(
    files: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    found = json.loads(ran(capsys, "--qrels", *files, "--format", "json"))
    assert found["assessors"] == [
        {"assessor": "ann", "labels": 7},
        {"assessor": "ben", "labels": 7},
    ]
    (pair,) = found["pairs"]
    assert (pair["shared_pairs"], pair["shared_queries"]) == (6, 2)
    assert pair["same"]["value"] == 2 / 6
    right = cohen_kappa_score(*zip(*SHARED, strict=True), weights="quadratic", labels=range(4))
    assert pair["weighted_kappa"]["value"] == pytest.approx(right)
    assert pair["mean_difference"]["value"] == pytest.approx(-2 / 6)
    assert found["all"]["alpha"] == pair["alpha"]


def test_one_file_with_a_column_of_assessors_gives_the_same_as_a_file_each(
    files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [
        f"{qid},{docid},{grade},{who}"
        for who, labels in (("ann", ANN), ("ben", BEN))
        for qid, grades in labels.items()
        for docid, grade in grades.items()
    ]
    table = write(tmp_path / "both.csv", "\n".join(["query,docid,grade,assessor", *rows, ""]))
    apart = json.loads(ran(capsys, "--qrels", *files, "--format", "json"))
    assert json.loads(ran(capsys, "--qrels", str(table), "--format", "json")) == apart


def test_an_assessor_in_two_files_is_one_and_files_of_one_name_are_two(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Grades without times: the later file counts."""
    heading = "query,docid,grade,assessor\n"
    first = write(tmp_path / "first.csv", f"{heading}q1,a,1,ann\nq1,a,2,ben\n")
    second = write(tmp_path / "second.csv", f"{heading}q1,a,3,ann\nq1,b,0,ann\n")
    found = json.loads(ran(capsys, "--qrels", str(first), str(second), "--format", "json"))
    assert [(one["assessor"], one["labels"]) for one in found["assessors"]] == [
        ("ann", 2),
        ("ben", 1),
    ]
    assert found["pairs"][0]["confusion"][3][2] == 1
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        write(tmp_path / folder / "l.qrels", "q1 0 a 1\n")
    paths = [str(tmp_path / folder / "l.qrels") for folder in ("one", "two")]
    found = json.loads(ran(capsys, "--qrels", *paths, "--format", "json"))
    assert [one["assessor"] for one in found["assessors"]] == paths


def test_what_is_said_first_can_be_read_by_anybody(
    files: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    said = " ".join(ran(capsys, "--qrels", *files).split())
    assert said.startswith(
        "6 pairs of 2 queries have grades of at least two assessors: equal in 33.3% and at most "
        "one apart in 100% of all comparisons."
    )
    assert "ben grades higher by -0.33 " in said


def test_nothing_to_compare_is_a_sentence(
    files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = write(tmp_path / "other.qrels", "q9 0 z 1\n")
    assert "at least two" in ran(capsys, "--qrels", files[0], code=2)
    assert "no pair of query and document" in ran(capsys, "--qrels", files[0], str(other), code=2)
    bad = write(tmp_path / "bad.qrels", "q1 0 a 9\n")
    assert "is outside the rubric" in ran(
        capsys, "--qrels", files[0], str(bad), "--rubric", "general", code=3
    )


@pytest.mark.parametrize("option", [["--seed", "-1"], ["--seed", "9" * 30], ["--threshold", "0"]])
def test_numbers_out_of_range_are_a_sentence(
    option: list[str], files: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert "is not in the range" in ran(capsys, "--qrels", *files, *option, code=2)


@pytest.mark.parametrize("form", ["csv", "tsv", "markdown"])
def test_every_form_names_the_assessors(
    form: str, files: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    said = ran(capsys, "--qrels", *files, files[0], "--format", form)
    assert "ann" in said
    assert "ben" in said


def test_a_projects_assessors_are_compared_by_what_holds_for_each_of_them(
    files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whose label holds for the pair has no part in it; what one said later of a pair has."""
    db = str(tmp_path / "judgments.db")
    assert main(["init", db]) == 0
    for name, file in zip(("ann", "ben"), files, strict=True):
        assert main(["-p", db, "import", "qrels", file, "--assessor", name]) == 0
    capsys.readouterr()
    apart = json.loads(ran(capsys, "--qrels", *files, "--format", "json"))
    found = json.loads(ran(capsys, "-p", db, "--format", "json"))
    for key in ("assessors", "all", "pairs", "queries"):
        assert found[key] == apart[key], key
    late = write(tmp_path / "late.qrels", "q1 0 a 2\n")
    assert main(["-p", db, "import", "qrels", str(late), "--assessor", "ann"]) == 0
    capsys.readouterr()
    again = json.loads(ran(capsys, "-p", db, "--format", "json"))
    assert again["pairs"][0]["same"]["value"] == 3 / 6
    assert "no labels of carl" in ran(capsys, "-p", db, "--assessor", "carl", code=2)
    assert "go with --qrels" in ran(capsys, "-p", db, "--rubric", "general", code=2)
