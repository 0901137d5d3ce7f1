"""The file formats that are read: what the rest of the program needs of them."""

from __future__ import annotations

from annotator.formats.hints import Hints
from annotator.formats.input.source import Source
from annotator.formats.judgment_log import JudgmentLog
from annotator.formats.problems import Problems
from annotator.formats.qrels.columns import NotPlainError, QrelLines
from annotator.formats.reader import Kind, Reader
from annotator.formats.registry import (
    READERS,
    each_qrel,
    qrel_columns,
    read_documents,
    read_judgments,
    read_qrels,
    read_queries,
    read_run,
    recognise,
)

__all__ = [
    "READERS",
    "Hints",
    "JudgmentLog",
    "Kind",
    "NotPlainError",
    "Problems",
    "QrelLines",
    "Reader",
    "Source",
    "each_qrel",
    "qrel_columns",
    "read_documents",
    "read_judgments",
    "read_qrels",
    "read_queries",
    "read_run",
    "recognise",
]
