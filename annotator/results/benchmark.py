"""What scores are of: results can be compared only if their queries and labels are the same."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256

from annotator.text.plural import counted

SHOWN = 8
_TOGETHER = 10_000


@dataclass(frozen=True)
class Benchmark:
    """How many queries and labels there are, and a digest of each.

    A digest is the SHA-256 of lines in UTF-8, sorted by their bytes, each ended by a line feed:
    the id of a query; or query, document and grade with tabs between. Texts of queries, the
    corpus and unjudged documents are in neither.
    """

    queries: int
    labels: int
    query_digest: str
    label_digest: str

    @classmethod
    def of(cls, qids: Iterable[str], labels: Iterable[tuple[str, str, int]]) -> Benchmark:
        """Take the queries that are scored, and the labels of (query, document, grade)."""
        names = [_encoded(qid) for qid in qids]
        rows = [_encoded(f"{qid}\t{docid}\t{grade}") for qid, docid, grade in labels]
        return cls(len(names), len(rows), _digest(names), _digest(rows))

    def line(self) -> str:
        """Counts and short digests, for a method line."""
        counts = f"{counted(self.queries, 'query', 'queries')}, {counted(self.labels, 'label')}"
        digests = (one.removeprefix("sha256:")[:SHOWN] for one in
                   (self.query_digest, self.label_digest))  # fmt: skip
        return f"{counts} ({', '.join(digests)})"


def _encoded(line: str) -> bytes:
    return line.encode(errors="surrogatepass")


def _digest(lines: list[bytes]) -> str:
    """Of lines that are put into order where they are: there may be millions."""
    lines.sort()
    digest = sha256()
    for start in range(0, len(lines), _TOGETHER):
        digest.update(b"".join(line + b"\n" for line in lines[start : start + _TOGETHER]))
    return "sha256:" + digest.hexdigest()
