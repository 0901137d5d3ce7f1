"""A measure has one spelling, which is read back; what is none is refused with what is meant."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rubric import Gain, Measure, RubricError, Rules
from rubric.evaluation.scores import setting


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
        ("ndcg@5", "nDCG@5"),
        ("NDCG@10", "nDCG@10"),
        ("ndcg_cut_10", "nDCG@10"),
        ("ndcg_cut.10", "nDCG@10"),
        ("P_5", "P@5"),
        ("precision@5", "P@5"),
        ("Precision@5", "P@5"),
        ("P(rel=2)@5", "P@5(rel=2)"),
        ("recall@5", "R@5"),
        ("recall_1000", "R@1000"),
        ("set_recall", "R"),
        ("hit_rate@5", "Hit@5"),
        ("hit-rate@5", "Hit@5"),
        ("success_1", "Hit@1"),
        ("Success@10", "Hit@10"),
        ("mrr", "RR"),
        ("MRR@10", "RR@10"),
        ("recip_rank", "RR"),
        ("map", "AP"),
        ("MAP@100", "AP@100"),
        ("map_cut_10", "AP@10"),
        ("f1@5", "F@5"),
        ("f1_score@5", "F@5"),
        ("set_F", "F"),
        ("r-precision", "Rprec"),
        ("RPrec", "Rprec"),
        ("BPref", "bpref"),
        ("infap", "infAP"),
        ("rbp(p=0.9)", "RBP(p=0.9)"),
        ("err@20", "ERR@20"),
        ("judged@10", "Judged@10"),
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
        ("NDGC@10", "did you mean nDCG?"),
        ("ndcg_cut", "a cutoff is missing, such as nDCG@10"),
        ("hits@3", "did you mean Hit?"),
        ("xyz@3", "known: nDCG, DCG, P, R"),
        ("P", "P needs a cutoff such as P@10"),
        ("nDCG@0", "cutoff must be a whole number from 1 to 10,000"),
        ("nDCG@-1", "cutoff must be a whole number from 1 to 10,000"),
        ("nDCG@10(rel=2)", "no parameter 'rel'; it has: gain"),
        ("P@10(gain=linear)", "no parameter 'gain'; it has: rel"),
        ("Rprec@5", "Rprec has no cutoff"),
        ("RBP(p=1)", "p must be between 0 and 1"),
        ("AP(rel=1,rel=2)", "rel is given twice"),
        ("maps@10", "did you mean AP?"),
        ("P(rel=2)@5(rel=2)", "expected a name"),
        ("P@10(rel=0)", "rel must be a grade from 1 to 127, not '0'"),
        ("nDCG@10(gain=steep)", "expected exponential"),
        ("", "expected a name"),
    ],
)
def test_a_bad_measure_is_refused_with_what_is_meant(text: str, fault: str) -> None:
    with pytest.raises(RubricError) as caught:
        Measure.parse(text)
    assert fault in str(caught.value)


NO_NUMBERS = ["9" * 100, "1" + "0" * 5000, "1e400", "nan", "inf", "-inf", "-1", "²"]
FORMS = [
    *("P@5(rel={})", "bpref(rel={})", "infAP(rel={})", "AP(rel={})", "RBP(rel={})"),
    *("F@5(beta=-{})", "RBP(p={})", "nDCG@5(gain=0:{})", "ERR(gain=0:{}:1)"),
]


@pytest.mark.parametrize("form", FORMS)
def test_a_number_out_of_range_is_refused_in_a_short_sentence(form: str) -> None:
    for number in NO_NUMBERS if "gain" in form else [*NO_NUMBERS, "128", str(10**18)]:
        with pytest.raises(RubricError) as caught:
            setting(Measure.parse(form.format(number)), Rules(), 3)
        assert len(str(caught.value)) < 300
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize("cutoff", ["0", "10001", "9" * 100, "1" + "0" * 5000])
@pytest.mark.parametrize("name", ["nDCG", "P", "R", "Hit", "RR", "AP", "F", "ERR", "RBP", "DCG"])
def test_a_cutoff_out_of_range_is_refused_in_a_short_sentence(name: str, cutoff: str) -> None:
    with pytest.raises(RubricError, match="cutoff must be a whole number from 1 to 10,000") as it:
        Measure.parse(f"{name}@{cutoff}")
    assert len(str(it.value)) < 300


@pytest.mark.parametrize(
    ("made", "fault"),
    [
        ({"name": "nDCG", "k": 0}, "cutoff"),
        ({"name": "nDCG", "k": 10.0}, "cutoff"),
        ({"name": "nDCG", "k": 10**30}, "cutoff"),
        ({"name": "P"}, "P needs a cutoff"),
        ({"name": "ndcg", "k": 10}, "did you mean nDCG?"),
        ({"name": "AP", "rel": 10**30}, "rel must be"),
        ({"name": "RBP", "p": 1.5}, "p must be"),
        ({"name": "RBP", "p": "0.5"}, "p must be"),
        ({"name": "nDCG", "k": 10, "gain": "steep"}, "expected exponential"),
        ({"name": "nDCG", "k": 10, "gain": 3}, "gain must be a Gain"),
        ({"name": "nDCG", "k": 10, "rel": 1}, "no parameter 'rel'"),
    ],
)
def test_a_measure_that_is_none_cannot_be_made(made: dict[str, Any], fault: str) -> None:
    with pytest.raises(RubricError, match=fault):
        Measure(**made)


def test_measures_in_one_text_are_parted_by_commas_and_spaces() -> None:
    found = Measure.parse_all(" ndcg@10, P@5(rel=2) RBP(p=0.5, rel=2),nDCG@10\tmap ")
    assert [str(one) for one in found] == ["nDCG@10", "P@5(rel=2)", "RBP(p=0.5,rel=2)", "AP"]
    assert Measure.parse_all(" , ") == []
