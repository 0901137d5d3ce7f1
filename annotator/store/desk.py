"""One assessor's place at the pool: what waits for them, and what they say of it."""

from __future__ import annotations

from typing import Any

from annotator.pooling.presentation import presentation_key
from annotator.records import (
    AssessorKind,
    Card,
    Document,
    Mark,
    Query,
    QueryProgress,
)
from annotator.store.judgments import Entry, Said
from annotator.store.project import Project


class Desk:
    """The pool as one assessor sees it; everything they say is committed at once."""

    def __init__(self, project: Project, assessor: str) -> None:
        self.project = project
        self.assessor = assessor
        self._number = project.judgments.assessor(assessor, AssessorKind.HUMAN)
        self._version = project.rubrics.active().id
        self._counted = ",".join(map(str, sorted(project.rubrics.counted())))
        self._seed = project.pool.seed()
        self._queries = project.queries.all()

    def query(self, query: int) -> Query:
        """One query with its texts."""
        return self._queries[query]

    def document(self, card: Card) -> Document:
        """The document of a card, with its text."""
        return self.project.documents.get(card.document)

    def progress(self) -> list[QueryProgress]:
        """The progress of every pooled query, in the project's order."""
        rows = self.project.file.tuples(
            "WITH label AS (SELECT DISTINCT pair_id FROM assessor_state"  # noqa: S608 -- numbers only
            f" WHERE grade IS NOT NULL AND rubric_version_id IN ({self._counted})),"
            " mine AS (SELECT pair_id, mark FROM assessor_state"
            " WHERE assessor_id = ? AND mark IS NOT NULL)"
            " SELECT query_id, count(*), count(label.pair_id),"
            " coalesce(sum(mark = 'later' AND label.pair_id IS NULL), 0),"
            " coalesce(sum(mark = 'cannot' AND label.pair_id IS NULL), 0)"
            " FROM pool_entry JOIN pair ON pair.id = pool_entry.pair_id"
            " LEFT JOIN label ON label.pair_id = pair.id LEFT JOIN mine ON mine.pair_id = pair.id"
            " GROUP BY query_id ORDER BY query_id",
            (self._number,),
        )
        self._queries = self.project.queries.all()
        return [QueryProgress(row[0], self._queries[row[0]].qid, *row[1:]) for row in rows]

    def cards(self, query: int) -> list[Card]:
        """The pooled pairs of one query, in the order of presentation."""
        labels, mine = self._states(query)
        rows = self.project.file.tuples(
            "SELECT pair.id, document_id, docid FROM pool_entry"
            " JOIN pair ON pair.id = pool_entry.pair_id"
            " JOIN document ON document.id = document_id WHERE query_id = ?",
            (query,),
        )
        cards = []
        for pair, document, docid in rows:
            mark, note = mine.get(pair, (None, ""))
            cards.append(Card(pair, query, document, docid, labels.get(pair), mark, note))
        qid = self._queries[query].qid
        return sorted(cards, key=lambda card: presentation_key(self._seed, qid, card.docid))

    def _states(self, query: int) -> tuple[dict[int, int], dict[int, tuple[Mark | None, str]]]:
        """The labels of a query's pairs, and what this assessor last said of each."""
        rows: list[tuple[Any, ...]] = self.project.file.tuples(
            "SELECT pair_id, assessor_id, max(id), coalesce(restates, id) AS given, grade, mark,"  # noqa: S608 -- numbers only
            f" note, rubric_version_id IN ({self._counted}) FROM judgment"
            " WHERE pair_id IN (SELECT id FROM pair WHERE query_id = ?)"
            " GROUP BY pair_id, assessor_id ORDER BY given",
            (query,),
        )
        labels, mine = {}, {}
        for pair, assessor, _, _, grade, mark, note, counts in rows:
            if grade is not None and counts:
                labels[pair] = grade
            if assessor == self._number:
                mine[pair] = (Mark(mark) if mark else None, note)
        return labels, mine

    def say(
        self,
        pair: int,
        *,
        grade: int | None = None,
        mark: Mark | None = None,
        note: str = "",
        seconds: float | None = None,
        position: int | None = None,
        blind: bool = True,
    ) -> int:
        """Store what the assessor says of a pair, durably, before returning; the entry's number."""
        return self.project.judgments.add(
            Entry(
                pair=pair,
                assessor=self._number,
                rubric_version=self._version,
                grade=grade,
                mark=mark,
                note=note,
                at=self.project.now(),
                seconds=seconds,
                position=position,
                blind=blind,
            )
        )

    def note(self, pair: int, text: str, *, position: int | None = None) -> int:
        """Store a note beside the grade or mark that holds, which keeps its age."""
        judgments = self.project.judgments
        with self.project.file.writing():
            entry = self._repeating(pair, judgments.said(self._number, pair))
            return judgments.add(entry._replace(note=text, position=position))

    def undo(self) -> tuple[int, int, int] | None:
        """Take back the assessor's last entry by a new one; its number, the query and pair."""
        judgments = self.project.judgments
        with self.project.file.writing():
            last = judgments.undoable(self._number)
            if last is None:
                return None
            entry = self._repeating(last.pair, last.before)
            event = judgments.add(entry._replace(undoes=last.event))
        query = self.project.file.tuples("SELECT query_id FROM pair WHERE id = ?", (last.pair,))
        return event, int(query[0][0]), last.pair

    def _repeating(self, pair: int, said: Said | None) -> Entry:
        """An entry that says again what was said, if anything."""
        blank = Entry(pair, self._number, self._version, None, None, "", self.project.now())
        if said is None:
            return blank
        given, version, grade, mark, note = said
        return blank._replace(
            rubric_version=version, grade=grade, mark=mark, note=note, restates=given
        )

    def stopped_at(self) -> tuple[int, int] | None:
        """The query and pair of the assessor's last entry."""
        return self.project.judgments.last_of(self._number)

    def last_event(self) -> int:
        """The number of the newest entry by anyone."""
        return self.project.judgments.last_event()

    def seconds(self) -> list[float]:
        """How long each of this assessor's latest 200 judgments took."""
        return [float(one) for one in self.project.judgments.seconds(self._number)]
