"""Store decisions as append-only revisions, each checked against the current annotations first."""

from dataclasses import dataclass
from uuid import UUID

from django.db import connection, transaction

from annotation_app.annotation.revisions import DECISION_NOT_STORED, STALE_DECISION, Revisions
from annotation_app.annotation.selectors import span_check_inputs, span_columns
from annotation_app.annotation.span_rules import SpanText, errors_by_path, spans_read
from annotation_app.assignment.blinding import reveal_answers
from annotation_app.codebook.definition import pinned_codebook
from annotation_app.models import (
    Annotation,
    Assignment,
    BatchItem,
    Capability,
    Membership,
    Validation,
    event_write,
)
from annotation_app.refusals import Invalid, NotYours, Refused
from annotation_app.validation.decision import DecisionKind, ValidationBody, decision_errors
from annotation_app.validation.review_state import ReviewState, review_state, store_spans_statement


class AnnotationRevised(Exception):
    """Signal that the accepted annotation is no longer its annotator's latest one."""

    def __init__(self, annotation: Annotation) -> None:
        super().__init__("The annotation was revised after this page was loaded.")
        self.annotation = annotation


@dataclass(frozen=True)
class StoredValidation:
    """Hold the stored decision; `created` is False where it had been stored before."""

    row: Validation
    created: bool


@transaction.atomic
def validation_submit(*, membership: Membership, item_uuid: UUID, body: ValidationBody) -> StoredValidation:
    """Store one decision, or return what the same client_id and body stored before.

    It changes no annotation, agreement value or round, and may come before or after a batch is frozen. Raises NotYours,
    Invalid, Stale, AnnotationRevised and Refused (waiting, answer_first, own_answer, client_id_reused); nothing is
    stored then.
    """
    review = review_lock(membership, item_uuid)
    revisions = Revisions(list(Validation.objects.filter(batch_item=review.batch_item_id).order_by("revision")))
    if (earlier := revisions.replayed(body)) is not None:
        return StoredValidation(earlier, False)
    reveal_answers(reader=membership, batch_items=[review.batch_item_id], subject=item_uuid, lock_own=False)
    revisions.check(body, STALE_DECISION)
    submit_check(review, body, revisions.latest)
    annotation = annotation_named(review, body)
    spans = spans_checked(review, body)
    row = validation_store(membership, review, body, annotation, spans, revisions.next_number)
    event_write(
        verb="validation_submitted",
        project=membership.project,
        actor_id=membership.user_id,
        subject=item_uuid,
        revision=row.revision,
        decision=str(row.decision),
    )
    return StoredValidation(row, True)


def review_lock(membership: Membership, item_uuid: UUID) -> ReviewState:
    """Lock the person, then the item in its batch, in the order that everything here uses."""
    mine = Membership.objects.filter(pk=membership.pk).active_with(Capability.RESOLVE)
    review = review_state(membership, item_uuid)
    if not mine.select_for_update(no_key=True).exists() or review is None:
        raise NotYours
    BatchItem.objects.select_for_update(no_key=True).get(pk=review.batch_item_id)
    # The lock may have waited for another decision.
    return review_state(membership, item_uuid) or review


def submit_check(review: ReviewState, body: ValidationBody, latest: Validation | None) -> None:
    if review.state == "waiting":
        raise Refused("waiting", "Not every annotation of this item has been submitted yet.")
    errors = decision_errors(body)
    if body.decision == DecisionKind.REOPENED and (latest is None or latest.decision == DecisionKind.REOPENED):
        errors["decision"] = ["There is no decision to take back."]
    if errors:
        raise Invalid(errors, DECISION_NOT_STORED)


def annotation_named(review: ReviewState, body: ValidationBody) -> Annotation | None:
    """Return the annotation that is accepted or edited. An accepted one must be current, an edited one may be older."""
    if body.annotation is None:
        return None
    of_item = Annotation.objects.filter(
        assignment__batch_item=review.batch_item_id, assignment__state__in=Assignment.DONE_STATES
    )
    named = of_item.filter(uuid=body.annotation).select_related("assignment").first()
    if named is None:
        raise Invalid({"annotation": ["This is not an annotation of this item."]}, DECISION_NOT_STORED)
    if body.decision == DecisionKind.ACCEPTED and named.pk != named.assignment.current_id:
        raise AnnotationRevised(named)
    if named.skip_reason:
        raise Invalid(
            {"annotation": ["Its annotator skipped this item, so there is nothing to accept."]}, DECISION_NOT_STORED
        )
    return named


def spans_checked(review: ReviewState, body: ValidationBody) -> list[SpanText]:
    """Check an edit's spans by the rules that annotators' spans pass."""
    if body.decision != DecisionKind.EDITED:
        return []
    layer = pinned_codebook(review.codebook_id).parsed.span_layer
    if layer is None:
        raise ValueError(f"Codebook {review.codebook_id} has no span layer.")
    spans, faults = spans_read(layer, *span_check_inputs(review.batch_item_id, body.spans))
    if faults:
        raise Invalid(errors_by_path(faults), DECISION_NOT_STORED)
    return spans


def validation_store(
    membership: Membership,
    review: ReviewState,
    body: ValidationBody,
    annotation: Annotation | None,
    spans: list[SpanText],
    revision: int,
) -> Validation:
    row = Validation.objects.create(
        batch_item_id=review.batch_item_id,
        revision=revision,
        client_id=body.client_id,
        body_hash=body.body_hash,
        validator=membership,
        decision=body.decision,
        annotation=annotation,
        reason=body.reason,
    )
    if spans:
        with connection.cursor() as cursor:
            cursor.execute(store_spans_statement(), {"validation": row.pk, **span_columns(spans)})
    return row
