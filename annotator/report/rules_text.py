"""Rulings as sentences, and as JUnit XML for the pages of a build server."""

from __future__ import annotations

from collections.abc import Sequence

from annotator.report.more_labels_text import about_more
from annotator.results.rules import Outcome, Ruling
from annotator.text.markup import Markup, element
from annotator.text.numbers import span
from annotator.text.plural import counted
from annotator.text.safe import one_line


def sentence(one: Ruling) -> str:
    """The rule, how it came out, and what would tell."""
    known = "nothing is known of it" if one.known is None else f"known: {span(*one.known)}"
    said = {
        Outcome.PASSED: "holds",
        Outcome.FAILED: "fails",
        Outcome.UNKNOWN: "not enough labels to tell",
    }
    return f"{said[one.outcome]}: {one_line(one.rule)} ({known}{_more(one)})"


def _more(one: Ruling) -> str:
    if one.outcome is not Outcome.UNKNOWN:
        return ""
    if one.more is None:
        return "; judge more of the pool, or pool deeper"
    if one.more.is_counted:
        return f"; at most {counted(one.more.most, 'more label')} would tell"
    return f"; {about_more(one.more)} would tell"


def junit(suite: str, rulings: Sequence[Ruling]) -> str:
    """One test case a rule; one that is not decided is skipped, and says why."""
    count = [one.outcome for one in rulings].count
    cases = [_case(suite, one) for one in rulings]
    attributes = {"tests": len(rulings), "failures": count(Outcome.FAILED)}
    attributes |= {"errors": 0, "skipped": count(Outcome.UNKNOWN)}
    inside = Markup("\n" + "".join(f"{case}\n" for case in cases))
    tests = element("testsuite", inside, name=suite, **attributes)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{element("testsuites", tests)}\n'


def _case(suite: str, one: Ruling) -> Markup:
    inside = {
        Outcome.PASSED: [],
        Outcome.FAILED: [element("failure", message=sentence(one))],
        Outcome.UNKNOWN: [element("skipped", message=sentence(one))],
    }
    name, of = one_line(one.rule), f"{suite}.{one_line(one.subject)}"
    return element("testcase", *inside[one.outcome], name=name, classname=of, time=0)
