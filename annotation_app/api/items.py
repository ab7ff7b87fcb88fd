"""Build items with their context, as everyone who labels or decides sees them.

Items never change, and everyone who labels a batch asks for the same few hundred again and again. Those last built are
therefore cached.
"""

from collections.abc import Sequence
from typing import Any

from django.db.models import Exists, OuterRef
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from annotation_app.api.inputs import TextOrNull
from annotation_app.cached import Cache
from annotation_app.ingest.columns import Path, beside_of, shown_paths
from annotation_app.ingest.context import context_for
from annotation_app.ingest.context_levels import Turn
from annotation_app.ingest.selectors import sources_of
from annotation_app.models import Item, Project, SourceDocument, Utterance

SerializedItem = dict[str, Any]


class TurnOut(serializers.Serializer):
    speaker = TextOrNull()
    text = serializers.CharField()


class UtteranceContextOut(serializers.Serializer):
    speaker = TextOrNull()
    before = serializers.CharField()
    after = serializers.CharField()


@extend_schema_field(TurnOut(many=True))
class Turns(serializers.Field):
    """Answer turns at once. An item has dozens, and a serializer takes longer for each than to read it."""

    def to_representation(self, value: Sequence[Turn]) -> list[dict[str, str | None]]:
        return [{"speaker": turn.speaker or None, "text": turn.text} for turn in value]


class ContextOut(serializers.Serializer):
    utterance = UtteranceContextOut(allow_null=True)
    minus_5_sentences = Turns()
    minus_200_tokens = Turns()


class ItemDocumentOut(serializers.Serializer):
    title = serializers.CharField()
    external_id = serializers.CharField()


class NumberFromOne(serializers.IntegerField):
    """Answer a position, which the database counts from 0, as people count it."""

    def to_representation(self, value: int) -> int:
        return value + 1


class ItemUtteranceOut(serializers.Serializer):
    external_id = serializers.CharField()
    number = NumberFromOne(source="position", help_text="The turn's place in its document, from 1.")


class ItemSourceOut(serializers.Serializer):
    id = serializers.UUIDField(source="uuid")
    external_id = serializers.CharField()
    title = serializers.CharField(allow_blank=True)
    n_words = serializers.IntegerField(help_text="Whitespace tokens.")


class MarkOut(serializers.Serializer):
    start = serializers.IntegerField()
    end = serializers.IntegerField()
    category = serializers.CharField()
    comment = serializers.CharField(allow_null=True)
    # A serializer's own `source` is set when it is made; as a field's name it is free.
    source = serializers.UUIDField(allow_null=True)  # type: ignore[assignment]


class ShownFieldOut(serializers.Serializer):
    name = serializers.CharField()
    value = serializers.JSONField()


class ItemOut(serializers.Serializer):
    id = serializers.UUIDField(source="row.uuid")
    external_id = serializers.CharField(source="row.external_id")
    text = serializers.CharField(source="row.text")
    speaker = TextOrNull(source="row.utterance.speaker")
    document = ItemDocumentOut(source="row.document")
    utterance = ItemUtteranceOut(allow_null=True)
    sentence_number = serializers.IntegerField(source="row.number", allow_null=True)
    # Serializers keep their fields apart from their attributes, of which one has this name.
    context = ContextOut()  # type: ignore[assignment]
    beside = ShownFieldOut(many=True, help_text="The columns that an admin chose to show beside the text.")
    sources = ItemSourceOut(many=True, help_text="Documents that the item is about; their text has a route of its own.")
    marks = MarkOut(many=True, help_text="Spans imported with the item; nobody's annotation.")


# Making a serializer takes longer than filling it.
ITEM = ItemOut()


@extend_schema_field(ItemOut)
class BuiltItem(serializers.Field):
    """Answer an item that `serialize_items` has built."""

    def to_representation(self, value: SerializedItem) -> SerializedItem:
        return value


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
    """Build items. In a document of one utterance no turn is named."""
    others = Utterance.objects.filter(document=OuterRef("document")).exclude(pk=OuterRef("utterance"))
    rows = Item.objects.filter(pk__in=item_ids).select_related("document", "utterance", "marks")
    items = list(rows.annotate(has_turns=Exists(others)))
    contexts = context_for(items)
    sources = sources_of(item_ids)
    return {
        item.pk: ITEM.to_representation(
            {
                "row": item,
                "utterance": item.utterance if item.has_turns else None,
                "context": contexts[item.pk],
                "beside": beside_of(item, columns),
                "sources": sources.get(item.pk, []),
                "marks": imported_spans(item, sources.get(item.pk, [])),
            }
        )
        for item in items
    }


def imported_spans(item: Item, sources: Sequence[SourceDocument]) -> list[dict[str, Any]]:
    """Return the imported spans, with UUIDs in place of the file's source names."""
    ids = {source.external_id: source.uuid for source in sources}
    marks = getattr(item, "marks", None)
    return [mark | {"source": ids.get(mark["source"])} for mark in marks.spans] if marks else []
