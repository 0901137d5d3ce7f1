from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from annotator.domain import Query
from annotator.errors import InputError
from annotator.formats import Hints, Kind, Source, read_queries, recognise
from annotator.formats.problems import Problems
from tests.formats.reading import queries

Write = Callable[[str | bytes], Source]


def faults(source: Source) -> tuple[str, ...]:
    problems = Problems("file")
    list(read_queries(source, problems))
    with pytest.raises(InputError) as caught:
        problems.raise_if_any("queries")
    return caught.value.details


def test_a_table_of_awkward_queries_is_read_as_it_stands(written: Write) -> None:
    long_id = "x" * 10_000
    source = written(
        "\ufeffqid\tquery\r\n# comment\r\n\r\n007\tdo goldfish grow?\r\n7\tNA\r\n"
        "NA\t\"so 'called'\r\n"
        f"Q#1\t a  b \r\n{long_id}\tسقوط هواپیمای\r\ncase\tx\r\nCASE\ty"
    )
    assert queries(source) == [
        Query("007", "do goldfish grow?"),
        Query("7", "NA"),
        Query("NA", "\"so 'called'"),
        Query("Q#1", "a  b"),
        Query(long_id, "سقوط هواپیمای"),
        Query("case", "x"),
        Query("CASE", "y"),
    ]


@pytest.mark.parametrize("heading", ["qid\tquery", "query-id\ttext", "ID\tTitle", ""])
def test_a_heading_is_no_query(written: Write, heading: str) -> None:
    assert queries(written(f"{heading}\n1\tfirst\n")) == [Query("1", "first")]


def test_what_looks_like_a_heading_further_down_is_a_query(written: Write) -> None:
    assert queries(written("1\tfirst\nid\ttext\n"))[1] == Query("id", "text")


def test_each_bad_line_of_a_table_is_told_with_its_number(written: Write) -> None:
    source = written("1\ta\n2 b\n3\tb\tc\n\t\n\td\n5\t \n6\te\n")
    assert faults(source) == (
        "file:2: expected 2 cells (query id, tab, text), found 1: 2 b",
        "file:3: expected 2 cells (query id, tab, text), found 3: 3 b c",
        "file:5: no query id before the tab: d",
        "file:6: no text after the tab: 5",
    )


def test_json_lines_are_read_under_every_usual_key(written: Write) -> None:
    lines = [
        {"_id": "007", "text": "a\tb", "metadata": {"description": "d", "narrative": "n"}},
        {"id": 7, "title": "c", "description": "d", "metadata": [1]},
        {"qid": "NA", "query": "\ud83d\ude00", "narrative": None},
        {"query_id": "a b#", "text": None, "query": "x", "metadata": {"description": 5}},
        {"_id": "x" * 10_000, "text": "bad \ud800 half"},
    ]
    source = written("# c\r\n" + "\r\n".join(json.dumps(line) for line in lines))
    assert queries(source) == [
        Query("007", "a\tb", "d", "n"),
        Query("7", "c", "d"),
        Query("NA", "\N{GRINNING FACE}"),
        Query("a b#", "x"),
        Query("x" * 10_000, "bad \ufffd half"),
    ]


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ('{"_id": "1", "text": "a"', "not JSON: Expecting ',' delimiter at column 25"),
        ("[1]", "expected a JSON object, found a list"),
        ("5", "expected a JSON object, found an integer"),
        ('{"text": "a"}', "no id: expected a key _id"),
        ('{"_id": null, "text": "a"}', "no id: expected a key"),
        ('{"_id": 1.0, "text": "a"}', "_id must be text or an integer, not a decimal number"),
        ('{"_id": true, "text": "a"}', "_id must be text or an integer, not true or false"),
        ('{"_id": " ", "text": "a"}', "_id is empty"),
        ('{"_id": "\\ud800", "text": "a"}', "_id holds half of a character"),
        ('{"_id": "1"}', "no text: expected one under text"),
        ('{"_id": "1", "text": " "}', "no text"),
        ('{"_id": "1", "text": ["a"]}', "text must be text, not a list"),
        ('{"_id": "1", "text": "a", "narrative": 3}', "narrative must be text, not an integer"),
        ('{"_id": ' + "9" * 5000 + ', "text": "a"}', "not JSON that can be read: a number"),
        ('{"_id": "1", "text": ' + "[" * 100_000, "not JSON"),
    ],
)
def test_each_bad_json_line_is_told_with_its_number(written: Write, line: str, told: str) -> None:
    source = written('{"_id": "1", "text": "a"}\n\n' + line + "\n")
    (fault,) = faults(source)
    assert fault.startswith(f"file:3: {told}")


SGML = """\ufeff<top>\r
\r
<num> Number: 051 \r
<title> Topic:  Airbus
   Subsidies &amp; R&D
\r
<desc> Description: \r
Is 3 < 4 <b>or</b> not? &#233;

<narr> Narrative:
Relevant
# not a comment
</top>

<TOP>
<num> Number: 51 </num><title>Closed tags</title>
text between
</TOP>
<top><num>Q-3<docid>123</docid>
<desc> No title here
<narr> but this
<top>
<num> 4
<smry> left out
<narr> Alone
"""


def test_sgml_topics_are_read_with_open_and_closed_tags(written: Write) -> None:
    assert queries(written(SGML)) == [
        Query(
            "051",
            "Airbus Subsidies & R&D",
            "Is 3 < 4 <b>or</b> not? é",
            "Relevant # not a comment",
        ),
        Query("51", "Closed tags"),
        Query("Q-3", "No title here", "", "but this"),
        Query("4", "Alone"),
    ]


