"""Decides which columns or keys hold what. What may be two things is refused, not guessed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain

from annotator.formats.fields import COUNTS, RATER, Path, is_id, is_known, order_of, plain, standing
from annotator.formats.reader import Kind
from annotator.formats.tables.samples import Sample

FIELDS: Mapping[Kind, tuple[str, ...]] = {
    Kind.QUERIES: ("query", "text", "description", "narrative"),
    Kind.DOCUMENTS: ("docid", "title", "text", "url", "texts", "docids"),
    Kind.RUN: ("query", "docid", "rank", "score", "docids", "texts"),
    Kind.QRELS: (
        *("query", "docid", "grade", "assessor", "at", "seconds", "state"),
        *("relevant", "goldtexts"),
    ),
}
NOT_GUESSED = {"query", "docid", "grade"}
LISTS = ("docids", "relevant", "texts", "goldtexts")
ID_LENGTH = 64
JOINED = "_"
ID_FIELDS = {kind: "query" if kind is Kind.QUERIES else "docid" for kind in FIELDS}


@dataclass(frozen=True, eq=False)
class Columns:
    """Where each field stands; the values of several columns of one field are joined.

    ``others`` are keys that hold a field in objects that lack its first one. ``raters`` are columns
    of grades with whose they are. ``doubts`` are fields that more than one column may hold,
    ``unused`` what is not read.
    """

    kind: Kind
    places: Mapping[str, tuple[Path, ...]]
    others: Mapping[str, Sequence[Path]] = field(default_factory=dict)
    raters: Mapping[Path, str] = field(default_factory=dict)
    doubts: Mapping[str, Sequence[Path]] = field(default_factory=dict)
    unused: Sequence[Path] = ()
    is_table: bool = True

    def has(self, *fields: str) -> bool:
        """Whether one of these is there."""
        return any(name in self.places for name in fields)

    @property
    def missing(self) -> list[str]:
        """The fields without which such a file cannot be read."""
        listed = self.has(*LISTS)
        needed = {
            Kind.QUERIES: ["query"],
            Kind.DOCUMENTS: [] if self.has("texts") else ["docid", "text"],
            Kind.RUN: ["query"] if listed else ["query", "docid", "rank"],
            Kind.QRELS: ["query"] if listed else ["query", "docid", "grade"],
        }[self.kind]
        instead = {"text": ["title"], "rank": ["score"], "grade": ["raters"]}
        here = {*self.places, *(["raters"] if self.raters else [])}
        if any(path[:-1] for path in self.places.get("docid", ())):
            here.add("rank")  # the places of a list
        return [name for name in needed if not here & {name, *instead.get(name, [])}]

    def said(self) -> str:
        """What was taken for what, as ``--columns`` takes it."""
        return ", ".join(f"{name}={shown(paths)}" for name, paths in self.places.items()) + "".join(
            f", grade={dotted(path)}" for path in self.raters
        )

    @cached_property
    def names(self) -> Mapping[str, str]:
        """What the file calls each field."""
        return {name: shown(paths) for name, paths in self.places.items()}

    def plain_names(self) -> dict[str, str]:
        """The name of each field's column; none at all where a field is more than one of them."""
        places = self.places.values()
        if any(self.others.values()) or self.raters or any(len(one) > 1 for one in places):
            return {}
        return {field: path[0] for field, (path,) in self.places.items() if len(path) == 1}

    def paths(self) -> set[Path]:
        """All that is read."""
        every = (*self.places.values(), *self.others.values(), self.raters)
        return {path for paths in every for path in paths}


def dotted(path: Path) -> str:
    """A path as a person writes it."""
    return ".".join(path)


def shown(paths: Iterable[Path]) -> str:
    """The columns of one field as a person writes them."""
    return "+".join(map(dotted, paths))


def decided(kind: Kind, sample: Sample, named: Mapping[str, Sequence[Path]]) -> Columns:
    """Decide by the names and the first values; ``named`` is what a person says.

    A person may name several columns of grades (one for each rater), or several whose values
    together are an id.
    """
    choice = _Choice(kind, sample, named)
    return choice.columns()


