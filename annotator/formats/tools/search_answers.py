"""Answers of search engines as runs: Elasticsearch, OpenSearch (``_search``, ``_msearch``), Solr.

One a file, one a line or a list of them. Which query an answer is to must stand beside it, since
only Solr repeats it.
"""

from __future__ import annotations

from collections.abc import Iterator

from annotator.blocks.lines import Lines
from annotator.formats.ambiguous import ambiguous, command
from annotator.formats.fields import ASKED, HIT_IDS, plain
from annotator.formats.input.source import Head, Source
from annotator.formats.json import records as json_records
from annotator.formats.json_values import Record
from annotator.formats.problems import Problems
from annotator.formats.reader import Kind, Reader
from annotator.formats.runs.lines import Row, run_lines
from annotator.formats.tools.rank_eval import names
from annotator.text.plural import counted

BY_PLACE = "answers-by-place"


def recognise(head: Head) -> bool:
    """It has hits with their scores, or Solr's documents."""
    keys = head.keys
    return head.is_json and ({"hits", "_id", "_score"} <= keys or {"docs", "numFound"} <= keys)


def never(_head: Head) -> bool:
    """Such a file is only read on request."""
    return False


def read(source: Source, problems: Problems) -> Iterator[Lines]:
    """Read the answers.

    Raises
    ------
    InputError
        If it does not say which query an answer is to.
    """
    return run_lines(_rows(source, problems, by_place=False), problems)


def read_by_place(source: Source, problems: Problems) -> Iterator[Lines]:
    """Read the answers, the first as that to query 1, and so on."""
    return run_lines(_rows(source, problems, by_place=True), problems)


def _rows(source: Source, problems: Problems, *, by_place: bool) -> Iterator[Row]:
    empty = 0
    answers = ((line, one) for line, value in json_records.records(source, problems)
               for one in _answers(value))  # fmt: skip
    for place, (line, answer) in enumerate(answers, start=1):
        qid = str(place) if by_place else _asked(answer)
        if qid is None:
            raise ambiguous(
                source,
                f"its answer number {place} does not say which query it is to",
                {
                    "the answers in the order of the queries 1, 2, 3, …": command(
                        Kind.RUN, source, "--as", BY_PLACE
                    ),
                    "anything else": 'put the id in each answer: {"qid": "…", "hits": …}',
                },
            )
        hits = _hits(answer)
        empty += not hits
        documents = (
            names(hits, problems)
            if any("_index" in hit for hit in hits)
            else [next((hit[name] for name in HIT_IDS if name in hit), None) for hit in hits]
        )
        for rank, (hit, docid) in enumerate(zip(hits, documents, strict=True), start=1):
            yield Row(qid, docid, rank, hit.get("_score", hit.get("score")), line)
    if empty:
        told = counted(empty, "answer is empty: its query", "answers are empty: their queries")
        problems.notes.append(f"{told} returned nothing")


def _answers(value: Record) -> Iterator[Record]:
    several = value.get("responses")
    if isinstance(several, list):
        yield from (one for one in several if isinstance(one, dict))
    else:
        yield value


def _asked(answer: Record) -> str | None:
    """The query that stands beside the hits, or among Solr's parameters."""
    header = answer.get("responseHeader")
    parameters = header.get("params") if isinstance(header, dict) else None
    for values in (answer, parameters):
        for key, value in values.items() if isinstance(values, dict) else ():
            if plain(key) in ASKED and isinstance(value, str | int):
                return str(value)
    return None


def _hits(value: Record) -> list[Record]:
    """The hits of an answer, which may lie in an object beside the query's id."""
    waiting: list[object] = [value]
    while waiting:
        node = waiting.pop(0)
        if not isinstance(node, dict):
            continue
        for name in ("hits", "docs"):
            if isinstance(listed := node.get(name), list):
                return [one for one in listed if isinstance(one, dict)]
        waiting += node.values()
    return []


TITLE = "answers of Elasticsearch, OpenSearch (_search, _msearch) or Solr"
SEARCH_ANSWERS = Reader(name="answers", title=TITLE, recognise=recognise, read=read)
PLACED_ANSWERS = Reader(
    name=BY_PLACE, title=f"{TITLE} in the order of the queries", recognise=never, read=read_by_place
)
