"""Span codebooks and spans for tests."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID, uuid4

from annotation_app.annotation.submission import Submission
from annotation_app.models import Import, Item, ItemSource, SourceDocument


def category(key: str, **more: Any) -> dict[str, Any]:
    return {"key": key, "name": key.replace("_", " ").title()} | more


def span_layer() -> dict[str, Any]:
    """Sentences hold one act each, which needs a comment; evidence lies within them too; references link to sources."""
    return {
        "target": "sentence",
        "categories": [
            category("sentence", at_least=1, comment="none"),
            category("act", at_least=1, at_most=1, comment="required", within="sentence"),
            category("evidence", within="sentence"),
            category("reference", within="sentence", refers=True),
        ],
    }


def span_codebook() -> dict[str, Any]:
    return {"name": "Spans", "span_layer": span_layer()}


def loose_codebook() -> dict[str, Any]:
    """Four categories without any rule."""
    return {"name": "Loose", "span_layer": {"categories": [category(key) for key in "abcd"]}}


def add_source(item: Item, name: str = "minutes", text: str = "The board met.") -> SourceDocument:
    source, _ = SourceDocument.objects.get_or_create(
        project=item.project,
        external_id=name,
        defaults={
            "title": name.title(),
            "text": text,
            "n_words": len(text.split()),
            "source": Import.objects.filter(project=item.project).latest("pk"),
        },
    )
    ItemSource.objects.create(item=item, source_document=source, position=item.item_sources.count())
    return source


def span(text: str, quote: str, category: str, comment: str | None = None, **more: Any) -> dict[str, Any]:
    """As a client sends it; the quote's first place in the text unless `start` is given."""
    start = more.pop("start", None)
    start = text.index(quote) if start is None else start
    source: UUID | None = more.pop("source", None)
    return {
        "start": start,
        "end": start + len(quote),
        "quote": quote,
        "category": category,
        "comment": comment,
        "source": str(source) if source else None,
    } | more


def span_submission(
    spans: list[dict[str, Any]], base_revision: int = 0, answers: Mapping[str, str] | None = None, **more: Any
) -> Submission:
    return Submission(
        client_id=uuid4(),
        base_revision=base_revision,
        answers=answers or {},
        context_opened="sentence",
        active_ms=1000,
        wall_ms=1500,
        spans=spans,
        **more,
    )
