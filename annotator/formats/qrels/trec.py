"""TREC qrels: query, a column that means nothing here, document, grade."""

from __future__ import annotations

import re
import shlex
from array import array
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from annotator.domain import Qrel
from annotator.errors import UsageError
from annotator.formats.ambiguous import ambiguous, command
from annotator.formats.grades import Scale, grade
from annotator.formats.hints import typed_list
from annotator.formats.input.source import Head, Source
from annotator.formats.problems import Problems
from annotator.formats.reader import Kind, Reader
from annotator.formats.tables.foreign import headings, trec_eval_output
from annotator.text.safe import one_line

NUMBER = re.compile(rb"[+-]?[0-9]+([.,][0-9]*)?")
UNUSED = (b"0", b"Q0", b"q0")
FIELDS = ("query", "docid", "grade")


def recognise(head: Head) -> bool:
    """Most lines have three to five columns and a number last, or four with a 0 or Q0 second."""
    return sum(map(_fits, head)) * 2 >= len(head) and not trec_eval_output(head)


def _fits(line: str) -> bool:
    fields = line.encode().split()
    if line.startswith(("{", "[", "<")) or not 3 <= len(fields) <= 5:
        return False
    if len(fields) == 4 and fields[1] in UNUSED:
        return True
    if len(fields) == 3:
        return fields[1] not in UNUSED and fields[2].removeprefix(b"-").isdigit()
    return fields[1] != b"Q0" and any(map(NUMBER.fullmatch, fields[3:]))


def read(source: Source, problems: Problems) -> Iterator[Qrel]:
    """Read the judgments; the second column is left out.

    Raises
    ------
    InputError
        If the second column says something, or most lines have another number of columns.
    """
    _check_columns(source)
    scale, seconds = source.hints.grades, set[bytes]()
    for number, fields in source.fields():
        try:
            row = _qrel(fields, number, scale)
        except ValueError as fault:
            problems.add(number, str(fault), b" ".join(fields).decode())
        else:
            seconds.add(fields[1])
            yield row
    if len(seconds) > 1 and TREC_QRELS.name != source.hints.format:
        _check_second(source)


def _check_columns(source: Source) -> None:
    """Refuse to guess what three or five columns mean."""
    widths = [len(line.encode().split()) for line in source.head()]
    if source.hints.format or 2 * widths.count(4) >= len(widths):
        return
    if 2 * widths.count(5) >= len(widths):
        raise ambiguous(
            source,
            "it has 5 columns, TREC qrels have 4",
            {
                "qrels with one more column behind": "say --as trec-5",
                "preference judgments (query group subgroup document level)": "these are not read",
            },
        )
    if 2 * widths.count(3) >= len(widths):
        readings = {
            "query, document, grade": "say --as trec-3",
            "query, document, rank": command(Kind.RUN, source, "--as", "msmarco"),
        }
        if names := headings(source.head()):
            pairs = zip(FIELDS, names, strict=False)
            listed = typed_list(f"{field}={name}" for field, name in pairs)
            readings = {"headings in its first line": f"say --columns {shlex.quote(listed)}"}
        raise ambiguous(source, "it has 3 columns, TREC qrels have 4", readings)


def _check_second(source: Source) -> None:
    """Refuse to guess what the second column means if one pair has several of it."""
    suspects = _keys_with_several(source)
    first: dict[tuple[bytes, bytes], tuple[bytes, bytes]] = {}
    repeated, differ = "", False
    for line, (qid, second, docid, value) in _rows(source) if suspects else ():
        if hash(pair := (qid, docid)) not in suspects:
            continue
        before, grade_before = first.setdefault(pair, (second, value))
        differ = differ or grade_before != value
        if before != second and not repeated:
            repeated = (
                f"line {line} repeats the pair {qid.decode()[:40]} {docid.decode()[:40]} with "
                f"another second column ({before.decode()[:20]} and {second.decode()[:20]})"
            )
    if repeated:
        readings = {
            "a grade for each subtopic": "say --as trec-subtopics (the highest counts)",
            "the grades of several judges": "say --as trec-judges",
        }
        plain = {} if differ else {"nothing in the second column": "say --as trec"}
        raise ambiguous(source, repeated, {**readings, **plain})


def _keys_with_several(source: Source) -> set[int]:
    """The keys under which pairs come with several second columns; in 16 bytes a row."""
    pairs, seconds = array("q"), array("q")
    for _, (qid, second, docid, _) in _rows(source):
        pairs.append(hash((qid, docid)))
        seconds.append(hash(second))
    keys, values = np.array(pairs), np.array(seconds)
    order = np.argsort(keys, kind="stable")
    keys, values = keys[order], values[order]
    return set(keys[1:][(keys[1:] == keys[:-1]) & (values[1:] != values[:-1])].tolist())


def _rows(source: Source) -> Iterator[tuple[int, list[bytes]]]:
    return ((line, fields) for line, fields in source.fields() if len(fields) == 4)


def _qrel(fields: Sequence[bytes], line: int, scale: Scale) -> Qrel:
    if len(fields) != 4:
        raise ValueError(f"expected 4 columns (query 0 document grade), found {len(fields)}")
    qid, _, docid, value = fields
    return Qrel(qid.decode(), docid.decode(), grade(value.decode(), scale), line)


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


TREC_QRELS = Reader(
    name="trec",
    title="TREC qrels (query 0 document grade)",
    recognise=recognise,
    read=read,
)
