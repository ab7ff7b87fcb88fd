"""Declare the shapes of validation for the OpenAPI schema, and build them from rows.

Nothing in them names people, or tells them apart by number, time or position.
"""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from rest_framework import serializers

from annotation_app.annotation.selectors import pinned_codebook
from annotation_app.annotation.submission import REASON_LENGTH
from annotation_app.api.item_serializers import serialize_items
from annotation_app.api.labelling_serializers import (
    AssignmentCodebookOut,
    ItemOut,
    SourceOut,
    SpanOut,
    Spans,
    serialize_codebook,
    serialize_sources,
    serialize_span,
)
from annotation_app.ingest.selectors import sources_of
from annotation_app.models import Batch, Project, Validation
from annotation_app.validation.review_state import RESOLVED, STATES, ListedItem, Listing, Neighbours, ReviewState
from annotation_app.validation.selectors import AnonymizedSpans, DecisionWithSpans

KINDS = [kind for kind, _ in Validation.Decision.choices]


class ListedItemOut(serializers.Serializer):
    id = serializers.UUIDField()
    external_id = serializers.CharField()
    title = serializers.CharField(allow_blank=True, help_text="Of its document.")
    batch_kind = serializers.ChoiceField(choices=Batch.Kind.choices)
    batch_number = serializers.IntegerField()
    n_submitted = serializers.IntegerField(help_text="Annotations and skips that are in.")
    n_needed = serializers.IntegerField()
    state = serializers.ChoiceField(choices=STATES)
    revised_since = serializers.BooleanField(help_text="An annotation was changed after the decision.")


class ValidationCounts(serializers.Serializer):
    waiting = serializers.IntegerField()
    open = serializers.IntegerField()
    accepted = serializers.IntegerField()
    edited = serializers.IntegerField()
    rejected = serializers.IntegerField()


class ValidationListOut(serializers.Serializer):
    items = ListedItemOut(many=True)
    counts = ValidationCounts(help_text="Of all items, whatever the filter.")
    page = serializers.IntegerField()
    n_pages = serializers.IntegerField()


class AnonymizedAnnotationOut(serializers.Serializer):
    id = serializers.UUIDField()
    letter = serializers.CharField(help_text="In an order of the reader's own.")
    spans = SpanOut(many=True)
    comment = serializers.CharField(allow_blank=True)
    skipped = serializers.BooleanField()
    skip_reason = serializers.CharField(allow_null=True)
    revised_since = serializers.BooleanField(help_text="Changed after the latest decision.")


class DecidedOut(serializers.Serializer):
    revision = serializers.IntegerField()
    decision = serializers.ChoiceField(choices=RESOLVED)
    annotation = serializers.UUIDField(allow_null=True, help_text="Accepted, or what the edit was made from.")
    letter = serializers.CharField(allow_null=True, help_text="Of that annotation.")
    spans = SpanOut(many=True, help_text="The aggregated annotation: accepted as it was, or edited.")
    reason = serializers.CharField(allow_blank=True)
    revised_since = serializers.BooleanField()


class ValidationItemOut(serializers.Serializer):
    id = serializers.UUIDField()
    batch_kind = serializers.ChoiceField(choices=Batch.Kind.choices)
    batch_number = serializers.IntegerField()
    n_submitted = serializers.IntegerField()
    n_needed = serializers.IntegerField()
    state = serializers.ChoiceField(choices=STATES)
    item = ItemOut()
    sources = SourceOut(many=True)
    codebook = AssignmentCodebookOut()
    annotations = AnonymizedAnnotationOut(many=True, help_text="Empty while some are still to come.")
    revision = serializers.IntegerField(help_text="Of the latest decision; 0 where there is none.")
    decision = DecidedOut(allow_null=True, help_text="The one that stands.")
    taken_back = DecidedOut(allow_null=True, help_text="The one that was reopened, while none stands.")
    previous = serializers.UUIDField(allow_null=True)
    next = serializers.UUIDField(allow_null=True)
    next_open = serializers.UUIDField(allow_null=True)


