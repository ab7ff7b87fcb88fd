"""Read what a JSONL row carries beside its text: source documents, and imported spans.

Pure: no I/O. Offsets are Unicode code points of the row's text, half-open.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from annotation_app.codebook.span_faults import named, quote_fault, range_fault, refused_fields, unknown_category
from annotation_app.codebook.spans import COMMENT_LENGTH, MOST_SPANS, SpanCategory, SpanLayer
from annotation_app.codebook.texts import comment_kept, quoted, shown
from annotation_app.ingest.plan import Plan
from annotation_app.ingest.rows import (
    MAX_ID_LENGTH,
    Fault,
    ImportedSource,
    ImportedSpan,
    ImportRow,
    kind,
    number_text,
    optional_string,
    required_id,
    required_text,
    within,
)

MOST_SOURCES = 1_000
STAND_OFF = ("sources", "spans")
SOURCE_FIELDS = ("id", "title", "text")
SPAN_FIELDS = ("start", "end", "quote", "category", "comment", "source")


def read_sources(fields: dict[str, Any]) -> tuple[ImportedSource, ...]:
    """Return the row's `sources`, each once. Raises Fault with a field such as `sources[1].text`."""
    found: dict[str, int] = {}
    sources = []
    for place, value in enumerate(elements(fields, "sources", MOST_SOURCES)):
        source = one_source(value, f"sources[{place}]")
        if source.id in found:
            raise Fault(f"sources[{place}]", f"The same source document as sources[{found[source.id]}]: name it once.")
        found[source.id] = place
        sources.append(source)
    return tuple(sources)


def elements(fields: dict[str, Any], name: str, most: int) -> Sequence[Any]:
    value = fields.get(name)
    if value is None:
        return []
    if not isinstance(value, list):
        raise Fault(name, f"Must be an array, not {kind(value)}.")
    if len(value) > most:
        raise Fault(name, f"{len(value):,} elements; at most {most:,} are kept for one row.")
    return value


def one_source(value: Any, path: str) -> ImportedSource:
    value = number_text(value)
    if type(value) is str:
        if not value.strip():
            raise Fault(path, "Empty: name a source document by its id.")
        return ImportedSource(within(value, path, MAX_ID_LENGTH))
    if not isinstance(value, dict):
        raise Fault(path, f"Must be the id of a source document, or an object with id and text, not {kind(value)}.")
    refuse_unknown(value, SOURCE_FIELDS, path)
    try:
        text = required_text(value, "text", empty="Empty text: there is nothing to show beside the item.")
        return ImportedSource(
            within(required_id(value, "id"), "id", MAX_ID_LENGTH), optional_string(value, "title") or "", text
        )
    except Fault as fault:
        raise Fault(f"{path}.{fault.field}", fault.message) from fault


def read_spans(fields: dict[str, Any], text: str, sources: Collection[ImportedSource]) -> tuple[ImportedSpan, ...]:
    """Return the row's `spans`, checked against its text and sources.

    Raises Fault with a field such as `spans[2].quote`. They are checked against the codebook by `spans_fitted`.
    """
    ids = {source.id for source in sources}
    values = elements(fields, "spans", MOST_SPANS)
    return tuple(one_span(value, text, ids, f"spans[{place}]") for place, value in enumerate(values))


def one_span(value: Any, text: str, sources: Collection[str], path: str) -> ImportedSpan:
    if not isinstance(value, dict):
        raise Fault(path, f"Must be an object with start, end and category, not {kind(value)}.")
    refuse_unknown(value, SPAN_FIELDS, path)
    start, end = (offset(value, name, path) for name in ("start", "end"))
    if wrong := range_fault(text, start, end):
        raise Fault(path, wrong)
    category, quote, comment = (string(value, name, path) for name in ("category", "quote", "comment"))
    source = string({"source": number_text(value.get("source"))}, "source", path)
    if not category:
        raise Fault(f"{path}.category", "Missing field.")
    if quote is not None and (wrong := quote_fault(text, start, end, quote)):
        raise Fault(f"{path}.quote", wrong)
    if source is not None and source not in sources:
        raise Fault(f"{path}.source", f"{quoted(source)} is none of the ids in the row's sources: add it there.")
    return ImportedSpan(start, end, category, within(comment_kept(comment), f"{path}.comment", COMMENT_LENGTH), source)


def refuse_unknown(value: dict[str, Any], allowed: Sequence[str], path: str) -> None:
    for name in value:
        if name not in allowed:
            raise Fault(f"{path}.{shown(name)}", f"Unknown field; allowed here: {', '.join(allowed)}.")


def offset(value: dict[str, Any], name: str, path: str) -> int:
    if name not in value:
        raise Fault(f"{path}.{name}", "Missing field.")
    if type(value[name]) is not int:
        raise Fault(f"{path}.{name}", f"Must be a whole number, not {kind(value[name])}.")
    return int(value[name])


def string(value: dict[str, Any], name: str, path: str) -> str | None:
    found = value.get(name)
    if found is not None and type(found) is not str:
        raise Fault(f"{path}.{name}", f"Must be a string or null, not {kind(found)}.")
    return found


def row_fitted(
    row: ImportRow, plan: Plan, layer: SpanLayer | None, categories: Mapping[str, str] | None = None
) -> ImportRow:
    """Return the row with its spans as the project's codebook knows them. Raises Fault.

    `categories` say what the file's labels become: a category, or nothing, which leaves their spans out.
    """
    if row.spans and categories:
        given = (span._replace(category=categories.get(span.category, span.category)) for span in row.spans)
        row = row._replace(spans=tuple(span for span in given if span.category))
    carried = [name for name in STAND_OFF if getattr(row, name)]
    if carried and plan.makes_sentences:
        message = f"They belong to whole rows, and rows are split into sentences here: choose {plan.rows} as the unit."
        raise Fault(carried[0], message)
    return row._replace(spans=spans_fitted(row.spans, row.text, layer)) if row.spans else row


def spans_fitted(spans: Sequence[ImportedSpan], text: str, layer: SpanLayer | None) -> tuple[ImportedSpan, ...]:
    """Return the spans with their category's key, in text order.

    Raises Fault. How often a category occurs, what it must lie within and which comments are missing is not checked:
    annotators start from these spans, which may be incomplete until then.
    """
    if layer is None:
        raise Fault("spans", "The project's codebook marks no spans: publish one with a span layer, or leave them out.")
    names = category_names(layer)
    places: dict[ImportedSpan, int] = {}
    for place, span in enumerate(spans):
        category, words = names.get(span.category), text[span.start : span.end]
        if category is None:
            raise Fault(f"spans[{place}].category", unknown_category(layer, words, span.category))
        for field, wrong in refused_fields(category, words, span.comment, has_source=span.source is not None):
            raise Fault(f"spans[{place}].{field}", wrong)
        fitted = span._replace(category=category.key)
        if fitted in places:
            message = f"{named(category, words)} stands here as in spans[{places[fitted]}]: leave one out."
            raise Fault(f"spans[{place}]", message)
        places[fitted] = place
    return tuple(sorted(places, key=lambda span: (*span[:4], span.source or "")))


def category_names(layer: SpanLayer) -> dict[str, SpanCategory]:
    """Return keys, then markers, then unique names; an earlier kind of name goes before a later one."""
    times = Counter(category.name for category in layer.categories)
    names = {category.name: category for category in layer.categories if times[category.name] == 1}
    names |= {category.marker: category for category in layer.categories}
    return names | layer.by_key
