"""Decisions in: append-only, each checked against the annotations as they stand before anything is stored."""

from dataclasses import dataclass
from uuid import UUID

from django.db import connection, transaction

from annotation_app.annotation.revisions import Revisions
from annotation_app.annotation.selectors import pinned_codebook, span_check_inputs
from annotation_app.annotation.span_rows import span_columns
from annotation_app.annotation.span_rules import SpanText, errors_by_path, spans_read
from annotation_app.assignment.blinding import reveal_answers
from annotation_app.assignment.errors import NotYours
from annotation_app.models import (
    Annotation,
    Assignment,
    BatchItem,
    Capability,
    Membership,
    Validation,
    event_write,
)
from annotation_app.validation.decision import Decision, Kind, decision_errors
from annotation_app.validation.errors import AnnotationRevised, DecisionInvalid, DecisionStale, NotReady
from annotation_app.validation.standing import Standing, standing_of

STORE_SPANS = """
INSERT INTO annotation_app_validatedspan
    (validation_id, place, start, "end", quote, category, comment, source_document_id)
SELECT %(validation)s, span.place - 1, span.start, span."end", span.quote, span.category, span.comment, span.source
FROM unnest(
    %(starts)s::int[], %(ends)s::int[], %(quotes)s::text[], %(categories)s::text[], %(comments)s::text[],
    %(sources)s::bigint[]
) WITH ORDINALITY AS span (start, "end", quote, category, comment, source, place)
"""


@dataclass(frozen=True)
class Taken:
    """The stored decision; `created` is False where it had been stored before."""

    row: Validation
    created: bool


@transaction.atomic
def validation_submit(*, membership: Membership, item_uuid: UUID, body: Decision) -> Taken:
    """Stores one decision, or gives back what the same client_id and body stored before.

    It changes no annotation, no figure and no round, and may come before or after a batch is frozen. Raises NotYours,
    NotReady, AnswerFirst, OwnAnswerOpen, ClientIdReused, DecisionStale, AnnotationRevised, DecisionInvalid; nothing is
    stored then.
    """
    standing = standing_lock(membership, item_uuid)
    revisions = Revisions(list(Validation.objects.filter(batch_item=standing.batch_item_id).order_by("revision")))
    if (earlier := revisions.replayed(body)) is not None:
        return Taken(earlier, False)
    reveal_answers(reader=membership, batch_items=[standing.batch_item_id], subject=item_uuid, lock_own=False)
    revisions.check(body, DecisionStale)
    submit_check(standing, body, revisions.latest)
    annotation = annotation_named(standing, body)
    spans = spans_checked(standing, body)
    row = validation_store(membership, standing, body, annotation, spans, revisions.next_number)
    event_write(
        verb="validation_submitted",
        project=membership.project,
        actor_id=membership.user_id,
        subject=item_uuid,
        revision=row.revision,
        decision=str(row.decision),
    )
    return Taken(row, True)


def standing_lock(membership: Membership, item_uuid: UUID) -> Standing:
    """The person first, then the item in its batch: the order in which everything locks here."""
    mine = Membership.objects.filter(pk=membership.pk).active_with(Capability.RESOLVE)
    standing = standing_of(membership, item_uuid)
    if not mine.select_for_update(no_key=True).exists() or standing is None:
        raise NotYours
    BatchItem.objects.select_for_update(no_key=True).get(pk=standing.batch_item_id)
    # What was waited for may have been a decision.
    return standing_of(membership, item_uuid) or standing


def submit_check(standing: Standing, body: Decision, latest: Validation | None) -> None:
    if standing.state == "waiting":
        raise NotReady
    errors = decision_errors(body)
    if body.decision == Kind.REOPENED and (latest is None or latest.decision == Kind.REOPENED):
        errors["decision"] = ["There is no decision to take back."]
    if errors:
        raise DecisionInvalid(errors)


def annotation_named(standing: Standing, body: Decision) -> Annotation | None:
    """What is accepted or edited: a current annotation of the item; an edit may come from an earlier revision."""
    if body.annotation is None:
        return None
    of_item = Annotation.objects.filter(
        assignment__batch_item=standing.batch_item_id, assignment__state__in=Assignment.DONE_STATES
    )
    named = of_item.filter(uuid=body.annotation).select_related("assignment").first()
    if named is None:
        raise DecisionInvalid({"annotation": ["This is none of the item's annotations."]})
    if body.decision == Kind.ACCEPTED and named.pk != named.assignment.current_id:
        raise AnnotationRevised(named)
    if named.skip_reason:
        raise DecisionInvalid({"annotation": ["This item was skipped there: there is nothing to take over."]})
    return named


def spans_checked(standing: Standing, body: Decision) -> list[SpanText]:
    """An edit's spans, by the very rules that annotators' pass."""
    if body.decision != Kind.EDITED:
        return []
    layer = pinned_codebook(standing.codebook_id).parsed.span_layer
    if layer is None:
        raise ValueError(f"Codebook {standing.codebook_id} has no span layer.")
    spans, faults = spans_read(layer, *span_check_inputs(standing.batch_item_id, body.spans))
    if faults:
        raise DecisionInvalid(errors_by_path(faults))
    return spans


def validation_store(
    membership: Membership,
    standing: Standing,
    body: Decision,
    annotation: Annotation | None,
    spans: list[SpanText],
    revision: int,
) -> Validation:
    row = Validation.objects.create(
        batch_item_id=standing.batch_item_id,
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
            cursor.execute(STORE_SPANS, {"validation": row.pk, **span_columns(spans)})
    return row
