"""Deactivate and reactivate members. They are never deleted, and their answers keep counting."""

from django.db import transaction

from annotation_app.assignment.services import assignments_restore, assignments_withdraw
from annotation_app.models import Capability, Membership, User, event_write
from annotation_app.projects.accounts import sessions_end
from annotation_app.projects.api_tokens import tokens_end
from annotation_app.projects.services import last_admin_refuse, member_locked


@transaction.atomic
def member_deactivate(*, member: Membership, actor: User) -> Membership:
    """End the person's access and API tokens, and withdraw what they have not answered: no batch waits for them.

    A person who belongs to no other project is signed out everywhere. Doing it twice changes nothing. Raises
    Invalid for the project's last admin.
    """
    member = member_locked(member)
    if member.may(Capability.MANAGE):
        last_admin_refuse(member)
    return activity_set(member, actor.pk, is_active=False)


@transaction.atomic
def member_activate(*, member: Membership, actor: User) -> Membership:
    return activity_set(member_locked(member), actor.pk, is_active=True)


def activity_set(member: Membership, actor_id: int | None, *, is_active: bool) -> Membership:
    if member.is_active == is_active:
        return member
    member.is_active = is_active
    member.save(update_fields=["is_active"])
    change = assignments_restore if is_active else assignments_withdraw
    change(membership=member, actor_id=actor_id)
    if not is_active:
        tokens_end(Membership.objects.filter(pk=member.pk))
    if not is_active and not member.user.memberships.filter(is_active=True).exists():
        sessions_end(member.user)
    event_write(
        verb="member_activated" if is_active else "member_deactivated",
        project=member.project,
        actor_id=actor_id,
        subject=member.uuid,
    )
    return member