def test_each_bad_sgml_topic_is_told_with_the_line_it_starts_at(written: Write) -> None:
    source = written("<top>\n<title> a\n\n<top>\n<num> 1 2\n<title> a\n<top>\n<num> 3\n</top>")
    assert faults(source) == (
        "file:1: the topic has no number",
        "file:4: expected one word as the topic's number, found '1 2'",
        "file:7: topic 3 has no text: expected a title, description or narrative",
    )


XML = """\ufeff<?xml version="1.0" encoding="ISO-8859-1"?>
<!DOCTYPE topics [ <!ELEMENT topics (topic)*> ]>
<!-- <topic number="0"> -->
<topics task="adhoc">\r
  <topic number=" 007 " type="x"><query>naïve <b>bold</b>
    &lt;query&gt;</query>
    <question>Description: what?</question><narrative>why</narrative>
    <subtopic number="1">left out</subtopic></topic>
  <topic id="7"><title>NA</title><description>d</description></topic>
  <topic><num>Number: 8</num><title>by element</title></topic>
  <topic number="9">bare text</topic>
</topics>"""


def test_xml_topics_are_read(written: Write) -> None:
    assert queries(written(XML)) == [
        Query("007", "naïve bold <query>", "what?", "why"),
        Query("7", "NA", "d"),
        Query("8", "by element"),
        Query("9", "bare text"),
    ]


def test_each_bad_xml_topic_is_told_with_the_line_it_starts_at(written: Write) -> None:
    source = written(
        "<topics>\n<topic><query>a</query></topic>\n<topic\nnumber='1'>\n</topic></topics>"
    )
    assert [fault.partition(" ")[0] for fault in faults(source)] == ["file:2:", "file:4:"]


BOMB = (
    '<!DOCTYPE t [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]>\n<t><topic number="1">&b;</topic></t>'
)
OUTSIDE = (
    '<!DOCTYPE t [<!ENTITY x SYSTEM "file:///etc/passwd">]>\n<t><topic number="1">&x;</topic></t>'
)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("<topics>\n<topic number='1'>\n<query>a</title>", ":3: is not well-formed XML"),
        ("<topics>\n<topic number='1'>\n", ":3: is not well-formed XML: no element found"),
        ("<topics>\n&nbsp;</topics>", ":2: is not well-formed XML: undefined entity"),
        (BOMB, ":1: declares an XML entity"),
        (OUTSIDE, ":1: declares an XML entity"),
        ("<topics/>", "holds no topic"),
        ("text <top\n<topic number='1'/>", "cannot be read as queries"),
    ],
)
def test_xml_that_cannot_be_read_is_refused_in_one_line(
    written: Write, content: str, told: str
) -> None:
    source = written(content)
    with pytest.raises(InputError, match=told) as caught:
        queries(source)
    assert "\n" not in caught.value.message


@pytest.mark.parametrize(
    ("content", "name"),
    [
        ("qid\tquery\n1\ta", "tsv"),
        ('{"_id": "1", "text": "a\\tb"}', "jsonl"),
        ('{"_id": "1", "text": "' + "a" * 500_000 + '"}', "jsonl"),
        ("<top>\n<num> 1\n<title> a\tb", "sgml"),
        ("<?xml version='1.0'?>\n<xml>\n<top>\n<num>1</num><title>a</title></top></xml>", "sgml"),
        ("<topics><topic number='1'><query>a</query></topic></topics>", "xml"),
    ],
)
def test_the_format_is_found_by_content(written: Write, content: str, name: str) -> None:
    source = written(content)
    assert recognise(Kind.QUERIES, source).name == name
    assert len(queries(source)) == 1


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        ("ref\twords\na1\tred shoes\na2\tcaps\n", "query=ref,text=words"),
        ("words\tref\nred shoes\ta1\nblue caps\ta2\n", "query=ref,text=words"),
        ("Suchbegriff\tNummer\nrote Schuhe\t17\n", "query=Nummer,text=Suchbegriff"),
        ("code_name\tsearched\nx\tred shoes\ny\tblue caps\n", "query=code_name,text=searched"),
    ],
)
def test_a_first_line_that_may_be_headings_is_shown_and_each_reading_works(
    tmp_path: Path, text: str, columns: str
) -> None:
    path = tmp_path / "q.tsv"
    path.write_text(text)
    with pytest.raises(InputError) as caught:
        list(read_queries(Source(path), Problems(path.name)))
    typed = " ".join(caught.value.details)
    assert f"--columns {columns} " in typed
    assert "--as tsv " in typed
    for hints, count in (
        (Hints.parse(form="tsv"), text.count("\n")),
        (Hints.parse(columns=columns), text.count("\n") - 1),
    ):
        problems = Problems(path.name)
        assert len(list(read_queries(Source(path, hints), problems))) == count
        assert not problems.count


@pytest.mark.parametrize(
    "text",
    [
        "a1\tshoes\na2\tred caps\n",
        "alpha\tshoes\nbeta\tcaps\n",
        "red\tred shoes\nblue\tcaps\n",
        "a\tb\n",
    ],
)
def test_a_first_line_like_the_others_is_a_query(tmp_path: Path, text: str) -> None:
    path = tmp_path / "q.tsv"
    path.write_text(text)
    assert len(list(read_queries(Source(path), Problems(path.name)))) == text.count("\n")
