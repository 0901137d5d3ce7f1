"""What an ordeal found: plain facts, and what must not be."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class Facts:
    """The result of an ordeal; ``violations`` is empty if all that was promised held."""

    name: str
    counts: dict[str, object] = field(default_factory=dict)
    violations: list[str] = field(default_factory=list)

    def add(self, what: str, number: int = 1) -> None:
        """Count something."""
        before = self.counts.get(what, 0)
        assert isinstance(before, int)
        self.counts[what] = before + number

    def lines(self, most: int = 20) -> list[str]:
        """The facts, one a line, and the first violations."""
        said = [f"{self.name}"]
        said += [f"  {what:48}{value:>12}" for what, value in self.counts.items()]
        said += [f"  {'violations':48}{len(self.violations):>12}"]
        return said + [f"  ! {one}" for one in self.violations[:most]]
