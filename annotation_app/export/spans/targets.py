"""Targets: one item's standardized sentences for one source document (Marfurt et al. 2022, 2.3 and 2.4): pure."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from annotation_app.codebook.spans import SpanLayer
from annotation_app.export.spans.marked import MarkedSpan

# Stands between two sentences of a target, whatever stood between them in the item.
JOINT = " "
Range = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Target:
    """`spans` are offsets into `text`, code points; `ranges` say where in the item its parts come from.

    `sentences` counts spans of the target category. `clipped` counts spans of which a part lay outside the sentences.
    """

    source: str | None
    text: str
    spans: tuple[MarkedSpan, ...]
    ranges: tuple[Range, ...]
    sentences: int
    clipped: int


def targets_of(text: str, spans: Sequence[MarkedSpan], layer: SpanLayer, sources: Sequence[str]) -> list[Target]:
    """In the order of the item's `sources`; the one without a source last. None without a target category.

    A sentence belongs to each source that a referring span within it links to. Where no category refers, the only
    source of an item is meant.
    """
    by_source: dict[str | None, list[MarkedSpan]] = {}
    for sentence in spans:
        if sentence.category == layer.target:
            for source in sources_meant(sentence, spans, layer, sources):
                by_source.setdefault(source, []).append(sentence)
    place = {source: number for number, source in enumerate(sources)}
    found = sorted(by_source, key=lambda source: len(place) if source is None else place[source])
    return [target(text, spans, layer, source, by_source[source]) for source in found]


def sources_meant(
    sentence: MarkedSpan, spans: Sequence[MarkedSpan], layer: SpanLayer, sources: Sequence[str]
) -> list[str | None]:
    referring = {category.key for category in layer.categories if category.refers}
    if not referring and len(sources) == 1:
        return [sources[0]]
    within = (span for span in spans if sentence.start <= span.start and span.end <= sentence.end)
    linked = dict.fromkeys(span.source for span in within if span.category in referring and span.source)
    return list(linked) or [None]


def target(
    text: str, spans: Sequence[MarkedSpan], layer: SpanLayer, source: str | None, sentences: Sequence[MarkedSpan]
) -> Target:
    ranges = merged(sentences)
    own = frozenset(sentences)
    kept = [span for span in spans if span.category != layer.target or span in own]
    moved = [(span, shifted) for span in kept if (shifted := moved_into(span, ranges)) is not None]
    return Target(
        source=source,
        text=JOINT.join(text[start:end] for start, end in ranges),
        spans=tuple(shifted for _, shifted in moved),
        ranges=tuple(ranges),
        sentences=len(sentences),
        clipped=sum(not whole(span, ranges) for span, _ in moved),
    )


def merged(sentences: Sequence[MarkedSpan]) -> list[Range]:
    """Their ranges in order; those that overlap are one, so that no word stands twice."""
    ranges: list[Range] = []
    for start, end in sorted((span.start, span.end) for span in sentences):
        if ranges and start < ranges[-1][1]:
            ranges[-1] = ranges[-1][0], max(end, ranges[-1][1])
        else:
            ranges.append((start, end))
    return ranges


def moved_into(span: MarkedSpan, ranges: Sequence[Range]) -> MarkedSpan | None:
    """The span over what the target holds of it, None where that is nothing. One span stays one."""
    held = [
        (at + max(span.start - start, 0), at + min(span.end, end) - start)
        for at, (start, end) in placed(ranges)
        if start < span.end and span.start < end
    ]
    return replace(span, start=held[0][0], end=held[-1][1]) if held else None


def placed(ranges: Sequence[Range]) -> Iterator[tuple[int, Range]]:
    """Each range with its place in the joined text."""
    at = 0
    for start, end in ranges:
        yield at, (start, end)
        at += end - start + len(JOINT)


def whole(span: MarkedSpan, ranges: Sequence[Range]) -> bool:
    return any(start <= span.start and span.end <= end for start, end in ranges)
