"""The text of a file: lines with their numbers, unpacked, and refused where it is none."""

from __future__ import annotations

import gzip
import hashlib
import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard

from annotator.errors import InputError
from annotator.formats import Source
from annotator.formats.input.source import BLOCK, LONGEST_LINE

Write = Callable[[str | bytes], Source]


def test_lines_keep_their_numbers_whatever_their_ends(written: Write) -> None:
    source = written(b"\xef\xbb\xbfone\r\n\ntwo\n  three ")
    assert list(source.lines()) == [(1, "one"), (2, ""), (3, "two"), (4, "  three ")]
    assert list(source.lines()) == [(1, "one"), (2, ""), (3, "two"), (4, "  three ")]


def test_a_final_line_end_makes_no_further_line(written: Write) -> None:
    assert list(written("a\n").lines()) == list(written("a").lines()) == [(1, "a")]
    assert list(written("a\r\n").lines()) == list(written("a\r").lines()) == [(1, "a")]
    assert list(written("a\n\n").lines()) == [(1, "a"), (2, "")]


def test_only_a_line_feed_ends_a_line(written: Write) -> None:
    text = "a\u2028b\u2029c\x85d\x0be\x0cf\x1cg"
    assert list(written(text).lines()) == [(1, text)]


def test_content_lines_leave_out_blank_lines_and_comments_only(written: Write) -> None:
    source = written("# comment\n\n \t\nCR#93E 1\n#2\n #3\n")
    assert list(source.content_lines()) == [(4, "CR#93E 1"), (6, " #3")]
    assert list(source.fields()) == [(4, [b"CR#93E", b"1"]), (6, [b"#3"])]
    assert source.head() == ["CR#93E 1", " #3"]


def test_a_comment_after_a_byte_order_mark_is_a_comment(written: Write) -> None:
    assert list(written(b"\xef\xbb\xbf# c\nx").content_lines()) == [(2, "x")]


def test_fields_split_at_ascii_blanks_only(written: Write) -> None:
    source = written("\u3000a\u00a0b \t\tc\u0085\r\n")
    assert list(source.fields()) == [(1, ["\u3000a\u00a0b".encode(), "c\u0085".encode()])]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_numbers_and_characters_survive_the_edges_of_blocks(written: Write, end: str) -> None:
    lines = ["é" * (7 * number % 1000) + str(number) for number in range(1, 2000)]
    source = written(end.join(lines))
    assert list(source.lines()) == list(enumerate(lines, start=1))
    assert source.head(3) == lines[:3]


def test_a_line_may_be_longer_than_a_block(written: Write) -> None:
    line = "ä" * BLOCK
    assert list(written(f"a\n{line}\nb\n").lines()) == [(1, "a"), (2, line), (3, "b")]


def test_head_reads_only_the_beginning_of_a_huge_line(tmp_path: Path) -> None:
    path = tmp_path / "huge"
    with path.open("wb") as file:
        file.write('{"_id": "ä'.encode() * 100_000)
        file.truncate(5 * 1024**3)  # sparse: takes no room on the disk
    (head,) = Source(path).head()
    assert head.startswith('{"_id"')
    assert len(head) <= BLOCK


