"""The order in which documents are shown: query by query, shuffled, blind to the systems."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from annotator.actions.pool import make_pool
from annotator.pooling.presentation import presentation_key, shuffling
from annotator.store import Project
from tests.judging.sessions import met_by_grading
from tests.projects import begin, import_systems, new_project


def test_grading_goes_through_each_query_in_the_order_of_presentation(project: Project) -> None:
    def presented(qid: str, docids: list[str]) -> list[tuple[str, str]]:
        ordered = sorted(docids, key=lambda docid: presentation_key(0, qid, docid))
        return [(qid, docid) for docid in ordered]

    assert met_by_grading(begin(project)) == [
        *presented("q1", ["d1", "d2", "d3", "d4", "d7"]),
        *presented("q2", ["d1", "d5"]),
        *presented("q3", ["d6"]),
    ]


def test_the_order_tells_nothing_of_the_systems(project: Project, tmp_path: Path) -> None:
    other = new_project(tmp_path / "other.db")
    import_systems(
        other,
        {
            "gamma": {"q1": ["d7", "d3", "d2", "d1", "d4"], "q2": ["d5", "d1"]},
            "delta": {"q3": ["d6"]},
        },
    )
    make_pool(other, 10)
    assert met_by_grading(begin(other)) == met_by_grading(begin(project))


def test_an_extension_leaves_the_order_of_the_others_as_it_was(project: Project) -> None:
    before = [card.docid for card in begin(project).cards]
    import_systems(project, {"gamma": {"q1": [f"n{number}" for number in range(10)]}})
    make_pool(project, 10)
    after = [card.docid for card in begin(project).cards]
    assert len(after) == 15
    assert [docid for docid in after if docid in before] == before
    assert after[:5] != before


def test_orders_differ_between_queries_and_seeds() -> None:
    def order(seed: int, qid: str) -> list[int]:
        return sorted(range(20), key=lambda at: presentation_key(seed, qid, f"d{at}"))

    assert order(0, "q1") != order(0, "q2")
    assert order(0, "q1") != order(1, "q1")


def test_what_is_worth_the_same_is_shuffled_by_seed_query_and_document_alone() -> None:
    def order(seed: int, query: int, documents: list[int]) -> list[int]:
        numbers = np.array(documents, dtype=np.int32)
        ways = shuffling(seed, np.full_like(numbers, query), numbers).argsort()
        return list(map(int, numbers[ways]))

    rising = list(range(1, 201))
    ways = [order(0, 1, rising), order(0, 2, rising), order(1, 1, rising)]
    assert len(set(map(tuple, [rising, *ways]))) == 4
    assert all(abs(np.corrcoef(rising, way)[0, 1]) < 0.2 for way in ways)
    assert order(0, 1, rising[::-1]) == ways[0]
    assert order(0, 1, rising[::2]) == [one for one in ways[0] if one % 2]
