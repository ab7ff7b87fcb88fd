"""Read annotations and the items that they are about."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from django.db import connection
from django.db.models import Count

from annotation_app.annotation.span_rules import SpanText
from annotation_app.annotation.statements import annotation_statement
from annotation_app.codebook.definition import pinned_codebook
from annotation_app.models import (
    Annotation,
    Assignment,
    Item,
    ItemSource,
    MarkedSpan,
    SourceDocument,
    Span,
)


def answers_of(annotation: Annotation) -> dict[str, str]:
    """Return {stage: label} of the open stages, in the codebook's order, in which they were stored."""
    return {answer.stage: answer.label for answer in sorted(annotation.answers.all(), key=lambda answer: answer.pk)}


@dataclass(frozen=True)
class Content:
    """Hold the content of one annotation: {stage: label} of the open stages, and its spans in text order."""

    answers: dict[str, str] = field(default_factory=dict)
    spans: Sequence[SpanText] = ()


def content_of(annotation: Annotation) -> Content:
    """Return the annotation's content. Spans are queried only where the codebook has a span layer."""
    if pinned_codebook(annotation.codebook_id).parsed.span_layer is None:
        return Content(answers_of(annotation))
    return Content(answers_of(annotation), spans_of(annotation.spans.select_related("source_document")))


def spans_of(rows: Iterable[MarkedSpan]) -> list[SpanText]:
    """Return stored spans in text order. Rows may be in any order, and must come with `source_document` loaded."""
    return [
        SpanText(
            row.start,
            row.end,
            row.quote,
            row.category,
            row.comment,
            row.source_document.uuid if row.source_document else None,
        )
        for row in sorted(rows, key=lambda row: row.place)
    ]


def span_check_inputs(batch_item_id: int, sent: Sequence[Any]) -> tuple[str, Sequence[Any], Collection[UUID]]:
    """Return the arguments of `spans_read` after the layer: the item's text, what was sent, its source document ids."""
    item = Item.objects.only("text").get(batch_items=batch_item_id)
    sources = ItemSource.objects.filter(item=item).values_list("source_document__uuid", flat=True)
    return item.text, sent, set(sources)


def span_counts(rows: Iterable[Assignment]) -> dict[int | None, int]:
    """Count the spans of the assignments' current annotations, by annotation id."""
    counted = Span.objects.filter(annotation__in=[row.current_id for row in rows if row.current_id])
    return dict(counted.values_list("annotation").annotate(Count("pk")))


def span_columns(spans: Sequence[SpanText]) -> dict[str, list[Any]]:
    """Return the parameters of given_spans.sql: one list a column, in text order."""
    named = {span.source for span in spans if span.source}
    ids = dict(SourceDocument.objects.filter(uuid__in=named).values_list("uuid", "pk")) if named else {}
    return {
        "span_starts": [span.start for span in spans],
        "span_ends": [span.end for span in spans],
        "span_quotes": [span.quote for span in spans],
        "span_categories": [span.category for span in spans],
        "span_comments": [span.comment for span in spans],
        "span_sources": [ids[span.source] if span.source else None for span in spans],
    }


@dataclass(frozen=True)
class FirstLook:
    """Hold the person's own independent annotation, and the stages at which somebody's label differs."""

    annotation: Annotation
    answers: dict[str, str]
    differs: list[str]


def first_looks(rows: Sequence[Assignment], first_batch_id: int) -> dict[int, FirstLook]:
    """Return the first looks by item id, for one person's assignments of a second look at `first_batch_id`.

    Each of `rows` must come with its `batch_item`.
    """
    items = [row.batch_item.item_id for row in rows]
    people = {row.annotator_id for row in rows}
    firsts = list(
        Assignment.objects.filter(
            annotator__in=people, batch_item__batch=first_batch_id, batch_item__item__in=items, current__isnull=False
        )
        .select_related("current", "batch_item")
        .prefetch_related("current__answers")
    )
    differs = stages_that_differ([first.pk for first in firsts])
    looks = {}
    for first in firsts:
        assert first.current is not None
        answers = answers_of(first.current)
        differing = [stage for stage in answers if stage in differs[first.pk]]
        looks[first.batch_item.item_id] = FirstLook(first.current, answers, differing)
    return looks


def stages_that_differ(assignment_ids: Sequence[int]) -> dict[int, list[str]]:
    found: dict[int, list[str]] = defaultdict(list)
    with connection.cursor() as cursor:
        cursor.execute(annotation_statement("stages_that_differ"), {"assignments": list(assignment_ids)})
        for assignment, stage in cursor.fetchall():
            found[assignment].append(stage)
    return found
