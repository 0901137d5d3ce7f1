"""What tells of a rank, score, system or label is held back by every reader alike."""

from __future__ import annotations

import io
import json
from collections.abc import Callable

import pyarrow
import pyarrow.parquet
import pytest

from annotator.domain import Document
from annotator.formats import Hints, Problems, Source, read_documents
from annotator.formats.blindness import Fields, tells

Write = Callable[[str | bytes], Source]

TELLING = [
    *("rank", "Ranking", "reranked", "bm25_rank", "position", "doc_position", "_score", "maxScore"),
    *("scores", "relevance", "is_relevant", "isRelevant", "RELEVANT", "esci_label", "esciLabel"),
    *("label", "Labels", "grade", "llm_grade", "gradeLLM", "rating", "avgRating", "stars", "star"),
    *("is_selected", "isSelected", "model", "modelName", "engine", "search-engine", "retriever"),
    *("retrieved_by", "retrievedBy", "retrieval_source", "similarity", "cosine_similarity"),
    *("distance", "confidence", "ndcg", "nDCG@10", "clicks", "click_count", "gold", "is_gold"),
    *("qrels", "judgment", "judgement", "judged_by", "assessor", "annotator", "rater", "run"),
    *("run_id", "system", "bm25", "tf-idf", "colbert", "predicted_relevance", "probability"),
    *("relevancescore", "relevancelabel", "docrank", "query", "qid", "matched_queries"),
]
TOLD_NOTHING = [
    *("author", "date", "published", "year", "brand", "price", "colour", "category", "venue"),
    *("franking", "language", "section", "isbn", "operatingsystem", "keywords", "source", "tags"),
]


def of(lines: Write, kind: str, fields: dict[str, object]) -> Source:
    """One document with these fields, as a file of a kind."""
    values = {"docid": "a", "title": "A", "text": "Red.", **fields}
    if kind == "table":
        cells = [f'"{one}"' for one in values.values()]
        return lines(",".join(values) + "\n" + ",".join(cells) + "\n")
    if kind == "parquet":
        file = io.BytesIO()
        pyarrow.parquet.write_table(pyarrow.Table.from_pylist([values]), file)
        return lines(file.getvalue())
    if kind == "quepid":
        book = {"query_text": "q", "doc_id": "a", "document_fields": json.dumps(fields)}
        return lines(json.dumps({"query_doc_pairs": [book]}))
    if kind == "metadata":
        return lines(json.dumps({"docid": "a", "text": "Red.", "metadata": fields}) + "\n")
    return lines(json.dumps(values if kind == "lines" else [values]))


def read(source: Source) -> tuple[str, Fields]:
    problems = Problems(source.name)
    (document,) = read_documents(source, problems)
    problems.raise_if_any("documents")
    return seen(document), problems.fields


def seen(document: Document) -> str:
    return " ".join([document.title, document.text or "", *map(" ".join, document.metadata)])


@pytest.mark.parametrize("name", TELLING)
def test_names_that_tell_are_known_in_any_spelling(name: str) -> None:
    assert tells(name)
    assert tells(name.upper().replace("-", "_")) or not name.islower()


@pytest.mark.parametrize("name", TOLD_NOTHING)
def test_names_that_tell_nothing_are_shown(name: str) -> None:
    assert not tells(name)


@pytest.mark.parametrize("kind", ["table", "lines", "list", "metadata", "parquet", "quepid"])
def test_every_reader_holds_the_same_back_and_lists_it(written: Write, kind: str) -> None:
    hidden = dict.fromkeys(TELLING, "secret")
    shown = dict.fromkeys(TOLD_NOTHING, "open")
    text, fields = read(of(written, kind, {**hidden, **shown}))
    assert "secret" not in text
    assert set(fields.held_back) >= set(TELLING) - {"query", "qid"}
    assert set(TOLD_NOTHING) <= set(fields.shown)
    assert text.count("open") == len(TOLD_NOTHING)


def test_what_lies_inside_a_field_is_held_back_too(written: Write) -> None:
    inside = {"colour": "red", "score": 9.25, "deep": [{"is_relevant": True, "size": "big"}]}
    text, fields = read(of(written, "lines", {"details": inside}))
    assert "red" in text
    assert "big" in text
    assert not {"9.25", "true"} & set(text.replace("}", " ").split())
    assert "details.score" in fields.held_back


@pytest.mark.parametrize("value", ["bm25.run", "runs.trec", "Dense-2", "dense-2.run", "bm25"])
def test_a_value_that_names_a_system_is_held_back(written: Write, value: str) -> None:
    problems = Problems("file")
    problems.fields = Fields(systems=["dense-2"])
    (document,) = read_documents(of(written, "lines", {"source": value, "by": "N. N."}), problems)
    assert document.metadata == (("by", "N. N."),)


def test_a_person_chooses_what_is_shown(written: Write) -> None:
    source = of(written, "lines", {"model": "X1", "author": "Ann", "price": 3})
    source.hints = Hints.parse(hide="author")
    assert read(source)[0] == "A Red. price 3"
    source.hints = Hints.parse(fields="model,price")
    assert read(source)[0] == "A Red. model X1 price 3"
    source.hints = Hints.parse(fields="")
    assert read(source)[0] == "A Red."
