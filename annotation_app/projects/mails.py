"""Send mail. `mail_enqueue` is the one way to do it: it stores a row, which a light worker sends after the commit."""

import logging
from collections.abc import Sequence
from datetime import timedelta
from functools import partial
from smtplib import SMTPRecipientsRefused

from django.conf import settings
from django.core.mail import EmailMessage
from django.db import connection, transaction
from django.db.models import Q
from django.utils import timezone

from annotation_app.enqueue import enqueue
from annotation_app.models import Invite, Mail, User
from annotation_app.refusals import Refused

logger = logging.getLogger(__name__)

# After each failed attempt; the mail is given up after the last.
WAITS_MINUTES = (1, 5, 30, 180)
# Mails that anybody can cause, in an hour; and invitations, whose client is a signed-in person.
PER_ADDRESS, PER_CLIENT, PER_PERSON = 4, 20, 60
NOT_CONFIGURED = "This server sends no mail. Whoever runs it can change that with the setting EMAIL_URL."

NOT_SENT = "The reason is not kept."


class TooManyMails(Exception):
    """Signal that an address got, or a client asked for, as many mails as it may in an hour."""


def is_configured() -> bool:
    """Tell whether this server sends mail: callers ask first."""
    return bool(settings.EMAIL_URL)


@transaction.atomic
def mail_enqueue(
    *,
    address: str,
    subject: str = "",
    text: str = "",
    purpose: Mail.Purpose = Mail.Purpose.TEXT,
    user: User | None = None,
    origin: str = "",
    asked_from: str = "",
    invite_id: int | None = None,
) -> Mail:
    """Have a mail sent once the transaction is committed. Raises Refused where the server sends none.

    Mails that anybody can cause name the client that `asked_from` is, and invitations the person who invites. They are
    limited: raises TooManyMails.
    One of purpose TEXT holds `subject` and `text`; others are written when they are sent (`mail_texts.py`).
    """
    if not is_configured():
        raise Refused("mail_not_configured", NOT_CONFIGURED)
    if asked_from:
        limit_hold(address, asked_from, purpose)
    mail = Mail.objects.create(
        address=address,
        subject=subject,
        text=text,
        purpose=purpose,
        user=user,
        origin=origin,
        asked_from=asked_from,
        invite_id=invite_id,
    )
    transaction.on_commit(partial(enqueue, Mail.TASK, mail.pk, "light"))
    return mail


def address_key(address: str) -> str:
    """Return the one spelling in which an address is stored and looked for."""
    return address.strip().lower()


def limit_hold(address: str, asked_from: str, purpose: Mail.Purpose) -> None:
    """Count the mails of the last hour, while others who ask for the same wait. Raises TooManyMails.

    Invitations are counted apart: whoever invites an address cannot keep it from mails about its own account.
    """
    with connection.cursor() as cursor:
        # In one order, so that two who wait for each other's never meet.
        for name in sorted({f"to {address}", f"from {asked_from}"}):
            cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended('mail ' || %s, 0))", [name])
    invited = Q(purpose=Mail.Purpose.INVITATION)
    is_invited = purpose == Mail.Purpose.INVITATION
    recent = Mail.objects.filter(invited if is_invited else ~invited).exclude(asked_from="")
    recent = recent.filter(created_at__gte=timezone.now() - timedelta(hours=1))
    to_address = recent.filter(address=address).count()
    by_client = recent.filter(asked_from=asked_from).count()
    if to_address >= PER_ADDRESS or by_client >= (PER_PERSON if is_invited else PER_CLIENT):
        raise TooManyMails


def deliver(*, address: str, subject: str, text: str) -> None:
    """Hand a mail to the server of EMAIL_URL. Raises SMTPException or OSError."""
    EmailMessage(subject, text, to=[address], headers={"Auto-Submitted": "auto-generated"}).send()


def mails_due() -> list[tuple[int, int]]:
    """Return (id, attempts) of the mails to send now."""
    if not is_configured():
        return []
    return list(Mail.objects.filter(ended_at=None, due_at__lte=timezone.now()).values_list("pk", "attempts"))


@transaction.atomic
def mail_failed(*, mail_id: int, error: Exception) -> None:
    """Note why an attempt failed, and when the next one is due, if any."""
    mail = Mail.objects.select_for_update().get(pk=mail_id)
    mail.problem = str(error)[:500]
    is_refused = isinstance(error, SMTPRecipientsRefused) and all(code >= 500 for code, _ in error.recipients.values())
    if is_refused or mail.attempts >= len(WAITS_MINUTES):
        mail.ended_at = timezone.now()
    else:
        mail.due_at = timezone.now() + timedelta(minutes=WAITS_MINUTES[mail.attempts])
    mail.attempts += 1
    mail.save(update_fields=["problem", "ended_at", "due_at", "attempts"])
    told = "It is given up" if mail.ended_at else "It is tried again"
    logger.warning("Mail %s was not sent: %s. %s.", mail.pk, error, told)


def invitation_problems(invites: Sequence[Invite]) -> dict[int, str]:
    """Return by id of an invite why its mail was given up, for those whose link was never sent."""
    unsent = {invite.pk for invite in invites if invite.address and invite.mailed_at is None}
    mails = {mail.invite_id: mail for mail in Mail.objects.filter(invite_id__in=unsent)}
    # A mail is deleted only after it ended.
    given_up = {pk for pk in unsent if pk not in mails or mails[pk].ended_at}
    return {pk: (pk in mails and mails[pk].problem) or NOT_SENT for pk in given_up}


def mails_tidy() -> None:
    """Delete mails so many days after they ended as the setting says."""
    Mail.objects.filter(ended_at__lt=timezone.now() - timedelta(days=settings.MAILS_DAYS)).delete()
