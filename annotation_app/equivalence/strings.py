"""Read the strings of settled spans: how often each occurs, and where."""

from collections import Counter
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from al_worker.equivalence.evaluations import tested_part
from annotation_app.aggregation.planner import planned
from annotation_app.assignment.blinding import reveal_answers
from annotation_app.equivalence.statements import equivalence_statement
from annotation_app.models import Capability, Membership, Project

# Code points of an item before and after a place.
AROUND = 200
PLACES_A_PAGE = 50


@dataclass(frozen=True)
class Reader:
    """Say for whom spans are read; None is nobody in particular, who sees all."""

    project: Project
    member: Membership | None = None

    @property
    def sees_open(self) -> bool:
        """Tell whether they see spans of items whose answers can still change."""
        return self.member is None or any(map(self.member.may, (Capability.MANAGE, Capability.RESOLVE)))

    def parameters(self) -> dict[str, Any]:
        return {"project": self.project.pk, "reader": self.member and self.member.pk, "sees_open": self.sees_open}


@dataclass(frozen=True)
class Marked:
    """Hold a span's words and comment, None for none, and how many settled spans have them."""

    words: str
    comment: str | None
    n: int


@dataclass(frozen=True)
class Found:
    """Hold the strings of one category and part with their numbers of spans. `n_without` spans lack the part."""

    strings: Counter[str]
    n_spans: int
    n_without: int


@dataclass(frozen=True)
class Strings:
    """Hold what settled spans say by category, as far as the reader may see it."""

    marked: dict[str, list[Marked]]

    def n_spans(self, category: str) -> int:
        return sum(each.n for each in self.marked.get(category, ()))

    def has_comment(self, category: str) -> bool:
        return any(each.comment is not None for each in self.marked.get(category, ()))

    def of(self, category: str | None, part: str) -> Found:
        strings: Counter[str] = Counter()
        without = 0
        for each in self.marked.get(category or "", ()):
            text = tested_part(part, each.words, each.comment)
            if text:
                strings[text] += each.n
            else:
                without += each.n
        return Found(strings, strings.total() + without, without)


@dataclass(frozen=True)
class Place:
    """Hold a span with what stands around it. `batch` is its round's number."""

    item: UUID
    item_id: str
    before: str
    words: str
    comment: str
    after: str
    batch: int


@dataclass(frozen=True)
class PlacesPage:
    places: list[Place]
    n: int
    page: int
    n_pages: int


def strings_read(reader: Reader) -> Strings:
    """Read the strings of all categories, in one query."""
    marked: dict[str, list[Marked]] = {}
    for category, words, comment, n in _rows("strings", reader):
        marked.setdefault(category, []).append(Marked(words, comment or None, n))
    return Strings(marked)


def strings_reveal(member: Membership, subject: object) -> None:
    """Record that a reader is shown the spans of items that are theirs too. Call it before any response with strings.

    Their own answers cannot change now; where a cancelled round opens the batch again, they are locked by this.
    """
    own = [pk for (pk,) in _rows("own_items", Reader(member.project, member))]
    if own:
        reveal_answers(reader=member, batch_items=own, subject=subject, lock_own=False)


def hidden_items(reader: Reader) -> list[str]:
    """Return the external ids of the settled items that the reader may not see."""
    return [name for (name,) in _rows("hidden_items", reader)]


def places_page(reader: Reader, category: str, part: str, text: str, page: int) -> PlacesPage:
    """Return a page of the settled spans of a category whose part is `text`, by round, item and place."""
    text = text.strip()
    found = [
        Place(item, name, before, words, comment, after, batch)
        for name, item, before, words, comment, after, batch in _rows(
            "places", reader, category=category, text=text, around=AROUND
        )
        if tested_part(part, words, comment or None) == text
    ]
    start = (page - 1) * PLACES_A_PAGE
    shown = found[start : start + PLACES_A_PAGE]
    return PlacesPage(shown, len(found), page, max(1, -(-len(found) // PLACES_A_PAGE)))


def _rows(output: str, reader: Reader, **values: Any) -> list[tuple[Any, ...]]:
    with planned() as cursor:
        cursor.execute(equivalence_statement(output), {**reader.parameters(), **values})
        return list(cursor.fetchall())
