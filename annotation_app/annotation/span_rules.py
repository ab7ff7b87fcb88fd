"""Check spans, of annotators and validators alike. Pure: no I/O.

Offsets are Unicode code points of the item's text, half-open. Any two spans may overlap, nest, cross or cover the
same range.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from annotation_app.codebook.span_faults import named, quote_fault, range_fault, refused_fields, unknown_category
from annotation_app.codebook.spans import COMMENT_LENGTH, MOST_SPANS, SpanCategory, SpanLayer
from annotation_app.codebook.texts import comment_kept, quoted, shown, words_fault

FIELDS = ("start", "end", "quote", "category", "comment", "source")


@dataclass(frozen=True, slots=True)
class SpanText:
    """Hold a checked span: text[start:end] is `quote`. An empty comment is none; `source` is a source's UUID."""

    start: int
    end: int
    quote: str
    category: str
    comment: str = ""
    source: UUID | None = None

    @property
    def order(self) -> tuple[int, int, str, str, str]:
        """Return the sort key of text order, which gives `place`."""
        return self.start, self.end, self.category, self.comment, str(self.source or "")


@dataclass(frozen=True, slots=True)
class SpanFault:
    """Name one fault. `path` is the sent span and field, such as `spans[3].comment`, or `spans` for the whole."""

    kind: str
    path: str
    message: str


def spans_read(
    layer: SpanLayer, text: str, sent: Sequence[Any], sources: Collection[UUID]
) -> tuple[list[SpanText], list[SpanFault]]:
    """Return the spans in text order, and every fault. With a fault the spans must not be stored.

    `sent` is decoded JSON; `sources` are the UUIDs of the item's source documents.
    """
    if len(sent) > MOST_SPANS:
        return [], [SpanFault("shape", "spans", f"{len(sent):,} spans; at most {MOST_SPANS:,} are kept.")]
    faults: list[SpanFault] = []
    read: list[tuple[int, SpanText]] = []
    for place, value in enumerate(sent):
        span = _read(layer, text, value, f"spans[{place}]", faults)
        if span is not None:
            read.append((place, span))
            faults += _about_one(layer.by_key[span.category], span, sources, f"spans[{place}]")
    faults += _repeats(layer, read)
    if len(read) == len(sent):
        faults += _occurrence(layer, read)
    return sorted((span for _, span in read), key=lambda span: span.order), faults


def _read(layer: SpanLayer, text: str, value: Any, path: str, faults: list[SpanFault]) -> SpanText | None:
    """Return the span, or None after adding the faults of its shape to `faults`."""
    shape = _shape(value, path)
    if shape:
        faults += shape
        return None
    start, end = value["start"], value["end"]
    if wrong := range_fault(text, start, end):
        faults.append(SpanFault("range", path, wrong))
        return None
    words = text[start:end]
    comment, source = comment_kept(value.get("comment")), _uuid(value.get("source"))
    found = []
    if wrong := quote_fault(text, start, end, value["quote"]):
        found.append(SpanFault("quote", f"{path}.quote", wrong))
    if value["category"] not in layer.by_key:
        found.append(SpanFault("category", f"{path}.category", unknown_category(layer, words, value["category"])))
    found += _comment_text(words, comment, path)
    if value.get("source") is not None and source is None:
        message = f"The source of {quoted(words)} must be the id of one of the item's source documents."
        found.append(SpanFault("source_unknown", f"{path}.source", message))
    faults += found
    return None if found else SpanText(start, end, words, value["category"], comment, source)


def _shape(value: Any, path: str) -> list[SpanFault]:
    if not isinstance(value, Mapping):
        return [SpanFault("shape", path, "Must be an object with start, end, quote and category.")]
    faults = [
        SpanFault("shape", f"{path}.{shown(field)}", f"Unknown field; allowed here: {', '.join(FIELDS)}.")
        for field in value
        if field not in FIELDS
    ]
    for field, kind in (("start", int), ("end", int), ("quote", str), ("category", str)):
        if type(value.get(field)) is not kind:
            needed = "a whole number" if kind is int else "a text"
            faults.append(SpanFault("shape", f"{path}.{field}", f"Must be {needed}."))
    for field in ("comment", "source"):
        if value.get(field) is not None and not isinstance(value[field], str):
            faults.append(SpanFault("shape", f"{path}.{field}", "Must be a text or null."))
    return faults


