"""What waits is mailed to confirmed addresses, as often as people chose, and nothing twice."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone
from rest_framework.test import APIClient

from annotation_app import jobs
from annotation_app.dashboards.notices import notices_of, notices_read
from annotation_app.models import Batch, Mail, Membership, Release, User
from annotation_app.projects.mail_texts import mail_send
from tests.assignment.batches import open_batch
from tests.conftest import People
from tests.labels import NO, YES, label_batch
from tests.mail_server import Kept, mail_server

pytestmark = pytest.mark.django_db(transaction=True)
ClientOf = Callable[[Membership], APIClient]


@pytest.fixture(autouse=True)
def configured(settings: Any) -> None:
    settings.EMAIL_URL = "smtp://127.0.0.1:1"
    settings.PUBLIC_URL = "https://labels.example.org/"


def addressed(member: Membership, often: str = "daily") -> User:
    User.objects.filter(pk=member.user_id).update(email=f"{member.user.username}@example.org", notice_mails=often)
    member.user.refresh_from_db()
    return member.user


def mailed() -> list[str]:
    """Return the texts that the worker has mailed since it was last asked."""
    jobs.notices_mail(0)
    texts = list(Mail.objects.order_by("pk").values_list("text", flat=True))
    Mail.objects.all().delete()
    return texts


def pass_time(**pause: int) -> None:
    for user in User.objects.all():
        User.objects.filter(pk=user.pk).update(notices_due_at=user.notices_due_at - timedelta(**pause))


def release_make(people: People, number: int) -> None:
    now = timezone.now()
    Release.objects.create(project=people.project, number=number, state="done", finished_at=now)


def test_a_mail_names_what_waits_in_each_project_once(people: People) -> None:
    addressed(people.annotators[0])
    open_batch(people.project, people.annotators[:1], size=2)
    [text] = mailed()
    assert "Board\n  - The batch of round 1 is open: 2 items for you\n" in text
    assert "Sentence" not in text and "https://labels.example.org/notice-mails-off#" in text
    for _ in range(3):
        pass_time(days=2)
        assert mailed() == []
    open_batch(people.project, people.annotators[:1], size=1, number=2)
    pass_time(days=2)
    [text] = mailed()
    assert "round 2" in text and "round 1" not in text


@pytest.mark.parametrize(("often", "minutes"), [("daily", 24 * 60), ("at_once", 60)])
def test_there_is_one_mail_in_the_chosen_time_at_most(often: str, minutes: int, people: People) -> None:
    addressed(people.admin, often)
    release_make(people, 1)
    assert len(mailed()) == 1
    release_make(people, 2)
    pass_time(minutes=minutes - 1)
    assert mailed() == []
    pass_time(minutes=1)
    [text] = mailed()
    assert "Release 2 is made" in text and "Release 1" not in text


def test_what_comes_later_is_mailed_within_minutes_or_an_hour_where_no_mail_was_sent(people: People) -> None:
    addressed(people.admin, "at_once")
    assert mailed() == []
    release_make(people, 1)
    pass_time(minutes=5)
    assert len(mailed()) == 1


def test_what_was_read_is_not_mailed(people: People) -> None:
    user = addressed(people.admin)
    release_make(people, 1)
    [notice] = notices_of(user)
    notices_read(user=user, project=notice.project, key=notice.key, level=notice.level)
    assert mailed() == []


def test_a_mail_reads_nothing(people: People) -> None:
    user = addressed(people.admin)
    release_make(people, 1)
    assert len(mailed()) == 1
    [notice] = notices_of(user)
    assert notice.unread
    notices_read(user=user, project=notice.project, key=notice.key, level=notice.level)
    assert not notices_of(user)[0].unread


def test_a_count_that_fell_is_mailed_once_it_grows_again(people: People) -> None:
    addressed(people.admin)

    def disagree(number: int) -> Batch:
        batch = open_batch(people.project, people.annotators[:2], size=1, number=number)
        label_batch(batch, lambda member, item: YES if member.number % 2 else NO)
        return batch

    disagree(1)
    [text] = mailed()
    assert "1 item without a majority" in text
    disagree(2)
    pass_time(days=2)
    [text] = mailed()
    assert "2 items without a majority" in text


@pytest.mark.parametrize(
    "change", [{"email": ""}, {"notice_mails": "off"}, {"is_active": False}], ids=["no address", "off", "switched off"]
)
def test_nobody_else_is_mailed(change: dict[str, Any], people: People) -> None:
    addressed(people.admin)
    release_make(people, 1)
    User.objects.filter(pk=people.admin.user_id).update(**change)
    assert mailed() == []


def test_nothing_is_mailed_where_the_server_sends_no_mail(people: People, settings: Any) -> None:
    settings.EMAIL_URL = ""
    addressed(people.admin)
    release_make(people, 1)
    assert mailed() == []


def test_workers_at_once_mail_once(people: People) -> None:
    addressed(people.admin)
    release_make(people, 1)

    def work(_: int) -> None:
        try:
            jobs.notices_mail(0)
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work, range(4)))
    assert Mail.objects.count() == 1


def test_the_link_in_a_real_mail_stops_the_mail_and_nothing_else_does(
    people: People, client_of: ClientOf, settings: Any
) -> None:
    addressed(people.admin)
    release_make(people, 1)
    with mail_server() as (kept, port):
        settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", port
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.DEFAULT_FROM_EMAIL = "quorum@example.org"
        jobs.notices_mail(0)
        mail_send(mail_id=Mail.objects.get().pk)
        token = off_link(kept).split("#")[1]
    off = "/api/notice-mails/off/"
    assert APIClient().get(off).status_code == 405
    assert APIClient().post(off, {"token": token[:-2]}, format="json").status_code == 409
    assert client_of(people.admin).get("/api/me/").json()["notice_mails"] == "daily"
    assert APIClient().post(off, {"token": token}, format="json").json() == {"username": "ada"}
    assert client_of(people.admin).get("/api/me/").json()["notice_mails"] == "off"
    release_make(people, 2)
    pass_time(days=2)
    Mail.objects.all().delete()
    assert mailed() == []


def off_link(kept: Kept) -> str:
    [text] = kept.to("ada@example.org")
    return next(line for line in text.split() if "notice-mails-off#" in line)


def test_people_choose_how_often(people: People, client_of: ClientOf) -> None:
    user = addressed(people.admin, "daily")
    User.objects.filter(pk=user.pk).update(notices_due_at=timezone.now() + timedelta(days=1))
    client = client_of(people.admin)
    assert client.patch("/api/me/", {"notice_mails": "at_once"}, format="json").json()["notice_mails"] == "at_once"
    assert User.objects.get(pk=user.pk).notices_due_at <= timezone.now()
    assert client.patch("/api/me/", {"notice_mails": "always"}, format="json").status_code == 400


def test_somebody_whose_notices_fail_keeps_nobody_waiting(
    people: People, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    alice, bob = (addressed(member) for member in people.annotators[:2])
    open_batch(people.project, people.annotators, size=2)

    def unread(user: User) -> Any:
        if user == alice:
            raise ValueError("words of somebody")
        return notices_of(user)

    monkeypatch.setattr("annotation_app.dashboards.notice_mails.notices_of", unread)
    jobs.notices_mail(0)
    assert [mail.address for mail in Mail.objects.all()] == [bob.email]
    [line] = [line for line in caplog.messages if "notices of account" in line]
    assert line == f"The notices of account {alice.pk} failed: ValueError"
