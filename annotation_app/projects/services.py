"""Manage projects, their codebook versions, and who belongs to them."""

import hashlib
import secrets
from datetime import timedelta
from typing import Any
from uuid import UUID
from zoneinfo import available_timezones

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import Max, QuerySet
from django.utils import timezone

from annotation_app.codebook.compatibility import compare
from annotation_app.codebook.definition import codebook_of, definition_of, faults_of, parse_definition
from annotation_app.codebook.templates import BY_KEY, NO_CODEBOOK
from annotation_app.models import (
    CAPABILITIES,
    Capability,
    CodebookVersion,
    Invite,
    Mail,
    Membership,
    Project,
    Role,
    User,
    event_write,
)
from annotation_app.projects.mails import address_key, mail_enqueue
from annotation_app.refusals import Invalid, Refused
from annotation_app.starts import StartSpec, started_before

INVITE_DAYS = 14
ALREADY_IN = "You already belong to this project."
TAKEN = "This name is taken. If it is yours, sign in first and open the link again."
DEACTIVATED = "You belong to this project but were deactivated: ask one of its admins to activate you again."
FOR_ANOTHER = (
    "This invitation is for {}, which is not the confirmed address of your account. Confirm it on the page Your "
    "account and open the link again, or sign out and make a new account."
)
HAS_ACCOUNT = "An account has this address already. Sign in with it and open the link again."
INVITE_INVALID = "This link was used, was revoked or has expired. Ask for a new one."

# Zones of Python that no browser knows.
OF_THIS_MACHINE = {"localtime", "Factory"}


class InviteSpec(StartSpec):
    """Hold whom an invitation is for. With an `address` it is sent there, and nobody else may use it."""

    role: Role
    note: str = ""
    address: str = ""


class ProjectSpec(StartSpec):
    """Hold what a new project is made from. `codebook` is the key of a template, or NO_CODEBOOK."""

    name: str
    description: str = ""
    annotation_budget: int | None = None
    time_zone: str = "UTC"
    codebook: str = "five-stage"


@transaction.atomic
def project_create(*, owner: User, client_id: UUID | None = None, **given: Any) -> Project:
    """Create a project whose owner is its admin. `given` are the fields of ProjectSpec.

    Return the one that the same client_id created before. A template that is ready is published at once; another is
    stored as a draft. Raises Invalid and Refused.
    """
    spec = ProjectSpec(client_id=client_id, **given)
    time_zone_check(spec.time_zone)
    body_hash = spec.body_hash()
    if (before := project_begun_before(owner, client_id, body_hash)) is not None:
        return before
    fields = spec.model_dump(include={"name", "description", "annotation_budget", "time_zone", "client_id"})
    project = project_write(owner, **fields, body_hash=body_hash)
    if spec.codebook != NO_CODEBOOK:
        template = BY_KEY[spec.codebook]
        draft = codebook_create(project=project, definition=template.definition, actor=owner)
        if template.is_ready:
            codebook_publish(codebook=draft, actor=owner)
    return project


def time_zone_check(time_zone: str) -> None:
    """Raise Invalid for what is no name of a time zone. Browsers refuse some that Python knows, such as localtime."""
    if time_zone not in available_timezones() - OF_THIS_MACHINE:
        raise Invalid({"time_zone": [f"{time_zone!r} is not a time zone: use a name such as Europe/Oslo."]})


def project_begun_before(owner: User, client_id: UUID | None, body_hash: str) -> Project | None:
    """Return the project that the same sending began, and hold its owner meanwhile. Raises Refused."""
    User.objects.select_for_update(no_key=True).get(pk=owner.pk)
    return started_before(Project.objects.filter(created_by=owner), client_id, body_hash)


def project_write(owner: User, **fields: Any) -> Project:
    """Store a project without a codebook, whose owner is its admin, and log it within the caller's transaction."""
    project = Project.objects.create(created_by=owner, **fields)
    member_add(project=project, user=owner, role=Role.ADMIN)
    event_write(verb="project_created", project=project, actor_id=owner.pk, subject=project.uuid, name=project.name)
    return project


def member_add(*, project: Project, user: User, role: Role) -> Membership:
    """Add a member; the next pseudonym number is taken under the project's lock."""
    Project.objects.select_for_update(no_key=True).get(pk=project.pk)
    last = project.memberships.aggregate(last=Max("number"))["last"] or 0
    return Membership.objects.create(project=project, user=user, role=role, number=last + 1)


@transaction.atomic
def member_role_set(*, member: Membership, role: Role, actor: User) -> Membership:
    member = member_locked(member)
    if member.may(Capability.MANAGE) and Capability.MANAGE not in CAPABILITIES[role]:
        last_admin_refuse(member)
    event_write(
        verb="member_role_set",
        project=member.project,
        actor_id=actor.pk,
        subject=member.uuid,
        old=member.role,
        new=role,
    )
    member.role = role
    member.save(update_fields=["role"])
    return member


