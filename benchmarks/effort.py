"""How many labels reach a verdict: the study of effort, rerun on the strategies as they ship.

    python benchmarks/effort.py [FOLDER] [--only pairs,best,bias] [--long] [--jobs N] [--out FILE]

FOLDER (or ANNOTATOR_COLLECTIONS) holds the collections (see effort_tasks.py), whose labels answer
as a person would; --collections names those to run, also of the four more. The short form takes one
sample of queries a task and the strategies that matter most, the long form everything. Every number
is reproducible; records go to FILE as JSON lines.

pairs   two systems on 50 queries: share of the pool until the difference is credible (P >= 0.975 on
        these queries, on enough labels; see rubric/model/stopping.py), how often that is wrong, and
        until it is proved
best    all systems of a collection: share until the best is known to within 0.01
bias    each system's own documents taken out of the labels: error of its score and place
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # one process a core, no more

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache, partial
from multiprocessing import Pool
from pathlib import Path
from typing import Any

sys.path[:0] = [str(Path(__file__).parents[1]), str(Path(__file__).parent)]

from effort_runs import best_campaign, best_tasks, left_out, pair_campaign  # noqa: E402
from effort_tables import best_table, bias_table, pairs_tables  # noqa: E402
from effort_tasks import SOURCES, Collection, load, pair_tasks  # noqa: E402

Record = dict[str, Any]
Job = Callable[[], list[Record]]

SHORT_PAIRS = ("depth, query by query", "decide")
LONG_PAIRS = (
    *("depth, query by query", "depth, in turn", "random", "move-to-front"),
    *("decide", "decide, staying"),
)
SHORT_BEST = ("depth, in turn", "best")
LONG_BEST = ("depth, query by query", "depth, in turn", "random", "move-to-front", "rank", "best")


@cache
def collection(folder: Path, name: str) -> Collection:
    """A collection, read once a process."""
    return load(folder, name)


def pairs(
    folder: Path,
    name: str,
    seed: int,
    strategies: Sequence[str],
    *,
    until: str,
    size: int,
    whole: bool,
    measure: str,
) -> list[Record]:
    """Every pair of a collection on one seed."""
    records = []
    for made, own_seed in pair_tasks(collection(folder, name), [seed], size, whole=whole):
        made = replace(made, measure=measure)
        for strategy in strategies:
            rows = pair_campaign(made, strategy, own_seed, until=until)
            records.append(
                {
                    "kind": "pairs",
                    "collection": name,
                    "systems": made.systems[:2],
                    "seed": seed,
                    "strategy": strategy,
                    "size": made.in_question,
                    "difference": made.difference,
                    "rows": rows,
                }
            )
    return records


def best(folder: Path, name: str, seed: int, strategies: Sequence[str]) -> list[Record]:
    """All systems of a collection on one seed."""
    return [
        {
            "kind": "best",
            "collection": name,
            "seed": seed,
            "strategy": strategy,
            "rows": best_campaign(made, strategy, own_seed),
        }
        for made, own_seed in best_tasks(collection(folder, name), [seed])
        for strategy in strategies
    ]


def bias(folder: Path, name: str) -> list[Record]:
    """Every system of a collection left out once."""
    return [
        {"kind": "bias", "collection": name, **record}
        for record in left_out(collection(folder, name))
    ]


def jobs_of(options: argparse.Namespace) -> Iterator[Job]:
    """What is to be run, the longest first."""
    wanted = options.only.split(",")
    names = options.collections.split(",")
    long = options.long
    if "pairs" in wanted:
        chosen = _chosen(options.strategies, LONG_PAIRS if long else SHORT_PAIRS)
        for seed in _seeds(options.seeds, 6 if long else 1):
            for name in names:
                how = {"until": options.until, "size": options.queries, "whole": options.whole}
                how["measure"] = options.measure
                yield partial(pairs, options.folder, name, seed, chosen, **how)
    if "best" in wanted:
        chosen = _chosen(options.strategies, LONG_BEST if long else SHORT_BEST)
        for seed in _seeds(options.seeds, 8 if long else 1):
            for name in names:
                yield partial(best, options.folder, name, seed, chosen)
    if "bias" in wanted:
        yield from (partial(bias, options.folder, name) for name in names)


def _chosen(typed: str | None, otherwise: Sequence[str]) -> Sequence[str]:
    return typed.split(";") if typed else otherwise


def _seeds(typed: str | None, count: int) -> range:
    if not typed:
        return range(count)
    first, _, last = typed.partition("-")
    return range(int(first), int(last or first) + 1)


def _run(job: Job) -> list[Record]:
    return job()


def main() -> None:
    """Run what is asked for and print its tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "folder", nargs="?", type=Path, default=os.environ.get("ANNOTATOR_COLLECTIONS")
    )
    parser.add_argument("--only", default="pairs,best,bias")
    parser.add_argument("--long", action="store_true")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--collections", default=",".join(SOURCES))
    parser.add_argument("--strategies", help="names as in the tables, between semicolons")
    parser.add_argument("--seeds", help="such as 0-5")
    parser.add_argument("--until", choices=("proof", "credible"), default="proof")
    parser.add_argument("--queries", type=int, default=50)
    parser.add_argument("--whole", action="store_true", help="pairs in pools of all systems")
    parser.add_argument("--measure", default="nDCG@10", help="what pairs are decided on")
    options = parser.parse_args()
    if options.folder is None:
        parser.error("name the folder of the collections, or set ANNOTATOR_COLLECTIONS")
    options.folder = Path(options.folder)
    records: list[Record] = []
    with Pool(options.jobs) as pool:
        for found in pool.imap_unordered(_run, jobs_of(options)):
            records += found
            if options.out:
                with options.out.open("a") as file:
                    file.writelines(json.dumps(record) + "\n" for record in found)
    for kind, table in (("pairs", pairs_tables), ("best", best_table), ("bias", bias_table)):
        if chosen := [record for record in records if record["kind"] == kind]:
            print(table(chosen), end="\n\n")


if __name__ == "__main__":
    main()
