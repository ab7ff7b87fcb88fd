"""What is kept for a time only goes when the settings say so, by the application's own role, and nothing else does."""

from collections.abc import Iterator
from datetime import datetime, timedelta

import pytest
from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from django.conf import settings
from django.utils import timezone

from annotation_app import jobs
from annotation_app.models import AddressLink, Invite, PasswordLink, Session
from tests.app_client import role
from tests.conftest import People

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def as_application() -> Iterator[None]:
    yield
    role("quorum_owner")


def tidy() -> None:
    role("quorum_app")
    jobs.records_tidy(0)
    role("quorum_owner")


def test_sign_ins_go_once_they_ended_or_failed_long_ago(
    people: People, monkeypatch: pytest.MonkeyPatch, as_application: None
) -> None:
    now = timezone.now()
    user = people.admin.user
    for name, end in (("ended", now - timedelta(seconds=5)), ("live", now + timedelta(hours=1))):
        Session.objects.create(session_key=name, session_data="", expire_date=end, user=user)
    for days in (2, 4):
        kept = {"username": f"{days}-days", "ip_address": "127.0.0.1"}
        AccessAttempt.objects.create(**kept, failures_since_start=1)
        AccessFailureLog.objects.create(**kept)
        AccessLog.objects.create(**kept)
        for model in (AccessAttempt, AccessFailureLog, AccessLog):
            model.objects.filter(**kept).update(attempt_time=now - timedelta(days=days))
    monkeypatch.setattr(settings, "SIGN_INS_DAYS", 3)
    tidy()
    assert list(Session.objects.values_list("session_key", flat=True)) == ["live"]
    for model in (AccessAttempt, AccessFailureLog, AccessLog):
        assert list(model.objects.values_list("username", flat=True)) == ["2-days"]


def test_links_and_notes_of_invitations_go_after_they_ended(
    people: People, monkeypatch: pytest.MonkeyPatch, as_application: None
) -> None:
    now = timezone.now()
    user = people.admin.user

    def ago(days: int) -> datetime:
        return now - timedelta(days=days)

    ends: dict[str, dict[str, datetime]] = {
        "live": {"expires_at": now + timedelta(days=1)},
        "just used": {"expires_at": now + timedelta(days=1), "used_at": ago(2)},
        "just ended": {"expires_at": ago(2)},
        "used": {"expires_at": now + timedelta(days=1), "used_at": ago(4)},
        "ended": {"expires_at": ago(4)},
    }
    for name, times in ends.items():
        PasswordLink.objects.create(user=user, token_hash=name, **times)
        AddressLink.objects.create(user=user, token_hash=name, address="ada@example.org", **times)
    ends["revoked"] = {"expires_at": now + timedelta(days=1), "revoked_at": ago(4)}
    for name, times in ends.items():
        Invite.objects.create(
            project=people.project, role="annotator", created_by=user, token_hash=name, note=name, **times
        )
    monkeypatch.setattr(settings, "LINKS_DAYS", 3)
    tidy()
    kept = {"live", "just used", "just ended"}
    assert set(PasswordLink.objects.values_list("token_hash", flat=True)) == kept
    assert set(AddressLink.objects.values_list("token_hash", flat=True)) == kept
    assert set(Invite.objects.exclude(note="").values_list("note", flat=True)) == kept
    assert Invite.objects.count() == 6
