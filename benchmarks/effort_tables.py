"""The tables of the study of effort, from its records."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from typing import Any

import numpy as np
from tabulate import tabulate

from rubric.model.expectation import Estimate
from rubric.model.stopping import Support, is_credible

Record = dict[str, Any]

TARGETS = {
    "decide": "target: credible median <= 0.13, p90 <= 0.60, wrong <= 2.5% (5% in each "
    "collection), proved median <= 0.65",
    "best": "target: within 0.01 at <= 0.25 in the median, never wrong",
    "bias": "target: mean error of the expected value <= 0.013",
}


def credible(record: Record) -> tuple[int, bool]:
    """Labels until the difference was credible, and whether that was right.

    A campaign that never stops cost the whole pool and is right.
    """
    for labels, mean, deviation, _, _, *others in record["rows"]:
        if is_credible(Estimate(mean, deviation), Support(labels, *others)):
            return int(labels), bool((mean > 0) == (record["difference"] > 0))
    return record["size"], True


def proved(record: Record) -> float:
    """The share of the pool until the difference was proved."""
    labels, _, _, lower, upper, *_ = record["rows"][-1]
    return float(labels / record["size"]) if lower > 0 or upper < 0 else 1.0


def pairs_tables(records: Sequence[Record]) -> str:
    """Two systems: by strategy, then the shipped one by collection and by true difference."""
    parts = [_pairs(records, "strategy", lambda one: one["strategy"])]
    shipped = [record for record in records if record["strategy"] == "decide"]
    parts.append(_pairs(shipped, "decide, by collection", lambda one: one["collection"]))
    parts.append(_pairs(shipped, "decide, by true difference", _stratum))
    return "\n\n".join([*parts, TARGETS["decide"]])


def _stratum(record: Record) -> str:
    apart = abs(record["difference"])
    return "below 0.02" if apart < 0.02 else "0.02 to 0.06" if apart < 0.06 else "above 0.06"


def _pairs(records: Iterable[Record], what: str, key: Callable[[Record], str]) -> str:
    rows = []
    for name, group in grouped(records, key):
        stops = [credible(record) for record in group]
        shares = [labels / record["size"] for (labels, _), record in zip(stops, group, strict=True)]
        wrong = sum(not right for _, right in stops)
        proofs = [proved(record) for record in group]
        rows.append(
            [
                name,
                len(group),
                three(shares),
                f"{quantile([labels for labels, _ in stops], 0.5):.0f}",
                f"{quantile([labels for labels, _ in stops], 0.9):.0f}",
                f"{wrong} ({wrong / len(group):.1%})",
                f"{quantile(proofs, 0.5):.3f} / {quantile(proofs, 0.9):.3f}",
            ]
        )
    heads = [what, "tasks", "credible: median / mean / p90", "labels", "p90", "wrong",
             "proved: median / p90"]  # fmt: skip
    return str(tabulate(rows, heads, disable_numparse=True))


def best_table(records: Sequence[Record]) -> str:
    """All systems: when the best is known, and how well they are ranked on the way."""
    rows = []
    for name, group in grouped(records, lambda one: one["strategy"]):
        row: list[object] = [name, len(group)]
        for key, slack in (("best", 0.0), ("near", 0.01)):
            stops = [_known(record["rows"], key, slack) for record in group]
            shares = [share for share, _ in stops]
            wrong = sum(not right for _, right in stops)
            row += [f"{quantile(shares, 0.5):.2f} / {quantile(shares, 0.9):.2f}", wrong]
        for value in ("expected", "zero-filled"):
            at = [_at(record["rows"], share)["tau"][value]
                  for share in (0.1, 0.25, 0.5) for record in group]  # fmt: skip
            row.append(" / ".join(f"{mean:.2f}" for mean in np.reshape(at, (3, -1)).mean(axis=1)))
        rows.append(row)
    heads = ["strategy", "tasks", "best: median / p90", "wrong", "within 0.01", "wrong",
             "tau at 10, 25, 50%", "tau, zero-filled"]  # fmt: skip
    return str(tabulate(rows, heads, disable_numparse=True)) + "\n\n" + TARGETS["best"]


def _known(rows: Sequence[Record], key: str, slack: float) -> tuple[float, bool]:
    for row in rows:
        if row[key] >= 0.95:
            return row["share"], row["regret"] <= slack + 1e-12
    return 1.0, True


def _at(rows: Sequence[Record], share: float) -> Record:
    return min(rows, key=lambda row: abs(row["share"] - share))


def bias_table(records: Sequence[Record]) -> str:
    """A system's own documents left out: error of its score, and how often its place changes."""
    rows = []
    for value in ("expected", "zero-filled"):
        errors = [record["error"][value] for record in records]
        each = [
            f"{np.mean(np.abs([one['error'][value] for one in group])):.4f}"
            for _, group in grouped(records, lambda one: one["collection"])
        ]
        moved = [record["moved"][value] != 0 for record in records]
        rows.append(
            [
                value,
                f"{np.mean(np.abs(errors)):.4f}",
                f"{np.mean(errors):+.4f}",
                f"{np.max(np.abs(errors)):.3f}",
                f"{np.mean(moved):.0%}",
                *each,
            ]
        )
    names = [name for name, _ in grouped(records, lambda one: one["collection"])]
    table = tabulate(
        rows, ["value", "mean error", "bias", "largest", "place moved", *names],
        disable_numparse=True,
    )  # fmt: skip
    deviation = np.std([record["z"] for record in records])
    said = f"(true - expected) / deviation: {deviation:.2f} over {len(records)} systems"
    return f"{table}\n{said}\n\n{TARGETS['bias']}"


def grouped(
    records: Iterable[Record], key: Callable[[Record], str]
) -> list[tuple[str, list[Record]]]:
    """Records by a key, in order of it."""
    return [(name, list(group)) for name, group in groupby(sorted(records, key=key), key)]


def three(values: Sequence[float]) -> str:
    """Median, mean and 90th percentile."""
    return f"{quantile(values, 0.5):.3f} / {np.mean(values):.3f} / {quantile(values, 0.9):.3f}"


def quantile(values: Iterable[float], at: float) -> float:
    """A quantile, 0 of nothing."""
    found = list(values)
    return float(np.quantile(found, at)) if found else 0.0
