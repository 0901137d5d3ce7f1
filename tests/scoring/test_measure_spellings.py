"""A measure has one spelling, which is read back; what is none is refused with what is meant."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rubric import Gain, Measure, RubricError


@pytest.mark.parametrize(
    ("text", "spelling"),
    [
        ("nDCG@10", "nDCG@10"),
        (" nDCG@3(gain=linear) ", "nDCG@3(gain=linear)"),
        ("nDCG@5(gain = 0:1:3:7)", "nDCG@5(gain=0:1:3:7)"),
        ("P@5(rel=2)", "P@5(rel=2)"),
        ("R@100()", "R@100"),
        ("Hit@1", "Hit@1"),
        ("RR@007", "RR@7"),
    ],
)
def test_a_measure_prints_in_one_spelling_that_is_read_as_the_same(
    text: str, spelling: str
) -> None:
    measure = Measure.parse(text)
    assert str(measure) == spelling
    assert Measure.parse(str(measure)) == measure


@settings(max_examples=60, deadline=None, derandomize=True)
@given(
    k=st.integers(1, 10_000),
    gains=st.one_of(st.none(), st.lists(st.floats(0, 1e6), min_size=2, max_size=10)),
)
def test_every_measure_is_read_back_from_its_spelling(k: int, gains: list[float] | None) -> None:
    gain = None if gains is None else Gain("table", tuple(float(f"{one:.6g}") for one in gains))
    measure = Measure("nDCG", k, gain)
    assert Measure.parse(str(measure)) == measure


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("ndcg@10", "did you mean nDCG?"),
        ("NDGC@10", "did you mean nDCG?"),
        ("MRR@10", "did you mean RR?"),
        ("hits@3", "did you mean Hit?"),
        ("xyz@3", "known: nDCG, DCG, P, R"),
        ("P", "P needs a cutoff such as P@10"),
        ("nDCG@0", "cutoff must be 1 or more"),
        ("nDCG@-1", "expected a name"),
        ("nDCG@10(rel=2)", "no parameter 'rel'; it has: gain"),
        ("P@10(gain=linear)", "no parameter 'gain'; it has: rel"),
        ("Rprec@5", "Rprec has no cutoff"),
        ("RBP(p=1)", "p must be between 0 and 1"),
        ("AP(rel=1,rel=2)", "rel is given twice"),
        ("map@10", "did you mean AP?"),
        ("P@10(rel=0)", "rel must be a grade of 1 or more"),
        ("nDCG@10(gain=steep)", "expected exponential"),
        ("", "expected a name"),
    ],
)
def test_a_bad_measure_is_refused_with_what_is_meant(text: str, fault: str) -> None:
    with pytest.raises(RubricError) as caught:
        Measure.parse(text)
    assert fault in str(caught.value)
