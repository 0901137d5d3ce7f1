"""Documents in SGML and HTML, encodings, compression, and what is refused."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import sys
import time
import tracemalloc
from collections.abc import Callable

import pytest
import zstandard

from annotator.domain import Document, Qrel, Query
from annotator.errors import InputError
from annotator.formats import (
    Hints,
    Kind,
    Problems,
    Source,
    read_documents,
    read_qrels,
    read_queries,
    recognise,
)

Write = Callable[[str | bytes], Source]
PACKERS = [gzip.compress, zstandard.compress, bz2.compress, lzma.compress]
ROWS = "1 0 d\u00e9j\u00e0 1\r\n2 0 e 2\r\n"
READ = [Qrel("1", "d\u00e9j\u00e0", 1, 1), Qrel("2", "e", 2, 2)]


def test_trec_documents_lose_their_tags(written: Write) -> None:
    source = written(
        "<DOC>\n<DOCNO> FR94-1 </DOCNO>\n<DOCID>1</DOCID>\n<HEADLINE>A\n <B>title</B></HEADLINE>\n"
        "<TEXT>\n<P>AT&amp;T 3 < 4</P>\n\n\n\nend\n</TEXT>\n</DOC>\n\n"
        "<doc><docno>2</docno>one line</doc>\n"
    )
    assert list(read_documents(source, Problems("file"))) == [
        Document("FR94-1", "A title", "AT&T 3 < 4\n\nend"),
        Document("2", "", "one line"),
    ]


def test_a_trec_document_that_is_not_closed_or_numbered_is_told(written: Write) -> None:
    text = "<DOC>\n<DOCNO>1</DOCNO>\n<DOC>\nno number\n</DOC>\n<DOC>\n<DOCNO>3</DOCNO>\ncut"
    problems = Problems("file")
    assert list(read_documents(written(text), problems)) == []
    with pytest.raises(InputError) as caught:
        problems.raise_if_any("documents")
    assert [line.split(":")[1] for line in caught.value.details] == ["1", "3", "6"]


def test_a_page_becomes_its_title_and_text(written: Write) -> None:
    source = written(
        "<!DOCTYPE html><html><head><title>A &amp; B</title><style>p {}</style></head><body>"
        "<script>alert(1)</script><h1>One</h1><p>two <b>three</b><br>four<ul><li>five</ul>"
    )
    (document,) = read_documents(source, Problems("file"))
    assert document.docid == source.path.name
    assert (document.title, document.text) == ("A & B", "One\ntwo three\nfour\nfive")


@pytest.mark.parametrize(
    ("page", "title", "text"),
    [
        ("<html><title>T</title><p>a", "T", "a"),
        ("<html><head><title>T</title><body>a", "T", "a"),
        ("<html><body><p title=it's>a</p>b", "", "a\nb"),
        ("<html>a < b <!-- c --> d<noscript>x</noscript>e", "", "a < b de"),
        ("<html><svg><title>in</title></svg>a<!-- never closed <p>b", "", "a"),
        ("<html>a<script>if (1 < 2) { '</p>' }</SCRIPT >b", "", "ab"),
        ('<html><a title="1 > 0">a</a>', "", "a"),
    ],
)
def test_pages_are_read_as_a_browser_shows_them(
    written: Write, page: str, title: str, text: str
) -> None:
    (document,) = read_documents(written(page), Problems("file"))
    assert (document.text, document.title if title else "") == (text, title)


PIECES = ["<p>words</p>\n", "<div>", "<!--", "<", "<a ", "<a '", "<a b=", "</", "<!x", "<script>"]


@pytest.mark.parametrize("piece", [*PIECES, "&#", "<?", "<p>words</p>", "<a \n", "<style></styl"])
def test_a_page_takes_no_more_than_its_length_whatever_is_in_it(written: Write, piece: str) -> None:
    took = []
    for times in (5_000, 40_000):
        source = written("<html><body>" + piece * times)
        begun = time.process_time()
        list(read_documents(source, Problems("file")))
        took.append(time.process_time() - begun)
    assert took[1] < 24 * max(took[0], 0.01)  # eight times as much; the square would be 64


@pytest.mark.parametrize("encoding", ["utf-16", "utf-32", "utf-8-sig"])
def test_a_byte_order_mark_says_the_encoding(written: Write, encoding: str) -> None:
    for pack in (bytes, gzip.compress):
        assert read_qrels(written(pack(ROWS.encode(encoding))), Problems("file")) == READ


@pytest.mark.parametrize("encoding", ["latin-1", "cp1252", "utf-16-le", "mac-roman"])
def test_an_encoding_may_be_named(written: Write, encoding: str) -> None:
    source = Source(written(ROWS.encode(encoding)).path, Hints.parse(encoding=encoding))
    assert read_qrels(source, Problems("file")) == READ


def test_a_wrong_encoding_is_told(written: Write) -> None:
    source = Source(written(b"\xff\xfe1\x00\x00\xd8").path)
    with pytest.raises(InputError, match="not utf-16 after about"):
        source.head()


@pytest.mark.parametrize("pack", PACKERS)
def test_every_compression_is_known_by_content(
    written: Write, pack: Callable[[bytes], bytes]
) -> None:
    two = pack(ROWS.encode()[:10]) + pack(ROWS.encode()[10:])
    assert read_qrels(written(two), Problems("file")) == READ
    with pytest.raises(InputError, match="is cut short"):
        list(written(two[:-5]).lines())


BOMBS = {
    Kind.RUN: b"1 Q0 d 1 1.5 t\n",
    Kind.QRELS: b"1 0 d 1\n",
    Kind.QUERIES: b"1\tsome words\n",
    Kind.DOCUMENTS: b'{"_id": "d", "title": "some words"}\n',
}


@pytest.mark.parametrize("pack", PACKERS)
@pytest.mark.parametrize("kind", BOMBS)
def test_what_unpacks_to_far_more_than_any_text_is_refused_on_the_way(
    written: Write, kind: Kind, pack: Callable[[bytes], bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("annotator.formats.input.compression.UNPACKED_FREELY", 1_000_000)
    told = list[int]()
    hints = Hints(watch=lambda done, total: told.append(done))
    lines = BOMBS[kind] * (5_000_000 // len(BOMBS[kind]))
    bomb = written(pack(lines) + pack(os.urandom(50_000).hex().encode()))
    source = Source(bomb.path, hints)
    with pytest.raises(InputError, match="unpacks to more than 100 times its size"):
        list(recognise(kind, source).read(source, Problems("file")))  # type: ignore[call-overload]
    assert max(told, default=0) <= 4_000_000


@pytest.mark.parametrize("pack", PACKERS)
def test_reading_the_beginning_of_a_packed_file_takes_little_memory(
    written: Write, pack: Callable[[bytes], bytes]
) -> None:
    bomb = written(pack(b"x" * 60_000_000))
    tracemalloc.start()
    assert len(bomb.head()[0]) < 300_000
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 40_000_000


def test_an_xz_file_that_wants_much_memory_is_refused(
    written: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("annotator.formats.input.compression.XZ_MEMORY", 1024)
    with pytest.raises(InputError, match="cannot be read"):
        written(lzma.compress(b"1 0 d 1\n")).head()


def test_standard_input_is_read_as_a_file_and_leaves_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(gzip.compress(ROWS.encode()))))
    source = Source("-")
    assert source.name == "standard input"
    assert read_qrels(source, Problems("file")) == read_qrels(source, Problems("file")) == READ
    path = source.path
    del source
    assert not path.exists()


@pytest.mark.parametrize(
    "declared",
    [
        '<!DOCTYPE t [<!ENTITY a "b">]><topic number="1"><query>&a;</query></topic>',
        '<!DOCTYPE t [<!ENTITY a SYSTEM "file:///etc/passwd">]><topic number="1">&a;</topic>',
        '<!DOCTYPE t [<!ENTITY a "x"><!ENTITY b "&a;&a;&a;&a;">]><topic number="1">&b;</topic>',
    ],
)
def test_xml_entities_and_other_files_are_refused(written: Write, declared: str) -> None:
    with pytest.raises(InputError, match="declares an XML entity or refers to another file"):
        list(read_queries(written(f"<?xml version='1.0'?>{declared}"), Problems("file")))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (".I 1\n.T\na\n.W\nb\n", "it is a SMART collection"),
        ("num_q\tall\t3\nmap\tall\t0.3\n", "the output of trec_eval"),
        ("301 map 0.1212 0.1545\n", "the output of trec_eval"),
        ("run\tndcg_cut_10\tmap\nbm25\t0.5\t0.4\n", "a table of scores"),
        ("a\tb\tc\nd\te\tf\n", "no column for query and docid and grade"),
        ('{"1": [[2, [3]]]}', "JSON of no form that is known"),
        ("import os\nimport re\n", "a program's text"),
        ("Here is what the files in this folder are for.\n" * 3, "a text for people"),
    ],
)
def test_a_file_that_is_not_read_is_named(written: Write, text: str, told: str) -> None:
    with pytest.raises(InputError, match=told):
        read_qrels(written(text), Problems("file"))


@pytest.mark.parametrize("qid", ["051", "51", "a/b#c", '"q', "\u65e5\u672c", "x" * 10_000])
def test_an_id_is_text_and_comes_back_as_it_is(written: Write, qid: str) -> None:
    assert read_qrels(written(f"{qid} 0 {qid} 1\n"), Problems("file")) == [Qrel(qid, qid, 1, 1)]
    assert list(read_queries(written(f"{qid}\ta wing\n"), Problems("file"))) == [
        Query(qid, "a wing")
    ]