def _comment_text(words: str, comment: str, path: str) -> list[SpanFault]:
    wrong = words_fault(comment, COMMENT_LENGTH)
    if wrong is None:
        return []
    message = f"The comment of {quoted(words)}: {wrong[0].lower()}{wrong[1:]}"
    return [SpanFault("comment_text", f"{path}.comment", message)]


def _uuid(value: Any) -> UUID | None:
    try:
        return UUID(value) if value is not None else None
    except ValueError:
        return None


def _about_one(category: SpanCategory, span: SpanText, sources: Collection[UUID], path: str) -> Iterator[SpanFault]:
    words = named(category, span.quote)
    if category.comment == "required" and not span.comment:
        yield SpanFault("comment_missing", f"{path}.comment", f"{words} needs a comment.")
    refused = refused_fields(category, span.quote, span.comment, has_source=span.source is not None)
    yield from (SpanFault(f"{field}_refused", f"{path}.{field}", message) for field, message in refused)
    if span.source is None:
        if category.refers and sources:
            yield SpanFault("source_missing", f"{path}.source", f"Say which source document {words} means.")
    elif category.refers and span.source not in sources:
        yield SpanFault("source_unknown", f"{path}.source", f"{words} links to none of the item's source documents.")


def _repeats(layer: SpanLayer, read: Sequence[tuple[int, SpanText]]) -> Iterator[SpanFault]:
    seen: set[SpanText] = set()
    for place, span in read:
        if span in seen:
            message = f"{named(layer.by_key[span.category], span.quote)} is marked twice: leave one out."
            yield SpanFault("twice", f"spans[{place}]", message)
        seen.add(span)


def _occurrence(layer: SpanLayer, read: Sequence[tuple[int, SpanText]]) -> Iterator[SpanFault]:
    """Check how often each category occurs in each of its scopes, and report spans outside all of them."""
    by_category: dict[str, list[tuple[int, SpanText]]] = {key: [] for key in layer.keys}
    for place, span in sorted(read, key=lambda one: (one[1].start, one[1].end)):
        by_category[span.category].append((place, span))
    for category in layer.categories:
        spans = by_category[category.key]
        if category.within is None:
            yield from _counted(category, len(spans), "spans", "The text")
            continue
        yield from _scoped(layer.by_key[category.within], category, by_category[category.within], spans)


def _scoped(
    scope: SpanCategory,
    category: SpanCategory,
    scopes: Sequence[tuple[int, SpanText]],
    spans: Sequence[tuple[int, SpanText]],
) -> Iterator[SpanFault]:
    """Check one category within its scopes. `scopes` and `spans` are in text order.

    Each scope therefore looks only at spans that begin inside it. Of scopes over the same range only the first counts.
    """
    starts = [span.start for _, span in spans]
    covered: set[int] = set()
    ranges: set[tuple[int, int]] = set()
    for place, outer in scopes:
        if (outer.start, outer.end) in ranges:
            continue
        ranges.add((outer.start, outer.end))
        begun = spans[bisect_left(starts, outer.start) : bisect_right(starts, outer.end)]
        inside = [at for at, span in begun if span.end <= outer.end]
        covered.update(inside)
        yield from _counted(category, len(inside), f"spans[{place}]", named(scope, outer.quote))
    for place, span in spans:
        if place not in covered:
            message = f"{named(category, span.quote)} lies in no {scope.name}: it must be inside one."
            yield SpanFault("outside", f"spans[{place}]", message)


def _counted(category: SpanCategory, count: int, path: str, where: str) -> Iterator[SpanFault]:
    if count < category.at_least:
        message = f"{where} has {_spans(count)} of {category.name}; at least {category.at_least} must be."
        if category.at_least == 1:
            message = f"{where} has no {category.name} yet."
        yield SpanFault("missing", path, message)
    if category.at_most is not None and count > category.at_most:
        message = f"{where} has {_spans(count)} of {category.name}; at most {category.at_most} may be."
        yield SpanFault("too_many", path, message)


def _spans(count: int) -> str:
    return {0: "no span", 1: "1 span"}.get(count, f"{count} spans")


def errors_by_path(faults: Sequence[SpanFault]) -> dict[str, list[str]]:
    errors: dict[str, list[str]] = {}
    for fault in faults:
        errors.setdefault(fault.path, []).append(fault.message)
    return errors
