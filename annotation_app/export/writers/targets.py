"""Write kind `targets`: one line for each person, item and source document, with the source's split.

A target is one item's standardized sentences for one source document (Marfurt et al. 2022, 2.3 and 2.4).
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from annotation_app.codebook.spans import SpanLayer
from annotation_app.export.options import ExportOptions
from annotation_app.export.snapshot import Snapshot
from annotation_app.export.span_rows import MarkedItem, about, source_record, span_record, span_rows
from annotation_app.export.spans.linear_form import ExportedSpan, linear_form
from annotation_app.export.spans.splits import SourceKey, split_of

# Stands between two sentences of a target, whatever stood between them in the item.
JOINT = " "
Range = tuple[int, int]
NO_SOURCE: Sequence[str | None] = (None,)


@dataclass(frozen=True, slots=True)
class Target:
    """Hold a target.

    `spans` are offsets into `text` in code points; `ranges` locate its parts in the item. `sentences` counts spans of
    the target category. `clipped` counts spans of which a part lay outside the sentences.
    """

    source: str | None
    text: str
    spans: tuple[ExportedSpan, ...]
    ranges: tuple[Range, ...]
    sentences: int
    clipped: int


def read(snapshot: Snapshot, options: ExportOptions) -> tuple[int, Iterator[dict[str, Any]]]:
    """Read the rows twice, because the split is drawn over all sources before the first line."""
    found = [source_key(marked.row.item, target) for marked, target in marked_targets(snapshot, options)]
    return len(found), records(snapshot, options, split_of(found, options.random_state))


def records(snapshot: Snapshot, options: ExportOptions, splits: Mapping[SourceKey, str]) -> Iterator[dict[str, Any]]:
    """Yield one record for each person, item and source, with its part of the split."""
    for marked, target in marked_targets(snapshot, options, source_texts=True):
        sources = {source.id: source_record(source) for source in marked.sources}
        yield about(marked, names=options.names) | {
            "id": target_id(marked.row.item, target, marked.row.number),
            "source": sources[target.source] if target.source else None,
            "split": splits[source_key(marked.row.item, target)],
            "style": options.style,
            "linear": linear_form(target.text, target.spans, marked.layer, options.style),
            "text": target.text,
            "spans": [span_record(target.text, span) for span in target.spans],
            "ranges": target.ranges,
            "n_sentences": target.sentences,
            "n_clipped": target.clipped,
        }


def marked_targets(
    snapshot: Snapshot, options: ExportOptions, *, source_texts: bool = False
) -> Iterator[tuple[MarkedItem, Target]]:
    """Yield each target beside the marked item that it comes from."""
    for marked in span_rows(snapshot, options, source_texts=source_texts):
        sources = [source.id for source in marked.sources]
        for target in targets_of(marked.row.text, marked.spans, marked.layer, sources):
            yield marked, target


def target_id(item: str, target: Target, number: int | None) -> str:
    """Return a unique id of item, source and person: "news_1/press-1/annotator 2", "news_1//validated".

    `number` is the annotator's, None for validated spans. A slash or percent sign in an id is written as %2F or %25.
    """
    whose = "validated" if number is None else f"annotator {number}"
    parts = (item, target.source or "")
    return "/".join([*(part.replace("%", "%25").replace("/", "%2F") for part in parts), whose])


def source_key(item: str, target: Target) -> SourceKey:
    """Return the target's source; without one it is its item, which stands for a source of its own."""
    return SourceKey(item, True) if target.source is None else SourceKey(target.source, False)


def targets_of(text: str, spans: Sequence[ExportedSpan], layer: SpanLayer, sources: Sequence[str]) -> list[Target]:
    """Return the targets in the order of the item's `sources`, the one without a source last.

    There are none without a target category. A sentence belongs to each source that a referring span within it links
    to. Where no category refers, an item's only source is meant.
    """
    referring = sorted((span for span in spans if layer.by_key[span.category].refers), key=lambda span: span.start)
    refers = any(category.refers for category in layer.categories)
    by_source: dict[str | None, list[ExportedSpan]] = {}
    for sentence in spans:
        if sentence.category == layer.target:
            meant = sources_linked(sentence, referring) if refers or len(sources) != 1 else sources
            for source in meant or NO_SOURCE:
                by_source.setdefault(source, []).append(sentence)
    place = {source: number for number, source in enumerate(sources)}
    found = sorted(by_source, key=lambda source: len(place) if source is None else place[source])
    return [target(text, spans, layer, source, by_source[source]) for source in found]


def sources_linked(sentence: ExportedSpan, referring: Sequence[ExportedSpan]) -> list[str]:
    """Return the sources linked from a sentence.

    `referring` is sorted by start, so that only few spans are looked at.
    """
    first = bisect_left(referring, sentence.start, key=lambda span: span.start)
    last = bisect_left(referring, sentence.end, key=lambda span: span.start)
    within = (span for span in referring[first:last] if span.end <= sentence.end)
    return list(dict.fromkeys(span.source for span in within if span.source))


def target(
    text: str, spans: Sequence[ExportedSpan], layer: SpanLayer, source: str | None, sentences: Sequence[ExportedSpan]
) -> Target:
    """Return the target of some sentences of a text. Offsets of its spans are code points of its own text."""
    ranges = merged(sentences)
    places = placed(ranges)
    own = frozenset(sentences)
    kept = [span for span in spans if span.category != layer.target or span in own]
    moved = [(span, shifted) for span in kept if (shifted := moved_into(span, ranges, places)) is not None]
    return Target(
        source=source,
        text=JOINT.join(text[start:end] for start, end in ranges),
        spans=tuple(shifted for _, shifted in moved),
        ranges=tuple(ranges),
        sentences=len(sentences),
        clipped=sum(not whole(span, ranges) for span, _ in moved),
    )


def merged(sentences: Sequence[ExportedSpan]) -> list[Range]:
    """Return the ranges in order; overlapping ones are joined, so that no word stands twice."""
    ranges: list[Range] = []
    for start, end in sorted((span.start, span.end) for span in sentences):
        if ranges and start < ranges[-1][1]:
            ranges[-1] = ranges[-1][0], max(end, ranges[-1][1])
        else:
            ranges.append((start, end))
    return ranges


def placed(ranges: Sequence[Range]) -> list[int]:
    """Return where each range begins in the joined text."""
    places, at = [], 0
    for start, end in ranges:
        places.append(at)
        at += end - start + len(JOINT)
    return places


def touched(span: ExportedSpan, ranges: Sequence[Range]) -> tuple[int, int]:
    """Return the numbers of the ranges that the span touches, half-open; ranges are in order and apart."""
    first = bisect_right(ranges, span.start, key=lambda place: place[1])
    return first, bisect_left(ranges, span.end, key=lambda place: place[0])


def moved_into(span: ExportedSpan, ranges: Sequence[Range], places: Sequence[int]) -> ExportedSpan | None:
    """Return the span within the target, None where nothing of it is left. One span stays one."""
    first, last = touched(span, ranges)
    if first >= last:
        return None
    start = places[first] + max(span.start - ranges[first][0], 0)
    end = places[last - 1] + min(span.end, ranges[last - 1][1]) - ranges[last - 1][0]
    return replace(span, start=start, end=end)


def whole(span: ExportedSpan, ranges: Sequence[Range]) -> bool:
    """Tell whether a span lies within one range, neither clipped nor across several."""
    first, last = touched(span, ranges)
    return last - first == 1 and ranges[first][0] <= span.start and span.end <= ranges[first][1]
