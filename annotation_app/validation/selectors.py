"""What a validator sees of an item, and what became of items: the aggregated annotation of each."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from uuid import UUID

from annotation_app.aggregation.letters import letter, shuffled
from annotation_app.annotation.selectors import spans_of
from annotation_app.annotation.span_rules import SpanText
from annotation_app.models import Assignment, MarkedSpan, Membership, Span, ValidatedSpan, Validation
from annotation_app.validation.standing import SETTLED, Standing


@dataclass(frozen=True)
class Beside:
    """One annotation under its letter. `revised`: changed after the latest decision."""

    uuid: UUID
    assignment_id: int
    letter: str
    spans: Sequence[SpanText]
    comment: str
    skip_reason: str
    revised: bool


@dataclass(frozen=True)
class Decided:
    """A decision with the spans that it settles: the accepted annotation's as they were, or the edit's."""

    row: Validation
    spans: Sequence[SpanText]

    @property
    def settles(self) -> bool:
        return self.row.decision in SETTLED


@dataclass(frozen=True)
class Settled:
    """The aggregated annotation of an item in a batch; without spans where all were rejected."""

    decision: str
    spans: Sequence[SpanText]


def annotations_beside(
    *, standing: Standing, item_uuid: UUID, reader: Membership, latest: Validation | None
) -> list[Beside]:
    """The current annotations that count, in the order of their letters. Two queries, however many there are.

    Empty while some are still to come: whoever annotates and validates must not see others' before their own is in.
    """
    if standing.state == "waiting":
        return []
    rows = Assignment.objects.filter(batch_item=standing.batch_item_id, state__in=Assignment.DONE_STATES)
    by_uuid = {row.uuid: row for row in rows.select_related("current")}
    order = shuffled(by_uuid, reader=reader.uuid, item=item_uuid)
    spans = _spans_by(Span, "annotation_id", [row.current_id for row in by_uuid.values() if row.current_id])
    return [_beside(by_uuid[uuid], letter(place), spans, latest) for place, uuid in enumerate(order)]


def _beside(row: Assignment, its_letter: str, spans: dict[int, list[SpanText]], latest: Validation | None) -> Beside:
    current = row.current
    if current is None:
        raise ValueError(f"Assignment {row.uuid} is {row.state} without an annotation.")
    return Beside(
        uuid=current.uuid,
        assignment_id=row.pk,
        letter=its_letter,
        spans=spans.get(current.pk, []),
        comment=current.comment,
        skip_reason=current.skip_reason,
        revised=latest is not None and _changed_after(row, latest),
    )


def _changed_after(row: Assignment, latest: Validation) -> bool:
    """As `standing.sql` says of all annotations of an item together."""
    named = latest.annotation
    replaced = named is not None and named.assignment_id == row.pk and named.pk != row.current_id
    return replaced or (row.current is not None and row.current.created_at > latest.created_at)


def decisions_of(batch_item_id: int) -> tuple[Decided | None, Decided | None]:
    """The latest decision, and the latest one that settled the item: the same, or the one that was taken back."""
    rows = Validation.objects.filter(batch_item=batch_item_id).select_related("annotation").order_by("-revision")
    latest = rows.first()
    settling = latest
    if latest is not None and latest.decision == Validation.Decision.REOPENED:
        settling = rows.filter(decision__in=SETTLED).first()
    if latest is None or settling is None:
        return None, None
    stands = decided(latest)
    return stands, stands if settling is latest else decided(settling)


def decided(row: Validation) -> Decided:
    if row.decision == Validation.Decision.ACCEPTED:
        return Decided(row, _spans_by(Span, "annotation_id", [row.annotation_id]).get(row.annotation_id or 0, []))
    if row.decision == Validation.Decision.EDITED:
        return Decided(row, _spans_by(ValidatedSpan, "validation_id", [row.pk]).get(row.pk, []))
    return Decided(row, [])


def settled_spans(batch_item_ids: Collection[int]) -> dict[int, Settled]:
    """By batch item id, of those with a decision that stands. Three queries, however many there are."""
    rows = Validation.objects.filter(batch_item__in=batch_item_ids).order_by("batch_item", "-revision")
    latest = [row for row in rows.distinct("batch_item") if row.decision in SETTLED]
    accepted = [row.annotation_id for row in latest if row.decision == Validation.Decision.ACCEPTED]
    annotated = _spans_by(Span, "annotation_id", accepted)
    edited = _spans_by(ValidatedSpan, "validation_id", [row.pk for row in latest])
    return {
        row.batch_item_id: Settled(row.decision, edited.get(row.pk) or annotated.get(row.annotation_id or 0, []))
        for row in latest
    }


def _spans_by(model: type[MarkedSpan], owner: str, ids: Iterable[int | None]) -> dict[int, list[SpanText]]:
    """Spans in text order by the row they belong to, in one query."""
    found: dict[int, list[MarkedSpan]] = defaultdict(list)
    for row in model._default_manager.filter(**{f"{owner}__in": list(ids)}).select_related("source_document"):
        found[getattr(row, owner)].append(row)
    return {pk: spans_of(rows) for pk, rows in found.items()}
