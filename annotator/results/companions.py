"""What a person meets beside relevance, as plain values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from annotator.results.json_form import Detail, Result
from annotator.results.method import stamped
from annotator.text.plural import counted

SHINGLE = 5


NEAR = 0.8


MOST_SHINGLES = 10_000
"""Only the beginning of a longer text is compared, so that no document takes much memory."""


@dataclass(frozen=True)
class Companion(Result):
    """One system's top k of all queries.

    Parameters
    ----------
    near_duplicates
        Places whose document is a near-duplicate of one above it.
    with_text, without_text
        Places whose document has a text, and those that could not be compared.
    distinct
        Different documents of the catalog in any top k.
    outside
        Different documents there that are not in the catalog.
    catalog
        Documents of the catalog.
    """

    k: int
    near_duplicates: int
    with_text: int
    without_text: int
    distinct: int
    outside: int
    catalog: int

    @property
    def near_duplicate_rate(self) -> float | None:
        """Share of the places with text; None where there is none."""
        return self.near_duplicates / self.with_text if self.with_text else None

    @property
    def coverage(self) -> float | None:
        """Share of the catalog that is in any top k; None where no document is known."""
        return self.distinct / self.catalog if self.catalog else None

    def keys(self, detail: Detail) -> dict[str, Any]:
        """Its fields, and the rates."""
        rates = {"near_duplicate_rate": self.near_duplicate_rate, "catalog_coverage": self.coverage}
        return super().keys(detail) | rates


@dataclass(frozen=True)
class SystemCompanions:
    """One system at each cutoff."""

    system: str
    at: tuple[Companion, ...]


@dataclass(frozen=True)
class CompanionTable(Result):
    """Every system's companions."""

    queries: int
    tool: str
    catalog: str
    systems: tuple[SystemCompanions, ...]

    def line(self) -> str:
        """The method in one line."""
        return (
            f"near-duplicate: title and text with a Jaccard coefficient of {SHINGLE}-word shingles "
            f"of at least {NEAR} (the first {MOST_SHINGLES:,} shingles), or equal, to a document "
            "above it in the same top k · rate over places whose document has a text · catalog: "
            f"{self.catalog} · "
            f"{counted(self.queries, 'query', 'queries')} · order displayed · {self.tool}"
        )

    def made(self) -> dict[str, Any]:
        """The JSON form of the method."""
        return stamped(
            {
                "near_duplicate": "Jaccard of word shingles of title and text, or equal",
                "shingle_words": SHINGLE,
                "least_jaccard": NEAR,
                "most_shingles": MOST_SHINGLES,
                "catalog": self.catalog,
                "queries": self.queries,
                "ties": "displayed",
                "tool": self.tool,
            }
        )

    def keys(self, detail: Detail) -> dict[str, Any]:
        """The method, and every system."""
        return {"method": self.made(), "systems": self.systems}
