"""List the strings of one evaluation with their classes, and what is suggested for those in none."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from annotation_app.equivalence.categories import categories_of, category_named
from annotation_app.equivalence.services import content_of
from annotation_app.equivalence.strings import Found, Reader, hidden_items, strings_read, strings_reveal
from annotation_app.equivalence.suggestions import pairs_by_words
from annotation_app.equivalence.vectors import NONE, READY, Suggestions, vectors_suggestions
from annotation_app.models import EquivalenceEvaluation, Membership


@dataclass(frozen=True)
class Listed:
    """Hold strings with their numbers of spans and their classes, and members that no span has, with theirs."""

    strings: Sequence[dict[str, Any]]
    unused: Sequence[tuple[str, str]]
    n_spans: int
    n_without_part: int
    hidden_items: int


@dataclass(frozen=True)
class _Of:
    """Hold an evaluation's strings, and the class of each of its members. `category` is the key, if there is one."""

    category: str | None
    part: str
    found: Found
    class_of: dict[str, str]


def strings_listed(row: EquivalenceEvaluation, member: Membership) -> Listed:
    """Return the strings that the reader may see, the most frequent first."""
    of = _of(row, member)
    ordered = sorted(of.found.strings.items(), key=lambda each: (-each[1], each[0]))
    return Listed(
        strings=[{"text": text, "n": n, "class_key": of.class_of.get(text)} for text, n in ordered],
        unused=sorted(each for each in of.class_of.items() if each[0] not in of.found.strings),
        n_spans=of.found.n_spans,
        n_without_part=of.found.n_without,
        hidden_items=len(hidden_items(Reader(row.project, member))),
    )


def suggestions_by_words(row: EquivalenceEvaluation, member: Membership) -> Suggestions:
    of = _of(row, member)
    return Suggestions(READY, pairs_by_words(of.found.strings, of.class_of))


def suggestions_by_vectors(row: EquivalenceEvaluation, member: Membership) -> Suggestions:
    of = _of(row, member)
    if of.category is None:
        return Suggestions(NONE, [])
    return vectors_suggestions(row.project, of.category, of.part, of.found.strings, of.class_of)


def _of(row: EquivalenceEvaluation, member: Membership) -> _Of:
    strings_reveal(member, row.uuid)
    content = content_of(row)
    category = category_named(content.annotation, categories_of(row.project))
    key = category.key if category else None
    found = strings_read(Reader(row.project, member)).of(key, content.part)
    class_of = {text.strip(): each.key for each in content.classes for text in each.members}
    return _Of(key, content.part, found, class_of)
