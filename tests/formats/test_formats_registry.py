from __future__ import annotations

import gzip
import subprocess
import sys
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest

from annotator.errors import InputError
from annotator.formats import READERS, Kind, Problems, Source, read_qrels, recognise
from annotator.formats.judgment_log import header

Write = Callable[[str | bytes], Source]

FILES = {
    Kind.QUERIES: [
        "1\tdo goldfish grow\n",
        "<top>\n<num> 1",
        "<topics>",
        '{"_id": "1", "text": ""}',
    ],
    Kind.DOCUMENTS: ['{"docid": "1", "contents": "a"}\n', '{"_id": "1", "body": ""}'],
    Kind.RUN: ["q1 Q0 d1 1 0.5 tag\n", "1\t0\t2\t3\t4\t5\t6\n"],
    Kind.QRELS: ["q1 0 d1 1\n", "1\t0\t2\t3\n", "query-id\tcorpus-id\tscore\n"],
    Kind.JUDGMENTS: [header({"a": "b"})],
}
FITS_BOTH = [
    (Kind.DOCUMENTS, '{"_id": "1", "text": ""}'),
    (Kind.DOCUMENTS, "1\tdo goldfish grow\n"),
]
WRONG = [
    (given, expected, content)
    for given in Kind
    for expected, contents in FILES.items()
    if given is not expected
    for content in contents
    if (given, content) not in FITS_BOTH
]


@pytest.mark.parametrize(("kind", "content"), [(k, c) for k, cs in FILES.items() for c in cs])
def test_a_file_is_known_by_its_content(written: Write, kind: Kind, content: str) -> None:
    assert recognise(kind, written(content)) in READERS[kind]


@pytest.mark.parametrize(("given", "expected", "content"), WRONG)
def test_a_file_of_the_wrong_kind_is_told_what_it_is(
    written: Write, given: Kind, expected: Kind, content: str
) -> None:
    source = written(content)
    with pytest.raises(InputError) as caught:
        recognise(given, source)
    told = caught.value.message
    assert told.startswith(f"{source.name}: cannot be read as {given}: it looks like ")
    assert f"use `annotator import {expected} {source.name}`" in told


def test_a_file_of_no_known_kind_is_shown_with_what_is_expected(written: Write) -> None:
    source = written(".X 1\x1b[31m " + "x" * 999)
    with pytest.raises(InputError) as caught:
        recognise(Kind.QRELS, source)
    told = caught.value.message.removeprefix(source.name)
    assert told.startswith(
        ": cannot be read as qrels; it begins: .X 1\N{SYMBOL FOR ESCAPE}[31m xxx"
    )
    assert len(told) < 120
    assert [f"  {r.title} (--as {r.name})" for r in READERS[Kind.QRELS]] == list(
        caught.value.details[1:]
    )


def test_a_corpus_is_not_taken_for_queries(written: Write) -> None:
    source = written('{"_id": "d1", "title": "", "text": "wings"}')
    with pytest.raises(InputError, match="use `annotator import documents "):
        recognise(Kind.QUERIES, source)


def test_names_of_formats_are_unique_within_a_kind() -> None:
    for readers in READERS.values():
        assert len({reader.name for reader in readers}) == len(readers)
    assert set(READERS) == set(Kind)


def test_a_program_that_reads_no_xml_or_zstd_does_not_load_them() -> None:
    code = (
        "import sys, annotator.formats\n"
        "print(*{'defusedxml', 'zstandard', 'xml.etree.ElementTree'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "\n"


@pytest.mark.parametrize("text", ["ab cd " * 40_000, "{" * 200_000, '"a": ' * 40_000])
def test_what_is_no_known_format_is_refused_however_long_its_lines(
    written: Write, text: str
) -> None:
    source = written(text)  # a pattern that took the square of its length would take minutes
    for kind in Kind:
        with pytest.raises(InputError):
            recognise(kind, source)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("q;url;stars\n1;a;0,5\n", "its columns are: q, url, stars"),
        ("q,the url\n1,a\n2,b\n", "its columns are: q, the url"),
        ("q\turl\tstars\n1\ta\tbad\n", "its columns are: q, url, stars"),
        ("q1,d1,2\nq1,d2,1\n", "it is a table without headings"),
        ('{"asked": "x", "found": "y", "worth": 1}\n', "its keys are: asked, found, worth"),
        ("dear reader, this\nis no, table at, all,\n", "cannot be read as qrels; it begins"),
        ("Some words of a text, and more words.\n" * 3, "a text for people, not like data: name"),
    ],
)
def test_a_table_of_unknown_headings_is_told_with_the_columns_it_has(
    written: Write, text: str, told: str
) -> None:
    with pytest.raises(InputError) as caught:
        recognise(Kind.QRELS, written(text))
    assert told in " ".join([caught.value.message, *caught.value.details])


def test_three_columns_below_headings_may_be_named(written: Write) -> None:
    source = written("q\turl\tstars\n1\ta\t0\n1\tb\t3\n")
    with pytest.raises(InputError, match="is not clear") as caught:
        read_qrels(source, Problems(source.name))
    assert "--columns query=q,docid=url,grade=stars" in caught.value.details[-1]


def test_an_archive_is_told_as_one(tmp_path: Path) -> None:
    (tmp_path / "a.run").write_text("q1 Q0 d1 1 2.5 t\n")
    with tarfile.open(tmp_path / "a.tar", "w") as archive:
        archive.add(tmp_path / "a.run", "a.run")
    (tmp_path / "a.tgz").write_bytes(gzip.compress((tmp_path / "a.tar").read_bytes()))
    for name in ("a.tar", "a.tgz"):
        with pytest.raises(InputError, match="is a tar archive: unpack it"):
            recognise(Kind.RUN, Source(tmp_path / name))
