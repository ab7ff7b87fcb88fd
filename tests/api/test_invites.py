"""Links that let people in: once, for two weeks, until they are revoked."""

import uuid
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from annotation_app.assignment.members import member_deactivate
from annotation_app.models import Event, Invite, Membership
from tests.conftest import People

ClientOf = Callable[[Membership], APIClient]


@pytest.fixture
def invite(people: People, client_of: ClientOf) -> dict[str, str]:
    """{id, token} of an open link for one annotator."""
    url = f"/api/projects/{people.project.uuid}/invites/"
    made = client_of(people.admin).post(url, {"role": "annotator"}, format="json").json()
    assert (made["used_at"], made["revoked_at"]) == (None, None)
    return {"id": made["id"], "token": made["url"].rsplit("/", 1)[1]}


def join(client: APIClient, invite: dict[str, str], **account: str) -> tuple[int, dict[str, object]]:
    answer = client.post("/api/invites/accept/", {"token": invite["token"], **account}, format="json")
    return answer.status_code, answer.json()


def test_a_revoked_link_is_no_link(people: People, client_of: ClientOf, invite: dict[str, str]) -> None:
    admin = client_of(people.admin)
    first = admin.post(f"/api/invites/{invite['id']}/revoke/")
    again = admin.post(f"/api/invites/{invite['id']}/revoke/")
    assert (first.status_code, again.json()) == (200, first.json())
    assert first.json()["revoked_at"] is not None
    dead, unknown = APIClient().get(f"/api/invites/{invite['token']}/"), APIClient().get("/api/invites/never-was/")
    assert (dead.status_code, dead.json()) == (409, unknown.json())
    assert join(APIClient(), invite, username="dora", password="a-long-enough-pass")[0] == 409
    assert join(client_of(people.outsider), invite)[0] == 409
    assert Event.objects.filter(project=people.project, verb="invite_revoked").count() == 1


def test_a_used_link_cannot_be_revoked(people: People, client_of: ClientOf, invite: dict[str, str]) -> None:
    assert join(client_of(people.outsider), invite)[0] == 200
    refused = client_of(people.admin).post(f"/api/invites/{invite['id']}/revoke/")
    assert (refused.status_code, refused.json()["code"]) == (409, "invite_used")
    assert Invite.objects.get(uuid=invite["id"]).revoked_at is None


def test_a_lapsed_link_lets_nobody_in(people: People, client_of: ClientOf, invite: dict[str, str]) -> None:
    Invite.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    assert join(client_of(people.outsider), invite)[0] == 409
    assert APIClient().get(f"/api/invites/{invite['token']}/").status_code == 409


def test_who_belongs_already_does_not_use_the_link_up(
    people: People, client_of: ClientOf, invite: dict[str, str]
) -> None:
    alice = people.annotators[0]
    status, body = join(client_of(alice), invite)
    assert (status, body["errors"]) == (400, {"token": ["You already belong to this project."]})
    member_deactivate(member=alice, actor=people.admin.user)
    status, body = join(client_of(alice), invite)
    assert (status, body["errors"]) == (
        400,
        {"token": ["You belong to this project but were deactivated: ask one of its admins to activate you again."]},
    )
    assert join(client_of(people.outsider), invite)[0] == 200
    assert [member.number for member in people.project.memberships.order_by("number")] == [1, 2, 3, 4, 5]


def test_a_note_tells_links_apart_and_stays_with_the_admins(people: People, client_of: ClientOf) -> None:
    url = f"/api/projects/{people.project.uuid}/invites/"
    admin = client_of(people.admin)
    made = admin.post(url, {"role": "annotator", "note": " for Bruno "}, format="json").json()
    assert made["note"] == admin.get(url).json()[0]["note"] == "for Bruno"
    assert "Bruno" not in str(APIClient().get(f"/api/invites/{made['url'].rsplit('/', 1)[1]}/").json())
    assert admin.post(url, {"role": "annotator", "note": "x" * 201}, format="json").status_code == 400


def test_a_retry_makes_no_second_link_and_answers_one_that_works(people: People, client_of: ClientOf) -> None:
    url, sent = f"/api/projects/{people.project.uuid}/invites/", str(uuid.uuid4())
    body = {"role": "annotator", "note": "for Dora", "client_id": sent}
    admin = client_of(people.admin)
    # The answer to the first was lost, so that nobody has its link.
    lost, again = (admin.post(url, body, format="json").json() for _ in range(2))
    assert lost["id"] == again["id"] and lost["url"] != again["url"]
    assert Invite.objects.count() == Event.objects.filter(verb="invite_created").count() == 1
    token = {each["url"]: each["url"].rsplit("/", 1)[1] for each in (lost, again)}
    assert APIClient().get(f"/api/invites/{token[lost['url']]}/").status_code == 409
    assert join(client_of(people.outsider), {"token": token[again["url"]]})[0] == 200
    used = admin.post(url, body, format="json").json()
    assert (used["id"], used["url"]) == (again["id"], None)
    Invite.objects.update(used_at=None, used_by=None, expires_at=timezone.now() - timedelta(seconds=1))
    assert admin.post(url, body, format="json").json()["url"] is None, "a link that has lapsed is not shown"
    other = admin.post(url, body | {"role": "admin"}, format="json")
    assert (other.status_code, other.json()["code"]) == (409, "client_id_reused")
