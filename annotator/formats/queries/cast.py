"""TREC CAsT topics: conversations whose turns are the queries, ``31_1`` the first of topic 31."""

from __future__ import annotations

from collections.abc import Iterator

from annotator.domain import Query
from annotator.formats import json_values
from annotator.formats.input.source import Head, Source
from annotator.formats.json.document import load, records, string
from annotator.formats.problems import Problems
from annotator.formats.qrels.ratings import distinct
from annotator.formats.reader import Reader

TEXTS = ("manual_rewritten_utterance", "raw_utterance", "utterance")


def recognise(head: Head) -> bool:
    """It has numbered turns."""
    return head.is_json and {"number", "turn"} <= head.keys


def read(source: Source, _problems: Problems) -> Iterator[Query]:
    """Read the turns; the ones before are the narrative, since they say what a turn is about."""
    return distinct(_turns(load(source)), source)


def _turns(value: object) -> Iterator[Query]:
    for topic in records({"topics": value}, "topics"):
        number, before = json_values.identifier(topic, ("number",)), list[str]()
        for turn in records(topic, "turn"):
            qid = f"{number}_{json_values.identifier(turn, ('number',))}"
            text = json_values.text({"text": string(turn, *TEXTS)}, ("text",)) or ""
            if not text:
                raise ValueError(f"turn {qid[:60]} has no text: expected {' or '.join(TEXTS)}")
            title = json_values.text({"text": string(topic, "title", "description")}, ("text",))
            yield Query(qid, text.strip(), title or "", " / ".join(before))
            before.append(text.strip())


CAST_TOPICS = Reader(name="cast", title="TREC CAsT topics (JSON)", recognise=recognise, read=read)
