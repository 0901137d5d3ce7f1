"""Cut the small test data in this directory from the whole data sets.

Usage: python tests/data/make_test_data.py SOURCE_DIR [TARGET_DIR]

SOURCE_DIR holds ``cranfield``, ``dl-hard``, ``trec-covid-r1``, ``trec_eval``, ``robust03``,
``llmjudge`` and ``formats``; README.md says where each is from. Kept lines are kept byte for
byte, and the same source gives the same bytes.
"""

from __future__ import annotations

import argparse
import csv
import json
import re
import struct
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

RUN_DEPTH = 10


def single(score: bytes) -> float:
    """Return the score as trec_eval holds it, in single precision."""
    narrowed: float = struct.unpack("f", struct.pack("f", float(score)))[0]
    return narrowed


def cut_run(content: bytes, depth: int) -> bytes:
    """Keep each topic's first lines in trec_eval's order, in the order they stand in the file.

    trec_eval ignores the rank column: it sorts by score, and ties by document id, both falling.
    """
    lines = content.splitlines(keepends=True)
    topics: defaultdict[bytes, list[tuple[float, bytes, int]]] = defaultdict(list)
    for number, line in enumerate(lines):
        query, _, document, _, score, _ = line.split()
        topics[query].append((single(score), document, number))
    kept = {row[-1] for rows in topics.values() for row in sorted(rows, reverse=True)[:depth]}
    return b"".join(lines[number] for number in sorted(kept))


def first_lines(source: Path, count: int) -> bytes:
    """Return the first lines of a file."""
    return b"".join(source.read_bytes().splitlines(keepends=True)[:count])


def first_topics(source: Path, end_tag: bytes, count: int, closing: bytes = b"") -> bytes:
    """Return a topics file up to the end of its first topics, closed if it is XML."""
    content = source.read_bytes()
    ends = [match.end() for match in re.finditer(re.escape(end_tag) + rb"\r?\n", content)]
    return content[: ends[count - 1]] + closing


def write(target: Path, content: bytes) -> None:
    """Write a file, and its directory where there is none."""
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(content)


