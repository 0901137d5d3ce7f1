"""Measures how long reading and scoring TREC runs takes, here and in other packages.

    python benchmarks/scoring.py [--data FOLDER] [--small] [--repeat N] [--only NAME,NAME]

Two workloads (see make_runs.py) are made in a temporary folder, or in FOLDER, which is kept. Every
contestant (see contestants.py) starts in a fresh process; its first call counts, imports do not.
Rounds go over all contestants in turn, and the best of each is shown. A package that is not
installed is skipped. Ratios are to pytrec_eval. On a machine that does other work as well, seconds
mean little and ratios vary: compare within one run, and repeat it.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Any

sys.path[:0] = [str(Path(__file__).parents[1]), str(Path(__file__).parent)]

from contestants import CONTESTANTS  # noqa: E402
from make_runs import QRELS, SMALL, WORKLOADS, make  # noqa: E402

BASELINE = "pytrec_eval"
TOLERANCE = 1e-6
COLUMNS = ("judgments", "read", "score", "total", "ratio", "peak MiB", "mean nDCG@10")


def measured(name: str, folder: Path) -> dict[str, float]:
    """Run one contestant on one workload, in this process."""
    contestant = CONTESTANTS[name]
    for module in contestant.modules:
        importlib.import_module(module)
    paths = sorted(folder.glob("run.*"))
    began = time.perf_counter()
    judgments = contestant.judgments(folder / QRELS)
    ready = time.perf_counter()
    scored, scoring = [], 0.0
    for run in contestant.runs(judgments, paths):
        start = time.perf_counter()
        scored.append(contestant.score(judgments, run))
        scoring += time.perf_counter() - start
        del run
    total = time.perf_counter() - began
    queries = len({line.split()[0] for line in (folder / QRELS).open()})
    return {
        "judgments": ready - began,
        "read": total - scoring - (ready - began),
        "score": scoring,
        "total": total,
        "peak MiB": _peak(),
        "mean nDCG@10": sum(sum(run["ndcg"].values()) for run in scored) / queries / len(scored),
    }


def _peak() -> float:
    """The most memory this process held, and the largest of its children, in MiB."""
    usages = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_maxrss for usage in usages) / 1024


def fresh(name: str, folder: Path) -> dict[str, float] | str:
    """Run one contestant in a new process; give why it could not run, if so."""
    packages = {module.partition(".")[0] for module in CONTESTANTS[name].modules}
    if missing := [package for package in packages if not importlib.util.find_spec(package)]:
        return f"skipped: {', '.join(missing)} is not installed"
    command = [sys.executable, __file__, "--contestant", name, "--data", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        return f"failed: {(done.stderr.strip().splitlines() or ['no message'])[-1]}"
    result: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return result


def rounds(names: Sequence[str], folder: Path, repeat: int) -> dict[str, Any]:
    """The best round of each contestant; a new start for each."""
    best: dict[str, Any] = {}
    for _ in range(repeat):
        for name in names:
            result = fresh(name, folder)
            if isinstance(result, str):
                best.setdefault(name, result)
            elif name not in best or result["total"] < best[name]["total"]:
                best[name] = result
    return best


def table(results: dict[str, Any]) -> list[str]:
    """Lines to print; a mean that differs from the baseline's is marked."""
    baseline = results.get(BASELINE)
    lines = [f"{'':<20}" + "".join(f"{column:>14}" for column in COLUMNS)]
    for name, result in results.items():
        if isinstance(result, str):
            lines.append(f"{name:<20}  {result}")
            continue
        agrees = True
        if isinstance(baseline, dict):
            result["ratio"] = result["total"] / baseline["total"]
            agrees = abs(result["mean nDCG@10"] - baseline["mean nDCG@10"]) < TOLERANCE
        cells = (f"{result.get(column, float('nan')):>14.3f}" for column in COLUMNS[:-1])
        mean = f"{result['mean nDCG@10']:>14.6f}" + ("" if agrees else "  DIFFERS")
        lines.append(f"{name:<20}" + "".join(cells) + mean)
    return lines


def main() -> None:
    """Make what is not there yet, measure, print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--data", type=Path, help="where to keep the runs; else they are removed")
    parser.add_argument("--small", action="store_true", help="a thirteenth of the work")
    parser.add_argument("--repeat", type=int, default=2, metavar="N")
    parser.add_argument("--only", default="", help="names of contestants, with commas between")
    parser.add_argument("--contestant", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.contestant:
        print(json.dumps(measured(arguments.contestant, arguments.data)))
        return
    names = [name.strip() for name in arguments.only.split(",") if name] or list(CONTESTANTS)
    if unknown := set(names) - set(CONTESTANTS):
        parser.error(f"no contestant is called {', '.join(sorted(unknown))}")
    kept = nullcontext(arguments.data) if arguments.data else tempfile.TemporaryDirectory()
    with kept as data:
        for title, workload in (SMALL if arguments.small else WORKLOADS).items():
            folder = Path(data) / (f"{title}-small" if arguments.small else title)
            if not (folder / QRELS).exists():
                make(folder, workload)
            size = sum(path.stat().st_size for path in folder.glob("run.*"))
            print(
                f"\n{title}: {workload.queries} queries x {workload.systems} systems, "
                f"{size / 1e6:.0f} MB, best of {arguments.repeat}; seconds"
            )
            print("\n".join(table(rounds(names, folder, arguments.repeat))), flush=True)


if __name__ == "__main__":
    main()
