"""Write the mails with links, and send the mails that wait."""

from collections.abc import Callable
from smtplib import SMTPException

from django.db import transaction
from django.utils import timezone

from annotation_app.models import Invite, Mail, User
from annotation_app.projects.accounts import MAILED_HOURS, password_link_mail
from annotation_app.projects.addresses import CONFIRM_HOURS, address_link_create
from annotation_app.projects.mails import deliver, mail_failed
from annotation_app.projects.services import INVITE_DAYS, invite_token_renew

# Subject and text; None where nothing is to be sent.
Written = tuple[str, str] | None

PASSWORD = """Hello {name},

somebody, probably you, asked for a new password of the Quorum account {username}.

Open this link to choose one. It works once, within {hours} hour:

{link}

You did not ask for it? Then do nothing: your password stays as it is.
"""
ADDRESS = """Hello {name},

the Quorum account {username} asks to use this mail address.

Open this link to confirm that the address is yours. It works once, within {hours} hours:

{link}

You have no such account? Then do nothing: the address is not used.
"""
ADDRESS_TAKEN = """Hello {name},

somebody asked to use this mail address for another Quorum account. It already belongs to your account {username}.

It stays with your account. To use it elsewhere, first take it off there, on the page "Your account".
"""
INVITATION = """Hello,

{by} asks you to join the project {project} in Quorum as {role}.

Open this link to make an account, or to join with the one that has this mail address. It works once,
for {days} days:

{link}

Do you not know what this is about? Then do nothing.
"""


def password_text(mail: Mail) -> Written:
    """Write to the account whose confirmed address it is. There may be none: whoever asked is told the same."""
    user = User.objects.filter(email=mail.address, is_active=True).first()
    if user is None:
        return None
    link = f"{mail.origin}password#{password_link_mail(user=user)}"
    told = {"name": user.shown_name, "username": user.username, "hours": MAILED_HOURS, "link": link}
    return "A new password for Quorum", PASSWORD.format(**told)


def address_text(mail: Mail) -> Written:
    owner = User.objects.filter(email=mail.address).first()
    if owner is not None and owner != mail.user:
        taken = ADDRESS_TAKEN.format(name=owner.shown_name, username=owner.username)
        return "Your mail address in Quorum", taken
    user = mail.user
    if user is None or not user.is_active:
        return None
    link = f"{mail.origin}confirm-address#{address_link_create(user=user, address=mail.address)}"
    told = {"name": user.shown_name, "username": user.username, "hours": CONFIRM_HOURS, "link": link}
    return "Confirm your mail address for Quorum", ADDRESS.format(**told)


def invitation_text(mail: Mail) -> Written:
    """Write to whom an invitation is for, unless it was revoked meanwhile or its project is gone or archived."""
    if mail.invite_id is None:
        return None
    invites = Invite.objects.select_for_update(of=("self",)).select_related("project", "created_by")
    open_ones = invites.filter(used_at=None, revoked_at=None, project__archived_at=None)
    invite = open_ones.filter(pk=mail.invite_id, expires_at__gt=timezone.now()).first()
    if invite is None:
        return None
    project, by = one_line(invite.project.name), one_line(invite.created_by.shown_name)
    link = f"{mail.origin}invite/{invite_token_renew(invite=invite)}"
    told = {"by": by, "project": project, "role": invite.role, "days": INVITE_DAYS, "link": link}
    return f"Invitation to {project[:150]}", INVITATION.format(**told)


def one_line(text: str) -> str:
    """Return a text without line breaks, which a subject may not have and names in a mail do not need."""
    return " ".join(text.split())


WRITTEN: dict[str, Callable[[Mail], Written]] = {
    Mail.Purpose.TEXT: lambda mail: (one_line(mail.subject), mail.text),
    Mail.Purpose.PASSWORD: password_text,
    Mail.Purpose.ADDRESS: address_text,
    Mail.Purpose.INVITATION: invitation_text,
}


def mail_send(*, mail_id: int) -> None:
    """Send a mail that is due, if no other worker is at it. A link that could not be sent is not stored either."""
    try:
        with transaction.atomic():
            waiting = Mail.objects.filter(ended_at=None, due_at__lte=timezone.now())
            mail = waiting.select_for_update(skip_locked=True, of=("self",)).filter(pk=mail_id).first()
            if mail is None:
                return
            if written := WRITTEN[mail.purpose](mail):
                deliver(address=mail.address, subject=written[0], text=written[1])
            mail.ended_at, mail.problem = timezone.now(), ""
            mail.save(update_fields=["ended_at", "problem"])
    except (SMTPException, OSError) as error:
        mail_failed(mail_id=mail_id, error=error)
