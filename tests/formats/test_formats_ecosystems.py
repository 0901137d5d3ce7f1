"""The files of other tools: small real ones, and what is odd about each."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable

import pytest

from annotator.domain import Document, Qrel, Query
from annotator.errors import InputError
from annotator.formats import Hints, Source
from tests.formats.reading import FORMATS, documents, qrels, queries, rows_of

Write = Callable[[str | bytes], Source]


def test_quepids_basic_csv_has_the_text_as_the_querys_id() -> None:
    rows = qrels("quepid/Chorus_Electronics_basic.csv")
    assert rows[0] == Qrel("notebook", "1325549", 1, 2)
    assert len(rows) == 20
    assert queries("quepid/Chorus_Electronics_basic.csv") == [Query("notebook", "notebook")]


def test_each_rater_of_a_csv_is_an_assessor() -> None:
    rows = qrels("quepid/Broad_Query_Set_individual_ratings.csv")
    assert Counter(row.assessor for row in rows) == dict.fromkeys(
        ("agent_1", "agent_2", "agent_3", "final"), 20
    )
    assert [row.grade for row in rows[:4]] == [2, 3, 3, 3]
    assert documents("quepid/Broad_Query_Set_individual_ratings.csv")[0] == Document(
        "1993197",
        "Portable Bluetooth Speaker MBS-100",
        "Portable Bluetooth Speaker MBS-100",
    )


def test_a_quepid_book_holds_ratings_queries_and_documents() -> None:
    rows = qrels("quepid/haystack_book.json")
    assert rows[0] == Qrel("projector screen", "325961", 3, 1, "rater02@example.org")
    assert rows[1].assessor == "rater03@example.org"
    (first, *_) = queries("quepid/haystack_book.json")
    assert first.qid == first.text == "projector screen"
    assert first.description.startswith("I am looking for a screen")
    document = documents("quepid/haystack_book.json")[0]
    assert document.docid == "325961"
    assert document.title.startswith("Projecta ProScreen")
    assert "brand: Projecta" in document.text.splitlines() if document.text else False


def test_what_a_rater_could_not_rate_is_left_unjudged(written: Write) -> None:
    judgements = [{"rating": None, "unrateable": True, "user_email": "ann"}]
    pair = {"query_text": "q", "doc_id": "d", "document_fields": "{}", "judgements": judgements}
    source = written(json.dumps({"query_doc_pairs": [pair]}))
    assert qrels(source) == [Qrel("q", "d", -1, 1, "ann")]


def test_a_quepid_case_holds_a_rating_a_pair() -> None:
    rows = qrels("quepid/haystack_case.json")
    assert rows[0] == Qrel("120v power supply", "3488015", 0, 1, "rater09@example.org")
    assert [query.qid for query in queries("quepid/haystack_case.json")] == [
        "120v power supply",
        "power supply",
    ]


def test_a_static_file_of_quepid_is_a_run() -> None:
    assert rows_of("quepid/static_queryset.csv")[:2] == [
        ("star wars?", "527641", 1, -1.0),
        ("star wars?", "9426", 2, -2.0),
    ]


def test_ratings_of_rre_are_read_either_way_round() -> None:
    assert qrels("rre/mock_rre_json.json")[:2] == [
        Qrel("star trek", "193", 1, 1),
        Qrel("star trek", "157", 2, 2),
    ]
    rows = qrels("rre/ratings_example.json")
    assert Counter(row.qid for row in rows)["fender"] == 2  # each query of a group has its ratings
    assert Counter(row.qid for row in rows)["Fender bass"] == 2
    assert len(queries("rre/ratings_example.json")) == 6


def test_opensearch_judgments_are_whole_numbers_in_text() -> None:
    rows = qrels("opensearch-srw/art_judgments.json")
    assert rows[0] == Qrel("3 year old boy birthday gift", "B01BMSFF4Y", 1, 1)
    assert {row.grade for row in rows} == {0, 1, 2, 3}
    assert queries("opensearch-srw/art_queryset.json")[0] == Query("laptop stand", "laptop stand")
    assert len(queries("opensearch-srw/art_judgments.json")) == 2


def test_fractions_are_never_cut_but_mapped_as_the_person_says() -> None:
    with pytest.raises(InputError) as caught:
        qrels("opensearch-srw/ImportJudgments.json")
    assert "rating 2: the grade must be an integer (it is never rounded), not 0.9" in "\n".join(
        caught.value.details
    )
    scale = "0:0,0.4:1,0.7:2,0.8:2,0.9:3,1:3,0.1:0,0.2:0,0.3:1,0.5:1,0.6:2"
    rows = qrels("opensearch-srw/ImportJudgments.json", scale)
    assert [row.grade for row in rows[:5]] == [3, 3, 3, 2, 1]


RANK_EVAL = """POST /wiki/_rank_eval
{
  "templates": [{"id": "t", "template": {"source": {"query": {"match": {"a": "{{text}}"}}}}}],
  "requests": [
    {"id": "JFK", "template_id": "t", "params": {"text": "kennedy"},
     "ratings": [{"_index": "wiki", "_id": "7", "rating": 3}]},
    {"id": "x", "request": {"query": {"multi_match": {"query": "airport", "fields": ["a"]}}},
     "ratings": [{"_index": "wiki", "_id": 8, "rating": 0}]}
  ]
}
"""


def test_a_rank_eval_request_is_read_as_pasted_and_as_json(written: Write) -> None:
    for text in (RANK_EVAL, RANK_EVAL.partition("\n")[2]):
        assert qrels(written(text)) == [Qrel("JFK", "7", 3, 1), Qrel("x", "8", 0, 2)]
        assert queries(written(text)) == [Query("JFK", "kennedy"), Query("x", "airport")]


def test_learning_to_rank_judgments_name_their_queries_in_comments(written: Write) -> None:
    rows = qrels("ltr/title_judgments.txt", "0:0,1:1,2:2,3:3,4:3")
    assert rows[0] == Qrel("1", "7555", 3, 42)
    assert len(rows) == 20
    assert queries("ltr/title_judgments.txt")[:2] == [Query("1", "rambo"), Query("2", "rocky")]
    with pytest.raises(InputError, match="cannot be read as qrels"):
        qrels("ltr/title_judgments.txt", "0:0")
    with_features = "2 qid:10 1:0.03 2:0.6 #docid = GX029-35 inc = 1\n"
    assert qrels(written(with_features)) == [Qrel("10", "GX029-35", 2, 1)]


def test_ranx_json_is_what_the_person_says_it_is() -> None:
    assert qrels("ranx/qrels.json")[2] == Qrel("q1", "d3", 3, 3)
    assert rows_of("ranx/run.json")[0] == ("q1", "d3", 0, 0.3)


def test_a_run_of_whole_numbers_may_be_grades_and_is_not_guessed(written: Write) -> None:
    with pytest.raises(InputError, match="is not clear: its scores are all whole numbers"):
        rows_of("ranx/qrels.json")
    named = Source(FORMATS / "ranx" / "qrels.json", Hints(format="ranx"))
    assert rows_of(named)[0] == ("q1", "d1", 0, 1.0)
    with pytest.raises(InputError) as caught:
        qrels(written('{"q": {"d": 0.3}}'))
    assert "the grade must be an integer" in caught.value.details[0]


def test_the_turns_of_a_conversation_are_queries_with_what_was_said_before() -> None:
    found = queries("cast-json/cast2019_evaluation_topics_v1.0.json")
    assert found[0].qid == "31_1"
    assert found[0].text == "What is throat cancer?"
    assert found[1][:2] == ("31_2", "Is it treatable?")
    assert found[1].narrative == "What is throat cancer?"
