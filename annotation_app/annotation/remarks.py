"""Store annotators' flags, and whether admins have resolved a remark."""

from uuid import UUID

from django.db import transaction

from annotation_app.assignment.services import member_lock
from annotation_app.models import Annotation, Assignment, Flag, Membership, Resolution, event_write
from annotation_app.refusals import NotYours, Refused

NOTE_LENGTH = 1_000
REUSED = "This client_id was already used for other words. Send a new one."


@transaction.atomic
def item_flag(*, membership: Membership, assignment_uuid: UUID, note: str, client_id: UUID | None = None) -> Flag:
    """Flag an item of one's own for the admins, answered or not. The same `client_id` again flags nothing twice.

    Raises NotYours, and Refused where the `client_id` came with another note.
    """
    member_lock(membership)
    row = Assignment.objects.filter(annotator=membership, uuid=assignment_uuid).first()
    if row is None:
        raise NotYours
    before = client_id and Flag.objects.filter(assignment=row, client_id=client_id).first()
    if before:
        if before.note != note.strip():
            raise Refused("client_id_reused", REUSED)
        return before
    if row.state == Assignment.State.OPEN:
        raise NotYours
    flag = Flag.objects.create(assignment=row, note=note.strip(), client_id=client_id)
    event_write(verb="item_flagged", project=membership.project, actor_id=membership.user_id, subject=assignment_uuid)
    return flag


@transaction.atomic
def remark_resolve(*, membership: Membership, remark: UUID, resolved: bool) -> Resolution:
    """Mark a remark as resolved or as open. `remark` is the UUID of a flag or an annotation. Raises NotYours."""
    project = membership.project
    flag = Flag.objects.filter(uuid=remark, assignment__annotator__project=project).first()
    annotation = None
    if flag is None:
        said = Annotation.objects.filter(uuid=remark, assignment__annotator__project=project)
        annotation = said.exclude(comment="", skip_reason="").first()
        if annotation is None:
            raise NotYours
    return resolution_write(by=membership, flag=flag, annotation=annotation, resolved=resolved)


def resolution_write(
    *, by: Membership, resolved: bool, flag: Flag | None = None, annotation: Annotation | None = None
) -> Resolution:
    """Store the newest word on a remark, inside the caller's transaction."""
    row = Resolution.objects.create(flag=flag, annotation=annotation, resolved=resolved, resolved_by=by)
    subject = (flag or annotation).assignment.uuid  # type: ignore[union-attr]
    event_write(
        verb="remark_resolved" if resolved else "remark_reopened",
        project=by.project,
        actor_id=by.user_id,
        subject=subject,
    )
    return row
