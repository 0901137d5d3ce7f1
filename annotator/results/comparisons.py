"""Systems compared in pairs as plain values: frozen, ready to be shown or written."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from annotator.results.json_form import Detail, Result
from annotator.results.method import Method, stamped
from annotator.results.more_labels import MoreLabels
from rubric import Comparison, Verdict
from rubric.results.comparison import LEVEL, WORLDS
from rubric.results.significance import EXACT_UP_TO, PATTERNS, RESAMPLES

LARGEST = 5


NEARLY_LEVEL = 0.01
"""Two systems whose difference is smaller are called level, unless another margin is asked for."""


EXACT, LOOSE = "exact", "loose"


RENAMED = {"p_value": "p", "effect": "effect_size", "better": "p_better"}
"""Keys of a comparison that have another name in it than in the library."""
UNWRITTEN = ("exact", "missing", "more_range")
QUERY_ARRAYS = ("query_", "per_query")
_EQUAL = 1e-12


@dataclass(frozen=True)
class QueryDifference(Result):
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

    def keys(self, detail: Detail) -> dict[str, Any]:
        """Its fields, and the flags."""
        return super().keys(detail) | {"flags": self.flags}

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
class Compared(Result):
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
    margin
        Below that difference the two are called level.
    """

    first: str
    second: str
    result: Comparison
    missing: tuple[int, int]
    queries: tuple[QueryDifference, ...]
    means: tuple[float | None, float | None] = (None, None)
    p_holm: float | None = None
    margin: float = NEARLY_LEVEL

    @property
    def verdict(self) -> Verdict:
        """What the labels say of these queries; tests of others have no part in it."""
        return self.result.verdict

    @property
    def known(self) -> float | None:
        """The difference as far as one may speak of it: settled, or expected by the grade model."""
        return self.result.expected if self.result.value is None else self.result.value

    @property
    def size(self) -> str:
        """What the difference comes to: ``ahead``, ``behind``, ``level`` or ``unknown``."""
        if self.known is None:
            return "unknown"
        if abs(self.known) < self.margin:
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

    @property
    def more(self) -> MoreLabels | None:
        """How many more labels an open verdict takes; None where it is reached or not known."""
        ends = self.result.more_range
        return None if ends is None else MoreLabels(self.result.more_labels, *ends)

    def keys(self, detail: Detail) -> dict[str, Any]:
        """Every number of the comparison, and what follows; every query where asked for."""
        numbers = {
            RENAMED.get(key, key): one
            for key, one in vars(self.result).items()
            if key not in UNWRITTEN and not key.startswith(QUERY_ARRAYS)
        }
        more = self.more
        return {
            "first": self.first,
            "second": self.second,
            **numbers,
            "measure": str(self.result.measure),
            "bounds": self.bounds,
            "mean_first": self.means[0],
            "mean_second": self.means[1],
            "p_holm": self.p_holm,
            "queries": {
                "counted": self.counted,
                "undefined": len(self.queries) - self.counted,
                "missing_first": self.missing[0],
                "missing_second": self.missing[1],
            },
            "settled": self.verdict.settled,
            "size": self.size,
            "new_queries": self.new_queries,
            "more_labels_low": more and more.fewest,
            "more_labels_high": more and more.most,
            "largest_wins": self.largest(wins=True),
            "largest_losses": self.largest(wins=False),
            **({"per_query": self.queries} if detail.per_query else {}),
        }


@dataclass(frozen=True, eq=False)
class ComparisonTable(Result):
    """Comparisons and how they were made."""

    method: Method
    seed: int
    pairs: tuple[Compared, ...]

    @property
    def margin(self) -> float:
        """Below that difference two systems are called level."""
        return self.pairs[0].margin if self.pairs else NEARLY_LEVEL

    def with_margin(self, margin: float) -> ComparisonTable:
        """The same comparisons, with another margin."""
        return replace(self, pairs=tuple(replace(one, margin=margin) for one in self.pairs))

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

    def keys(self, detail: Detail) -> dict[str, Any]:
        """The method, and every comparison."""
        return {"method": self.made(), "comparisons": self.pairs}
