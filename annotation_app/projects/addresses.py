"""Confirm people's mail addresses, and ask for mails with password links. An account holds confirmed addresses only."""

import secrets
from datetime import timedelta

from django.db import IntegrityError, transaction
from django.utils import timezone

from annotation_app.models import AddressLink, Mail, User, event_write
from annotation_app.projects.accounts import links_end
from annotation_app.projects.mails import address_key, is_configured, mail_enqueue
from annotation_app.projects.services import token_hash
from annotation_app.refusals import Refused

CONFIRM_HOURS = 24
LINK_INVALID = "This link was used or has expired, or the address is in use. Your account sends a new one."
CHANGED = """Hello {name},

the mail address of your Quorum account {username} was changed or taken off.

Was it not you? Then change your password, and tell an admin of your project or whoever runs the server.
"""


def password_mail_ask(*, address: str, origin: str, asked_from: str) -> None:
    """Ask for a mail with a password link. It is looked up later whose address this is, so nobody learns it here."""
    mail_enqueue(purpose=Mail.Purpose.PASSWORD, address=address_key(address), origin=origin, asked_from=asked_from)


def address_ask(*, user: User, address: str, origin: str, asked_from: str) -> None:
    """Ask for a mail with a link that makes this the person's address."""
    mail_enqueue(
        purpose=Mail.Purpose.ADDRESS,
        address=address_key(address),
        user=user,
        origin=origin,
        asked_from=asked_from,
    )


def address_link_create(*, user: User, address: str) -> str:
    """Return the token of a link that confirms the address. Earlier ones of the account end."""
    user.address_links.filter(used_at=None).update(used_at=timezone.now())
    token = secrets.token_urlsafe(32)
    expires_at = timezone.now() + timedelta(hours=CONFIRM_HOURS)
    AddressLink.objects.create(user=user, address=address, token_hash=token_hash(token), expires_at=expires_at)
    return token


def address_link_find(token: str) -> AddressLink:
    """Return the link of a token that still works. Raises Refused, which tells no reason apart."""
    links = AddressLink.objects.select_related("user").filter(used_at=None, expires_at__gt=timezone.now())
    link = links.filter(token_hash=token_hash(token), user__is_active=True).first()
    if link is None:
        raise Refused("address_link_invalid", LINK_INVALID)
    return link


@transaction.atomic
def address_confirm(*, token: str) -> User:
    """Make the link's address the one of its account, once. Raises Refused."""
    # One at a time for an account: the second finds the link used.
    user = User.objects.select_for_update(no_key=True).get(pk=address_link_find(token).user_id)
    link = address_link_find(token)
    AddressLink.objects.filter(pk=link.pk).update(used_at=timezone.now())
    try:
        # The database alone knows: somebody else may be confirming the same address at this moment.
        with transaction.atomic():
            address_store(user, link.address)
    except IntegrityError as error:
        raise Refused("address_link_invalid", LINK_INVALID) from error
    return user


@transaction.atomic
def address_remove(*, user: User) -> User:
    address_store(User.objects.select_for_update(no_key=True).get(pk=user.pk), "")
    user.refresh_from_db()
    return user


def address_store(user: User, address: str) -> None:
    """Store the address, end links that were sent before, and tell the earlier address."""
    earlier = user.email
    if earlier == address:
        return
    user.email = address
    user.save(update_fields=["email"])
    event_write(verb="address_changed", project=None, actor_id=user.pk, subject=user.uuid)
    links_end(user)
    if earlier and is_configured():
        told = CHANGED.format(name=user.shown_name, username=user.username)
        mail_enqueue(address=earlier, subject="Your mail address in Quorum", text=told)