def member_locked(member: Membership) -> Membership:
    """Return the member as they are now, within the locks of project and member: roles change one at a time.

    The member's lock waits for what the person is doing this moment.
    """
    Project.objects.select_for_update(no_key=True).get(pk=member.project_id)
    mine = Membership.objects.select_related("project", "user").select_for_update(of=("self",), no_key=True)
    return mine.get(pk=member.pk)


def last_admin_refuse(member: Membership) -> None:
    """Refuse to lose the project's last active admin. `member` must be locked (`member_locked`)."""
    managers = member.project.memberships.active_with(Capability.MANAGE).filter(user__is_active=True)
    if not managers.exclude(pk=member.pk).exists():
        raise Invalid({"role": ["This is the project's last admin: make someone else admin first."]})


@transaction.atomic
def codebook_create(*, project: Project, definition: dict[str, Any], actor: User) -> CodebookVersion:
    """Create a draft version with every default written out. Raises DefinitionError with each fault and its path."""
    return draft_write(project, definition_of(parse_definition(definition)), actor)


def draft_write(project: Project, definition: dict[str, Any], actor: User) -> CodebookVersion:
    """Store a definition as a draft and log it, within the caller's transaction. Its faults are not looked for."""
    Project.objects.select_for_update(no_key=True).get(pk=project.pk)
    last = project.codebooks.aggregate(last=Max("version"))["last"] or 0
    codebook = CodebookVersion.objects.create(
        project=project, version=last + 1, definition=definition, created_by=actor
    )
    event_write(verb="codebook_created", project=project, actor_id=actor.pk, subject=codebook.uuid, version=last + 1)
    return codebook


@transaction.atomic
def codebook_publish(*, codebook: CodebookVersion, actor: User) -> CodebookVersion:
    """Open batches keep the version they pinned; new ones take this one."""
    # Two versions at once: the second is compared with the first.
    Project.objects.select_for_update(no_key=True).get(pk=codebook.project_id)
    codebook = CodebookVersion.objects.select_for_update().get(pk=codebook.pk)
    if codebook.state == CodebookVersion.State.PUBLISHED:
        raise Refused("published", "This version is already published. Save your change as a new version.")
    if faults_of(codebook):
        detail = "This draft breaks a rule that came after it. Edit it as a new draft: saving names what to correct."
        raise Refused("faulty", detail)
    before = published_codebook(codebook.project)
    if before is not None:
        change = compare(codebook_of(before), codebook_of(codebook))
        codebook.compatible = change.compatible
    codebook.state = CodebookVersion.State.PUBLISHED
    codebook.published_at = timezone.now()
    if before is not None and before.published_at is not None:
        # A clock that was set back must not leave an older version the newest.
        codebook.published_at = max(codebook.published_at, before.published_at + timedelta(microseconds=1))
    codebook.save()
    event_write(
        verb="codebook_published",
        project=codebook.project,
        actor_id=actor.pk,
        subject=codebook.uuid,
        version=codebook.version,
        compatible=codebook.compatible if before is not None else None,
    )
    return codebook


def published_codebook(project: Project) -> CodebookVersion | None:
    """Return the version that new batches pin."""
    return project.codebooks.filter(state=CodebookVersion.State.PUBLISHED).order_by("-published_at", "-pk").first()


@transaction.atomic
def invite_create(
    *, project: Project, actor: User, origin: str = "", client_id: UUID | None = None, **given: Any
) -> tuple[Invite, str]:
    """Create an invite and return it with its token, which is shown once and stored nowhere.

    `given` are the fields of InviteSpec, and `origin` is where this installation stands. With an address the token is
    "": the mail to it gets one of its own (`invite_token_renew`). The same client_id makes no second invite, and mails
    nothing again. It returns a new token, as nobody saw the first one; none once the invite is gone.
    Raises Refused where the server sends no mail, and TooManyMails.
    """
    spec = InviteSpec(client_id=client_id, **given)
    body_hash = spec.body_hash()
    Project.objects.select_for_update(no_key=True).get(pk=project.pk)
    token = secrets.token_urlsafe(24)
    if (before := started_before(project.invites.all(), client_id, body_hash)) is not None:
        if before.address or before.used_at or before.revoked_at or before.expires_at < timezone.now():
            return before, ""
        before.token_hash = token_hash(token)
        before.save(update_fields=["token_hash"])
        return before, token
    invite = Invite.objects.create(
        project=project,
        role=spec.role,
        note=spec.note.strip(),
        address=address_key(spec.address),
        token_hash=token_hash(token),
        created_by=actor,
        expires_at=timezone.now() + timedelta(days=INVITE_DAYS),
        client_id=client_id,
        body_hash=body_hash,
    )
    event_write(verb="invite_created", project=project, actor_id=actor.pk, subject=invite.uuid, role=spec.role)
    if not invite.address:
        return invite, token
    mail_enqueue(
        purpose=Mail.Purpose.INVITATION,
        address=invite.address,
        origin=origin,
        invite_id=invite.pk,
        asked_from=f"person {actor.pk}",
    )
    return invite, ""


