"""Small files that would take the memory or the time of large ones are refused in a sentence."""

from __future__ import annotations

import io
import json
from collections.abc import Callable

import pyarrow
import pyarrow.parquet
import pytest

from annotator import rubric_files
from annotator.errors import InputError
from annotator.formats import (
    Kind,
    Problems,
    Source,
    read_documents,
    read_judgments,
    read_qrels,
    recognise,
)

Write = Callable[[str | bytes], Source]
LONG = "x" * 2_000_000


def packed(**columns: object) -> bytes:
    file = io.BytesIO()
    table = pyarrow.table({"docid": ["a"], "text": ["b"], **columns})
    pyarrow.parquet.write_table(table, file, compression="zstd")
    return file.getvalue()


@pytest.mark.parametrize(
    "columns",
    [
        {"text": [LONG * 10]},
        {"numbers": pyarrow.array([[0] * 2_000_000])},
        {
            "docid": ["a"] * 500,
            "text": pyarrow.DictionaryArray.from_arrays([0] * 500, [LONG]),
        },
        {"docid": ["a"] * 1_500_000, "text": ["b"] * 1_500_000},
    ],
    ids=["a long text", "a long list", "one text in all rows", "many rows"],
)
def test_a_small_parquet_file_gives_no_more_than_a_file_of_its_size(
    written: Write, columns: dict[str, object]
) -> None:
    content = packed(**columns)
    assert len(content) < 100_000
    with pytest.raises(InputError, match=r"unpacks to (far )?more than"):
        for _ in read_documents(written(content), Problems("file")):
            pass


@pytest.mark.parametrize(
    "text",
    [
        "a" + ".a" * 50_000 + " = 1",
        "[a" + ' . "a"' * 50_000 + "]",
        "a = " + "[" * 100_000,
        "a = " + "{a=" * 100_000,
        "x" * 200_000,
    ],
    ids=["dots", "quoted", "lists", "tables", "one word"],
)
def test_a_rubric_that_nests_too_deeply_is_refused_at_once(text: str) -> None:
    with pytest.raises(InputError, match=r"not a TOML file|not a rubric"):
        rubric_files.from_toml(text, "file")


def test_a_rubric_is_a_file_and_a_short_one(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("rubrics")
    (folder / "long.toml").write_text("# " + "x" * 300_000)
    for path in ("/dev/zero", str(folder)):
        with pytest.raises(InputError, match="a folder or a device"):
            rubric_files.load(path)
    with pytest.raises(InputError, match="has more than 256 KiB"):
        rubric_files.load(str(folder / "long.toml"))


@pytest.mark.parametrize("seconds", ["1" + "0" * 400, "1e999"], ids=["whole", "decimal"])
def test_a_number_that_no_float_holds_is_a_bad_line(written: Write, seconds: str) -> None:
    line = f'{{"qid": "1", "docid": "a", "grade": 1, "seconds": {seconds}}}\n'
    problems = Problems("file")
    assert list(read_judgments(written(line), problems).events) == []
    assert problems.count == 1


DEEP = "[" * 90_000
NESTED = [
    (Kind.DOCUMENTS, f'{{"_id": "a", "text": "b"}}\n{{"_id": "b", "text": "c", "x": {DEEP}'),
    (Kind.DOCUMENTS, '{"_id": "a", "text": "b", "x": ' + '{"a":' * 900 + "1" + "}" * 900 + "}"),
    (Kind.DOCUMENTS, f'[{{"_id": "a", "text": "b"}}, {{"_id": "a", "text": {DEEP}'),
    (Kind.QRELS, f'{{"qid": 1, "docid": 2, "grade": 3}}\n{{"qid": {DEEP}'),
    (Kind.QRELS, '{"judgmentRatings": ' + DEEP),
    (Kind.QRELS, '{"query_doc_pairs": [{"doc_id": ' + DEEP),
    (
        Kind.DOCUMENTS,
        json.dumps({"query_doc_pairs": [{"doc_id": 1, "document_fields": '{"a":' * 90_000}]}),
    ),
]


@pytest.mark.parametrize(("kind", "text"), NESTED)
def test_json_that_is_nested_too_deeply_is_a_sentence(
    written: Write, kind: Kind, text: str
) -> None:
    source = written(text)
    with pytest.raises(InputError) as caught:
        read_whole(kind, source)
    told = caught.value.message + " ".join(caught.value.details)
    assert "nested too deeply" in told or "cannot be read" in told


def read_whole(kind: Kind, source: Source) -> None:
    problems = Problems(source.name)
    recognise(kind, source)
    list((read_documents if kind is Kind.DOCUMENTS else read_qrels)(source, problems))
    problems.raise_if_any("a file")
