"""Labels a batch through the services that the API calls."""

import uuid
from collections.abc import Callable, Mapping

from annotation_app.annotation.services import annotation_submit
from annotation_app.annotation.submission import Submission
from annotation_app.assignment.services import next_window
from annotation_app.models import Batch, Item, Membership

NO = {"opinion": "no"}
YES = {"opinion": "yes", "mp": "no"}
Rule = Callable[[Membership, Item], Mapping[str, str]]


def submission(answers: Mapping[str, str], base_revision: int = 0) -> Submission:
    return Submission(
        client_id=uuid.uuid4(),
        base_revision=base_revision,
        answers=answers,
        context_opened="sentence",
        active_ms=1000,
        wall_ms=1500,
    )


def label_batch(batch: Batch, rule: Rule) -> None:
    """Every annotator of the batch answers everything that is handed to them, by the rule."""
    for member in Membership.objects.filter(assignments__batch_item__batch=batch).distinct():
        while (window := next_window(membership=member, ahead=3)).assignments:
            for assignment in window.assignments:
                item = Item.objects.get(batch_items__assignments=assignment)
                annotation_submit(
                    membership=member, assignment_uuid=assignment.uuid, body=submission(rule(member, item))
                )
