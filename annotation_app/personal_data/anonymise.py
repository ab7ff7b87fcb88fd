"""Take a person's names and texts out of the database. Their labels stay, under the pseudonym that exports use."""

from collections import Counter
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from django.apps import apps
from django.contrib.postgres.functions import RandomUUID
from django.db import transaction
from django.db.models import Model, Q, QuerySet
from django.utils import timezone

from annotation_app.assignment.members import activity_set
from annotation_app.models import (
    AddressLink,
    Capability,
    Event,
    FactoidRevision,
    Invite,
    Mail,
    Membership,
    PasswordLink,
    Project,
    User,
    event_write,
)
from annotation_app.models.names import name_key
from annotation_app.personal_data.holdings import HOLDINGS
from annotation_app.personal_data.removals import DELETED, REMOVED, SPAN_TEXTS, TEXTS
from annotation_app.personal_data.traces import names_of, traces
from annotation_app.projects.services import last_admin_refuse, member_locked
from annotation_app.refusals import Invalid, Refused

# Empty texts of these mean something: a skip without a reason is none.
MARKED = {("Annotation", "skip_reason"), ("FlagMessage", "words")}
LAST_OPERATOR = "Nobody else may create projects: make another account first (manage.py create_user)."
OWNS = "The person answers for the project “{}”: transfer it to another admin first, on its page Settings."
LAST_ADMIN = "The person is the last admin of the project “{}”: make someone else admin first."


@dataclass(frozen=True)
class Anonymised:
    """Hold what went, by table, and the tables in which a name of the person is still found."""

    name: str
    counts: Counter[str]
    left: dict[str, int]


def person_anonymise(*, user: User, span_comments: bool, is_trial: bool) -> Anonymised:
    """Make a person anonymous, or with `is_trial` only tell what would go. Raises Refused; needs the owner's rights."""
    with transaction.atomic():
        user = User.objects.select_for_update().get(pk=user.pk)
        refuse(user)
        # In no log and no row: this process alone knows them from now on.
        names = names_of(user)
        members = list(user.memberships.select_related("project", "user"))
        for member in members:
            access_end(member)
        pseudonym = f"anonymous-{uuid4().hex[:12]}"
        counts = Counter(
            rows_delete(user, names)
            + invites_empty(user)
            + texts_empty(user, span_comments)
            + log_rename(user, members, pseudonym)
        )
        user_empty(user, pseudonym)
        for member in members:
            event_write(verb="person_anonymised", project=member.project, actor_id=None, subject=member.uuid)
        event_write(verb="person_anonymised", project=None, actor_id=None, subject=user.uuid)
        done = Anonymised(pseudonym, counts, traces(names))
        transaction.set_rollback(is_trial)
    return done


def refuse(user: User) -> None:
    """Raise Refused where somebody else must take over first."""
    others = User.objects.filter(is_active=True).exclude(pk=user.pk)
    runs = Q(can_create_projects=True) | Q(is_superuser=True)
    if (user.can_create_projects or user.is_superuser) and not others.filter(runs).exists():
        raise Refused("last_operator", LAST_OPERATOR)
    for project in Project.objects.filter(Q(created_by=user) | Q(transferred_to=user), archived_at=None):
        if project.owner == user:
            raise Refused("owner", OWNS.format(project.name))


def access_end(member: Membership) -> None:
    """Deactivate a membership, so that no batch waits for the person. Raises Refused for a project's last admin."""
    member = member_locked(member)
    if member.is_active and member.may(Capability.MANAGE) and member.project.archived_at is None:
        try:
            last_admin_refuse(member)
        except Invalid as error:
            raise Refused("last_admin", LAST_ADMIN.format(member.project.name)) from error
    activity_set(member, None, is_active=False)


def rows_of(name: str, user: User) -> QuerySet[Any]:
    """Return the rows of a table that belong to the person by any of the ways that the export follows."""
    model: type[Model] = apps.get_model("annotation_app", name)
    mine = Q()
    for way in next(each.ways for each in HOLDINGS if each.model == name):
        mine |= Q(**{way: user.pk})
    # Joins of several ways would repeat rows.
    return model._default_manager.filter(pk__in=model._default_manager.filter(mine).values("pk"))


