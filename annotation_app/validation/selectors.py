"""Read what a validator sees of an item, and the aggregated annotation of reviewed items."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from uuid import UUID

from annotation_app.aggregation.anonymize import letter, shuffled
from annotation_app.annotation.selectors import spans_of
from annotation_app.annotation.span_rules import SpanText
from annotation_app.models import Assignment, MarkedSpan, Membership, Span, ValidatedSpan, Validation
from annotation_app.validation.review_state import RESOLVED, ReviewState


@dataclass(frozen=True)
class AnonymizedSpans:
    """Hold one annotation under its letter. `revised` means that it changed after the latest decision."""

    uuid: UUID
    assignment_id: int
    letter: str
    spans: Sequence[SpanText]
    comment: str
    skip_reason: str
    revised: bool

    @property
    def skipped(self) -> bool:
        return bool(self.skip_reason)


@dataclass(frozen=True)
class DecisionWithSpans:
    """Hold a decision with its spans: those of the accepted annotation as they were, or the edit's own."""

    row: Validation
    spans: Sequence[SpanText]


@dataclass(frozen=True)
class ResolvedSpans:
    """Hold the aggregated annotation of an item in a batch; it has no spans where all were rejected."""

    decision: str
    spans: Sequence[SpanText]


def anonymized_annotations(
    *, review: ReviewState, item_uuid: UUID, reader: Membership, latest: Validation | None
) -> list[AnonymizedSpans]:
    """Return the current annotations that count, in the order of their letters, in two queries.

    The list is empty while some are still to come: a validator who annotates too must not see others' answers before
    giving their own.
    """
    if review.state == "waiting":
        return []
    rows = Assignment.objects.filter(batch_item=review.batch_item_id, state__in=Assignment.DONE_STATES)
    by_uuid = {row.uuid: row for row in rows.select_related("current")}
    order = shuffled(by_uuid, reader=reader.uuid, item=item_uuid)
    spans = _spans_by(Span, "annotation_id", [row.current_id for row in by_uuid.values() if row.current_id])
    return [_beside(by_uuid[uuid], letter(place), spans, latest) for place, uuid in enumerate(order)]


def _beside(
    row: Assignment, its_letter: str, spans: dict[int, list[SpanText]], latest: Validation | None
) -> AnonymizedSpans:
    current = row.current
    if current is None:
        raise ValueError(f"Assignment {row.uuid} is {row.state} without an annotation.")
    return AnonymizedSpans(
        uuid=current.uuid,
        assignment_id=row.pk,
        letter=its_letter,
        spans=spans.get(current.pk, []),
        comment=current.comment,
        skip_reason=current.skip_reason,
        revised=latest is not None and _changed_after(row, latest),
    )


def _changed_after(row: Assignment, latest: Validation) -> bool:
    """Tell whether the annotation changed after the decision, as `standing.sql` does for all of an item's together."""
    named = latest.annotation
    replaced = named is not None and named.assignment_id == row.pk and named.pk != row.current_id
    return replaced or (row.current is not None and row.current.created_at > latest.created_at)


def decisions_of(batch_item_id: int) -> tuple[DecisionWithSpans | None, DecisionWithSpans | None]:
    """Return the latest decision, and the latest one that resolved the item: the same one, or one taken back since."""
    rows = Validation.objects.filter(batch_item=batch_item_id).select_related("annotation").order_by("-revision")
    latest = rows.first()
    resolving = latest
    if latest is not None and latest.decision == Validation.Decision.REOPENED:
        resolving = rows.filter(decision__in=RESOLVED).first()
    if latest is None or resolving is None:
        return None, None
    stands = decision_with_spans(latest)
    return stands, stands if resolving is latest else decision_with_spans(resolving)


def decision_with_spans(row: Validation) -> DecisionWithSpans:
    if row.decision == Validation.Decision.ACCEPTED:
        return DecisionWithSpans(
            row, _spans_by(Span, "annotation_id", [row.annotation_id]).get(row.annotation_id or 0, [])
        )
    if row.decision == Validation.Decision.EDITED:
        return DecisionWithSpans(row, _spans_by(ValidatedSpan, "validation_id", [row.pk]).get(row.pk, []))
    return DecisionWithSpans(row, [])


def resolved_spans(batch_item_ids: Collection[int]) -> dict[int, ResolvedSpans]:
    """Return the aggregated annotations of resolved items by batch item id, in three queries."""
    rows = Validation.objects.filter(batch_item__in=batch_item_ids).order_by("batch_item", "-revision")
    latest = [row for row in rows.distinct("batch_item") if row.decision in RESOLVED]
    accepted = [row.annotation_id for row in latest if row.decision == Validation.Decision.ACCEPTED]
    annotated = _spans_by(Span, "annotation_id", accepted)
    edited = _spans_by(ValidatedSpan, "validation_id", [row.pk for row in latest])
    return {
        row.batch_item_id: ResolvedSpans(row.decision, edited.get(row.pk) or annotated.get(row.annotation_id or 0, []))
        for row in latest
    }


def _spans_by(model: type[MarkedSpan], owner: str, ids: Iterable[int | None]) -> dict[int, list[SpanText]]:
    """Return spans in text order by the row that they belong to, in one query."""
    found: dict[int, list[MarkedSpan]] = defaultdict(list)
    for row in model._default_manager.filter(**{f"{owner}__in": list(ids)}).select_related("source_document"):
        found[getattr(row, owner)].append(row)
    return {pk: spans_of(rows) for pk, rows in found.items()}
