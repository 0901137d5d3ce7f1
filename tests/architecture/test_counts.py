"""Counts in sentences agree with their nouns: ``1 label``, not ``1 labels``."""

from __future__ import annotations

import ast
import itertools
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from annotator.actions.imports.report import Found
from annotator.text.plural import counted

MODULES = sorted(Path("annotator").rglob("*.py"))
NOUNS = (
    "assessors|candidates|cells|characters|columns|days|documents|draws|duplicates|entries|events"
    "|files|grades|grams|hours|judgments|labels|lines|measures|minutes|notes|pairs|places|queries"
    "|rankings|ratings|rows|runs|seconds|systems|texts|times|words"
)
NOT = "are|as|has|in|is|grades|now|of|repeats|sets|takes|was|were"
COUNTED = re.compile(rf" (?!({NOT}) )(pooled |[\w-]+ )?({NOUNS})\b")
# Which never count one, or count for another word than the next.
FINE = {
    "n}' candidates that can be",  # of a cutoff below it
    "len(typed['files'])}' files",
    "shown.pooled}' queries",
    "judgments.top}' of the qrels",
}


def bare_counts(module: Path) -> Iterator[str]:
    """Each ``{number} nouns`` of a module's strings in which the noun is always in the plural."""
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        parts = node.values if isinstance(node, ast.JoinedStr) else []
        for value, text in itertools.pairwise(parts):
            if not isinstance(value, ast.FormattedValue) or not isinstance(text, ast.Constant):
                continue
            source = ast.unparse(value.value)
            constant = source.isupper() or source.startswith(("counted(", "name(", "some("))
            said = f"{source}}}{str(text.value)!r}"
            if COUNTED.match(str(text.value)) and not constant and not is_fine(said):
                yield f"{module}:{value.lineno}: {{{said}"
        if isinstance(node, ast.Constant) and "{count}" in str(node.value):
            yield f"{module}:{node.lineno}: {node.value!r}"


def is_fine(said: str) -> bool:
    return any(said.startswith(one) for one in FINE)


@pytest.mark.parametrize(
    ("number", "said"), [(0, "0 labels"), (1, "1 label"), (2000, "2,000 labels")]
)
def test_a_count_agrees_with_its_noun(number: int, said: str) -> None:
    assert counted(number, "label") == said


def test_what_an_import_says_of_one_is_in_the_singular() -> None:
    found = Found("a.run", "run")
    for count in (1, 2, 0):
        found.note(count, f"rows {count}", "{count:row has|rows have} no grade")
    assert found.warnings == ["1 row has no grade", "2 rows have no grade"]


def test_no_sentence_counts_one_in_the_plural() -> None:
    assert [said for module in MODULES for said in bare_counts(module)] == []