def test_a_line_too_long_to_be_text_is_refused_before_it_fills_the_memory(
    written: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert LONGEST_LINE >= 16 * 1024**2
    monkeypatch.setattr("annotator.formats.input.source.LONGEST_LINE", 2 * BLOCK)
    source = written(gzip.compress(b"short\n" + b"x" * 5 * BLOCK))
    with pytest.raises(InputError, match=":2: a line of more than"):
        list(source.lines())


def test_the_digest_is_of_the_bytes_on_disk(written: Write) -> None:
    packed = gzip.compress(b"a 1\r\n")
    assert written(packed).digest() == f"sha256:{hashlib.sha256(packed).hexdigest()}"


@pytest.mark.parametrize(
    "pack",
    [gzip.compress, zstandard.compress, lambda data: gzip.compress(data) + gzip.compress(b"last")],
    ids=["gz", "zst", "gz of two members"],
)
def test_compressed_files_are_known_by_content(
    written: Write, pack: Callable[[bytes], bytes]
) -> None:
    text = "".join(f"line {number} ü\n" for number in range(60_000))
    lines = [line for _, line in written(pack(text.encode())).lines()]
    assert lines[:60_000] == text.splitlines()


def test_a_zstd_file_of_several_frames_is_read_to_its_end(written: Write) -> None:
    packed = zstandard.compress(b"a\nb") + zstandard.compress(b"") + zstandard.compress(b"c\nd\n")
    assert list(written(packed).lines()) == [(1, "a"), (2, "bc"), (3, "d")]


@pytest.mark.parametrize("pack", [gzip.compress, zstandard.compress], ids=["gz", "zst"])
def test_a_compressed_file_cut_short_is_told(
    written: Write, pack: Callable[[bytes], bytes]
) -> None:
    packed = pack(os.urandom(2000).hex().encode())
    with pytest.raises(InputError, match="is cut short"):
        list(written(packed[:-9]).lines())


@pytest.mark.parametrize("pack", [gzip.compress, zstandard.compress], ids=["gz", "zst"])
def test_damaged_compressed_data_are_told(written: Write, pack: Callable[[bytes], bytes]) -> None:
    packed = bytearray(pack(b"the same line again\n" * 9))
    packed[4:] = bytes(255 - byte for byte in packed[4:])
    with pytest.raises(InputError, match=r"cannot be read|is cut short") as caught:
        list(written(bytes(packed)).lines())
    assert "\n" not in caught.value.message


def test_zstd_without_its_package_says_what_to_install(
    written: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = written(zstandard.compress(b"a"))
    monkeypatch.setitem(sys.modules, "zstandard", None)
    with pytest.raises(InputError, match=r"pip install 'pool-annotator\[zst\]'"):
        source.head()


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (
            b"q1\tcaf\xc3\xa9\nq2\tcaf\xe9\n",
            r":2: not UTF-8 \(byte 0xE9\): perhaps --encoding latin-1",
        ),
        (b"q1\tcaf\xc3", r":1: not UTF-8 \(byte 0xC3\)"),
        (b"a\nb\xed\xa0\x80\n", r":2: not UTF-8 \(byte 0xED\)"),
        ("a\nq1".encode("utf-16-le"), r":1: holds NUL bytes: perhaps --encoding utf-16-le"),
        (b"q1 0 d1 1\rq1 0 d2 1\r", r":1: its lines end in CR alone"),
        (b"PK\x03\x04rest", "is a zip archive"),
        (b"%PDF-1.7", "is a PDF file"),
    ],
)
def test_what_is_no_utf8_text_is_named_with_its_line(
    written: Write, content: bytes, told: str
) -> None:
    source = written(content)
    for read in (source.lines, source.fields, source.content_lines):
        with pytest.raises(InputError, match=told) as caught:
            list(read())
        assert caught.value.message.startswith(source.name)
        assert "\n" not in caught.value.message


def test_a_bad_byte_late_in_a_file_is_told_with_its_line(written: Write) -> None:
    with pytest.raises(InputError, match=":70000: not UTF-8"):
        list(written(b"q1 Q0 d1 1 1 t\n" * 69_999 + b"\xff\n").fields())


@pytest.mark.parametrize("content", ["", "\n\n", "\ufeff", "# only\n# comments\n", " \t\r\n"])
def test_a_file_without_content_is_told(written: Write, content: str) -> None:
    source = written(content)
    for read in (source.content_lines, source.fields, source.head):
        with pytest.raises(InputError, match="is empty, or holds only blank lines and comments"):
            list(read())


def test_text_in_pieces_is_refused_where_it_is_none(tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    for content, told in [
        (b'{"q":\n {"\xff": 1.5}}', ":2: not UTF-8 .byte 0xFF"),
        (b'{"q":\n\n {"\0": 1.5}}', ":3: holds NUL bytes"),
        (b'{"q": {"d": 1.5}}\n\xe2\x82', ":2: ends inside a character"),
    ]:
        path.write_bytes(content)
        with pytest.raises(InputError, match=told):
            list(Source(path).pieces())


@pytest.mark.skipif(sys.platform == "win32", reason="makes a named pipe")
def test_files_that_cannot_be_opened_are_told_in_one_line(tmp_path: Path) -> None:
    fifo = tmp_path / "pipe"
    os.mkfifo(fifo)
    for path, told in [
        (tmp_path / "missing", "there is no such file"),
        (tmp_path, "is a directory"),
        (fifo, "is not a regular file but a pipe"),
        (Path("a\0b"), "cannot be read"),
        (tmp_path / ("x" * 5000), "cannot be read: File name too long"),
    ]:
        for read in (Source(path).head, Source(path).digest):
            with pytest.raises(InputError, match=told):
                read()


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read all")
def test_a_file_without_permission_is_told(written: Write) -> None:
    source = written("a")
    source.path.chmod(0)
    with pytest.raises(InputError, match="no permission to read"):
        source.head()


def test_the_name_is_the_path_as_given() -> None:
    assert Source("runs/../a.run").name == "runs/../a.run"
