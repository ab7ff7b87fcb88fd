"""Store annotations as append-only revisions, each checked against the codebook before anything is stored."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID, uuid4

from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from annotation_app.annotation.revisions import Revisions
from annotation_app.annotation.selectors import Content, content_of, span_check_inputs, span_columns
from annotation_app.annotation.span_rules import SpanText, errors_by_path, spans_read
from annotation_app.annotation.statements import annotation_statement, store_statement
from annotation_app.annotation.submission import Submission, capped_ms, submission_errors
from annotation_app.annotation.suggestions import setting_shown
from annotation_app.assignment.blinding import LockReason, freeze_reason, locked_refusal
from annotation_app.assignment.open_batch import batch_facts
from annotation_app.assignment.practice import practice_answered
from annotation_app.assignment.services import FEWEST, WITHDRAWN, Window, next_window, window_fill
from annotation_app.assignment.slots import slot_for_late_answer
from annotation_app.codebook.definition import pinned_codebook
from annotation_app.codebook.gates import open_answers
from annotation_app.codebook.texts import comment_kept
from annotation_app.db.constraints import constraint_of
from annotation_app.models import Annotation, Assignment, Membership, event_write
from annotation_app.refusals import Invalid, NotYours, Refused

# The response to a submit brings no more than this. A browser that wants more for working offline asks for it.
AHEAD = FEWEST
CLIENT_ID_ONCE = "annotation_client_id_once"
REVISION_ONCE = "annotation_revision_once"


COLUMNS = [str(field.attname) for field in Annotation._meta.concrete_fields if not field.primary_key]


@dataclass(frozen=True)
class Submitted:
    """Hold the stored annotation and the person's next items; `created` is False where it had been stored before."""

    annotation: Annotation
    content: Content
    created: bool
    window: Window


@dataclass(frozen=True)
class Target:
    """Hold what a submit needs of the assignment and its batch, both locked."""

    assignment_id: int
    state: str
    slot: int | None
    current_id: int | None
    batch_item_id: int
    answers_revealed_at: datetime | None
    batch_id: int
    codebook_id: int
    frozen_at: datetime | None
    suggestions_id: int | None
    people_added: int


def annotation_submit(*, membership: Membership, assignment_uuid: UUID, body: Submission) -> Submitted:
    """Store one revision, or return what the same client_id and body stored before, and refill the window.

    Raises NotYours, Refused (closed, seen, withdrawn, client_id_reused), Stale and Invalid; nothing is stored then.
    """
    try:
        submitted = annotation_take(membership, assignment_uuid, body)
    except IntegrityError as error:
        # Something wrote without these locks and a constraint caught it: the second try finds a replay or stale base.
        if constraint_of(error) not in (CLIENT_ID_ONCE, REVISION_ONCE):
            raise
        submitted = annotation_take(membership, assignment_uuid, body, look_again=True)
    if submitted.window.contended:
        window = next_window(membership=membership, ahead=AHEAD)
        return Submitted(submitted.annotation, submitted.content, submitted.created, window)
    return submitted


@transaction.atomic
def annotation_take(
    membership: Membership, assignment_uuid: UUID, body: Submission, *, look_again: bool = False
) -> Submitted:
    target = target_lock(membership, assignment_uuid)
    # Every stored revision becomes `assignment.current`; an assignment without one has no revisions.
    stored = Annotation.objects.filter(assignment=target.assignment_id).order_by("revision")
    revisions = Revisions(list(stored) if target.current_id or look_again else [])
    if (earlier := revisions.replayed(body)) is not None:
        return Submitted(earlier, content_of(earlier), False, window_fill(membership=membership, ahead=AHEAD))
    target_check(target, answered=revisions.latest is not None)
    revisions.check(body, "Your answers to this item were changed after this page was loaded.")
    content = content_check(target, body)
    shown = setting_shown(target.batch_id, body.suggestions, answered=revisions.latest is not None)
    annotation = annotation_store(target, body, content, revisions.next_number, shown)
    if batch_facts(target.batch_id).is_practice:
        practice_answered(membership=membership, assignment_id=target.assignment_id, batch_id=target.batch_id)
    # Where this took a late slot, the transaction holds that item's lock and must not wait for another one.
    window = window_fill(membership=membership, ahead=AHEAD, expire=target.slot is not None)
    event_write(
        verb="annotation_submitted",
        project=membership.project,
        actor_id=membership.user_id,
        subject=assignment_uuid,
        revision=annotation.revision,
        skipped=body.skipped,
        claimed=window.claimed,
    )
    return Submitted(annotation, content, True, window)


