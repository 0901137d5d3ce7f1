"""docs/json.md lists every key of every JSON output, with its type: neither more nor less."""

from __future__ import annotations

import json
import re
import shutil
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from annotator.cli import group as program
from tests.cli.conftest import Run
from tests.projects import ROOT

PAGE = (ROOT / "docs" / "json.md").read_text("utf-8")
FILES = ("--qrels", "labels.txt", "a.run", "b.run")
WRITTEN: dict[str, list[tuple[str, ...]]] = {
    "score": [
        ("score",),
        ("-p", "demo.db", "score", "--per-query"),
        ("score", "-m", "RBP(p=0.8)", "--as-of", "2030-01-01"),
        ("score", "--weights", "weights.tsv"),
        ("score", *FILES, "--like", "trec_eval", "--per-query"),
        ("score", "--qrels", "some.txt", "a.run"),
    ],
    "score --explain": [
        ("score", "--explain", "q1"),
        ("-p", "demo.db", "score", "--explain", "15"),
        ("score", *FILES, "--explain", "q1"),
    ],
    "compare": [
        ("compare", "a", "b", "--per-query"),
        ("compare", "--all"),
        ("-p", "demo.db", "compare", "lsa_200", "bm25_lucene"),
        ("-p", "demo.db", "compare", "--all", "-m", "nDCG@3"),
        ("compare", *FILES, "--per-query"),
    ],
    "compare OLD.json NEW.json": [("compare", "old.json", "new.json")],
    "status": [("status", "--per-query"), ("-p", "demo.db", "status")],
    "status --pool-bias": [
        ("-p", "demo.db", "status", "--pool-bias"), ("status", "--pool-bias"),
    ],
    "plan": [("plan", "a", "b"), ("-p", "demo.db", "plan", "lsa_200", "bm25_lucene")],
    "ceiling": [("ceiling",), ("ceiling", "-m", "nDCG@3"), ("ceiling", *FILES)],
    "companions": [("companions",), ("companions", *FILES)],
    "disagreement": [("-p", "two.db", "disagreement")],
    "agreement": [("agreement", "--qrels", "labels.txt", "others.txt")],
    "agreement --models": [("agreement", "--models")],
    "diff": [("diff", "a", "b", "--query", "q1"), ("diff", *FILES, "--query", "q1")],
    "history": [("history",), ("-p", "demo.db", "history", "-n", "50")],
    "pool": [("pool", "--depth", "1"), ("pool",)],
    "doctor": [("doctor",)],
    "rubric measures": [("rubric", "measures")],
    "rubric list": [("rubric", "list")],
    "remove list": [("remove", "list")],
    "merge": [("merge", "other.db", "--dry-run"), ("merge", "other.db")],
    "import": [
        ("import", "run", "a.run", "--dry-run"),
        ("import", "queries", "queries.tsv"),
        ("import", "qrels", "some.txt"),
    ],
}  # fmt: skip
NAMES = {int: "integer", float: "number", str: "text", bool: "true or false", list: "list"}
FREE = ("checks", "facts")
"""What these hold has names of its own, which are words to be read."""
BEFORE = {
    "agreement --models": ("import", "judgments", "model.jsonl"),
    "remove list": ("remove", "query", "q2"),
    "status": ("import", "judgments", "ann.jsonl"),
}
Found = dict[str, set[str]]


def keys_of(data: object, path: str = "") -> Iterator[tuple[str, str]]:
    """Every key with what it stands in, and the type of its value."""
    if isinstance(data, dict):
        for key, value in data.items():
            name = "*" if path.rpartition(".")[2] in FREE else key
            place = f"{path}.{name}" if path else name
            yield place, "null" if value is None else NAMES.get(type(value), "object")
            yield from keys_of(value, place)
    elif isinstance(data, list):
        for value in data:
            yield from keys_of(value, f"{path}[]")


def documented() -> dict[str, Found]:
    """The tables of the page: the types of each key, by the heading above."""
    tables: dict[str, dict[str, str]] = {}
    for heading, text in re.findall(r"^## (.*?)\n(.*?)(?=^## |\Z)", PAGE, re.S | re.M):
        rows = re.findall(r"^\| `([^`]+)` \| ([^|]+) \|", text, re.M)
        for name in re.findall(r"`([^`]+)`", heading) or [heading]:
            tables[name] = {key: types.strip() for key, types in rows}
    return {name: dict(expanded(one, tables)) for name, one in tables.items()}


