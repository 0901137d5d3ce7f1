"""How results name the weights that a person gave to queries."""

from __future__ import annotations

from dataclasses import dataclass

from annotator.text.plural import counted, some


@dataclass(frozen=True)
class Weighting:
    """Weights of queries by name and digest, and which queries they leave out or have over.

    ``left_out`` have the weight 0; ``not_scored`` have a weight and are none of those scored.
    """

    name: str
    digest: str
    left_out: tuple[str, ...]
    not_scored: tuple[str, ...]

    def line(self) -> str:
        """The weights as a method line names them."""
        text = f"queries weighted by {self.name} ({self.digest})"
        if self.left_out:
            text += f", {counted(len(self.left_out), 'query', 'queries')} of weight 0 left out"
        if self.not_scored:
            others = counted(len(self.not_scored), "query", "queries")
            text += f", {others} of it not scored: {some(self.not_scored)}"
        return text