def rows_delete(user: User, names: list[str]) -> Counter[str]:
    """Delete what is about the person alone, also what is stored by their address or name without an account."""
    counts: Counter[str] = Counter()
    addressed = Q(address__iexact=user.email) if user.email else Q(pk=None)
    invites = Invite.objects.filter(addressed | Q(used_by=user)).values("pk")
    special: dict[str, QuerySet[Any]] = {
        # A link that the person made for somebody else is that person's.
        "PasswordLink": PasswordLink.objects.filter(user=user),
        "AddressLink": AddressLink.objects.filter(addressed | Q(user=user)),
        "Mail": Mail.objects.filter(addressed | Q(user=user) | Q(invite_id__in=invites)),
    }
    for name in DELETED:
        rows = special[name] if name in special else rows_of(name, user)
        counts[name] += rows.delete()[1].get(f"annotation_app.{name}", 0)
    typed = {name_key(each) for each in names} | set(names)
    for model in (AccessAttempt, AccessFailureLog, AccessLog):
        counts[model.__name__] += model.objects.filter(username__in=typed).delete()[0]
    return counts


def invites_empty(user: User) -> Counter[str]:
    """Empty what invitations tell of the person. One for their address that is still open would be open to anybody."""
    addressed = Invite.objects.filter(address__iexact=user.email) if user.email else Invite.objects.none()
    addressed.filter(used_at=None, revoked_at=None).update(revoked_at=timezone.now())
    n = Invite.objects.filter(Q(pk__in=addressed.values("pk")) | Q(used_by=user)).update(note="", address="")
    return Counter({"Invite": n + Invite.objects.filter(created_by=user).update(note="")})


def texts_empty(user: User, span_comments: bool) -> Counter[str]:
    """Empty the person's texts, and what could be compared with a text that somebody has kept."""
    counts: Counter[str] = Counter()
    texts = {name: fields for name, fields in TEXTS.items() if name != "Invite"} | (SPAN_TEXTS if span_comments else {})
    for name in [each.model for each in HOLDINGS if each.model not in DELETED]:
        fields = {field.name: field for field in apps.get_model("annotation_app", name)._meta.concrete_fields}
        changes: dict[str, Any] = {}
        if "body_hash" in fields:
            changes["body_hash"] = ""
        if "client_id" in fields:
            changes["client_id"] = None if fields["client_id"].null else RandomUUID()
        rows = rows_of(name, user)
        if changes:
            rows.update(**changes)
        for field in texts.get(name, ()):
            if name == "FactoidRevision":
                counts[name] += notes_empty(rows)
                continue
            said = rows.exclude(**{field: ""})
            if name == "FlagMessage":
                # Its words are those of a note to everybody, which stays.
                said = said.filter(note=None)
            marked = REMOVED if (name, field) in MARKED else ""
            counts[f"{name}.{field}"] += said.exclude(**{field: marked}).update(**{field: marked})
    return counts


def notes_empty(rows: QuerySet[FactoidRevision]) -> int:
    """Empty the notes in decisions on factoids."""
    n = 0
    for row in rows.exclude(item=None).iterator(chunk_size=500):
        item: dict[str, Any] = row.item or {}
        emptied = {side: told and told | {"note": ""} for side, told in item.items() if side in ("before", "after")}
        if item | emptied != item:
            n += FactoidRevision.objects.filter(pk=row.pk).update(item=item | emptied)
    return n


def log_rename(user: User, members: list[Membership], pseudonym: str) -> Counter[str]:
    """Replace the person's name in lines of the log that hold a name, and those of their API tokens."""
    mine = {str(member.uuid) for member in members}
    n = 0
    for member in members:
        is_theirs = member.project.created_by_id == user.pk
        for line in Event.objects.filter(project=member.project, verb="project_transferred").order_by("pk"):
            old, is_theirs = is_theirs, line.subject in mine
            n += line_change(line, {"old": pseudonym} if old else {}, {"to": pseudonym} if is_theirs else {})
    for line in Event.objects.filter(verb="items_handed_over", data__to__in=mine):
        n += line_change(line, {"to_name": pseudonym})
    for line in Event.objects.filter(verb__in=("api_token_created", "api_token_revoked"), subject__in=mine):
        n += line_change(line, {"name": REMOVED})
    return Counter({"Event": n})


def line_change(line: Event, *changes: dict[str, str]) -> int:
    data = dict(line.data)
    for each in changes:
        data |= each
    return 0 if data == line.data else Event.objects.filter(pk=line.pk).update(data=data)


def user_empty(user: User, pseudonym: str) -> None:
    user.username, user.display_name, user.first_name, user.last_name, user.email = pseudonym, "", "", "", ""
    user.set_unusable_password()
    user.time_zone, user.notice_mails, user.last_login = "", User.NoticeMails.OFF, None
    user.is_active = user.is_staff = user.is_superuser = user.can_create_projects = False
    user.save()
