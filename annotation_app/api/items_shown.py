"""Items as they are shown, with their context. They never change, so that a process remembers those last shown:
the same few hundred items of a batch are asked for again and again, by everyone who labels it.
"""

from collections.abc import Sequence
from typing import Any

from django.db.models import Exists, OuterRef

from annotation_app.ingest.columns import Path, beside_of, shown_paths
from annotation_app.ingest.context import context_for
from annotation_app.ingest.context_levels import Context, Turn
from annotation_app.ingest.selectors import sources_of
from annotation_app.models import Item, Project, SourceDocument, Utterance

Shown = dict[str, Any]

# About 6 kB each; an item with more characters than LONG is read anew each time.
MOST = 4_000
LONG = 20_000
MARK_SIZE = 100
# With the columns that it was shown with: an admin may choose others.
remembered: dict[int, tuple[tuple[Path, ...], Shown]] = {}


def items_shown(item_ids: Sequence[int], project: Project) -> dict[int, Shown]:
    """By item id, in a constant number of queries, or none where all were shown before."""
    columns = shown_paths(project)
    found = {pk: shown_before(pk, columns) for pk in item_ids}
    missing = [pk for pk, shown in found.items() if shown is None]
    loaded = items_load(missing, columns) if missing else {}
    if len(remembered) + len(loaded) > MOST:
        remembered.clear()
    remembered.update((pk, (columns, shown)) for pk, shown in loaded.items() if not is_long(shown))
    return {pk: shown if shown is not None else loaded[pk] for pk, shown in found.items()}


def shown_before(item_id: int, columns: tuple[Path, ...]) -> Shown | None:
    with_columns, shown = remembered.get(item_id, ((), None))
    return shown if with_columns == columns else None


def is_long(shown: Shown) -> bool:
    return len(shown["text"]) + MARK_SIZE * len(shown["marks"]) + beside_size(shown) > LONG


def beside_size(shown: Shown) -> int:
    """Characters of what stands beside the text, nearly."""
    return sum(len(str(field["value"])) for field in shown["beside"])


def items_load(item_ids: Sequence[int], columns: tuple[Path, ...]) -> dict[int, Shown]:
    others = Utterance.objects.filter(document=OuterRef("document")).exclude(pk=OuterRef("utterance"))
    rows = Item.objects.filter(pk__in=item_ids).select_related("document", "utterance", "marks")
    items = list(rows.annotate(has_turns=Exists(others)))
    contexts = context_for(items)
    sources = sources_of(item_ids)
    return {
        item.pk: item_shown(item, contexts[item.pk], sources.get(item.pk, []), item.has_turns)
        | {"beside": beside_of(item, columns)}
        for item in items
    }


def item_shown(item: Item, context: Context, sources: Sequence[SourceDocument], has_turns: bool) -> Shown:
    """A document of one utterance has no turns to be told apart."""
    utterance, document = item.utterance, item.document
    return {
        "id": item.uuid,
        "external_id": item.external_id,
        "text": item.text,
        "speaker": utterance.speaker or None,
        "document": {"title": document.title, "external_id": document.external_id},
        "utterance": {"external_id": utterance.external_id, "number": utterance.position + 1} if has_turns else None,
        "sentence_number": item.number,
        "context": context_shown(context),
        "sources": [source_shown(source) for source in sources],
        "marks": marks_shown(item, sources),
    }


def source_shown(source: SourceDocument) -> Shown:
    return {
        "id": source.uuid,
        "external_id": source.external_id,
        "title": source.title,
        "n_words": source.n_words,
    }


def marks_shown(item: Item, sources: Sequence[SourceDocument]) -> list[Shown]:
    """Imported marks name sources as the file did."""
    ids = {source.external_id: source.uuid for source in sources}
    marks = getattr(item, "marks", None)
    return [mark | {"source": ids.get(mark["source"])} for mark in marks.spans] if marks else []


def context_shown(context: Context) -> Shown:
    around = context.utterance
    return {
        "utterance": around and {"speaker": around.speaker or None, "before": around.before, "after": around.after},
        "minus_5_sentences": turns_shown(context.minus_5_sentences),
        "minus_200_tokens": turns_shown(context.minus_200_tokens),
    }


def turns_shown(turns: Sequence[Turn]) -> list[Shown]:
    return [{"speaker": turn.speaker or None, "text": turn.text} for turn in turns]
