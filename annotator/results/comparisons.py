"""Systems compared in pairs as plain values: frozen, ready to be shown or written."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from annotator.results.method import Method, stamped
from rubric import Comparison, Verdict
from rubric.results.comparison import LEVEL, WORLDS
from rubric.results.significance import EXACT_UP_TO, PATTERNS, RESAMPLES

LARGEST = 5


NEARLY_LEVEL = 0.01
"""Two systems whose difference is smaller are called level, unless another margin is asked for."""


EXACT, LOOSE = "exact", "loose"


_EQUAL = 1e-12


@dataclass(frozen=True)
class QueryDifference:
    """First minus second for one query; ``value`` is None unless it is settled.

    ``expected`` is by the grade model, ``expected95`` its 95% interval; ``estimate`` is the one
    number to show: the value, else what is expected, else the difference of zero-filled scores.
    ``bounds`` says whether some grading reaches lower and upper.
    """

    query: str
    value: float | None
    expected: float | None
    estimate: float | None
    lower: float | None
    upper: float | None
    zero_filled: float | None
    unjudged: int
    expected95: tuple[float, float] | None = None
    bounds: str = EXACT

    @property
    def flags(self) -> str:
        """What a reader must know before believing the number."""
        said = [f"{self.unjudged:,} unjudged"] if self.unjudged else []
        if self.zero_filled is None:
            said.append("undefined" if self.upper is None else "undefined so far")
        elif self.value is None and not said:
            said.append("ideal open")
        said += ["bounds loose"] if self.bounds == LOOSE else []
        return ", ".join(said)


@dataclass(frozen=True, eq=False)
class Compared:
    """Two systems on one measure.

    Parameters
    ----------
    missing
        For how many queries the first and the second returned nothing.
    queries
        Every query that counts for both, in order.
    means
        The mean score of the first and of the second, over the queries in the difference.
    p_holm
        The p value adjusted for all pairs compared; None where only one was.
    """

    first: str
    second: str
    result: Comparison
    missing: tuple[int, int]
    queries: tuple[QueryDifference, ...]
    means: tuple[float | None, float | None] = (None, None)
    p_holm: float | None = None

    @property
    def verdict(self) -> Verdict:
        """What the labels say of these queries; tests of others have no part in it."""
        return self.result.verdict

    @property
    def known(self) -> float | None:
        """The difference as far as one may speak of it: settled, or expected by the grade model."""
        return self.result.expected if self.result.value is None else self.result.value

    def size(self, margin: float) -> str:
        """What the difference comes to: ``ahead``, ``behind``, ``level`` or ``unknown``."""
        if self.known is None:
            return "unknown"
        if abs(self.known) < margin:
            return "level"
        return "ahead" if self.known > 0 else "behind"

    @property
    def p(self) -> float | None:
        """The p value, adjusted where more pairs were compared."""
        return self.result.p_value if self.p_holm is None else self.p_holm

    @property
    def new_queries(self) -> str:
        """Whether it would hold for other queries: ``likely``, ``no sign`` or ``unknown``."""
        if self.p is None or self.known is None:
            return "unknown"
        return "likely" if self.p < LEVEL else "no sign"

    def first_is_better(self, wanted: Verdict) -> bool:
        """Whether the first is better for sure (proved), or at least credibly (credible)."""
        enough = (Verdict.PROVED,) if wanted is Verdict.PROVED else (Verdict.PROVED, wanted)
        return self.verdict in enough and (self.result.estimate or 0.0) > 0

    @property
    def bounds(self) -> str:
        """Whether some grading reaches the bounds, or they may be wider than need be."""
        return EXACT if self.result.exact else LOOSE

    @property
    def counted(self) -> int:
        """Queries in the mean."""
        return sum(one.zero_filled is not None for one in self.queries)

    @property
    def maybe(self) -> int:
        """Queries that may turn out to count."""
        return sum(one.zero_filled is None and one.upper is not None for one in self.queries)

    def largest(self, *, wins: bool) -> list[QueryDifference]:
        """The queries with the largest differences in favour of the first, or of the second."""
        sign = 1 if wins else -1
        sized = [(sign * one.estimate, one) for one in self.queries if one.estimate is not None]
        ranked = sorted(sized, key=lambda pair: -pair[0])
        return [one for size, one in ranked if size > _EQUAL][:LARGEST]

    def numbers(self, margin: float = NEARLY_LEVEL) -> dict[str, Any]:
        """Everything that is one number or word, by name."""
        result = self.result
        low, high = result.ci95 or (None, None)
        expected_low, expected_high = result.expected95 or (None, None)
        fewest, most = result.more_range or (None, None)
        return {
            "first": self.first,
            "second": self.second,
            "measure": str(result.measure),
            "value": result.value,
            "lower": result.lower,
            "upper": result.upper,
            "bounds": self.bounds,
            "expected": result.expected,
            "expected95_low": expected_low,
            "expected95_high": expected_high,
            "estimate": result.estimate,
            "zero_filled": result.zero_filled,
            "mean_first": self.means[0],
            "mean_second": self.means[1],
            "wins": result.wins,
            "losses": result.losses,
            "ties": result.ties,
            "p": result.p_value,
            "p_holm": self.p_holm,
            "ci95_low": low,
            "ci95_high": high,
            "effect_size": result.effect,
            "unjudged": result.unjudged,
            "counted": self.counted,
            "undefined": len(self.queries) - self.counted,
            "missing_first": self.missing[0],
            "missing_second": self.missing[1],
            "verdict": str(self.verdict),
            "settled": self.verdict.settled,
            "size": self.size(margin),
            "new_queries": self.new_queries,
            "p_better": result.better,
            "labels": result.labels,
            "more_labels": result.more_labels,
            "more_labels_low": fewest,
            "more_labels_high": most,
        }

    def to_dict(self, *, per_query: bool = False, margin: float = NEARLY_LEVEL) -> dict[str, Any]:
        """The JSON form."""
        data = self.numbers(margin)
        low, high = data.pop("ci95_low"), data.pop("ci95_high")
        counts = ("counted", "undefined", "missing_first", "missing_second")
        data["ci95"] = None if low is None else [low, high]
        low, high = data.pop("expected95_low"), data.pop("expected95_high")
        data["expected95"] = None if low is None else [low, high]
        data["queries"] = {key: data.pop(key) for key in counts}
        data["largest_wins"] = [asdict(one) for one in self.largest(wins=True)]
        data["largest_losses"] = [asdict(one) for one in self.largest(wins=False)]
        if per_query:
            data["per_query"] = [asdict(one) for one in self.queries]
        return data


@dataclass(frozen=True, eq=False)
class ComparisonTable:
    """Comparisons and how they were made; below the ``margin`` two systems are called level."""

    method: Method
    seed: int
    pairs: tuple[Compared, ...]
    margin: float = NEARLY_LEVEL

    def line(self) -> str:
        """The method in one line."""
        loose = any(one.bounds == LOOSE for one in self.pairs)
        return ("loose bounds hold, but no grading may reach them · " if loose else "") + (
            f"first minus second, paired by query · p: randomisation test, two-sided, exact up to "
            f"{EXACT_UP_TO} queries, else (b + 1) / (n + 1) with n = {PATTERNS:,} · 95% interval: "
            f"percentile bootstrap, {RESAMPLES:,} resamples · both over {WORLDS} drawn gradings "
            f"where a value is open · seed {self.seed} · effect size: mean / standard deviation · "
            + self.method.line()
        )

    def made(self) -> dict[str, Any]:
        """The JSON form of the method."""
        test = {
            "difference": "first minus second",
            "test": "paired randomisation, two-sided",
            "exact_up_to_queries": EXACT_UP_TO,
            "patterns": PATTERNS,
            "level": LEVEL,
            "interval": "95% paired percentile bootstrap",
            "resamples": RESAMPLES,
            "seed": self.seed,
            "margin": self.margin,
        }
        return stamped(self.method.to_dict() | test)

    def to_dict(self, *, per_query: bool = False) -> dict[str, Any]:
        """The JSON form; keys may be added, none is renamed."""
        return {
            "method": self.made(),
            "comparisons": [
                one.to_dict(per_query=per_query, margin=self.margin) for one in self.pairs
            ],
        }