def invite_token_renew(*, invite: Invite) -> str:
    """Return a new token of an invite that is about to be mailed; the earlier one ends."""
    token = secrets.token_urlsafe(24)
    invite.token_hash, invite.mailed_at = token_hash(token), timezone.now()
    invite.save(update_fields=["token_hash", "mailed_at"])
    return token


@transaction.atomic
def invite_revoke(*, invite: Invite, actor: User) -> Invite:
    """Revoke the link, so that it lets nobody in. Raises Refused; doing it twice changes nothing."""
    invite = Invite.objects.select_for_update(of=("self",)).select_related("project").get(pk=invite.pk)
    if invite.used_at is not None:
        raise Refused("invite_used", "Somebody has joined by this link. Deactivate that person instead.")
    if invite.revoked_at is None:
        invite.revoked_at = timezone.now()
        invite.save(update_fields=["revoked_at"])
        event_write(verb="invite_revoked", project=invite.project, actor_id=actor.pk, subject=invite.uuid)
    return invite


def token_hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def invite_find(token: str) -> Invite:
    """Return the invite of a link that still lets somebody in; raises Refused."""
    return invite_usable(Invite.objects.select_related("project", "created_by"), token_hash(token))


def invite_usable(invites: QuerySet[Invite], hashed: str) -> Invite:
    """Tell whether the link may be used. Nobody is told whether a refused link is unknown, used, revoked or lapsed."""
    invite = invites.filter(token_hash=hashed).first()
    if invite is None or invite.used_at or invite.revoked_at or invite.expires_at < timezone.now():
        raise Refused("invite_invalid", INVITE_INVALID)
    if invite.project.archived_at is not None:
        raise Refused("invite_invalid", INVITE_INVALID)
    return invite


def invite_accept(*, token: str, user: User | None, account: dict[str, Any]) -> User:
    """Join the signed-in person, or make an account from {username, password, display_name}."""
    return invite_join(hashed=token_hash(token), user=user, account=account)


@transaction.atomic
def invite_join(*, hashed: str, user: User | None, account: dict[str, Any]) -> User:
    """Accept the invitation whose token has this hash, as `invite_accept` does."""
    invite = invite_usable(Invite.objects.select_for_update(of=("self",)).select_related("project"), hashed)
    if user is not None and invite.address not in ("", user.email):
        raise Refused("invite_for_another", FOR_ANOTHER.format(invite.address))
    person = user or invited_account_create(invite, account)
    # Before the look, so that two links in one hand do not both find no membership.
    Project.objects.select_for_update(no_key=True).get(pk=invite.project_id)
    earlier = invite.project.memberships.filter(user=person).first()
    if earlier is not None:
        raise Invalid({"token": [ALREADY_IN if earlier.is_active else DEACTIVATED]})
    member = member_add(project=invite.project, user=person, role=Role(invite.role))
    invite.used_by, invite.used_at = person, timezone.now()
    invite.save(update_fields=["used_by", "used_at"])
    event_write(
        verb="invite_accepted", project=invite.project, actor_id=person.pk, subject=member.uuid, role=invite.role
    )
    return person


def invited_account_create(invite: Invite, account: dict[str, Any]) -> User:
    """Make the account of somebody who is not signed in. The mail alone had the link, so its address is confirmed."""
    if invite.address and User.objects.filter(email=invite.address).exists():
        raise Refused("address_has_account", HAS_ACCOUNT)
    person = account_create(**account)
    if invite.address:
        person.email = invite.address
        try:
            # The database alone knows: somebody else may be using another invitation to the address at this moment.
            with transaction.atomic():
                person.save(update_fields=["email"])
        except IntegrityError as error:
            raise Refused("address_has_account", HAS_ACCOUNT) from error
    return person


def account_create(*, username: str = "", password: str | None = "", display_name: str = "") -> User:
    """Make an account. With None as its password it has none, and nobody signs in to it by one. Raises Invalid."""
    if not username:
        raise Invalid({"username": ["Choose a user name."]})
    user = User(username=User.normalize_username(username), display_name=display_name)
    try:
        user.clean_fields(exclude=["password"])
    except ValidationError as error:
        raise Invalid(error.message_dict) from error
    if password is not None:
        try:
            validate_password(password, user)
        except ValidationError as error:
            raise Invalid({"password": list(error.messages)}) from error
    user.set_password(password)
    try:
        # The database alone knows: somebody else may be taking the name at this moment.
        with transaction.atomic():
            user.save()
    except IntegrityError as error:
        raise Invalid({"username": [TAKEN]}) from error
    return user
