"""People who leave and come back. They are deactivated, never deleted: what they answered keeps counting."""

from django.db import transaction

from annotation_app.assignment.services import assignments_restore, assignments_withdraw
from annotation_app.models import Membership, Role, User, event_write
from annotation_app.projects.services import last_admin_refuse


@transaction.atomic
def member_deactivate(*, member: Membership, actor: User) -> Membership:
    """Ends the person's access and withdraws what they have not answered, so that no batch waits for them.

    Raises ProjectError for the project's last admin. Doing it twice changes nothing.
    """
    if member.role == Role.ADMIN:
        last_admin_refuse(member)
    return activity_set(member, actor, is_active=False)


@transaction.atomic
def member_activate(*, member: Membership, actor: User) -> Membership:
    return activity_set(member, actor, is_active=True)


def activity_set(member: Membership, actor: User, *, is_active: bool) -> Membership:
    # Waits for what the person is doing this moment; what they try after that finds them deactivated.
    locked = Membership.objects.select_for_update(no_key=True).get(pk=member.pk)
    member.is_active = is_active
    if locked.is_active == is_active:
        return member
    member.save(update_fields=["is_active"])
    change = assignments_restore if is_active else assignments_withdraw
    change(membership=member, actor_id=actor.pk)
    event_write(
        verb="member_activated" if is_active else "member_deactivated",
        project=member.project,
        actor_id=actor.pk,
        subject=member.uuid,
    )
    return member
