"""TREC qrels: query, a column that means nothing here, document, grade."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from annotator.errors import UsageError
from annotator.formats.grades import grade
from annotator.formats.problems import Problems
from annotator.formats.reader import Reader
from annotator.formats.source import Source
from annotator.records import Qrel
from annotator.sanitise import one_line

NUMBER = re.compile(rb"[+-]?[0-9]+([.,][0-9]*)?")
UNUSED = (b"0", b"Q0", b"q0")


def recognise(head: Sequence[str]) -> bool:
    """Most lines have four or five columns with a number last, or one or two after a 0 or Q0."""
    return sum(map(_fits, head)) * 2 >= len(head)


def _fits(line: str) -> bool:
    fields = line.encode().split()
    if line.startswith(("{", "[", "<")) or not 3 <= len(fields) <= 5:
        return False
    if fields[1] in UNUSED and len(fields) < 5:
        return True
    return len(fields) > 3 and NUMBER.fullmatch(fields[-1]) is not None and fields[1] != b"Q0"


def read(source: Source, problems: Problems) -> list[Qrel]:
    """Read the judgments; the second column is left out."""
    qrels = []
    for number, fields in source.fields():
        try:
            qrels.append(_qrel(fields, number))
        except ValueError as fault:
            problems.add(number, str(fault), b" ".join(fields).decode())
    return qrels


def _qrel(fields: Sequence[bytes], line: int) -> Qrel:
    if len(fields) > 4:
        raise ValueError(
            f"expected 4 columns (query 0 document grade), found {len(fields)}: "
            "perhaps preference or diversity judgments, which are not read"
        )
    if len(fields) < 4:
        raise ValueError(f"expected 4 columns (query 0 document grade), found {len(fields)}")
    qid, _, docid, value = (field.decode() for field in fields)
    return Qrel(qid, docid, grade(value), line)


def write(rows: Iterable[tuple[str, str, int]]) -> Iterator[str]:
    """Give the lines, without line ends, of the rows (query, document, grade).

    Raises
    ------
    UsageError
        If the format cannot hold an id: it is empty or has blanks in it, or the line would be
        read as a comment.
    """
    for qid, docid, value in rows:
        for kind, name in (("query", qid), ("document", docid)):
            if name.encode(errors="surrogatepass").split() != [name.encode(errors="surrogatepass")]:
                raise UsageError(_unwritable(kind, name, "blanks in it"))
        if qid.startswith("#"):
            raise UsageError(_unwritable("query", qid, "a # at its start"))
        yield f"{qid} 0 {docid} {value}"


def _unwritable(kind: str, name: str, why: str) -> str:
    shown = one_line(name, width=60)
    return f"TREC qrels cannot hold a {kind} id with {why}: '{shown}'; export as judgments instead"


READER = Reader(
    name="trec",
    title="TREC qrels (query 0 document grade)",
    recognise=recognise,
    read=read,
)
