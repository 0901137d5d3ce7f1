"""`agreement --models` compares models with people as other tools would."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import krippendorff
import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score, confusion_matrix

from tests.cli.conftest import Run

QUERIES, DOCUMENTS = 12, 20


def text(query: int, document: int) -> str:
    return f"{query} {document}" + " word" * document


def third(length: int, short: float, middle: float) -> str:
    return "short" if length <= short else "middle" if length <= middle else "long"


@pytest.fixture
def audited(run: Run, folder: Path) -> dict[str, Any]:
    """Two systems, people's grades of most documents, one judge with sight and one without."""
    rng = np.random.default_rng(3)
    truth = rng.integers(0, 4, (QUERIES, DOCUMENTS))
    judges = {
        "sees": np.clip(np.rint(truth + rng.normal(0, 0.7, truth.shape)), 0, 3).astype(int),
        "blind": rng.integers(0, 4, truth.shape),
    }
    judged = rng.random(truth.shape) < 0.7
    every = [(q, d) for q in range(QUERIES) for d in range(DOCUMENTS)]
    write = {name: (folder / name).write_text for name in ("q.tsv", "labels", "p.txt", "t.jsonl")}
    write["q.tsv"]("".join(f"q{q}\tquery {q}\n" for q in range(QUERIES)))
    write["labels"]("".join(f"q{q} 0 q{q}d{d} {truth[q, d]}\n" for q, d in every if judged[q, d]))
    write["p.txt"]("0 to 3?")
    write["t.jsonl"](
        "".join(json.dumps({"_id": f"q{q}d{d}", "text": text(q, d)}) + "\n" for q, d in every)
    )
    for name in "ab":
        order = rng.permuted(np.tile(np.arange(DOCUMENTS), (QUERIES, 1)), axis=1)
        Path(f"{name}.run").write_text(
            "".join(
                f"q{q} Q0 q{q}d{d} {rank} {100 - rank} x\n"
                for q in range(QUERIES)
                for rank, d in enumerate(order[q], 1)
            )
        )
    for words in (
        ("init",), ("import", "queries", "q.tsv"), ("import", "run", "a.run", "b.run"),
        ("pool", "--depth", "20"), ("import", "documents", "t.jsonl"),
        ("import", "qrels", "labels"),
    ):  # fmt: skip
        assert run(*words).code == 0
    for name, said in judges.items():
        lines = [
            {"qid": f"q{q}", "docid": f"q{q}d{d}", "grade": int(said[q, d]), "cost": 0.25,
             "model": name, "prompt_hash": "ab" * 32}
            for q, d in every
        ]  # fmt: skip
        lines[0] |= {"status": "failed"}
        Path(f"{name}.jsonl").write_text("".join(f"{json.dumps(one)}\n" for one in lines))
        assert run("import", "judgments", f"{name}.jsonl").code == 0
    result = run("agreement", "--models", "--format", "json")
    assert result.code == 0, result.err
    has = judged.copy()
    has[0, 0] = False
    return {"found": json.loads(result.out), "truth": truth, "judges": judges, "both": has}


def test_each_model_is_compared_as_peers_compare_two_raters(audited: dict[str, Any]) -> None:
    found = {one["model"]: one for one in audited["found"]["models"]}
    assert list(found) == ["blind", "sees", "mean of 2"]
    both, truth = audited["both"], audited["truth"]
    for name, said in audited["judges"].items():
        one, people, model = found[name], truth[both], said[both]
        assert (one["labels"], one["failed"]) == (QUERIES * DOCUMENTS - 1, 1)
        assert one["cost_per_label"] == 0.25
        agreement = one["agreement"]
        assert agreement["shared_pairs"] == both.sum()
        assert agreement["confusion"] == confusion_matrix(people, model).tolist()
        assert agreement["weighted_kappa"]["value"] == pytest.approx(
            cohen_kappa_score(people, model, weights="quadratic")
        )
        assert agreement["alpha"]["value"] == pytest.approx(
            krippendorff.alpha(np.array([people, model]), level_of_measurement="ordinal")
        )
        means = [(said[q] - truth[q])[both[q]].mean() for q in range(QUERIES)]
        assert sorted(row["higher"] for row in one["leniency"]) == pytest.approx(sorted(means))
        assert one["leniency_sd"] == pytest.approx(np.std(means, ddof=1))


def test_what_a_model_misses_is_counted_by_grade_length_and_system(
    audited: dict[str, Any],
) -> None:
    both, truth, said = audited["both"], audited["truth"], audited["judges"]["blind"]
    ranked = {
        name: {tuple(line.split()[::2][:2]) for line in Path(f"{name}.run").read_text().splitlines()
               if int(line.split()[3]) <= 10}
        for name in "ab"
    }  # fmt: skip
    length = {(q, d): len(text(q, d)) for q, d in np.argwhere(both).tolist()}
    ends = np.quantile(list(length.values()), [1 / 3, 2 / 3])
    for part in audited["found"]["models"][0]["missed"]:
        inside = [
            (q, d)
            for q, d in np.argwhere(both).tolist()
            if {
                "grade": str(truth[q, d]) == part["among"],
                "length": third(length[q, d], *ends) == part["among"],
                "system": (f"q{q}", f"q{q}d{d}") in ranked.get(part["among"], ()),
            }[part["of"]]
        ]
        relevant = [(q, d) for q, d in inside if truth[q, d] >= 1]
        assert part["relevant"] == len(relevant)
        assert part["missed"] == sum(said[q, d] < 1 for q, d in relevant)
        assert part["labels"] == len(inside)
    kinds = [part["of"] for part in audited["found"]["models"][0]["missed"]]
    assert kinds == ["grade"] * 3 + ["length"] * 3 + ["system"] * 2


def test_the_slope_tells_who_sees_something(audited: dict[str, Any]) -> None:
    found = {one["model"]: one["slope"] for one in audited["found"]["models"]}
    assert found["sees"]["low"] > 0.5
    assert found["blind"]["low"] < 0.2
    assert found["mean of 2"]["low"] > 0


def test_an_audit_is_readable_and_asks_for_what_it_lacks(audited: dict[str, Any], run: Run) -> None:
    said = run("agreement", "--models").out
    assert "sees: relevant documents that it calls not relevant" in said
    assert "mean of 2" in said
    assert max(map(len, said.splitlines())) <= 100
    assert run("agreement", "--models", "--assessor", "sees").out.count("highest beside") == 1
    result = run("agreement", "--models", "--assessor", "labels")
    assert (result.code, "there are: blind, sees" in result.err) == (2, True)
    assert run("init", "empty.db").code == 0
    result = run("-p", "empty.db", "agreement", "--models")
    assert (result.code, "--model NAME --prompt FILE" in result.err) == (2, True)


def test_residuals_of_peoples_grades_are_those_of_the_first_beside_the_second(
    audited: dict[str, Any], run: Run
) -> None:
    words = ("-m", "nDCG@10", "--models", "--format", "json")
    one, two = (
        json.loads(run("compare", *pair, *words).out)["comparisons"][0]["residual_z"]
        for pair in (("a", "b"), ("b", "a"))
    )
    assert one[0] == two[0]
    assert one[1] == pytest.approx(-two[1])
    assert abs(one[0]) < 3
