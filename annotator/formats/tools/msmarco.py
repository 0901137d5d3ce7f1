"""MS MARCO's tables without headings: rankings, candidates with texts, passages, documents."""

from __future__ import annotations

import re
from collections.abc import Iterator

from annotator.blocks.lines import Lines
from annotator.domain import Document, Query
from annotator.formats.ambiguous import ambiguous, command
from annotator.formats.fields import ID_HEADINGS, is_known, plain
from annotator.formats.input.source import Head, Source
from annotator.formats.problems import Problems
from annotator.formats.qrels.variants import are_pairs
from annotator.formats.reader import Kind, Reader
from annotator.formats.runs.lines import Row, run_lines
from annotator.formats.tables.cells import split, tab_cells

WHOLE = re.compile(r"[1-9][0-9]{0,5}")
SCORE = re.compile(r"-?[0-9]+\.[0-9]+(e-?[0-9]+)?", re.IGNORECASE)
ENOUGH = 3
URL = re.compile(r"[a-z]+://|www\.", re.IGNORECASE)


def is_ranking(head: Head) -> bool:
    """All lines have a query, a document and a rank, and perhaps a score."""
    return all(map(_fits, head)) and not head[0].lstrip().startswith(("{", "["))


def _fits(line: str) -> bool:
    cells = line.split()
    scored = len(cells) == 4 and SCORE.fullmatch(cells[3])
    return bool((len(cells) == 3 or scored) and WHOLE.fullmatch(cells[2]) and "\t" in line)


def _counts(head: Head) -> bool:
    """Whether the third column counts from 1 in each query, and in one as far as 3."""
    last: dict[str, int] = {}
    for qid, _, rank, *_ in (line.split() for line in head):
        if int(rank) != last.get(qid, 0) + 1:
            return False
        last[qid] = int(rank)
    return max(last.values()) >= ENOUGH


def read_ranking(source: Source, problems: Problems) -> Iterator[Lines]:
    """Read the ranking.

    Raises
    ------
    InputError
        If the third column may as well be grades, and the format was not asked for by name.
    """
    head = source.head()
    if source.hints.format != MSMARCO_RUN.name and not (is_ranking(head) and _counts(head)):
        raise ambiguous(
            source,
            "its third column may be ranks or grades",
            {
                "ranks": command(Kind.RUN, source, "--as", MSMARCO_RUN.name),
                "grades": command(Kind.QRELS, source, "--as", "trec-3"),
            },
        )
    return run_lines(_places(source, problems), problems)


def _places(source: Source, problems: Problems) -> Iterator[Row]:
    for number, fields in source.fields():
        cells = [field.decode() for field in fields]
        if len(cells) in (3, 4):
            yield Row(cells[0], cells[1], cells[2], cells[3] if cells[3:] else None, number)
        else:
            what = "expected 3 or 4 columns (query, document, rank, score)"
            problems.add(number, f"{what}, found {len(cells)}", " ".join(cells))


def is_candidates(head: Head) -> bool:
    """All lines have a query's id, a document's, the query and the passage, with tabs between."""
    rows = [split(line, "\t") for line in _whole(head)]
    return all(
        len(row) == 4 and row[0].isdecimal() and row[1].isdecimal() and not row[3].isdecimal()
        and not SCORE.fullmatch(row[3])
        for row in rows
    )  # fmt: skip


def _whole(head: Head) -> list[str]:
    """The lines without the last, which may be cut."""
    return head[:-1] or head[:]


def _rows(source: Source, problems: Problems, width: int) -> Iterator[tuple[int, list[str]]]:
    for number, line in source.content_lines():
        try:
            yield number, tab_cells(line, width, "with tabs between")
        except ValueError as fault:
            problems.add(number, str(fault), line)


def read_candidates(source: Source, problems: Problems) -> Iterator[Lines]:
    """Read the candidates as a run, in the order of the file."""
    problems.notes.append("such a file gives no ranks: the order of its lines is taken for it")
    rows = _rows(source, problems, 4)
    return run_lines((Row(one[0], one[1], None, None, line) for line, one in rows), problems)


def read_candidate_queries(source: Source, problems: Problems) -> Iterator[Query]:
    """Read the queries, each once."""
    return iter(dict.fromkeys(Query(one[0], one[2]) for _, one in _rows(source, problems, 4)))


def read_candidate_texts(source: Source, problems: Problems) -> Iterator[Document]:
    """Read the passages, each once."""
    seen = set()
    for _, one in _rows(source, problems, 4):
        if one[1] not in seen:
            seen.add(one[1])
            yield Document(one[1], "", one[3])


def is_collection(head: Head) -> bool:
    """Most lines have an id, a tab and a text; or the id, address, title and text of a document."""
    names = [name.strip() or "-" for name in split(head[0], "\t")]
    if any(is_known((name,)) for name in names) or head[0][:1] in "{[<" or are_pairs(head):
        return False
    tabs = [line.count("\t") for line in _whole(head)]
    return 2 * tabs.count(1) >= len(tabs) or _is_documents(head)


def _is_documents(head: Head) -> bool:
    rows = [split(line, "\t") for line in _whole(head)]
    return all(len(row) == 4 and URL.match(row[1]) for row in rows)


def read_collection(source: Source, problems: Problems) -> Iterator[Document]:
    """Read the passages or documents.

    Raises
    ------
    InputError
        If its first line may be one of headings, and the format was not asked for by name.
    """
    head = source.head()
    names = split(head[0], "\t")
    looks = [split(line, "\t")[0] for line in head[1:]]
    digits = sum(any(map(str.isdigit, one)) for one in looks)
    heading = plain(names[0]) in ID_HEADINGS or (digits and digits == len(looks))
    if heading and names[0].isalpha() and source.hints.format != MSMARCO_COLLECTION.name:
        columns = f"docid={names[0]},text={names[-1]}"
        raise ambiguous(
            source,
            "its first line may be one of headings",
            {
                "headings there": command(Kind.DOCUMENTS, source, "--columns", columns),
                "a document there": command(Kind.DOCUMENTS, source, "--as", "tsv"),
            },
        )
    whole = _is_documents(head)
    for number, row in _rows(source, problems, 4 if whole else 2):
        if not row[0].strip():
            problems.add(number, "no id before the tab", "\t".join(row))
        elif whole:
            yield Document(row[0].strip(), row[2].strip(), row[3], row[1].strip())
        else:
            yield Document(row[0].strip(), "", row[1])


TOP = "MS MARCO top1000 (query id, document id, query, passage; tabs)"
MSMARCO_RUN = Reader(
    name="msmarco",
    title="MS MARCO ranking (query, document, rank; tabs)",
    recognise=is_ranking,
    read=read_ranking,
)
TOP1000_RUN = Reader(name="top1000", title=TOP, recognise=is_candidates, read=read_candidates)
TOP1000_QUERIES = Reader(
    name="top1000", title=TOP, recognise=is_candidates, read=read_candidate_queries
)
TOP1000_DOCUMENTS = Reader(
    name="top1000", title=TOP, recognise=is_candidates, read=read_candidate_texts
)
MSMARCO_COLLECTION = Reader(
    name="tsv",
    title="MS MARCO collection (id, tab, text; or id, address, title, text)",
    recognise=is_collection,
    read=read_collection,
)
