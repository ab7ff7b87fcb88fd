"""Mail addresses of accounts, and new passwords by mail, with a real mail server."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from functools import partial
from threading import Barrier
from typing import Any
from uuid import uuid4

import pytest
from django.db import IntegrityError, connections
from django.utils import timezone
from rest_framework.test import APIClient

from annotation_app.models import AddressLink, Event, Invite, Mail, PasswordLink, User
from annotation_app.projects import services
from annotation_app.projects.mail_texts import mail_send
from annotation_app.projects.mails import (
    PER_ADDRESS,
    PER_PERSON,
    WAITS_MINUTES,
    mail_enqueue,
    mails_due,
    mails_tidy,
)
from annotation_app.projects.services import account_create
from tests.api.test_account import NEW, is_signed_in, signed_in, tried, use
from tests.assignment.batches import at_once
from tests.conftest import People
from tests.factories import PASSWORD
from tests.mail_server import Kept, mail_server

ANN, MALLORY = "ann@example.org", "mallory@example.org"


@pytest.fixture
def mail(settings: Any) -> Iterator[Kept]:
    with mail_server() as (kept, port):
        settings.EMAIL_URL = f"smtp://127.0.0.1:{port}"
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", port
        settings.DEFAULT_FROM_EMAIL = "Quorum <quorum@example.org>"
        yield kept


def post(client: APIClient, path: str, **body: str) -> Any:
    return client.post(f"/api/{path}/", body, format="json")


def send_due() -> None:
    """Send what waits, as the light worker does."""
    for mail_id, _ in mails_due():
        mail_send(mail_id=mail_id)


def has_address(username: str, address: str = ANN) -> User:
    user = User.objects.get(username=username)
    user.email = address
    user.save()
    return user


def token_of(kept: Kept, address: str = ANN) -> str:
    return kept.link_to(address).split("#")[1]


def confirm(client: APIClient, kept: Kept, address: str = ANN) -> Any:
    """Ask for the address, and use the link that comes."""
    assert post(client, "me/address", address=address, current=PASSWORD).status_code == 202
    send_due()
    return post(APIClient(), "address-links/use", token=token_of(kept, address.lower()))


# A forgotten password


def test_a_mail_lets_in_whose_address_it_is(people: People, mail: Kept) -> None:
    has_address("alice")
    elsewhere = signed_in("alice")
    assert post(APIClient(), "password-mails", address="Ann@Example.org").status_code == 202
    assert mail.mails == [], "nothing is sent before the worker does it"
    send_due()
    link = mail.link_to(ANN)
    assert link.startswith("http://testserver/password#")
    assert [(row["From"], row["Subject"]) for row in mail.mails] == [
        ("Quorum <quorum@example.org>", "A new password for Quorum")
    ]
    token = link.split("#")[1]
    assert token not in str(list(Mail.objects.values())) + str(list(PasswordLink.objects.values()))
    assert use(token).json()["username"] == "alice"
    assert (use(token).status_code, is_signed_in(elsewhere)) == (409, False)
    assert tried("alice", NEW).status_code == 200
    send_due()
    assert len(mail.mails) == 1
    assert {"password_link_mailed", "password_link_used"} <= set(Event.objects.values_list("verb", flat=True))


def test_nobody_learns_whose_address_it_is(people: People, mail: Kept) -> None:
    has_address("alice")
    User.objects.filter(username="bob").update(email="off@example.org", is_active=False)
    answers = [
        post(APIClient(), "password-mails", address=address)
        for address in (ANN, "unknown@example.org", "off@example.org")
    ]
    # Each request has an id of its own.
    headers = [{name: said for name, said in answer.headers.items() if name != "X-Request-ID"} for answer in answers]
    assert headers == [headers[0]] * 3
    assert len({(answer.status_code, answer.content) for answer in answers}) == 1
    send_due()
    assert [row["To"] for row in mail.mails] == [ANN]


def test_mails_are_limited_by_address_and_by_client(people: People, mail: Kept) -> None:
    asked = [post(APIClient(), "password-mails", address="x@example.org").status_code for _ in range(5)]
    assert asked == [202] * 4 + [429]
    others = [post(APIClient(), "password-mails", address=f"{n}@example.org").status_code for n in range(17)]
    assert others == [202] * 16 + [429]
    elsewhere = APIClient(REMOTE_ADDR="192.0.2.7")
    assert post(elsewhere, "password-mails", address="y@example.org").status_code == 202
    assert post(elsewhere, "password-mails", address="x@example.org").status_code == 429
    Mail.objects.update(created_at=timezone.now() - timedelta(hours=1, seconds=1))
    assert post(APIClient(), "password-mails", address="x@example.org").status_code == 202


def test_a_mailed_link_ends_after_an_hour_and_ends_no_other(people: People, mail: Kept) -> None:
    has_address("alice")
    for _ in range(2):
        post(APIClient(), "password-mails", address=ANN)
    send_due()
    first, second = (text.split("password#")[1].split()[0] for text in mail.to(ANN))
    older, newer = PasswordLink.objects.order_by("pk")
    PasswordLink.objects.filter(pk=older.pk).update(expires_at=timezone.now() - timedelta(seconds=1))
    assert (use(first).status_code, use(second).status_code) == (409, 200)
    assert timedelta(minutes=59) < newer.expires_at - newer.created_at <= timedelta(hours=1)


def test_without_a_mail_server_it_says_so(people: People) -> None:
    answer = post(APIClient(), "password-mails", address=ANN)
    assert (answer.status_code, answer.json()["code"]) == (409, "mail_not_configured")
    assert APIClient().get("/api/session/").json()["sends_mail"] is False


# The address


def test_an_address_counts_once_its_link_is_used(people: People, mail: Kept) -> None:
    alice = signed_in("alice")
    assert post(alice, "me/address", address=ANN, current=PASSWORD).status_code == 202
    send_due()
    token = token_of(mail)
    assert alice.get("/api/me/").json()["address"] == ""
    shown = post(APIClient(), "address-links", token=token).json()
    assert shown == {"username": "alice", "display_name": "Alice", "address": ANN}
    assert post(APIClient(), "address-links/use", token=token).status_code == 204
    assert alice.get("/api/me/").json()["address"] == ANN
    assert post(APIClient(), "address-links/use", token=token).status_code == 409
    assert token not in str(list(Mail.objects.values())) + str(list(AddressLink.objects.values()))


def test_an_address_needs_the_password(people: People, mail: Kept) -> None:
    alice = signed_in("alice")
    answer = post(alice, "me/address", address=ANN, current="wrong")
    assert (answer.status_code, list(answer.json()["errors"])) == (400, ["current"])
    assert not Mail.objects.exists()
    has_address("alice")
    wrong = post(alice, "me/address/remove", current="wrong")
    assert (wrong.status_code, User.objects.get(username="alice").email) == (400, ANN)


def test_an_earlier_address_is_told_when_it_is_changed_or_taken_off(people: People, mail: Kept) -> None:
    has_address("alice")
    alice = signed_in("alice")
    assert confirm(alice, mail, "New@Example.org").status_code == 204
    send_due()
    assert "was changed or taken off" in mail.to(ANN)[-1]
    taken_off = post(alice, "me/address/remove", current=PASSWORD)
    assert taken_off.json()["address"] == ""
    send_due()
    assert "was changed or taken off" in mail.to("new@example.org")[-1]


def test_an_address_of_another_account_is_not_taken_and_not_told(people: People, mail: Kept) -> None:
    has_address("alice")
    bob = signed_in("bob")
    assert post(bob, "me/address", address=ANN.upper(), current=PASSWORD).status_code == 202
    send_due()
    assert "already belongs to your account alice" in mail.to(ANN)[0]
    assert not AddressLink.objects.exists()
    with pytest.raises(IntegrityError):
        has_address("bob", ANN.upper())


@pytest.mark.django_db(transaction=True)
def test_of_two_accounts_that_confirm_one_address_at_once_one_has_it(people: People, mail: Kept) -> None:
    for name in ("alice", "bob"):
        post(signed_in(name), "me/address", address=ANN, current=PASSWORD)
    send_due()
    tokens = [text.split("confirm-address#")[1].split()[0] for text in mail.to(ANN)]

    def confirmed(token: str) -> int:
        try:
            return int(post(APIClient(), "address-links/use", token=token).status_code)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(4) as pool:
        statuses = list(pool.map(confirmed, [*tokens, *tokens]))
    assert sorted(statuses) == [204, 409, 409, 409]
    assert User.objects.filter(email=ANN).count() == 1


def test_a_new_password_ends_links_that_confirm_an_address(people: People, mail: Kept) -> None:
    """Somebody who knew the password asked for an address of theirs."""
    alice = signed_in("alice")
    post(alice, "me/address", address=MALLORY, current=PASSWORD)
    send_due()
    post(alice, "me/address", address=MALLORY, current=PASSWORD)
    post(alice, "me/password", current=PASSWORD, password=NEW)
    send_due()
    assert len(mail.to(MALLORY)) == 1
    assert post(APIClient(), "address-links/use", token=token_of(mail, MALLORY)).status_code == 409


# Sending


def test_a_mail_that_the_server_does_not_take_is_tried_again_and_then_given_up(people: People, mail: Kept) -> None:
    row = mail_enqueue(address="busy@example.org", subject="A subject", text="A text")
    waits = []
    for _ in range(len(WAITS_MINUTES) + 1):
        asked = timezone.now()
        send_due()
        row.refresh_from_db()
        waits.append(round((row.due_at - asked).total_seconds() / 60))
        Mail.objects.filter(pk=row.pk).update(due_at=asked)
    assert waits[:-1] == [1, 5, 30, 180]
    assert (row.attempts, row.ended_at is not None, "Later" in row.problem) == (5, True, True)
    assert mails_due() == []


def test_a_mail_that_is_refused_for_good_is_given_up_at_once(people: People, mail: Kept) -> None:
    row = mail_enqueue(address="nobody@example.org", subject="A subject", text="A text")
    send_due()
    row.refresh_from_db()
    assert (row.attempts, row.ended_at is not None) == (1, True)


def test_a_link_whose_mail_was_not_sent_does_not_work(people: People, mail: Kept) -> None:
    has_address("alice", "busy@example.org")
    post(APIClient(), "password-mails", address="busy@example.org")
    send_due()
    assert not PasswordLink.objects.exists()


def test_mails_are_deleted_a_week_after_they_ended(people: People, mail: Kept) -> None:
    for address in ("old@example.org", "new@example.org", "waiting@example.org"):
        mail_enqueue(address=address, subject="A subject", text="A text")
    now = timezone.now()
    Mail.objects.filter(address="old@example.org").update(ended_at=now - timedelta(days=7, minutes=1))
    Mail.objects.filter(address="new@example.org").update(ended_at=now - timedelta(days=6))
    mails_tidy()
    assert set(Mail.objects.values_list("address", flat=True)) == {"new@example.org", "waiting@example.org"}


# Invitations for an address


def invited(client_of: Any, people: People, address: str = ANN) -> dict[str, Any]:
    body = {"role": "adjudicator", "address": address}
    answer = client_of(people.admin).post(f"/api/projects/{people.project.uuid}/invites/", body, format="json")
    assert answer.status_code == 201, answer.content
    return dict(answer.json())


def invite_token(kept: Kept) -> str:
    return kept.link_to(ANN).rsplit("/", 1)[1]


def test_an_invitation_for_an_address_is_told_to_nobody_else(people: People, mail: Kept, client_of: Any) -> None:
    made = invited(client_of, people, "Ann@Example.org")
    assert (made["url"], made["address"], made["mailed_at"]) == (None, ANN, None)
    send_due()
    listed = client_of(people.admin).get(f"/api/projects/{people.project.uuid}/invites/").json()
    assert listed[0]["mailed_at"] is not None
    token = invite_token(mail)
    assert token not in str(list(Invite.objects.values())) + str(list(Mail.objects.values())) + str(listed)
    shown = APIClient().get(f"/api/invites/{token}/").json()
    assert (shown["project"], shown["role"]) == (people.project.name, "adjudicator")


def test_a_new_account_by_a_mailed_invitation_has_the_address(people: People, mail: Kept, client_of: Any) -> None:
    invited(client_of, people)
    send_due()
    account = {"username": "ann", "display_name": "Ann", "password": NEW}
    joined = post(APIClient(), "invites/accept", token=invite_token(mail), **account)
    assert (joined.status_code, joined.json()["address"]) == (200, ANN)
    assert people.project.memberships.get(user__username="ann").role == "adjudicator"


def test_only_the_account_with_the_address_joins(people: People, mail: Kept, client_of: Any) -> None:
    invited(client_of, people)
    send_due()
    token = invite_token(mail)
    outsider = client_of(people.outsider)
    refused = post(outsider, "invites/accept", token=token)
    assert (refused.status_code, refused.json()["code"]) == (409, "invite_for_another")
    has_address(people.outsider.user.username)
    anonymous = post(APIClient(), "invites/accept", token=token, username="ann2", display_name="", password=NEW)
    assert (anonymous.status_code, anonymous.json()["code"]) == (409, "address_has_account")
    assert not User.objects.filter(username="ann2").exists()
    assert post(client_of(people.outsider), "invites/accept", token=token).status_code == 200
    assert people.project.memberships.filter(user=people.outsider.user).exists()


@pytest.mark.django_db(transaction=True)
def test_two_invitations_to_one_address_used_at_once_make_one_account(
    people: People, mail: Kept, client_of: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(2):
        invited(client_of, people)
    send_due()
    tokens = [each.split("invite/")[1].split()[0] for each in mail.to(ANN)]
    # Both have looked for an account with the address, and found none, before either is stored.
    together = Barrier(2)

    def create(**account: str) -> User:
        together.wait(timeout=30)
        return account_create(**account)

    monkeypatch.setattr(services, "account_create", create)
    calls = [
        partial(post, APIClient(), "invites/accept", token=token, username=f"ann{n}", password=NEW)
        for n, token in enumerate(tokens)
    ]
    first, second = sorted(at_once(calls), key=lambda each: int(each.status_code))
    assert (first.status_code, second.status_code, second.json()["code"]) == (200, 409, "address_has_account")
    assert User.objects.filter(username__startswith="ann").count() == 1


def test_an_invitation_whose_mail_was_given_up_says_so_also_once_the_mail_is_deleted(
    people: People, mail: Kept, client_of: Any
) -> None:
    def problem() -> str:
        [listed] = client_of(people.admin).get(f"/api/projects/{people.project.uuid}/invites/").json()
        assert listed["mailed_at"] is None
        return str(listed["mail_problem"])

    assert invited(client_of, people, "nobody@example.org")["mail_problem"] == problem() == ""
    send_due()
    assert "nobody@example.org" in problem()
    Mail.objects.update(ended_at=timezone.now() - timedelta(days=8))
    mails_tidy()
    assert problem() == "The reason is not kept."


def test_an_invitation_that_was_revoked_is_not_sent(people: People, mail: Kept, client_of: Any) -> None:
    made = invited(client_of, people)
    assert client_of(people.admin).post(f"/api/invites/{made['id']}/revoke/").status_code == 200
    send_due()
    assert (mail.mails, mails_due()) == ([], [])


def test_a_name_of_a_project_cannot_add_a_header_to_a_mail(people: People, mail: Kept, client_of: Any) -> None:
    people.project.name = "Vellmark\r\nBcc: mallory@example.org"
    people.project.save()
    invited(client_of, people)
    send_due()
    assert [(row["To"], row["Bcc"], row["Subject"]) for row in mail.mails] == [
        (ANN, None, "Invitation to Vellmark Bcc: mallory@example.org")
    ]


def test_an_invitation_for_an_address_needs_a_mail_server(people: People, client_of: Any) -> None:
    body = {"role": "annotator", "address": ANN}
    refused = client_of(people.admin).post(f"/api/projects/{people.project.uuid}/invites/", body, format="json")
    assert (refused.status_code, refused.json()["code"]) == (409, "mail_not_configured")
    assert not Invite.objects.exists()


def test_invitations_by_mail_have_a_limit_of_their_own(people: People, mail: Kept, client_of: Any) -> None:
    body, url = {"role": "annotator", "address": ANN}, f"/api/projects/{people.project.uuid}/invites/"
    sent = str(uuid4())
    for _ in range(2):
        assert client_of(people.admin).post(url, body | {"client_id": sent}, format="json").status_code == 201
    assert (Invite.objects.count(), Mail.objects.count()) == (1, 1), "a retry mails nothing again"
    for _ in range(PER_ADDRESS - 1):
        invited(client_of, people)
    refused = client_of(people.admin).post(url, body, format="json")
    assert (refused.status_code, Invite.objects.count()) == (429, PER_ADDRESS)
    # Nor does it keep the address from mails about its own account.
    assert post(APIClient(), "password-mails", address=ANN).status_code == 202
    Mail.objects.update(created_at=timezone.now() - timedelta(hours=2))
    for n in range(PER_PERSON):
        invited(client_of, people, f"new{n}@example.org")
    assert client_of(people.admin).post(url, body, format="json").status_code == 429