def write_expected(target: Path, header: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> None:
    """Write ``expected.tsv``: one system a line, sorted by name."""
    lines = ["\t".join(row) for row in (header, *sorted(rows))]
    write(target / "expected.tsv", "".join(f"{line}\n" for line in lines).encode())


def read_table(source: Path, delimiter: str) -> dict[str, dict[str, str]]:
    """Return a table with a header line: each row by its ``run`` column."""
    with source.open(encoding="utf-8", newline="") as file:
        return {row["run"]: row for row in csv.DictReader(file, delimiter=delimiter)}


def cut_runs(source: Path, target: Path, suffixes: tuple[str, ...]) -> list[str]:
    """Cut every system's run; of the forms it is given in, the first suffix wins."""
    chosen: dict[str, Path] = {}
    for suffix in suffixes:
        for path in sorted(source.glob(f"*{suffix}")):
            chosen.setdefault(path.name.removesuffix(suffix), path)
    for system, path in chosen.items():
        write(target / f"{system}.run", cut_run(path.read_bytes(), RUN_DEPTH))
    return list(chosen)


def make_cranfield(source: Path, target: Path) -> None:
    """Whole qrels, twelve systems, both gains."""
    write(target / "qrels.0-3.txt", (source / "qrels.0-3.txt").read_bytes())
    table = read_table(source / "expected_eval.tsv", "\t")
    rows = []
    for system in cut_runs(source / "runs", target / "runs", (".run",)):
        values = table[f"{system}.run"]
        rows.append((system, values["ndcg_cut_10"], values["ndcg10_exp_gain"]))
    write_expected(target, ("run", "ndcg10_linear", "ndcg10_exponential"), rows)


def make_dl_hard(source: Path, target: Path) -> None:
    """Whole qrels, six systems, the authors' own values of the whole runs."""
    write(target / "qrels.passage.txt", (source / "qrels.passage.txt").read_bytes())
    rows = []
    for system in cut_runs(source / "runs", target / "runs", (".d100.run",)):
        output = (source / "expected" / f"{system}.trec_eval.txt").read_text(encoding="utf-8")
        rows.append((system, evaluation_value(output)))
    write_expected(target, ("run", "ndcg10_linear"), rows)


def evaluation_value(output: str) -> str:
    """Return nDCG@10 over all topics from what trec_eval printed."""
    rows = (line.split() for line in output.splitlines())
    return next(row[2] for row in rows if row[:2] == ["ndcg_cut_10", "all"])


def make_trec_covid(source: Path, target: Path) -> None:
    """Whole qrels, thirteen systems, the official leaderboard's values."""
    write(target / "qrels.rnd1.txt", (source / "qrels.rnd1.txt").read_bytes())
    table = read_table(source / "leaderboard.csv", ",")
    systems = cut_runs(source / "runs", target / "runs", (".full.run", ".d100.run"))
    rows = [(system, table[system]["ndcg@10"]) for system in systems]
    write_expected(target, ("run", "ndcg10_linear"), rows)


def make_robust(source: Path, target: Path) -> None:
    """Six topics: six systems' first ten, and the grades of these documents and of relevant ones."""
    runs = source / "runs"
    table = (source / "qrels.robust03.txt").read_bytes().splitlines(keepends=True)
    topics = list(dict.fromkeys(line.split()[0] for line in table))[:6]
    returned = set()
    for path in sorted(runs.iterdir()):
        lines = cut_run(path.read_bytes(), RUN_DEPTH).splitlines(keepends=True)
        kept = [line for line in lines if line.split()[0] in topics]
        returned |= {(line.split()[0], line.split()[2]) for line in kept}
        write(target / "runs" / f"{path.name.partition('.')[0]}.run", b"".join(kept))
    rows = [(line, *line.split()) for line in table]
    qrels = [
        line
        for line, topic, _, document, grade in rows
        if topic in topics and (grade != b"0" or (topic, document) in returned)
    ]
    write(target / "qrels.txt", b"".join(qrels))
    write(target / "LICENSE", (source / "LICENSE.trectools").read_bytes())


def make_trec_eval(source: Path, target: Path) -> None:
    """Copy trec_eval's small inputs whole and the heads of its odd ones."""
    tests = source / "test"
    write(target / "LICENSE.md", (source / "LICENSE.md").read_bytes())
    for name in ("qrels.test", "results.test"):
        write(target / name, (tests / name).read_bytes())
    heads = {
        "prefs.test": 10,
        "qrels.rel_level": 40,
        "qrels.comment.test": 30,
        "results.comment.test": 30,
    }
    for name, count in heads.items():
        write(target / name, first_lines(tests / name, count))
    output = (tests / "out.test.meas_params").read_text(encoding="utf-8")
    rows = [("results.test", evaluation_value(output))]
    write_expected(target, ("run", "ndcg10_linear"), rows)


def make_formats(source: Path, target: Path) -> None:
    """Take the head of each topics and judgments format."""
    robust = source / "robust03" / "topics.robust04.txt"
    write(target / "topics.robust04.txt", first_topics(robust, b"</top>", 3))
    covid = source / "trec-covid-r1" / "topics.round1.xml"
    write(target / "topics.trec-covid.xml", first_topics(covid, b"</topic>", 3, b"</topics>\r\n"))
    cranfield = source / "cranfield" / "topics.xml"
    write(target / "topics.cranfield.xml", first_topics(cranfield, b"</topic>", 3, b"</topics>\n"))
    beir = source / "formats" / "beir" / "mtrag-clapnq"
    write(target / "beir" / "qrels" / "dev.tsv", first_lines(beir / "qrels" / "dev.tsv", 21))
    write(target / "beir" / "queries.jsonl", first_lines(beir / "queries.jsonl", 20))
    judge = source / "llmjudge"
    labels = judge / "llm-labels" / "willia-umbrela1.txt"
    write(target / "llmjudge" / "willia-umbrela1.txt", first_lines(labels, 10))
    licence = (judge / "LICENSE.LLMJudge-benchmark").read_bytes()
    write(target / "llmjudge" / "LICENSE", licence)


def make_ecosystems(source: Path, target: Path) -> None:
    """Cut the files of other tools; JSON is cut by its parts and indented anew."""
    quepid = source / "quepid"
    heads = {"Chorus_Electronics_basic.csv": 21, "Broad_Query_Set_individual_ratings.csv": 21}
    for name, count in heads.items():
        write(target / "quepid" / name, first_lines(quepid / name, count))
    for path in (
        "quepid/static_queryset.csv",
        *("rre/mock_rre_json.json", "rre/ratings_example.json"),
        "opensearch-srw/art_queryset.json",
        *("ranx/LICENSE", "ranx/qrels.json", "ranx/run.json", "cast-json/LICENSE"),
    ):
        write(target / path, (source / path).read_bytes())
    ltr = Path("ltr/title_judgments.txt")
    write(target / ltr, first_lines(source / ltr, 61))
    cut_json(source, target, "quepid/haystack_book.json", "query_doc_pairs", 30)
    cut_json(source, target, "quepid/haystack_case.json", "queries", 2, "ratings")
    for name in ("art_judgments", "ImportJudgments"):
        path = f"opensearch-srw/{name}.json"
        cut_json(source, target, path, "judgmentRatings", 2, "ratings")
    cut_json(source, target, "cast-json/cast2019_evaluation_topics_v1.0.json", "", 2)


def cut_json(source: Path, target: Path, path: str, key: str, count: int, inside: str = "") -> None:
    """Keep the first parts of a list (the whole file, or under a key), and ten inside each."""
    whole = json.loads((source / path).read_text("utf-8"))
    parts = (whole[key] if key else whole)[:count]
    for part in parts if inside else ():
        part[inside] = part[inside][:10]
    text = json.dumps({**whole, key: parts} if key else parts, indent=1, ensure_ascii=False)
    write(target / path, f"{text}\n".encode())


def main() -> None:
    """Make every folder."""
    here = Path(__file__).resolve().parent
    parser = argparse.ArgumentParser(description="Cut the small test data.")
    parser.add_argument("source", type=Path, metavar="SOURCE_DIR")
    parser.add_argument("target", type=Path, metavar="TARGET_DIR", nargs="?", default=here)
    options = parser.parse_args()
    source, target = options.source, options.target
    make_cranfield(source / "cranfield", target / "cranfield")
    make_dl_hard(source / "dl-hard", target / "dl-hard")
    make_trec_covid(source / "trec-covid-r1", target / "trec-covid-r1")
    make_robust(source / "robust03", target / "robust03")
    make_trec_eval(source / "trec_eval", target / "trec_eval")
    make_formats(source, target / "formats")
    make_ecosystems(source / "formats", target / "formats")


if __name__ == "__main__":
    main()
