"""How results name the weights that a person gave to queries."""

from __future__ import annotations

from dataclasses import dataclass

from annotator.text.plural import counted, some


@dataclass(frozen=True)
class Weighting:
    """Weights of queries by name and digest, and which queries they leave out or have over.

    ``left_out`` have the weight 0, or none: then they are among ``without`` too. ``not_scored``
    have a weight and are none of those scored. ``since`` is when the project took them; None where
    they are of a file.
    """

    name: str
    digest: str
    left_out: tuple[str, ...]
    not_scored: tuple[str, ...]
    without: tuple[str, ...] = ()
    since: str | None = None

    def line(self) -> str:
        """The weights as a method line names them."""
        text = f"queries weighted by {self.name} ({self.digest})"
        if self.since is not None:
            text += f", in the project since {self.since[:10]}"
        if zero := len(self.left_out) - len(self.without):
            text += f", {counted(zero, 'query', 'queries')} of weight 0 left out"
        if self.without:
            queries = counted(len(self.without), "query", "queries")
            text += f", {queries} without a weight left out: {some(self.without)}"
        if self.not_scored:
            others = counted(len(self.not_scored), "query", "queries")
            text += f", {others} of it not scored: {some(self.not_scored)}"
        return text
