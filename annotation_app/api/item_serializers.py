"""Build items with their context, and cache those last built.

Items never change, and everyone who labels a batch asks for the same few hundred again and again.
"""

from collections.abc import Sequence
from typing import Any

from django.db.models import Exists, OuterRef

from annotation_app.cached import Cache
from annotation_app.ingest.columns import Path, beside_of, shown_paths
from annotation_app.ingest.context import context_for
from annotation_app.ingest.context_levels import Context, Turn
from annotation_app.ingest.selectors import sources_of
from annotation_app.models import Item, Project, SourceDocument, Utterance

SerializedItem = dict[str, Any]

# Bytes of a span, and of an item's names and structure.
SPAN_SIZE, ITEM_SIZE = 100, 4_000


def size_of(item: SerializedItem) -> int:
    """Return the characters of an item's text and of what stands around it."""
    context = item["context"]
    turns = [*context["minus_5_sentences"], *context["minus_200_tokens"]]
    around = context["utterance"] or {"before": "", "after": ""}
    return (
        len(item["text"])
        + sum(len(str(field["value"])) for field in item["beside"])
        + len(around["before"])
        + len(around["after"])
        + sum(len(turn["text"]) for turn in turns)
    )


# By item id and the columns that it is shown with, since an admin may choose others. Holds about 4,000 sentences.
Key = tuple[int, tuple[Path, ...]]
items_cache: Cache[Key, SerializedItem] = Cache(
    24_000_000, lambda item: ITEM_SIZE + size_of(item) + SPAN_SIZE * len(item["marks"])
)


def serialize_items(item_ids: Sequence[int], project: Project) -> dict[int, SerializedItem]:
    """Return items by id, in a constant number of queries, or in none where all are cached."""
    columns = shown_paths(project)

    def load(keys: list[Key]) -> dict[Key, SerializedItem]:
        return {(pk, columns): shown for pk, shown in items_load([pk for pk, _ in keys], columns).items()}

    return {pk: shown for (pk, _), shown in items_cache.read([(pk, columns) for pk in item_ids], load).items()}


def items_load(item_ids: Sequence[int], columns: tuple[Path, ...]) -> dict[int, SerializedItem]:
    others = Utterance.objects.filter(document=OuterRef("document")).exclude(pk=OuterRef("utterance"))
    rows = Item.objects.filter(pk__in=item_ids).select_related("document", "utterance", "marks")
    items = list(rows.annotate(has_turns=Exists(others)))
    contexts = context_for(items)
    sources = sources_of(item_ids)
    return {
        item.pk: serialize_item(item, contexts[item.pk], sources.get(item.pk, []), item.has_turns)
        | {"beside": beside_of(item, columns)}
        for item in items
    }


def serialize_item(item: Item, context: Context, sources: Sequence[SourceDocument], has_turns: bool) -> SerializedItem:
    """Return one item. In a document of one utterance no turn is named."""
    utterance, document = item.utterance, item.document
    return {
        "id": item.uuid,
        "external_id": item.external_id,
        "text": item.text,
        "speaker": utterance.speaker or None,
        "document": {"title": document.title, "external_id": document.external_id},
        "utterance": {"external_id": utterance.external_id, "number": utterance.position + 1} if has_turns else None,
        "sentence_number": item.number,
        "context": serialize_context(context),
        "sources": [serialize_source(source) for source in sources],
        "marks": serialize_imported_spans(item, sources),
    }


def serialize_source(source: SourceDocument) -> SerializedItem:
    return {
        "id": source.uuid,
        "external_id": source.external_id,
        "title": source.title,
        "n_words": source.n_words,
    }


def serialize_imported_spans(item: Item, sources: Sequence[SourceDocument]) -> list[SerializedItem]:
    """Return the imported spans, with UUIDs in place of the file's source names."""
    ids = {source.external_id: source.uuid for source in sources}
    marks = getattr(item, "marks", None)
    return [mark | {"source": ids.get(mark["source"])} for mark in marks.spans] if marks else []


def serialize_context(context: Context) -> SerializedItem:
    around = context.utterance
    return {
        "utterance": around and {"speaker": around.speaker or None, "before": around.before, "after": around.after},
        "minus_5_sentences": serialize_turns(context.minus_5_sentences),
        "minus_200_tokens": serialize_turns(context.minus_200_tokens),
    }


def serialize_turns(turns: Sequence[Turn]) -> list[SerializedItem]:
    return [{"speaker": turn.speaker or None, "text": turn.text} for turn in turns]
