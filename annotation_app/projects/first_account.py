"""Make the first account of an installation, by a link that whoever starts the server finds in its output."""

import secrets
from datetime import timedelta

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from annotation_app.demo.people import ADMIN
from annotation_app.models import FirstLink, User, event_write
from annotation_app.projects.addresses import address_ask
from annotation_app.projects.mails import is_configured
from annotation_app.projects.services import account_create, token_hash
from annotation_app.refusals import Refused

FIRST_LINK_HOURS = 24
LINK_INVALID = "This link was used, was replaced by a newer one or has expired, or somebody runs this server already."


def is_awaited() -> bool:
    """Tell whether nobody may create projects yet, but for the demo's admin."""
    chosen = User.objects.filter(is_active=True).exclude(username=ADMIN)
    return not chosen.filter(Q(can_create_projects=True) | Q(is_superuser=True)).exists()


@transaction.atomic
def first_link_create() -> str:
    """Return the token of a new link, which is shown once and kept nowhere; "" where no first account is awaited.

    Earlier links end.
    """
    if not is_awaited():
        return ""
    FirstLink.objects.filter(used_at=None).update(used_at=timezone.now())
    token = secrets.token_urlsafe(32)
    expires_at = timezone.now() + timedelta(hours=FIRST_LINK_HOURS)
    FirstLink.objects.create(token_hash=token_hash(token), expires_at=expires_at)
    return token


def first_link_find(token: str) -> FirstLink:
    """Return the link of a token that still works. Raises Refused, which tells no reason apart."""
    links = FirstLink.objects.filter(used_at=None, expires_at__gt=timezone.now())
    link = links.filter(token_hash=token_hash(token)).first()
    if link is None or not is_awaited():
        raise Refused("first_link_invalid", LINK_INVALID)
    return link


@transaction.atomic
def first_account_create(
    *, token: str, username: str, display_name: str, password: str, address: str, origin: str, asked_from: str
) -> User:
    """Make an account that may create projects, once. Raises Refused, Invalid or TooManyMails.

    A mail address counts once it is confirmed. So a mail is sent to it, where the server sends any.
    """
    # One at a time: the second finds the link used.
    FirstLink.objects.select_for_update().get(pk=first_link_find(token).pk)
    link = first_link_find(token)
    user = account_create(username=username, display_name=display_name, password=password)
    user.can_create_projects = True
    user.save(update_fields=["can_create_projects"])
    link.used_at = timezone.now()
    link.save(update_fields=["used_at"])
    event_write(verb="first_account_created", project=None, actor_id=user.pk, subject=user.uuid)
    if address and is_configured():
        address_ask(user=user, address=address, origin=origin, asked_from=asked_from)
    return user
