"""Times whole commands that score TREC runs, from start to exit, ours and other packages'.

    python benchmarks/scoring.py [--data FOLDER] [--small] [--repeat N] [--only NAME,NAME]

Two workloads (see make_runs.py) are made in a temporary folder, or in FOLDER, which is kept. Each
contestant is the command that a person types, or a script of some ten lines (benchmarks/peers):
nDCG@10, P@10, R@1000, RR and AP of every run, means out as JSON. Rounds go over all contestants in
turn; the best of each is shown. Seconds are processor time, of all cores; ratios are to
the script over pytrec_eval. A package that is not installed is skipped. Then the library by itself:
``rubric.score`` on dicts and pytrec_eval on the same dicts.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
PEERS = ROOT / "benchmarks" / "peers"
sys.path[:0] = [str(ROOT), str(ROOT / "benchmarks")]

from make_runs import QRELS, SMALL, WORKLOADS, make  # noqa: E402

BASELINE = "pytrec_eval"
TOLERANCE = 5e-4  # some print four digits
MEASURES = "nDCG@10,P@10,R@1000,RR,AP"
COLUMNS = ("processor s", "ratio", "clock s", "peak MiB", "mean nDCG@10")

Command = list[str]


@dataclass(frozen=True)
class Contestant:
    """The commands that score some runs, and how the mean nDCG@10 is read from what they print.

    ``package`` has to be installed. ``mean`` None: its gain is another one, so it is not compared.
    """

    package: str
    commands: Callable[[str, Sequence[str]], list[Command]]
    mean: Callable[[str], float] | None


def annotator(*options: str) -> Callable[[str, Sequence[str]], list[Command]]:
    """``annotator score`` on files."""

    def commands(qrels: str, runs: Sequence[str]) -> list[Command]:
        files = ["--qrels", qrels, *(word for run in runs for word in ("--run", run))]
        program = [sys.executable, "-m", "annotator", "score"]
        return [[*program, *files, "-m", MEASURES, "--format", "json", *options]]

    return commands


def script(name: str) -> Callable[[str, Sequence[str]], list[Command]]:
    """A script of benchmarks/peers."""
    return lambda qrels, runs: [[sys.executable, str(PEERS / name), qrels, *runs]]


def ir_measures(qrels: str, runs: Sequence[str]) -> list[Command]:
    """Its own command, once for each run."""
    program = [sys.executable, "-m", "ir_measures", qrels]
    return [[*program, run, "nDCG@10", "P@10", "R@1000", "RR", "AP"] for run in runs]


def our_mean(printed: str) -> float:
    """The mean of ``zero_filled`` over all systems."""
    values = [system["measures"][0]["zero_filled"] for system in json.loads(printed)["systems"]]
    return float(sum(values) / len(values))


def mean_of(name: str) -> Callable[[str], float]:
    """The mean over all runs of a peer's script."""

    def mean(printed: str) -> float:
        means = json.loads(printed).values()
        return float(sum(one[name] for one in means) / len(means))

    return mean


def mean_of_lines(printed: str) -> float:
    """The mean over the tables that ir_measures printed."""
    values = [float(value) for value in re.findall(r"^nDCG@10\s+(\S+)$", printed, flags=re.M)]
    return sum(values) / len(values)


CONTESTANTS = {
    "annotator": Contestant("rubric", annotator(), None),
    "annotator --like": Contestant("rubric", annotator("--like", "trec_eval"), our_mean),
    "pytrec_eval": Contestant("pytrec_eval", script("pytrec_eval_runs.py"), mean_of("ndcg_cut_10")),
    "ir_measures": Contestant("ir_measures", ir_measures, mean_of_lines),
    "ranx": Contestant("ranx", script("ranx_runs.py"), mean_of("ndcg@10")),
}


