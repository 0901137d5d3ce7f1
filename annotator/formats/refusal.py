"""Why a file is read by no format of its kind: what it is instead, and what to do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from annotator.errors import InputError
from annotator.formats.ambiguous import command
from annotator.formats.fields import is_known
from annotator.formats.input.source import Head, Source
from annotator.formats.reader import Kind, Reader
from annotator.formats.tables import advice, cells
from annotator.formats.tables.foreign import FOREIGN_TABLE, foreign, has_headings
from annotator.formats.tables.rows import columns_of, is_json
from annotator.formats.tables.samples import Sample, sample
from annotator.text.safe import one_line

Readers = Mapping[Kind, Sequence[Reader[object]]]

TITLED = "its first line is a title, not headings: leave that line out"
ONE_OBJECT = (
    "it is one JSON object; if its keys are ids write a JSON object a line, each with its id: "
    '{"_id": "1", "text": "…"}'
)
NO_IDS = (
    "its lines have no ids; put a line with the word query above them, and each text is its own id"
)


def refusal(kind: Kind, readers: Readers, source: Source, head: Head) -> InputError:
    """Make the error, with a command that reads the file if one may."""
    wanted = _has_only_text(kind, head)
    about = "" if wanted else _other_kind(readers, source, head)
    if not about and kind is not Kind.JUDGMENTS:
        if explained := _columns(kind, source, head):
            return explained
        about = _as_a_whole(kind, head)
    about = about or foreign(head)
    expected = (f"  {reader.title} (--as {reader.name})" for reader in readers[kind])
    return InputError(
        f"{source.name}: cannot be read as {kind}{about and ': '}{about}; "
        f"it begins: {one_line(head[0], width=60)}",
        [] if about else ["expected one of:", *expected],
    )


def _has_only_text(kind: Kind, head: Head) -> bool:
    """Whether these are documents of which just the id has an unknown name."""
    if kind is not Kind.DOCUMENTS:
        return False
    columns, found = columns_of(kind, head)
    return columns.missing == ["docid"] and columns.has("text") and len(found.paths) > 1


def _other_kind(readers: Readers, source: Source, head: Head) -> str:
    """What the file seems to be instead, if anything."""
    for kind, several in readers.items():
        for reader in several:
            if reader.recognise(head):
                return f"it looks like {reader.title}, use `{command(kind, source)}`"
    return ""


def _columns(kind: Kind, source: Source, head: Head) -> InputError | None:
    """The refusal of what has columns or keys of unknown names, or no headings."""
    columns, found = columns_of(kind, head)
    if _is_mapping(found) or not found.records or _is_titled(head):
        return None
    likely = foreign(head) in ("", FOREIGN_TABLE) and bool(columns.places)
    if len(found.paths) > 1 and (not found.is_table or has_headings(head) or likely):
        return advice.unknown(source, columns, found)
    if found.is_table and _is_headless(head):
        return advice.headless(kind, source, sample(head, headless=True))
    return None


def _is_mapping(found: Sample) -> bool:
    """Whether it is one object of ids: of unknown keys with texts, or with objects."""
    if found.is_table or len(found.records) != 1:
        return False
    record = found.records[0]
    alike = any(all(isinstance(one, kind) for one in record.values()) for kind in (str, dict))
    return alike and not any(is_known((key,)) for key in record)


def _is_headless(head: Head) -> bool:
    """Whether all lines have as many cells, at least two, and the first are no headings."""
    if head[0].startswith("<"):
        return False
    delimiter = cells.delimiter_of(head[0])
    widths = {len(cells.split(line, delimiter)) for line in head[:-1] or head}
    return len(widths) == 1 and widths != {1} and foreign(head) in ("", FOREIGN_TABLE)


def _is_titled(head: Head) -> bool:
    """Whether a line with one cell stands above a table."""
    if len(head) < 2 or is_json(head):
        return False
    delimiter = cells.delimiter_of(head[1])
    first, second = (
        [cell for cell in cells.split(line, delimiter) if cell.strip()] for line in head[:2]
    )
    return len(second) > 1 >= len(first) or head[0].startswith("sep=")


def _as_a_whole(kind: Kind, head: Head) -> str:
    """What the file is where no column can be named."""
    if _is_titled(head):
        return TITLED
    if _is_mapping(sample(head)):
        return ONE_OBJECT
    plain = not any("\t" in line or line[0] in "{[<" for line in head)
    return NO_IDS if kind is Kind.QUERIES and plain and not foreign(head) else ""
