"""Search items for words as people type them into a search box.

Every word is looked for as a part of the text or of the item's id, in any case and in any language, since nothing is
stemmed. Words in quotation marks stand together, and a word after a minus must not occur.
"""

import re
from typing import NamedTuple

from django.db.models import Q

from annotation_app.refusals import Invalid

MOST_TERMS = 20
MARKS = '"“”„»«'
# A phrase in any of the usual quotation marks, or a word; a minus before either leaves it out.
TERM = re.compile(rf"(?P<minus>-?)(?:[{MARKS}](?P<phrase>[^{MARKS}]+)[{MARKS}]|(?P<word>\S+))")


class Term(NamedTuple):
    """Hold what must occur, or must not where it is `excluded`."""

    words: str
    excluded: bool


def terms_of(query: str) -> list[Term]:
    """Return the words and phrases of a query in their order. A minus that stands alone is a word. Raises Invalid."""
    found = []
    for match in TERM.finditer(query):
        words = (match["phrase"] or match["word"]).strip(MARKS + " ")
        if words:
            found.append(Term(words, bool(match["minus"])))
    if len(found) > MOST_TERMS:
        raise Invalid({"q": [f"These are {len(found)} words and phrases: search for {MOST_TERMS} at most."]})
    return found


def search_condition(query: str, item: str = "") -> Q:
    """Return the condition that an item holds every term of the query, and none that it excludes.

    `item` is the path from the queryset's rows to the item, such as `batch_item__item__`. Trigrams of the text and of
    the id are indexed in capitals, which is how Django compares without regard to case.
    """
    condition = Q()
    for words, excluded in terms_of(query):
        held = Q(**{f"{item}text__icontains": words}) | Q(**{f"{item}external_id__icontains": words})
        condition &= ~held if excluded else held
    return condition
