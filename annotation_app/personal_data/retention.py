"""Delete what is kept about people for a time only, as the settings say."""

from datetime import timedelta

from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from django.conf import settings
from django.db.models import Q
from django.utils import timezone

from annotation_app.models import AddressLink, Invite, PasswordLink, Session


def records_tidy() -> None:
    """Delete ended sign-ins, old failed ones, and old links; invitations lose what tells whom they were for."""
    now = timezone.now()
    Session.objects.filter(expire_date__lt=now).delete()
    tried_before = now - timedelta(days=settings.SIGN_INS_DAYS)
    for model in (AccessAttempt, AccessFailureLog, AccessLog):
        model.objects.filter(attempt_time__lt=tried_before).delete()
    ended_before = now - timedelta(days=settings.LINKS_DAYS)
    ended = Q(expires_at__lt=ended_before) | Q(used_at__lt=ended_before)
    for links in (PasswordLink.objects, AddressLink.objects):
        links.filter(ended).delete()
    # The rows stay: the log names them.
    invites = Invite.objects.filter(ended | Q(revoked_at__lt=ended_before))
    invites.exclude(note="", address="").update(note="", address="")
