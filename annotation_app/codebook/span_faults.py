"""Say what is wrong with one span, whoever sent it: an annotator, a validator, or an imported file. Pure: no I/O."""

from collections.abc import Iterator
from typing import Literal

from annotation_app.codebook.spans import SpanCategory, SpanLayer
from annotation_app.codebook.texts import quoted


def range_fault(text: str, start: int, end: int) -> str | None:
    if 0 <= start < end <= len(text):
        return None
    return f"{start} to {end} is no range of a text of {len(text):,} characters (code points, end exclusive)."


def quote_fault(text: str, start: int, end: int, quote: str) -> str | None:
    if quote == text[start:end]:
        return None
    message = f"The text at {start} to {end} is {quoted(text[start:end])}, not {quoted(quote)}."
    return f"{message} Offsets count Unicode code points."


def unknown_category(layer: SpanLayer, words: str, category: str) -> str:
    return f"{quoted(words)} has the unknown category {quoted(category)}. Categories here: {', '.join(layer.keys)}."


def named(category: SpanCategory, words: str) -> str:
    return f"{category.name} {quoted(words)}"


def refused_fields(
    category: SpanCategory, words: str, comment: str, *, has_source: bool
) -> Iterator[tuple[Literal["comment", "source"], str]]:
    """Yield the fields that the category does not take, with their faults."""
    if category.comment == "none" and comment:
        yield "comment", f"{named(category, words)} takes no comment."
    if not category.refers and has_source:
        yield "source", f"{named(category, words)} may link to no source document."