def target_lock(membership: Membership, assignment_uuid: UUID) -> Target:
    with connection.cursor() as cursor:
        cursor.execute(annotation_statement("lock_target"), {"assignment": assignment_uuid, "member": membership.pk})
        row = cursor.fetchone()
    if row is None:
        raise NotYours
    return Target(*row)


def target_check(target: Target, *, answered: bool) -> None:
    if target.frozen_at is not None:
        raise locked_refusal(freeze_reason(target.batch_id))
    if target.state == Assignment.State.WITHDRAWN:
        raise Refused("withdrawn", WITHDRAWN)
    if target.answers_revealed_at is not None:
        reason = LockReason.KEY if batch_facts(target.batch_id).is_practice else LockReason.SEEN
        raise locked_refusal(reason, answered=answered)


def content_check(target: Target, body: Submission) -> Content:
    """Return what is stored: answers to open stages in the codebook's order, spans in text order.

    Raises Invalid with every fault.
    """
    codebook = pinned_codebook(target.codebook_id).parsed
    errors = submission_errors(codebook, body)
    spans: list[SpanText] = []
    if codebook.span_layer is not None and not body.skipped:
        spans, faults = spans_read(codebook.span_layer, *span_check_inputs(target.batch_item_id, body.spans))
        errors |= errors_by_path(faults)
    if errors:
        raise Invalid(errors, "The answers were not stored.")
    return Content(open_answers(codebook, body.answers), spans)


def annotation_store(
    target: Target, body: Submission, content: Content, revision: int, shown: int | None
) -> Annotation:
    """Store the revision, its answers and spans, and the assignment's new state, in one statement.

    `shown` is the setting whose suggestions were on the screen, None where none were.
    """
    slot = target.slot or late_slot(target)
    annotation = Annotation(
        uuid=uuid4(),
        assignment_id=target.assignment_id,
        revision=revision,
        base_revision=body.base_revision,
        client_id=body.client_id,
        body_hash=body.body_hash,
        codebook_id=target.codebook_id,
        comment=comment_kept(body.comment),
        skip_reason=body.skip_reason,
        context_opened=body.context_opened,
        active_ms=capped_ms(body.active_ms),
        wall_ms=capped_ms(body.wall_ms),
        suggestions_id=target.suggestions_id if shown is None else shown,
        suggestions_shown=shown is not None,
        created_at=timezone.now(),
    )
    values = {
        **{column: getattr(annotation, column) for column in COLUMNS},
        "stages": list(content.answers),
        "labels": list(content.answers.values()),
        **span_columns(content.spans),
        "slot": slot,
        "assignment_state": str(done_state(slot, body)),
    }
    with connection.cursor() as cursor:
        cursor.execute(store_statement(), values)
        (annotation.pk,) = cursor.fetchone()
    return annotation


def late_slot(target: Target) -> int | None:
    facts = batch_facts(target.batch_id)
    return slot_for_late_answer(
        assignment_id=target.assignment_id,
        batch_item_id=target.batch_item_id,
        slots=facts.annotators_per_item,
        k_of_n=facts.k_of_n(target.people_added),
    )


def done_state(slot: int | None, body: Submission) -> Assignment.State:
    """Return the assignment's state after a submit. An answer without a slot is kept as surplus."""
    if slot is None:
        return Assignment.State.SURPLUS
    return Assignment.State.SKIPPED if body.skipped else Assignment.State.SUBMITTED
