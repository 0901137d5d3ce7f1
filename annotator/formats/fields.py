"""What columns and keys are called: the one list that all tables and JSON files are read by.

A name is compared without case, blanks and punctuation. Of a JSON key that lies inside others the
last one counts, or the last two together: ``query.id`` is a ``queryid``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from functools import lru_cache
from typing import TypeAlias

Path: TypeAlias = tuple[str, ...]
"""The keys that lead to a value; of a column just its heading."""

NAMED = (
    *("query", "docid", "grade", "assessor", "at", "seconds", "rank", "score"),
    *("title", "text", "url", "description", "narrative"),
)
"""The fields of which ``--columns`` says where they are."""

# Names that mean one thing only.
SURE: Mapping[str, tuple[str, ...]] = {
    "qid": ("qid", "queryid", "topicid", "topicnumber", "topicno", "questionid", "queryno"),
    "query": (
        *("query", "querytext", "question", "userinput", "userquery", "searchquery"),
        *("searchterm", "keyword", "keywords", "utterance"),
    ),
    "docid": (
        *("docid", "documentid", "corpusid", "pid", "passageid", "productid", "docno"),
        *("chunkid", "contextid", "segmentid"),
    ),
    "grade": (
        *("grade", "rating", "relevance", "judgment", "judgement", "label", "rel", "gain"),
        *("relevancegrade", "relevancelabel", "relevancejudgment", "relevancejudgement"),
    ),
    "assessor": (
        *("assessor", "rater", "judge", "annotator", "annotatorid", "useremail", "user", "userid"),
        *("username", "completedby", "completedbyemail", "completedbyid", "worker", "workerid"),
        *("model",),
    ),
    "at": ("at", "judgedat", "updatedat", "createdat", "timestamp", "datetime"),
    "seconds": ("seconds", "leadtime", "durationseconds", "timespent"),
    "rank": ("rank", "position", "docposition"),
    "score": ("score",),
    "title": ("title", "name", "headline"),
    "text": (
        *("text", "doctext", "documenttext", "passagetext", "contents", "content", "pagecontent"),
        *("body", "segment", "passage", "chunk"),
    ),
    "url": ("url", "link"),
    "description": ("description",),
    "narrative": ("narrative",),
    # Lists, whose entries are documents: what was returned, and what is right.
    "docids": (
        *("results", "candidates", "docs", "documents", "hits", "references", "ranking"),
        *("retrieved", "retrievedids", "retrieveddocids", "retrieveddocs", "retrieveddocuments"),
        *("retrievedcontextids", "docids", "documentids", "contextids", "retrievedchunkids"),
    ),
    "relevant": (
        *("relevant", "relevantids", "relevantdocs", "relevantdocids", "relevantdocuments"),
        *("relevantdocumentids", "relevantcontextids", "relevantchunks", "relevantchunkids"),
        *("expected", "expectedids", "expecteddocs", "expecteddocids", "expecteddocuments"),
        *("expectedcontextids", "expectedchunkids", "gold", "goldids", "golddocs", "golddocids"),
        *("golddocuments", "goldcontextids", "goldchunkids", "golden", "goldenids", "positives"),
        *("positiveids", "positivedocids", "referenceids", "referencecontextids"),
        *("groundtruthids", "groundtruthdocids", "groundtruthcontextids", "qrels"),
    ),
    "texts": ("contexts", "retrievedcontexts", "retrievedtexts", "retrievedpassages"),
    "goldtexts": ("referencecontexts", "goldcontexts", "groundtruthcontexts", "relevantcontexts"),
    "state": ("answer", "wascancelled", "unrateable"),
}
# Names that mean it where no sure one is there.
LOOSE: Mapping[str, tuple[str, ...]] = {
    "qid": ("topic", "num", "number"),
    "docid": ("document", "doc"),
    "grade": ("score",),
    "text": ("description", "abstract", "summary", "snippet", "doc", "document"),
}
# Where tools for annotation keep these: Label Studio, Argilla, Prodigy.
PATTERNS: Mapping[str, tuple[str, ...]] = {
    "grade": (
        *("annotations.result.value.choices", "annotations.result.value.rating"),
        *("annotations.result.value.number", "responses.*.value", "accept"),
    ),
    "assessor": (
        *("annotations.completed_by.email", "annotations.completed_by", "responses.*.user_id"),
        *("_annotator_id",),
    ),
    "state": ("annotations.was_cancelled", "responses.*.status"),
}
ID = "id"
RATER = re.compile(r"(.+)[ _-](?:rating|grade|label|judge?ment)", re.IGNORECASE)
"""A column of one rater's grades, such as ``ann_rating``."""

# Headings of the first of two columns, where all else of it is ids.
ID_HEADINGS = {"id", "key", "num", "number", "nr", "no", "code", *SURE["qid"], *LOOSE["qid"]}
# Who asked a search engine what, beside its answer.
ASKED = {*SURE["qid"], *SURE["query"], "q"}
HIT_IDS = ("_id", "id", "docid", "doc_id")

# Columns of short words that are no ids, and keys of lists that are no queries.
COUNTS = {"count", "frequency", "freq", "volume", "language", "lang", "locale", "date", "time"}
WRAPPERS = {"data", "items", "rows", "records", "entries", "queries", "train", "test", "dev"}

LISTS = (*SURE["docids"], *SURE["relevant"], *SURE["texts"], *SURE["goldtexts"])


@lru_cache(maxsize=10_000)
def plain(name: str) -> str:
    """A name without case, blanks and punctuation."""
    return re.sub(r"[\W_]", "", name).lower()


@lru_cache(maxsize=10_000)
def standing(field: str, path: Path) -> tuple[int, int] | None:
    """How well a path fits a field: whether the name is a loose one, and how deep it lies.

    The least of these fits best; None if it does not fit.
    """
    names = _names(path)
    dotted = ".".join(path).lower()
    if any(fnmatchcase(dotted, pattern) for pattern in PATTERNS.get(field, ())):
        return 0, len(path)
    for level, known in enumerate((SURE, LOOSE)):
        if any(name in known.get(field, ()) for name in names):
            return level, len(path)
    return None


def is_id(path: Path) -> bool:
    """Whether it is a plain ``id``: on top, or of an entry of a list of documents."""
    return plain(path[-1]) == ID and (len(path) == 1 or plain(path[-2]) in LISTS)


def is_known(path: Path) -> bool:
    """Whether the name means something to some reader."""
    fits = any(standing(field, path) for field in SURE)
    return fits or is_id(path) or RATER.fullmatch(path[-1]) is not None


def order_of(field: str, path: Path) -> int:
    """Where the path's name stands in the list of the field's names."""
    known = (*SURE.get(field, ()), *LOOSE.get(field, ()))
    return min((known.index(name) for name in _names(path) if name in known), default=len(known))


def _names(path: Path) -> Sequence[str]:
    last = plain(path[-1])
    return (last,) if len(path) == 1 else (plain(path[-2] + path[-1]), last)