def expanded(
    table: dict[str, str], tables: dict[str, dict[str, str]]
) -> Iterator[tuple[str, set[str]]]:
    """Keys and types; one whose type names another table in brackets has the keys of that too."""
    for key, types in table.items():
        found = re.search(r"(list of )?\[([^]]+)\]", types)
        if found is None:
            yield key, set(types.split(", "))
            continue
        kind, place = ("list", f"{key}[]") if found[1] else ("object", key)
        yield key, {kind, *types.split(", ")[1:]}
        for inner, of in expanded(tables[found[2]], tables):
            yield f"{place}.{inner}", of


def within_null(key: str, found: Found) -> bool:
    """Whether a key stands in an object that was null in all that was written."""
    return any(kinds == {"null"} and key.startswith(f"{at}.") for at, kinds in found.items())


@pytest.fixture
def project(small: Path, demo: Path, run: Run) -> Path:
    """A small project and the demo, and files beside them."""
    (small.parent / "weights.tsv").write_text("q1\t2\nq2\t0\nq9\t1\n")
    (small.parent / "some.txt").write_text("q1 0 d1 1\n")
    lines = [
        {"qid": "q1", "docid": docid, "grade": 1, "seconds": 9, "assessor": "ann",
         "assessor_kind": "human"}
        for docid in ("d1", "d2", "d3", "d4", "d5")
    ]  # fmt: skip
    (small.parent / "ann.jsonl").write_text("".join(f"{json.dumps(one)}\n" for one in lines))
    labels = [
        {"qid": "q1", "docid": docid, "grade": 1, "model": "m", "prompt_hash": "ab" * 32, "cost": 1}
        for docid in ("d1", "d2", "d3", "d4", "d5")
    ]
    (small.parent / "model.jsonl").write_text("".join(f"{json.dumps(one)}\n" for one in labels))
    (small.parent / "others.txt").write_text("q1 0 d1 1\nq1 0 d2 0\n")
    for name in ("other.db", "two.db"):
        shutil.copy(small, name)
    assert run("-p", "two.db", "import", "qrels", "others.txt", "--assessor", "ben").code == 0
    for name in ("old.json", "new.json"):
        (small.parent / name).write_text(run("score", "--format", "json").out)
    return small


@pytest.mark.parametrize("section", WRITTEN)
def test_every_key_is_documented_and_every_documented_key_is_there(
    section: str, project: Path, run: Run
) -> None:
    if section in BEFORE:
        assert run(*BEFORE[section]).code == 0
    found: Found = defaultdict(set)
    for words in WRITTEN[section]:
        result = run(*words, "--format", "json")
        assert result.code in (0, 1), result.err
        for key, kind in keys_of(json.loads(result.out)):
            found[key].add(kind)
    told = documented()[section]
    assert found.keys() - told.keys() == set(), "not documented"
    assert [one for one in told.keys() - found.keys() if not within_null(one, found)] == []
    for key, kinds in found.items():
        assert kinds <= told[key] | ({"integer"} if "number" in told[key] else set()), key


def test_every_key_of_a_report_is_documented(project: Path, run: Run) -> None:
    assert run("import", "judgments", "model.jsonl").code == 0
    assert run("import", "qrels", "others.txt").code == 0
    told = documented()["report"]
    for at, words in enumerate(
        [(), ("-p", "demo.db"), ("--qrels", "labels.txt", "--run", "a.run")]
    ):
        assert run("report", f"report{at}.json", *words).code == 0
        found = list(keys_of(json.loads(Path(f"report{at}.json").read_text())))
        assert {key for key, _ in found} - told.keys() == set(), "not documented"
        for key, kind in found:
            assert kind in told[key] | ({"integer"} if "number" in told[key] else set()), key


def test_every_command_that_writes_json_has_a_section() -> None:
    def commands(group: click.Group, before: str = "") -> Iterator[str]:
        context = click.Context(group)
        for name in group.list_commands(context):
            command = group.get_command(context, name)
            assert command is not None
            if isinstance(command, click.Group):
                yield from commands(command, f"{before}{name} ")
            elif any("json" in list(getattr(one.type, "choices", [])) for one in command.params):
                yield before + name

    headings = set(documented())
    missing = [one for one in commands(program) if one not in headings]
    assert [one for one in missing if one.split()[0] not in headings] == []
