"""List the strings of one evaluation with their classes, and what is suggested for those in none."""

from collections.abc import Sequence
from dataclasses import dataclass

from annotation_app.equivalence.categories import categories_of, category_named
from annotation_app.equivalence.services import content_of
from annotation_app.equivalence.strings import Found, Reader, hidden_items, strings_read, strings_reveal
from annotation_app.equivalence.suggestions import pairs_by_words
from annotation_app.equivalence.vectors import NONE, READY, Suggestions, vectors_suggestions
from annotation_app.models import EquivalenceEvaluation, Membership


@dataclass(frozen=True)
class ListedString:
    text: str
    n: int
    class_key: str | None


@dataclass(frozen=True)
class Listed:
    strings: Sequence[ListedString]
    unused: Sequence[ListedString]
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
    strings = [ListedString(text, n, of.class_of.get(text)) for text, n in of.found.strings.items()]
    unused = [ListedString(text, 0, key) for text, key in of.class_of.items() if text not in of.found.strings]
    return Listed(
        strings=sorted(strings, key=lambda each: (-each.n, each.text)),
        unused=sorted(unused, key=lambda each: each.text),
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
