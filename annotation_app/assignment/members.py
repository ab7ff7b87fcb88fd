"""A person leaves or comes back: their labels stay, their open assignments are withdrawn so that no batch hangs."""

from django.db import transaction

from annotation_app.assignment.services import assignments_restore, assignments_withdraw
from annotation_app.models import Membership, Role, User, event_write
from annotation_app.projects.services import last_admin_refuse


@transaction.atomic
def member_deactivate(*, member: Membership, actor: User) -> Membership:
    """Raises ProjectError for the project's last admin."""
    if member.role == Role.ADMIN:
        last_admin_refuse(member)
    return activity_set(member, False, actor)


@transaction.atomic
def member_activate(*, member: Membership, actor: User) -> Membership:
    return activity_set(member, True, actor)


def activity_set(member: Membership, active: bool, actor: User) -> Membership:
    member.is_active = active
    member.save(update_fields=["is_active"])
    change = assignments_restore if active else assignments_withdraw
    change(membership=member, actor_id=actor.pk)
    verb = "member_activated" if active else "member_deactivated"
    event_write(verb=verb, project=member.project, actor_id=actor.pk, subject=member.uuid)
    return member