class DecisionIn(serializers.Serializer):
    client_id = serializers.UUIDField()
    base_revision = serializers.IntegerField(min_value=0, max_value=2**31 - 1)
    decision = serializers.ChoiceField(
        # The usual message repeats what was sent, which may be no text at all (a lone surrogate).
        choices=KINDS,
        error_messages={"invalid_choice": f"Choose one of {', '.join(KINDS)}."},
    )
    annotation = serializers.UUIDField(allow_null=True, default=None)
    spans = Spans(default=list)
    reason = serializers.CharField(max_length=REASON_LENGTH, allow_blank=True, trim_whitespace=False, default="")


class DecisionStored(serializers.Serializer):
    revision = serializers.IntegerField()
    decision = serializers.ChoiceField(choices=KINDS)
    annotation = serializers.UUIDField(allow_null=True)
    spans = SpanOut(many=True)
    reason = serializers.CharField(allow_blank=True)


class ValidationConflict(serializers.Serializer):
    """Why the state of things does not allow it; the rest comes with `stale`."""

    detail = serializers.CharField()
    code = serializers.ChoiceField(choices=["stale", "client_id_reused", "waiting", "answer_first", "own_answer"])
    current = DecisionStored(required=False, allow_null=True, help_text="The latest decision.")
    letter = serializers.CharField(
        required=False, allow_null=True, help_text="Of the annotation that was revised; null where a decision was made."
    )


def serialize_listing(listing: Listing) -> dict[str, Any]:
    return {
        "items": [serialize_listed(item) for item in listing.items],
        "counts": listing.counts,
        "page": listing.page,
        "n_pages": listing.n_pages,
    }


def serialize_listed(item: ListedItem) -> dict[str, Any]:
    return {
        "id": item.uuid,
        "external_id": item.external_id,
        "title": item.title,
        "batch_kind": item.batch_kind,
        "batch_number": item.batch_number,
        "n_submitted": item.n_submitted,
        "n_needed": item.n_needed,
        "state": item.state,
        "revised_since": item.revised,
    }


def serialize_review(
    project: Project,
    item_uuid: UUID,
    review: ReviewState,
    beside: Sequence[AnonymizedSpans],
    decisions: tuple[DecisionWithSpans | None, DecisionWithSpans | None],
    neighbours: Neighbours,
) -> dict[str, Any]:
    """Return one item under review. `decisions` are the latest, and the latest that resolved the item."""
    latest, resolving = decisions
    shown = resolving and serialize_decision(resolving, beside)
    stands = resolving is not None and resolving is latest
    return {
        "id": item_uuid,
        "batch_kind": review.batch_kind,
        "batch_number": review.batch_number,
        "n_submitted": review.n_submitted,
        "n_needed": review.n_needed,
        "state": review.state,
        "item": serialize_items([review.item_id], project)[review.item_id],
        **serialize_sources(sources_of([review.item_id], with_text=True).get(review.item_id, [])),
        "codebook": serialize_codebook(pinned_codebook(review.codebook_id)),
        "annotations": [serialize_anonymized_spans(one) for one in beside],
        "revision": latest.row.revision if latest else 0,
        "decision": shown if stands else None,
        "taken_back": None if stands else shown,
        "previous": neighbours.previous,
        "next": neighbours.next,
        "next_open": neighbours.next_open,
    }


def serialize_anonymized_spans(one: AnonymizedSpans) -> dict[str, Any]:
    return {
        "id": one.uuid,
        "letter": one.letter,
        "spans": [serialize_span(span) for span in one.spans],
        "comment": one.comment,
        "skipped": bool(one.skip_reason),
        "skip_reason": one.skip_reason or None,
        "revised_since": one.revised,
    }


def serialize_decision(decided: DecisionWithSpans, beside: Sequence[AnonymizedSpans]) -> dict[str, Any]:
    return {
        **serialize_stored(decided),
        "letter": letter_of(decided, beside),
        "revised_since": any(one.revised for one in beside),
    }


def letter_of(decided: DecisionWithSpans, beside: Sequence[AnonymizedSpans]) -> str | None:
    """Return the letter of the named annotation; None where nothing was named, or it does not count any more."""
    named = decided.row.annotation
    return next((one.letter for one in beside if named and one.assignment_id == named.assignment_id), None)


def serialize_stored(decided: DecisionWithSpans) -> dict[str, Any]:
    row = decided.row
    return {
        "revision": row.revision,
        "decision": row.decision,
        "annotation": row.annotation.uuid if row.annotation else None,
        "spans": [serialize_span(span) for span in decided.spans],
        "reason": row.reason,
    }
