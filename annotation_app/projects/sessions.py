"""Store sessions with the person they belong to and the time they were used: SESSION_ENGINE, on Django's rows."""

from datetime import datetime, timedelta
from typing import Any, cast

from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.contrib.auth.signals import user_logged_in
from django.contrib.sessions.backends.db import SessionStore as DatabaseStore
from django.db.models import Q
from django.dispatch import receiver
from django.http import HttpRequest
from django.utils import timezone

from annotation_app.models import Session, User

# A session in use is written down no more often than this.
TOUCH = timedelta(minutes=1)
# How long a session of nobody is kept: somebody is at the provider of a sign-in.
UNKNOWN = timedelta(hours=1)
SIGNED_IN, AGENT = "signed_in_at", "agent"


def expiry(signed_in_at: datetime, seen_at: datetime) -> datetime:
    """Return when a session ends: after the idle limit since its last use, or the absolute one since the sign-in."""
    idle = seen_at + timedelta(hours=settings.SESSION_IDLE_HOURS)
    return min(idle, signed_in_at + timedelta(seconds=settings.SESSION_COOKIE_AGE))


class SessionStore(DatabaseStore):
    @classmethod
    def get_model_class(cls) -> type[Session]:
        return Session

    def create_model_instance(self, data: dict[str, Any]) -> Session:
        row = cast(Session, super().create_model_instance(data))
        now = timezone.now()
        row.user_id = int(data[SESSION_KEY]) if SESSION_KEY in data else None
        row.agent = data.get(AGENT, "")
        row.signed_in_at = datetime.fromisoformat(data[SIGNED_IN]) if SIGNED_IN in data else now
        row.expire_date = expiry(row.signed_in_at, now) if row.user_id else now + UNKNOWN
        return row

    def _get_session_from_db(self) -> Session | None:
        row: Session | None = super()._get_session_from_db()  # type: ignore[misc]  # unknown to the stubs
        now = timezone.now()
        if row is not None and row.user_id and now - row.seen_at > TOUCH:
            Session.objects.filter(pk=row.pk).update(seen_at=now, expire_date=expiry(row.signed_in_at, now))
        return row


@receiver(user_logged_in)
def sign_in_noted(sender: Any, request: HttpRequest, user: User, **_: Any) -> None:
    """Note when and with what somebody signed in, and clear away what has run out of theirs and of nobody's."""
    request.session[SIGNED_IN] = timezone.now().isoformat()
    request.session[AGENT] = request.META.get("HTTP_USER_AGENT", "")[:300]
    Session.objects.filter(Q(user=user) | Q(user=None), expire_date__lt=timezone.now()).delete()