class _Choice:
    """The columns of one kind of file, on the way to being decided."""

    def __init__(self, kind: Kind, sample: Sample, named: Mapping[str, Sequence[Path]]) -> None:
        self.kind, self.sample, self.named = kind, sample, named
        self.places: dict[str, tuple[Path, ...]] = {}
        self.doubts: dict[str, Sequence[Path]] = {}

    def columns(self) -> Columns:
        for name, paths in self.named.items():
            self.places[self._listed(name, paths)] = tuple(paths)
        raters = self._raters()
        {
            Kind.QUERIES: self._queries,
            Kind.DOCUMENTS: self._documents,
            Kind.RUN: self._run,
            Kind.QRELS: self._qrels,
        }[self.kind]()
        if raters:
            self.places.pop("grade", None)
        places = {name: self.places[name] for name in FIELDS[self.kind] if name in self.places}
        self._doubt_twins(places)
        others = self._others(places)
        made = Columns(self.kind, places, others, raters, self.doubts, (), self.sample.is_table)
        unused = [path for path in self.sample.paths if path not in made.paths()]
        return replace(made, unused=unused)

    def _listed(self, name: str, paths: Sequence[Path]) -> str:
        """The field that a person means: where a list is called the document, a list of them."""
        if name != "docid" or not set(paths) <= self.sample.lists:
            return name
        return "relevant" if self.kind is Kind.QRELS else "docids"

    def _doubt_twins(self, places: Mapping[str, tuple[Path, ...]]) -> None:
        """A heading that is there twice may be either column, if they differ."""
        for name, (first, *_) in places.items():
            twin = re.compile(re.escape(first[0]) + r"\.[0-9]+")
            same = [path for path in self.sample.paths if twin.fullmatch(path[0])]
            unsaid = self.sample.is_table and name not in self.named
            if unsaid and same and not self.sample.are_equal([first, *same]):
                self.doubts.setdefault(name, [first, *same])

    def _others(self, places: Mapping[str, tuple[Path, ...]]) -> dict[str, list[Path]]:
        """Further keys of a field, beside its first one, that no other field has."""
        if self.sample.is_table:
            return {}
        taken = {path for paths in places.values() for path in paths}
        found = {}
        for name, (first, *_) in places.items():
            if name not in self.named:
                found[name] = sorted(
                    (
                        path
                        for path in self.sample.paths
                        if path[:-1] == first[:-1]
                        and path not in taken
                        and self._is_also(name, path)
                    ),
                    key=lambda path: order_of(name, path),
                )
                taken.update(found[name])
        return found

    def _is_also(self, name: str, path: Path) -> bool:
        if name != "grade" and (path in self.sample.lists) is not (name in LISTS):
            return False
        if self.kind is Kind.QUERIES and name == "text":
            return any(standing(one, path) for one in ("query", "text", "title"))
        stands = standing("qid" if name == "query" else name, path)
        if name == "grade":
            return stands is not None and stands[0] == 0
        return stands is not None or (name == ID_FIELDS[self.kind] and is_id(path))

    def _best(self, name: str, under: Path = ()) -> list[Path]:
        """The paths that fit a field best, the surest name first; lists only where one is meant."""
        lists = self.sample.lists
        fits: dict[tuple[int, int], list[Path]] = {}
        for path in self.sample.paths:
            if path[: len(under)] != under:
                continue
            fits_list = name in self._in_lists or (path in lists) is (name in LISTS)
            if fits_list and (stands := standing(name, path)):
                fits.setdefault(stands, []).append(path)
        best = fits[min(fits)] if fits else []
        return sorted(best, key=lambda path: order_of(name, path))

    @property
    def _in_lists(self) -> tuple[str, ...]:
        """The fields whose value may be in a list: one grade, or the lines of a text."""
        return ("title", "text", "url") if self.kind is Kind.DOCUMENTS else ("grade",)

    def _take(self, name: str, found: Sequence[Path]) -> bool:
        """Let a field be what was found for it, unless a person says what it is."""
        if name in self.places or not found:
            return name in self.places
        self.places[name] = (found[0],)
        if len(found) > 1 and name in NOT_GUESSED and not self.sample.are_equal(found):
            self.doubts[name] = found
        return True

    def _plain(self, name: str) -> list[Path]:
        """The paths that are called just so."""
        return [path for path in self._best(name) if plain(path[-1]) == name]

    def _ids(self, *, inside: bool) -> list[Path]:
        return [
            path
            for path in self.sample.paths
            if is_id(path) and path not in self.sample.lists and (len(path) > 1) is inside
        ]

    def _queries(self) -> None:
        of_document = bool(self._best("docid") or self._ids(inside=True))
        self._take("query", [*self._best("qid"), *([] if of_document else self._ids(inside=False))])
        loose = [] if of_document else self._plain("text") or self._plain("title")
        taken = set(self.places.get("query", ()))
        self._take("text", [path for path in self._best("query") or loose if path not in taken])
        if "text" in self.places and "query" not in self.places:
            self._take("query", self.places["text"])
            self._doubt_the_text()
        self._take("description", self._best("description"))
        self._take("narrative", self._best("narrative"))

    def _query(self) -> None:
        """The id of the query, or else its text."""
        if self._take("query", self._best("qid")):
            return
        if any(name in self.places for name in LISTS) and self._take(
            "query", self._ids(inside=False)
        ):
            return
        if self._take("query", self._best("query")):
            self._doubt_the_text()

    def _documents(self) -> None:
        if self.kind is Kind.DOCUMENTS and self._take("texts", self._best("texts")):
            self._take("docids", self._best("docids"))
            return
        inside = self._ids(inside=True)
        self._take("docid", inside or [*self._best("docid"), *self._ids(inside=False)])
        under = self.places.get("docid", ((),))[0][:-1]
        for name in ("title", "text", "url"):
            taken = self.places.get("docid")
            beside = self._best(name, under)
            self._take(name, [path for path in beside if (path,) != taken])

    def _run(self) -> None:
        self._take("docid", self._best("docid"))
        if "docid" not in self.places:
            ids = self._ids(inside=True)
            texts = self._best("texts")
            are_texts = any(map(self._holds_blanks, texts))
            listed = [] if ids else self._best("docids") or ([] if are_texts else texts)
            taken = self._take("docids", listed)
            taken = (are_texts and self._take("texts", texts)) or taken
            if not taken:
                self._query()
                self._take("docid", ids or self._ids(inside=False))
        self._query()
        if "docid" in self.places:
            self._take("rank", self._best("rank"))
            self._take("score", self._best("score"))

    def _qrels(self) -> None:
        self._take("docid", self._best("docid"))
        if "docid" not in self.places:
            taken = self._take("relevant", self._best("relevant"))
            taken = taken or self._take("goldtexts", self._best("goldtexts"))
            if not taken:
                self._query()
                self._take("docid", self._ids(inside=True) or self._ids(inside=False))
        self._query()
        if "docid" in self.places:
            self._take("grade", self._best("grade"))
            beside = self.places.get("grade", ((),))[0][:-1]  # of two questions not the other's
            for name in ("assessor", "state"):
                self._take(name, self._best(name, beside) or self._best(name))
            under = self.places.get("assessor", ((),))[0][:-1]
            for name in ("at", "seconds"):
                self._take(name, self._best(name, under) or self._best(name))

    def _holds_blanks(self, path: Path) -> bool:
        """Whether a list is one of texts rather than of ids."""
        lists = (value for value in self.sample.values(path) if isinstance(value, list))
        return any(isinstance(one, str) and " " in one.strip() for one in chain(*lists))

    def _raters(self) -> dict[Path, str]:
        """Columns of grades with whose each is."""
        named = self.named.get("grade", ())
        if self.kind is not Kind.QRELS or not (self.sample.is_table or len(named) > 1):
            return {}
        raters = {
            path: rater[1]
            for path in self.sample.paths
            if standing("grade", path) is None and (rater := RATER.fullmatch(path[0]))
        }
        if len(named) > 1:
            return {path: raters.get(path, dotted(path)) for path in named}
        if named or not raters:
            return {}
        if sure := [path for path in self._best("grade") if standing("grade", path) == (0, 1)]:
            self.doubts["grade"] = [*sure, *raters]
        return raters

    def _doubt_the_text(self) -> None:
        """A text is the id only where nothing else may be one."""
        if "query" in self.named:
            return
        text = self.places["query"][0]
        ids = [path for path in self.sample.paths if self._may_be_id(path, text)]
        if ids:
            self.doubts["query"] = [text, *ids]

    def _may_be_id(self, path: Path, text: Path) -> bool:
        if is_known(path) or path[-1].lower() in COUNTS or path in self.sample.lists:
            return False
        pairs = {(str(row.get(text)), row.get(path)) for row in self.sample.rows(text, path)}
        values = [value for _, value in pairs]
        if not pairs or not all(map(_is_short, values)):
            return False
        one_to_one = len(pairs) == len({one for one, _ in pairs}) == len(set(map(str, values)))
        return one_to_one and (len(pairs) > 1 or len(self.sample.records) == 1)


def _is_short(value: object) -> bool:
    if isinstance(value, int) and not isinstance(value, bool):
        return True
    return isinstance(value, str) and 0 < len(value) <= ID_LENGTH and len(value.split()) == 1
