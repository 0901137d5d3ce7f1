"""What is known so far of what an order of judging is for."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from annotator.actions.imports.qrels import import_qrels
from annotator.actions.imports.texts import import_queries
from annotator.actions.pool import make_pool
from annotator.actions.standing import load_standing
from annotator.errors import UsageError
from annotator.report.standing_text import MAY_STOP, SETTLED, standing_sentences
from annotator.results.standings import Standing
from annotator.store import Project
from rubric import Verdict
from tests.projects import begin, import_systems, pooled_project, qrels_lines, write

QUERIES = [f"q{number}" for number in range(12)]
SYSTEMS = {
    "good": {qid: [f"{qid}-{place}" for place in range(6)] for qid in QUERIES},
    "poor": {qid: [f"{qid}-{place}" for place in (5, 4, 9, 8, 7, 6)] for qid in QUERIES},
    "twin": {qid: [f"{qid}-{place}" for place in (0, 1, 2, 3, 4, 5)] for qid in QUERIES},
}


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return pooled_project(tmp_path / "judgments.db", SYSTEMS)


def judge(project: Project, places: range) -> None:
    """Give the first places of the good system the higher grades."""
    grades = {(qid, f"{qid}-{place}"): max(0, 3 - place) for qid in QUERIES for place in places}
    import_qrels(project, write(project.file.path.with_name("some.qrels"), qrels_lines(grades)))


def test_without_labels_everything_is_open_and_the_labels_to_come_are_forecast(
    project: Project,
) -> None:
    found = load_standing(project, "decide", ["good", "poor"])
    (pair,) = found.pairs
    assert ({pair.first, pair.second}, pair.verdict) == ({"good", "poor"}, Verdict.OPEN)
    assert not found.reached
    assert found.more is not None
    assert "Judged in the order decide" in standing_sentences(found)[-1]


def test_with_everything_judged_the_goal_is_reached(project: Project) -> None:
    judge(project, range(10))
    for order, systems in (("decide", ["good", "poor"]), ("best", []), ("rank", [])):
        found = load_standing(project, order, systems)
        assert found.reached
        assert found.more is None
        assert standing_sentences(found)[-1] == SETTLED


def test_labels_of_few_queries_claim_nothing_but_what_they_prove(project: Project) -> None:
    grades = {(qid, f"{qid}-{n}"): max(0, 3 - n) for qid in QUERIES[:4] for n in range(10)}
    import_qrels(project, write(project.file.path.with_name("some.qrels"), qrels_lines(grades)))
    found = load_standing(project, "decide", ["good", "poor"])
    assert (found.pairs[0].result.labels, found.pairs[0].result.missing > 0) == (40, True)
    assert found.pairs[0].verdict is Verdict.OPEN
    assert "15 queries with labels" in standing_sentences(found)[1]
    assert found.more is not None
    assert found.more.fewest >= 8
    judge(project, range(4))
    found = load_standing(project, "decide", ["good", "poor"])
    assert not found.pairs[0].result.missing
    assert found.reached


def test_the_best_system_stands_against_every_rival_and_a_ranking_hangs_on_neighbours(
    project: Project,
) -> None:
    judge(project, range(4))
    best = load_standing(project, "best")
    assert {one.first for one in best.pairs} <= {"good", "twin"}
    assert len(best.pairs) == 2
    ranked = load_standing(project, "rank")
    assert ranked.pairs[0].second == ranked.pairs[1].first
    assert ranked.pairs[1].second == "poor"


def test_that_one_may_stop_beside_an_open_pair_is_accounted_for(project: Project) -> None:
    judge(project, range(3))
    known = load_standing(project, "decide", ["good", "poor"]).pairs[0]
    known = replace(known, result=replace(known.result, verdict=Verdict.CREDIBLE))
    open_ = replace(known, second="twin", result=replace(known.result, verdict=Verdict.OPEN))
    said = standing_sentences(
        Standing("which system is best", "best", "nDCG@10", (open_, known), True, None, "good")
    )
    nearly = (
        "With a chance of 97.5% or more, though, good is the best system or no more than 0.01 "
        "behind it."
    )
    assert said[3:] == [nearly, MAY_STOP]
    said = standing_sentences(
        Standing("which system is best", "best", "nDCG@10", (known,), True, None)
    )
    assert said[2:] == [MAY_STOP]


@pytest.mark.parametrize("places", [range(1), range(2, 3), range(3), range(4, 10), range(10)])
def test_of_two_systems_the_one_that_is_named_better_is_the_likelier(
    project: Project, places: range
) -> None:
    judge(project, places)
    for order, systems in (("decide", ["poor", "good"]), ("best", []), ("rank", [])):
        for pair in load_standing(project, order, systems).pairs:
            assert pair.result.expected is None or pair.result.expected >= 0
            if pair.result.better is not None:
                assert pair.result.better >= 0.5


def test_what_nobody_pooled_keeps_a_goal_open_although_all_that_is_pooled_is_judged(
    project: Project,
) -> None:
    judge(project, range(10))
    late = {qid: [f"{qid}-new", f"{qid}-0", f"{qid}-1", f"{qid}-2"] for qid in QUERIES}
    import_systems(project, {"late": late})
    for order, systems in (("decide", ["late", "good"]), ("best", []), ("rank", [])):
        found = load_standing(project, order, systems)
        assert not found.reached
        assert found.unpooled == len(QUERIES)
        assert found.more is not None
        assert found.more.labels is None or found.more.labels > 0
        assert "12 documents are not pooled: `annotator pool`" in standing_sentences(found)[-1]
    make_pool(project, 10)
    assert not load_standing(project, "best").unpooled


def test_a_system_may_rank_documents_of_a_query_that_has_none_in_the_pool(
    tmp_path: Path,
) -> None:
    some = {qid: ranked for qid, ranked in SYSTEMS["good"].items() if qid not in ("q3", "q9")}
    project = pooled_project(tmp_path / "some.db", {"good": some})
    import_queries(project, write(tmp_path / "more.tsv", "q3\tthird\nq9\tninth\n"))
    import_systems(project, {"poor": SYSTEMS["poor"]})
    for order, systems in (("decide", ["good", "poor"]), ("best", []), ("rank", [])):
        assert len(load_standing(project, order, systems).pairs) == 1


def test_an_order_for_nothing_in_particular_is_asked_for_the_best(project: Project) -> None:
    assert load_standing(project, "depth").goal == "which system is best"


def test_systems_that_make_no_pair_are_refused(project: Project) -> None:
    with pytest.raises(UsageError, match="two systems"):
        load_standing(project, "decide", ["good"])


def test_after_too_many_picked_by_eye_only_a_proof_is_told(project: Project) -> None:
    judge(project, range(5))
    assert load_standing(project, "decide", ["good", "poor"]).reached
    picked = pooled_project(project.file.path.with_name("picked.db"), SYSTEMS)
    session, documents = begin(picked), picked.documents
    for qid, query in picked.queries.ids().items():
        for place in range(5):
            docid = f"{qid}-{place}"
            number = documents.ids([docid])[docid]
            session.grade_openly(query, number, docid, max(0, 3 - place))
    for order, systems in (("decide", ["good", "poor"]), ("best", []), ("rank", [])):
        found = load_standing(picked, order, systems)
        assert found.reached is all(one.verdict.settled for one in found.pairs)
        said = standing_sentences(found)[1]
        assert ("picked by eye" in said) is not found.pairs[0].verdict.settled
