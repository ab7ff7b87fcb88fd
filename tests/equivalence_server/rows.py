"""A span project whose settled spans are known: articles about two press releases, validated or not."""

from dataclasses import dataclass

from annotation_app.export.spans.linear_form import ExportedSpan
from annotation_app.models import BatchItem, CodebookVersion
from tests.conftest import People
from tests.export.layers import at
from tests.export.span_rows import add_sources, decide, mark, open_articles, span_codebook

#            0         1         2         3         4
#            0123456789012345678901234567890123456789012
TEXTS = [
    "🎉 It cut rates. Why? It held rates soon.",
    "The board cut rates. It raised rates.",
    "They held rates again.",
    "Nobody looked at this one.",
]
SOURCES = {"press-1": "Rates were cut. Nothing else was.", "press-2": "Minutes of May."}


def sentence(text: str, words: str, act: str, comment: str | None, source: str | None) -> list[ExportedSpan]:
    """A sentence with its act, and a reference on its first word where it is about a source document."""
    start = text.index(words)
    found = [ExportedSpan(start, start + len(words), "std_sentence"), at(text, act, "act", comment)]
    first = start + len(words.split()[0])
    return found + ([ExportedSpan(start, first, "reference", None, source)] if source else [])


SPANS = [
    [
        *sentence(TEXTS[0], "It cut rates.", "cut rates", "Cut rates", "press-1"),
        *sentence(TEXTS[0], "It held rates soon.", "held rates", "Did not cut rates", "press-2"),
        at(TEXTS[0], "soon", "scope"),
    ],
    [
        *sentence(TEXTS[1], "The board cut rates.", "cut rates", "Cut rates", "press-1"),
        *sentence(TEXTS[1], "It raised rates.", "raised rates", None, "press-1"),
    ],
    sentence(TEXTS[2], "They held rates again.", "held rates", "Did not raise rates", None),
    sentence(TEXTS[3], "Nobody looked at this one.", "looked at this", "Looked", None),
]


@dataclass(frozen=True)
class Settled:
    """`places` are the batch's items: the first is accepted, the second edited, the third accepted, the last open."""

    people: People
    codebook: CodebookVersion
    places: list[BatchItem]


def settled_articles(people: People) -> Settled:
    codebook = span_codebook(people.project)
    alice = people.annotators[0]
    places = open_articles(people.project, codebook, TEXTS, [alice])
    for place in places[:2]:
        add_sources(place.item, SOURCES)
    made = [mark(place, alice, spans) for place, spans in zip(places, SPANS, strict=True)]
    decide(places[0], people.admin, "accepted", annotation=made[0])
    decide(places[1], people.admin, "edited", annotation=made[1], spans=SPANS[1])
    decide(places[2], people.admin, "accepted", annotation=made[2])
    return Settled(people, codebook, places)