def run(commands: Sequence[Command]) -> tuple[dict[str, float], str]:
    """Run commands one after another: what they took together, and what they printed.

    Raises
    ------
    RuntimeError
        If one fails; with the last line it printed as an error.
    """
    spent, peak, printed, began = 0.0, 0.0, [], time.perf_counter()
    for command in commands:
        with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as errors:
            environment = {**os.environ, "PYTHONPATH": str(ROOT)}
            process = subprocess.Popen(command, stdout=out, stderr=errors, env=environment)
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            if process.returncode:
                errors.seek(0)
                raise RuntimeError((errors.read().strip().splitlines() or ["no message"])[-1])
            out.seek(0)
            printed.append(out.read())
        spent += usage.ru_utime + usage.ru_stime
        peak = max(peak, usage.ru_maxrss / 1024)
    clock = time.perf_counter() - began
    return {"processor s": spent, "clock s": clock, "peak MiB": peak}, "\n".join(printed)


def measured(name: str, folder: Path) -> dict[str, float] | str:
    """What one contestant takes for one workload, or why it could not run."""
    contestant = CONTESTANTS[name]
    if not importlib.util.find_spec(contestant.package):
        return f"skipped: {contestant.package} is not installed"
    runs = sorted(map(str, folder.glob("run.*")))
    try:
        result, printed = run(contestant.commands(str(folder / QRELS), runs))
    except RuntimeError as problem:
        return f"failed: {problem}"
    if contestant.mean:
        result["mean nDCG@10"] = contestant.mean(printed)
    return result


def rounds(names: Sequence[str], folder: Path, repeat: int) -> dict[str, Any]:
    """The best round of each contestant."""
    best: dict[str, Any] = {}
    for _ in range(repeat):
        for name in names:
            result = measured(name, folder)
            if isinstance(result, str):
                best.setdefault(name, result)
            elif name not in best or result["processor s"] < best[name]["processor s"]:
                best[name] = result
    return best


def table(results: dict[str, Any]) -> list[str]:
    """Lines to print; a mean that differs from the baseline's is marked."""
    baseline = results.get(BASELINE)
    lines = [f"{'':<18}" + "".join(f"{column:>14}" for column in COLUMNS)]
    for name, result in results.items():
        if isinstance(result, str):
            lines.append(f"{name:<18}  {result}")
            continue
        mean, note = result.get("mean nDCG@10"), ""
        if isinstance(baseline, dict):
            result["ratio"] = result["processor s"] / baseline["processor s"]
            if mean is not None and abs(mean - baseline["mean nDCG@10"]) > TOLERANCE:
                note = "  DIFFERS"
        cells = (f"{result[column]:.4g}" if column in result else "" for column in COLUMNS)
        lines.append(f"{name:<18}" + "".join(f"{cell:>14}" for cell in cells) + note)
    return lines


def library(folder: Path, repeat: int) -> str:
    """How long ``rubric.score`` takes for dicts, beside pytrec_eval on the same ones."""
    runs = sorted(map(str, folder.glob("run.*")))
    best = {}
    for name in ("rubric", "pytrec_eval"):
        command = [sys.executable, str(PEERS / "dicts.py"), name, str(folder / QRELS), *runs]
        seconds = [json.loads(run([command])[1])["seconds"] for _ in range(repeat)]
        best[name] = min(seconds)
    ours, theirs = best["rubric"], best["pytrec_eval"]
    return f"on dicts: rubric.score {ours:.2f} s, pytrec_eval {theirs:.2f} s: {ours / theirs:.2f}"


def main() -> None:
    """Make what is not there yet, measure, print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--data", type=Path, help="where to keep the runs; else they are removed")
    parser.add_argument("--small", action="store_true", help="a thirteenth of the work")
    parser.add_argument("--repeat", type=int, default=2, metavar="N")
    parser.add_argument("--only", default="", help="names of contestants, with commas between")
    arguments = parser.parse_args()
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
                f"{size / 1e6:.0f} MB, best of {arguments.repeat}"
            )
            print("\n".join(table(rounds(names, folder, arguments.repeat))), flush=True)
            if BASELINE in names:
                print(library(folder, arguments.repeat), flush=True)


if __name__ == "__main__":
    main()
