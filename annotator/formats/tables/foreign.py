"""Files that people have and that are not read: what each is, and what to do instead."""

from __future__ import annotations

import re
from collections.abc import Callable

from annotator.formats.input.source import Head
from annotator.formats.tables import cells

LOOKED_AT = 300
SURE = 5  # lines that are looked at for headings
HEADING = re.compile(r"[^\W\d][\w.,:/-]{0,40}( [\w.,:/-]{1,40}){0,2}")
FOREIGN_JSON = "it is JSON of no form that is known; write a JSON object a line"
TEXT = "it looks like a text for people, not like data: name a file of data"
FOREIGN_TABLE = (
    "it is a table whose columns are not known; put a line of headings above it, and leave out "
    "lines that have other columns"
)


def _all(pattern: str) -> Callable[[Head], bool]:
    """Whether most lines are of this form, as far as one looks at a long one."""
    compiled = re.compile(pattern)
    return lambda head: 2 * sum(bool(compiled.match(line[:LOOKED_AT])) for line in head) > len(head)


MEASURES = (
    "runid|num_|map|gm_|Rprec|bpref|recip_rank|iprec|P_|ndcg|recall_|infAP|set_|relstring|success_"
    "|prefs_|qrels_|binG|G|11pt|utility|rel_|Rndcg|Rprec_mult"
)
trec_eval_output = _all(rf"(Z?({MEASURES})\S*\s+\S+|\S+ ({MEASURES})\S* -?[0-9.]+)\s+\S+\s*$")
"""Whether a file is what trec_eval prints, or its statistics of measures."""


def _first(pattern: str) -> Callable[[Head], bool]:
    """Whether the first line begins so."""
    compiled = re.compile(pattern)
    return lambda head: compiled.match(head[0][:LOOKED_AT]) is not None


FOREIGN: tuple[tuple[Callable[[Head], bool], str], ...] = (
    (
        _first(r"\.I \d+\s*$"),
        "it is a SMART collection (.I .T .W), which is not read; write each entry as a JSON line "
        "with _id and text",
    ),
    (
        _all(r"\S+[ \t]+(0|[Qq]0)[ \t]+\S+[ \t]*$"),
        "it lists pairs to be judged, without grades, and so holds no labels; the pool is made of "
        "runs: `annotator pool`",
    ),
    (
        trec_eval_output,
        "it looks like the output of trec_eval, scores rather than labels; import the run and the "
        "qrels it was made of",
    ),
    (
        _first(r"(?i)(topic|run|system|team)[\t,].*(ndcg|\bmap\b|\.run\b)"),
        "it looks like a table of scores; import the runs and the qrels they were made of",
    ),
    (
        _all(r"\S+[ \t]+L[0-9][ \t]*$"),
        "it has documents and levels of one query, as NTCIREVAL keeps them (.rel); write the "
        "query's id before each line: awk '{print \"QUERY\", $0}' FILE",
    ),
    (
        _all(r"[^\s{}<>\[\]\",;|]+$"),
        "it has one word a line; if these are the documents of one query, as NTCIREVAL keeps them "
        '(.res), write a TREC run of all queries: awk \'{print "QUERY Q0", $1, NR, -NR, "run"}\' '
        "FILE",
    ),
    (
        _all(r"\s*Q0\s+\S+\s+\d+\s+\S+\s+\S+$"),
        "it looks like a TREC run without its first column, the query",
    ),
    (
        _all(r"[^\t]*\t[^\t]*\t|[^\s,;]+([,;])[^\s,;]+\1[^,;]*$"),
        FOREIGN_TABLE,
    ),
    (
        lambda head: head.is_json,
        FOREIGN_JSON,
    ),
    (
        _first(r"#!|import \w|from \w+ import|\"\"\""),
        "it looks like a program's text, not like data: name a file of data",
    ),
    (
        _all(r"[^\t{<]*[A-Za-z]{2,}\W+(\S+ ){4,}"),
        TEXT,
    ),
)


def foreign(head: Head) -> str:
    """What a known but unread kind of file is and what to do; empty if it is none of these."""
    return next((words for recognise, words in FOREIGN if recognise(head)), "")


def has_headings(head: Head) -> bool:
    """Whether it looks like a table below what may be headings, and like nothing else."""
    said, delimiter = foreign(head), cells.delimiter_of(head[0])
    names = cells.split(head[0], delimiter)
    if len(names) < 2 or not all(HEADING.fullmatch(name.strip()) for name in names):
        return False
    even = all(len(cells.split(line, delimiter)) == len(names) for line in head[:-1])
    alike = said == FOREIGN_TABLE or (not said and even and len(names) > 2)
    return alike or (said in ("", TEXT) and len(headings(head)) > 1)


def headings(head: Head) -> list[str]:
    """The headings of what looks like a table: names above lines with as many cells, not all such.

    Empty if it does not.
    """
    for delimiter in ("\t", ";", ","):
        rows = [[cell.strip('"') for cell in line.split(delimiter)] for line in head[:SURE]]
        names, rest = rows[0], rows[1:]
        if len(names) > 1 and all(map(HEADING.fullmatch, names)) and rest:
            others = any(not HEADING.fullmatch(cell) for line in rest for cell in line)
            if others and all(len(line) >= len(names) for line in rest):
                return names
    return []
