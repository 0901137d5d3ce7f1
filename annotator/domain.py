"""The values that cross from one part of the program to another; none of them does anything."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:  # whoever makes no array need not load numpy
    import numpy as np
    import numpy.typing as npt

IntArray: TypeAlias = "npt.NDArray[np.int64]"
Int32Array: TypeAlias = "npt.NDArray[np.int32]"
FloatArray: TypeAlias = "npt.NDArray[np.float64]"
BoolArray: TypeAlias = "npt.NDArray[np.bool_]"
Metadata: TypeAlias = tuple[tuple[str, str], ...]
"""Names and values, in the order to be shown."""


class AssessorKind(StrEnum):
    """Who gave a grade: a person in the app, a file, or a program."""

    HUMAN = "human"
    IMPORTED = "imported"
    MODEL = "model"


class Mark(StrEnum):
    """What an assessor says of a pair instead of a grade; either leaves it unjudged."""

    LATER = "later"
    CANNOT = "cannot"


class Query(NamedTuple):
    """What a system was asked."""

    qid: str
    text: str
    description: str = ""
    narrative: str = ""


class Document(NamedTuple):
    """What a system returned; ``text`` is None where only the id is known.

    ``metadata`` is what else its file told of it, by name.
    """

    docid: str
    title: str = ""
    text: str | None = None
    url: str = ""
    metadata: Metadata = ()


class Qrel(NamedTuple):
    """One row of a qrels file: ``line`` is where it stood, ``assessor`` whose grade it is.

    The assessor is empty where the file does not say, and so is ``at``, the time of the grade as
    :mod:`annotator.text.times` writes it. ``seconds`` is how long it took.
    """

    qid: str
    docid: str
    grade: int
    line: int
    assessor: str = ""
    at: str = ""
    seconds: float | None = None


class GradeFault(NamedTuple):
    """A row of qrels with a grade above the highest, or with another than an earlier row's.

    That earlier row has the same query, document and assessor.
    """

    line: int
    qid: str
    docid: str
    grade: int
    line_before: int | None
    grade_before: int | None


class Ranking(NamedTuple):
    """What one system returned for one query: document numbers in displayed order, and scores."""

    query: int
    documents: Int32Array
    scores: FloatArray


class ModelAnswer(NamedTuple):
    """How a model came to a grade: which model, by which prompt, and what it answered.

    ``prompt`` is the SHA-256 of the prompt in hexadecimal digits, ``status`` is "ok" or what went
    wrong, ``raw`` the answer as the model wrote it, and ``cost`` what it cost, in any currency.
    """

    model: str
    prompt: str
    version: str = ""
    temperature: float | None = None
    status: str = "ok"
    raw: str = ""
    cost: float | None = None


class ModelLabel(NamedTuple):
    """What a model said of a pair: a grade, or None where its answer is no grade.

    ``line`` is where it stood, ``at`` the time as :mod:`annotator.text.times` writes it, or empty.
    """

    qid: str
    docid: str
    grade: int | None
    answer: ModelAnswer
    line: int
    at: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgment:
    """What an assessor said of a pair: a grade, a mark, or neither (the label is withdrawn).

    ``at`` is ISO 8601 in UTC, ``seconds`` how long it took, in whole milliseconds, ``position`` the
    place in the order of presentation. ``evidence_start`` and ``evidence_end`` say which characters
    of the stored text are the reason for the grade, counted from 0, the end not among them.
    ``chosen`` names the order under which the document came (`eye` where it was picked by sight of
    the rankings); ``text_hash`` is the hash of the text that was judged, empty where there was
    none. Either is None where it is not known. ``answer`` is how a model came to it, as
    :mod:`annotator.formats.model_answers` writes it, None of people and files.
    """

    grade: int | None = None
    mark: Mark | None = None
    note: str = ""
    at: str = ""
    seconds: float | None = None
    position: int | None = None
    blind: bool = False
    evidence_start: int | None = None
    evidence_end: int | None = None
    chosen: str | None = None
    text_hash: str | None = None
    answer: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgmentEvent(Judgment):
    """One entry of the judgment log, as it is exported and imported without loss.

    ``identity`` is a hash of all that it says (:mod:`annotator.store.hash_chain`), the same in
    every file that holds the entry; ``event`` is its number in one file. ``undoes`` is the identity
    of the entry that this one takes back, ``restates`` that of the entry whose grade or mark it
    repeats (with a note, or since a later one was taken back): the label is as old as that entry.
    """

    event: int = 0
    identity: str = ""
    qid: str
    docid: str
    assessor: str = ""
    assessor_kind: AssessorKind = AssessorKind.IMPORTED
    rubric: str = ""
    undoes: str | None = None
    restates: str | None = None


class InForce(NamedTuple):
    """When a rubric, by its fingerprint, came into force, and whether earlier labels still count.

    ``since`` is ISO 8601 in UTC.
    """

    rubric: str
    carries: bool
    since: str


class Evidence(NamedTuple):
    """The part of a document's stored text that is the reason for a grade: [start, end)."""

    start: int
    end: int


class Card(NamedTuple):
    """One pooled pair as an assessor meets it.

    ``grade``, ``mark``, ``note`` and ``evidence`` are the assessor's own; a grade of a file counts
    as theirs, one that another person gave does not. ``label`` is the grade that holds, by
    whomever, and ``given`` the entry of the log that gave it, 0 where there is none or not known
    yet: an order of judging goes by it, and nobody is shown it while the pair is open. ``by_eye``
    says that the document was picked in a ranking when first judged, ``earlier`` that it has
    another text since the grade.
    """

    pair: int
    query: int
    document: int
    docid: str
    grade: int | None
    mark: Mark | None
    note: str
    evidence: Evidence | None = None
    by_eye: bool = False
    label: int | None = None
    given: int = 0
    earlier: bool = False

    @property
    def open(self) -> bool:
        """Whether the pair waits for this assessor: no grade of theirs, and not put aside."""
        return self.grade is None and self.mark is None

    @property
    def own(self) -> Card:
        """The same card without what others have said of it."""
        return self._replace(label=self.grade, given=0, by_eye=False)


class Undone(NamedTuple):
    """What an undo took back: its own entry, the pair, and what that entry had said of it.

    ``restates`` says that it was a note beside a grade or mark that stays.
    """

    event: int
    query: int
    pair: int
    grade: int | None
    mark: Mark | None
    note: str
    restates: bool


class Past(NamedTuple):
    """What an assessor said last of a pair."""

    event: int
    query: int
    pair: int
    qid: str
    docid: str
    title: str
    grade: int | None
    mark: Mark | None
    note: str
    at: str


class QueryProgress(NamedTuple):
    """How far an assessor, or (of all of them) a project, is with the judging of one query.

    ``later`` and ``cannot`` count marks on pairs that are not judged. ``labelled`` counts the pairs
    that anybody has judged, ``unseen`` the open ones that nobody has.
    """

    query: int
    qid: str
    pooled: int
    judged: int
    later: int
    cannot: int
    labelled: int = 0
    unseen: int = 0

    @property
    def open(self) -> int:
        """Pairs that are neither judged nor marked."""
        return self.pooled - self.judged - self.later - self.cannot
