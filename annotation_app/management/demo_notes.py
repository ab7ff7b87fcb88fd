"""Settle the demo's notes: a person keeps the imported spans, another one accepts them, and strings are grouped."""

from uuid import UUID, uuid5

from django.db import transaction

from annotation_app.annotation.services import annotation_submit
from annotation_app.annotation.submission import Submission
from annotation_app.api.items import serialize_items
from annotation_app.assignment.services import next_window
from annotation_app.demo.paths import NOTE_CLASSES
from annotation_app.equivalence.files import evaluations_import
from annotation_app.equivalence.services import class_review, content_of
from annotation_app.models import Annotation, EquivalenceEvaluation, EquivalenceReview, Membership, Project, Round, User
from annotation_app.validation.decision import DecisionKind, ValidationBody
from annotation_app.validation.services import validation_submit

NAMESPACE = UUID("5b0f5a0e-3a86-4c0b-8f3c-9b6f8f7f1c55")
VALIDATED, RETURNED = EquivalenceReview.Decision.VALIDATED, EquivalenceReview.Decision.RETURNED
# What a senior person decided about each class, by the names of evaluation and class; nobody reviewed the others.
REVIEWS = {
    ("direction of policy", "looser"): (VALIDATED, ""),
    ("direction of policy", "tighter"): (VALIDATED, ""),
    ("direction of policy", "unchanged"): (VALIDATED, ""),
    ("aim", "more growth"): (VALIDATED, ""),
    ("aim", "more time"): (RETURNED, "Two strings wait for figures, and the third one for an effect. Is that one aim?"),
}


@transaction.atomic
def notes_annotate(row: Round, annotator: Membership) -> None:
    """Answer all that a person has of a round's batch with the spans that were imported."""
    while rows := next_window(membership=annotator, ahead=50).assignments:
        shown = serialize_items([each.batch_item.item_id for each in rows], row.project)
        for assignment in rows:
            item = shown[assignment.batch_item.item_id]
            spans = [
                {**each, "quote": item["text"][each["start"] : each["end"]], "comment": each["comment"] or ""}
                for each in item["marks"]
            ]
            body = Submission(
                client_id=uuid5(NAMESPACE, f"annotation {assignment.uuid}"),
                base_revision=0,
                answers={},
                context_opened="sentence",
                active_ms=20_000,
                wall_ms=25_000,
                spans=spans,
            )
            annotation_submit(membership=annotator, assignment_uuid=assignment.uuid, body=body)


@transaction.atomic
def notes_validate(row: Round, validator: Membership) -> None:
    """Accept the annotation of every item of a round's batch."""
    latest = Annotation.objects.filter(assignment__batch_item__batch=row.batch, current_for__isnull=False)
    for annotation, item in latest.values_list("uuid", "assignment__batch_item__item__uuid"):
        body = ValidationBody(
            client_id=uuid5(NAMESPACE, f"decision {annotation}"),
            base_revision=0,
            decision=DecisionKind.ACCEPTED,
            annotation=annotation,
        )
        validation_submit(membership=validator, item_uuid=item, body=body)


@transaction.atomic
def notes_group(project: Project, admin: User, reviewer: User) -> None:
    """Import the evaluations, and review some of their classes."""
    data = NOTE_CLASSES.read_bytes()
    evaluations_import(project=project, actor=admin, data=data, filename=NOTE_CLASSES.name, dry_run=False)
    for row in EquivalenceEvaluation.objects.filter(project=project):
        content = content_of(row)
        for each in content.classes:
            if (content.name, each.name) in REVIEWS:
                decision, note = REVIEWS[content.name, each.name]
                class_review(
                    row=row,
                    actor=reviewer,
                    class_key=UUID(each.key),
                    decision=decision,
                    note=note,
                    revision=row.revision,
                    client_id=uuid5(NAMESPACE, f"review {each.key}"),
                )
