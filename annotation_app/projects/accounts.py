"""Manage accounts: passwords, links with which people choose a new one, and sessions."""

import secrets
from datetime import timedelta
from typing import Any

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone

from annotation_app.models import (
    Capability,
    Mail,
    Membership,
    PasswordLink,
    Session,
    User,
    event_write,
)
from annotation_app.projects.api_tokens import tokens_end
from annotation_app.projects.services import time_zone_check, token_hash
from annotation_app.refusals import Invalid, Refused

LINK_HOURS, MAILED_HOURS = 24, 1
REFUSED = (
    "You cannot make a link for this account: it belongs to a project that you do not administer, or has rights "
    "that you do not have. Whoever runs Quorum can make one: manage.py password_link {}"
)

LINK_INVALID = "This link was used, was replaced by a newer one or has expired. Ask for a new one."


@transaction.atomic
def profile_set(
    *, user: User, display_name: str | None = None, time_zone: str | None = None, notice_mails: str | None = None
) -> User:
    """Change what is given of a person's name, time zone ("" for each project's own) and mails. Raises Invalid."""
    if time_zone:
        time_zone_check(time_zone)
    given: dict[str, Any] = {"display_name": display_name, "time_zone": time_zone, "notice_mails": notice_mails}
    if notice_mails is not None and notice_mails != user.notice_mails:
        # It is looked for by the new choice, and not after the pause of the old one.
        given["notices_due_at"] = timezone.now()
    changed = {field: value for field, value in given.items() if value is not None}
    for field, value in changed.items():
        setattr(user, field, value)
    user.save(update_fields=list(changed))
    return user


@transaction.atomic
def password_change(*, user: User, password: str, keep: str | None) -> None:
    """Set a person's own new password and end their other sessions. `keep` is the key of the one that stays."""
    password_store(user, password)
    sessions_end(user, keep=keep)
    event_write(verb="password_changed", project=None, actor_id=user.pk, subject=user.uuid)


def password_store(user: User, password: str) -> None:
    """Store a valid password, after which no link made before lets anybody in. Raises Invalid."""
    try:
        validate_password(password, user)
    except ValidationError as error:
        raise Invalid({"password": list(error.messages)}) from error
    user.set_password(password)
    user.save(update_fields=["password"])
    links_end(user)


def links_end(user: User) -> None:
    """End the links to the account that wait to be used or sent: for a new password, and to confirm an address."""
    now = timezone.now()
    user.password_links.filter(used_at=None).update(used_at=now)
    user.address_links.filter(used_at=None).update(used_at=now)
    Mail.objects.filter(user=user, ended_at=None).update(ended_at=now)


def sessions_end(user: User, *, keep: str | None = None) -> int:
    """End a person's sessions, but for the one whose key is `keep`. Return how many ended."""
    return user.sessions.exclude(session_key=keep or "").delete()[0]


def sessions_live(user: User) -> list[Session]:
    """Return the person's sessions that have not run out, the last used first."""
    return list(user.sessions.filter(expire_date__gt=timezone.now()).order_by("-seen_at", "-pk"))


def link_refusal(actor: User, user: User) -> str:
    """Return why `actor` may not make a link for `user`; "" where they may.

    Who holds the link becomes the account. So its maker must be admin of every project it belongs to, left or not, and
    the account may have no right beyond that.
    """
    if actor.pk == user.pk:
        return "Your own password is changed on the page Your account."
    administered = Membership.objects.filter(user=actor).active_with(Capability.MANAGE).values("project_id")
    elsewhere = user.memberships.exclude(project_id__in=administered).exists()
    more = (user.can_create_projects and not actor.can_create_projects) or user.is_staff or user.is_superuser
    is_refused = elsewhere or more or not (user.is_active and actor.is_active and user.memberships.exists())
    return REFUSED.format(user.username) if is_refused else ""


@transaction.atomic
def password_link_create(*, user: User, actor: User | None) -> tuple[PasswordLink, str]:
    """Make a link and its token, which is shown once and kept nowhere. Earlier links for the account end.

    `actor` is None for whoever runs the server. Raises Refused.
    """
    if actor is not None and (refusal := link_refusal(actor, user)):
        raise Refused("password_link_refused", refusal)
    user.password_links.filter(used_at=None).update(used_at=timezone.now())
    token = secrets.token_urlsafe(32)
    link = PasswordLink.objects.create(
        user=user,
        token_hash=token_hash(token),
        created_by=actor,
        expires_at=timezone.now() + timedelta(hours=LINK_HOURS),
    )
    for member in user.memberships.select_related("project"):
        event_write(
            verb="password_link_created",
            project=member.project,
            actor_id=actor.pk if actor else None,
            subject=member.uuid,
        )
    return link, token


def password_link_mail(*, user: User) -> str:
    """Return the token of a link for a mail to the account's confirmed address. Earlier links go on working.

    Anybody can ask for the mail, and must not end a link that somebody waits to use.
    """
    token = secrets.token_urlsafe(32)
    expires_at = timezone.now() + timedelta(hours=MAILED_HOURS)
    PasswordLink.objects.create(user=user, token_hash=token_hash(token), created_by=None, expires_at=expires_at)
    for member in user.memberships.select_related("project"):
        event_write(verb="password_link_mailed", project=member.project, actor_id=None, subject=member.uuid)
    return token


def password_link_find(token: str) -> PasswordLink:
    """Return the link of a token that still works. Raises Refused, which tells no reason apart.

    What its maker may do is asked again: the account may have become somebody's whom they may not touch.
    """
    links = PasswordLink.objects.select_related("user", "created_by")
    link = links.filter(token_hash=token_hash(token), used_at=None, expires_at__gt=timezone.now()).first()
    if link is None or not link.user.is_active:
        raise Refused("password_link_invalid", LINK_INVALID)
    if link.created_by is not None and link_refusal(link.created_by, link.user):
        raise Refused("password_link_invalid", LINK_INVALID)
    return link


@transaction.atomic
def password_link_use(*, token: str, password: str) -> User:
    """Set the password that a link allows to be set, once; ends every session and token. Raises Refused or Invalid."""
    waiting = PasswordLink.objects.filter(token_hash=token_hash(token)).first()
    if waiting is None:
        raise Refused("password_link_invalid", LINK_INVALID)
    # One at a time for an account: the second finds the link used.
    user = User.objects.select_for_update(no_key=True).get(pk=waiting.user_id)
    password_link_find(token)
    password_store(user, password)
    sessions_end(user)
    tokens_end(user.memberships.all())
    for member in user.memberships.select_related("project"):
        event_write(verb="password_link_used", project=member.project, actor_id=user.pk, subject=member.uuid)
    return user


@transaction.atomic
def account_switch(*, user: User, is_active: bool) -> User:
    """Switch an account off, which ends its sessions, tokens and links at once, or on again. What it labelled stays."""
    user.is_active = is_active
    user.save(update_fields=["is_active"])
    if not is_active:
        sessions_end(user)
        links_end(user)
        tokens_end(user.memberships.all())
    for member in user.memberships.select_related("project"):
        event_write(
            verb="account_switched_on" if is_active else "account_switched_off",
            project=member.project,
            actor_id=None,
            subject=member.uuid,
        )
    return user
