"""Rated requests, answers of search engines, and tables of shared tasks without headings."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable

import pytest

from annotator.domain import Document, Qrel, Query
from annotator.errors import InputError, UsageError
from annotator.formats import Hints, Problems, Source, read_qrels, read_run
from annotator.formats.qrels.writer import WRITERS
from tests.formats.reading import documents, qrels, queries, rows_of

Write = Callable[[str | bytes], Source]
RATED = [{"_index": "s", "_id": "1", "rating": 3}]
ASKED = [
    {"match": {"title": "wool socks"}},
    {"match": {"title": {"query": "wool socks", "operator": "and"}}},
    {"multi_match": {"query": "wool socks", "fields": ["title"]}},
    {"bool": {"filter": [{"term": {"a": "x"}}], "must": [{"match": {"title": "wool socks"}}]}},
    {"bool": {"filter": [{"match": {"a": "x"}}], "should": {"match_phrase": {"t": "wool socks"}}}},
    {"query_string": {"query": "wool socks"}},
    {"function_score": {"query": {"match": {"title": "wool socks"}}}},
]


@pytest.mark.parametrize("asked", ASKED)
@pytest.mark.parametrize("indent", [None, 2])
def test_what_a_request_asks_for_is_its_text(
    written: Write, asked: dict[str, object], indent: int | None
) -> None:
    request = {"id": "r1", "request": {"query": asked}, "ratings": RATED}
    (query,) = queries(written(json.dumps({"requests": [request]}, indent=indent)))
    assert query[:2] == ("r1", "wool socks")


@pytest.mark.parametrize(
    ("source", "parameters"),
    [
        ({"query": {"match": {"{{field}}": "{{words}}"}}}, {"field": "title", "words": "wool"}),
        ({"query": {"match": {"title": {"query": "{{q}}"}}}}, {"size": "9", "q": "wool"}),
        ('{"query": {"match": {"title": "{{{q}}}"}}}', {"locale": "de", "q": "wool"}),
        ('{"query": {{#toJson}}no json{{/toJson}}', {"index": "de", "query_string": "wool"}),
    ],
)
def test_the_parameter_that_is_searched_for_is_the_text(
    written: Write, source: object, parameters: dict[str, str]
) -> None:
    request = {"id": "r1", "template_id": "t", "params": parameters, "ratings": RATED}
    value = {"templates": [{"id": "t", "template": {"source": source}}], "requests": [request]}
    assert queries(written(json.dumps(value)))[0].text == "wool"


def test_requests_of_one_text_are_told_apart_by_their_filters(written: Write) -> None:
    def request(name: str, locale: str) -> dict[str, object]:
        filters = [{"term": {"locale": locale}}]
        body = {"bool": {"must": [{"match": {"title": "socks"}}], "filter": filters}}
        return {"id": name, "request": {"query": body}, "ratings": RATED}

    value = json.dumps({"requests": [request("r1", "de"), request("r2", "fr")]})
    first, second = queries(written(value))
    assert first.text == second.text == "socks"
    assert '"locale": "de"' in first.description
    assert '"locale": "fr"' in second.description
    broken = '{"requests": [' + value[14:].replace('{"id": "r2"', '\n{"id": "r2"')
    assert len(queries(written(broken))) == 2


def test_ratings_of_several_indices_keep_the_index_in_the_id(written: Write) -> None:
    ratings = [
        {"_index": "shop-de", "_id": "1", "rating": 3},
        {"_index": "shop-fr", "_id": "1", "rating": 0},
    ]
    request = {"id": "r1", "request": {"query": {"match": {"t": "x"}}}, "ratings": ratings}
    source = written(json.dumps({"requests": [request]}))
    problems = Problems("file")
    assert read_qrels(source, problems) == [
        Qrel("r1", "shop-de/1", 3, 1),
        Qrel("r1", "shop-fr/1", 0, 2),
    ]
    assert "several indices" in problems.notes[0]


def hits(*names: str) -> dict[str, object]:
    listed = [{"_index": "s", "_id": name, "_score": 9.5 - at} for at, name in enumerate(names)]
    return {"took": 3, "hits": {"total": {"value": 2}, "max_score": 9.5, "hits": listed}}


def test_an_answer_to_rated_requests_is_a_run(written: Write) -> None:
    listed = [{"hit": {"_index": "s", "_id": name, "_score": 2.0}} for name in ("1", "9")]
    value = {"metric_score": 0.5, "details": {"r1": {"hits": listed}}, "failures": {}}
    assert [row[:3] for row in rows_of(written(json.dumps(value)))] == [
        ("r1", "1", 1),
        ("r1", "9", 2),
    ]


@pytest.mark.parametrize("key", ["qid", "query_id", "query"])
@pytest.mark.parametrize("inside", [True, False])
def test_answers_with_their_query_beside_them_are_a_run(
    written: Write, key: str, inside: bool
) -> None:
    lines = [
        {key: name, **({"response": hits(*found)} if inside else hits(*found))}
        for name, found in [("socks", ["a", "b"]), ("none", []), ("hat", ["b"])]
    ]
    expected = [("socks", "a", 1), ("socks", "b", 2), ("hat", "b", 1)]
    for text in ("\n".join(map(json.dumps, lines)), json.dumps(lines, indent=1)):
        source = written(text)
        assert [row[:3] for row in rows_of(source)] == expected
        problems = Problems("file")
        list(read_run(source, problems))
        assert "1 answer is empty" in problems.notes[-1]


def test_solr_repeats_the_query(written: Write) -> None:
    found = [{"id": "a", "title": ["A"], "score": 2.5}, {"id": "b", "score": 1.5}]
    value = {
        "responseHeader": {"status": 0, "params": {"q": "red shoes", "rows": "2"}},
        "response": {"numFound": 2, "start": 0, "docs": found},
    }
    assert rows_of(written(json.dumps(value))) == [
        ("red shoes", "a", 1, 2.5),
        ("red shoes", "b", 2, 1.5),
    ]


@pytest.mark.parametrize("value", [hits("a", "b"), {"responses": [hits("a", "b"), hits("c")]}])
def test_answers_without_a_query_are_not_guessed(written: Write, value: dict[str, object]) -> None:
    source = written(json.dumps(value))
    with pytest.raises(InputError, match="does not say which query it is to") as caught:
        rows_of(source)
    assert "--as answers-by-place" in caught.value.details[-2]
    rows = rows_of(Source(source.path, Hints(format="answers-by-place")))
    assert rows[0][:3] == ("1", "a", 1)


def test_ms_marco_rankings_are_known_where_their_ranks_count(written: Write) -> None:
    ranking = "1\t7555\t1\n1\t1370\t2\n1\t99\t3\n2\t1366\t1\n"
    assert [row[:3] for row in rows_of(written(ranking))] == [
        ("1", "7555", 1),
        ("1", "1370", 2),
        ("1", "99", 3),
        ("2", "1366", 1),
    ]
    scored = "1\t7555\t1\t21.5\n1\t1370\t2\t20.25\n1\t3\t3\t9.75\n"
    assert rows_of(written(scored))[1] == ("1", "1370", 2, 20.25)
    with pytest.raises(InputError, match="may be ranks or grades") as caught:
        rows_of(written("1\t7555\t1\n2\t1366\t1\n"))
    assert "--as msmarco" in caught.value.details[-2]
    assert len(rows_of(Source(written("1 7 1\n2 8 1\n").path, Hints(format="msmarco")))) == 2
    with pytest.raises(InputError, match="is not clear") as caught:
        qrels(written(ranking))
    assert "import run --as msmarco" in " ".join(caught.value.details)


def test_ms_marco_texts_are_read_with_their_quotes(written: Write) -> None:
    source = written('7555\tA film about Rambo\n1370\tA third film, with "quotes"\n1366\t"a\n')
    assert documents(source) == [
        Document("7555", "", "A film about Rambo"),
        Document("1370", "", 'A third film, with "quotes"'),
        Document("1366", "", '"a'),
    ]
    source = written("D7\thttp://e.org/1\tRambo\tA film\nD1\thttp://e.org/2\t.\tA third film\n")
    assert documents(source)[0] == Document("D7", "Rambo", "A film", "http://e.org/1")
    top = written("1\t75\trambo\tA film about Rambo\n1\t13\trambo\tA third\n2\t75\trocky\tA film\n")
    assert documents(top) == [
        Document("75", "", "A film about Rambo"),
        Document("13", "", "A third"),
    ]
    assert queries(top) == [Query("1", "rambo"), Query("2", "rocky")]
    assert [row[:3] for row in rows_of(top)] == [("1", "75", 1), ("1", "13", 2), ("2", "75", 1)]
    with pytest.raises(InputError, match="may be one of headings") as caught:
        documents(written("ref\twords\nc1\ta text\nc2\tanother text\n"))
    assert "--columns docid=ref,text=words" in caught.value.details[-2]


def test_levels_of_ntcir_are_grades(written: Write) -> None:
    assert qrels(written("0001 doc-a L2\n0001 doc-b L0\n")) == [
        Qrel("0001", "doc-a", 2, 1),
        Qrel("0001", "doc-b", 0, 2),
    ]


@pytest.mark.parametrize(
    "topic",
    [
        '<top lang="en">\n<num type="x"> Number: 7\n<title> red shoes\n</top>',
        '<TOP>\n<num id="7">\n<title class="a"> red shoes\n</TOP>',
        '<top num="7">\n<title> red shoes </title>\n',
        "<top>\n<num>7</num><title>red shoes</title>",
    ],
)
def test_topics_may_have_attributes_and_lack_their_end(written: Write, topic: str) -> None:
    text = f"{topic}\n<top>\n<num> 8 <title> blue"
    assert [one[:2] for one in queries(written(text))] == [("7", "red shoes"), ("8", "blue")]


def test_qrels_for_quepid_have_its_heading_and_no_formula() -> None:
    rows = [(Query("1", "=red, shoes"), "a", 3), (Query("2", "blue"), "+b", 0)]
    lines = [*WRITERS["quepid"](rows)]
    assert lines[0] == "query,docid,rating"
    assert [*csv.reader(lines[1:])] == [["'=red, shoes", "a", "3"], ["blue", "'+b", "0"]]
    with pytest.raises(UsageError, match="has no text"):
        list(WRITERS["quepid"]([(Query("1", ""), "a", 1)]))
