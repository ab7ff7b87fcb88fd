"""API tokens: made, shown once, used, and ended by time, by people and by what ends their person's access."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from annotation_app.assignment.members import member_activate, member_deactivate
from annotation_app.models import ApiToken, Event, Membership, User
from annotation_app.projects.accounts import account_switch, password_link_create
from annotation_app.projects.api_tokens import MOST_TOKENS, token_create
from annotation_app.projects.services import member_add, member_role_set
from tests.api.labelling import Person
from tests.assignment.batches import open_batch
from tests.conftest import People
from tests.factories import PASSWORD

ClientOf = Callable[[Membership | User], APIClient]


def made(client: APIClient, people: People, scope: str = "read", **more: Any) -> Any:
    body = {"project": str(people.project.uuid), "name": "Nightly export", "scope": scope, "days": 30}
    return client.post("/api/me/tokens/", {**body, "current": PASSWORD, **more}, format="json")


def script(text: str) -> APIClient:
    client = APIClient(enforce_csrf_checks=True)
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {text}")
    return client


def reads(people: People, text: str) -> int:
    return int(script(text).get(f"/api/projects/{people.project.uuid}/").status_code)


def test_a_token_is_shown_once_and_stored_as_a_hash(people: People, client_of: ClientOf) -> None:
    alice = client_of(people.annotators[0])
    answer = made(alice, people)
    assert answer.status_code == 201
    text = answer.json()["token"]
    assert text.startswith("quorum_") and len(text) > 40
    assert reads(people, text) == 200
    [listed] = alice.get("/api/me/tokens/").json()
    assert (listed["name"], listed["scope"], listed["person"]) == ("Nightly export", "read", "Alice")
    assert listed["last_used_at"] is not None and "token" not in listed
    row = ApiToken.objects.get()
    assert text not in str(vars(row)) and row.token_hash != text
    assert timedelta(days=29) < row.expires_at - timezone.now() < timedelta(days=31)
    assert text not in str(list(Event.objects.values_list("data", flat=True)))


def test_it_takes_the_password_and_guessing_it_is_limited_as_at_sign_in(people: People, client_of: ClientOf) -> None:
    alice = client_of(people.annotators[0])
    statuses = [made(alice, people, current="wrong").status_code for _ in range(11)]
    assert (statuses[0], statuses[-1], ApiToken.objects.count()) == (400, 429, 0)


@pytest.mark.parametrize("more", [{"days": 0}, {"days": 367}, {"scope": "all"}, {"name": ""}, {"scope": "manage"}])
def test_it_refuses_a_token_without_end_or_beyond_the_person(
    more: dict[str, Any], people: People, client_of: ClientOf
) -> None:
    answer = made(client_of(people.annotators[0]), people, **more)
    assert (answer.status_code, list(answer.json()["errors"])) == (400, list(more))


def test_there_is_no_token_for_a_project_that_is_not_theirs_or_archived(people: People, client_of: ClientOf) -> None:
    assert made(client_of(people.outsider), people).status_code == 404
    admin = client_of(people.admin)
    assert admin.post(f"/api/projects/{people.project.uuid}/archive/").status_code == 200
    assert made(admin, people).status_code == 409


def test_a_member_has_so_many_tokens_at_most(people: People, client_of: ClientOf) -> None:
    alice = client_of(people.annotators[0])
    for _ in range(MOST_TOKENS):
        token_create(member=people.annotators[0], name="One", scope="read", days=1)
    assert made(alice, people).status_code == 400
    assert alice.delete(f"/api/me/tokens/{ApiToken.objects.first().uuid}/").status_code == 204
    assert made(alice, people).status_code == 201


def test_a_token_reaches_its_project_alone_though_its_person_has_others(people: People) -> None:
    member_add(project=people.outsider.project, user=people.admin.user, role="admin")
    _, text = token_create(member=people.admin, name="One", scope="manage", days=1)
    assert [row["id"] for row in script(text).get("/api/projects/").json()] == [str(people.project.uuid)]
    assert reads(people, text) == 200
    assert script(text).get(f"/api/projects/{people.outsider.project.uuid}/").status_code == 404


def test_a_token_does_not_reach_its_persons_item_in_another_project(people: People, client_of: ClientOf) -> None:
    alice = people.annotators[0]
    theirs = member_add(project=people.outsider.project, user=alice.user, role="annotator")
    open_batch(people.outsider.project, [theirs], size=1)
    window = Person(client_of(alice), str(people.outsider.project.uuid)).next()
    item = window.json()["assignments"][0]["id"]
    for member, status in ((alice, 404), (theirs, 200)):
        _, text = token_create(member=member, name="One", scope="label", days=1)
        assert script(text).get(f"/api/assignments/{item}/").status_code == status


def test_a_token_says_what_it_may_and_less_by_a_lower_role(people: People) -> None:
    _, text = token_create(member=people.admin, name="One", scope="label", days=1)
    _, whole = token_create(member=people.admin, name="One", scope="manage", days=1)
    url = f"/api/projects/{people.project.uuid}/"
    assert script(text).get(url).json()["may"] == ["group", "rate", "resolve"]
    assert script(whole).get(url).json()["may"] == ["group", "manage", "rate", "resolve"]
    assert script(whole).get(f"{url}members/").status_code == 200
    other = people.annotators[0]
    member_role_set(member=other, role="admin", actor=people.admin.user)
    member_role_set(member=people.admin, role="annotator", actor=other.user)
    assert script(whole).get(url).json()["may"] == ["group", "rate"]
    assert script(whole).get(f"{url}members/").status_code == 403


def test_a_token_that_reads_is_shown_nothing_that_has_to_be_written_down(people: People) -> None:
    open_batch(people.project, [people.annotators[0]], size=1)
    _, text = token_create(member=people.annotators[0], name="One", scope="read", days=1)
    answer = script(text).get(f"/api/projects/{people.project.uuid}/next/")
    assert (answer.status_code, answer.json()["code"]) == (409, "read_token")
    _, text = token_create(member=people.annotators[0], name="One", scope="label", days=1)
    assert script(text).get(f"/api/projects/{people.project.uuid}/next/").status_code == 200


def ended_by_time(people: People) -> None:
    ApiToken.objects.update(expires_at=timezone.now() - timedelta(seconds=1))


def ended_by_deactivating(people: People) -> None:
    member_deactivate(member=people.annotators[0], actor=people.admin.user)
    member_activate(member=people.annotators[0], actor=people.admin.user)


def ended_by_switching_off(people: People) -> None:
    for is_active in (False, True):
        account_switch(user=people.annotators[0].user, is_active=is_active)


def ended_by_a_password_link(people: People) -> None:
    _, token = password_link_create(user=people.annotators[0].user, actor=None)
    body = {"token": token, "password": "four unrelated words"}
    assert APIClient().post("/api/password-links/use/", body, format="json").status_code == 200


def ended_by_its_person(people: People) -> None:
    alice = APIClient()
    alice.force_login(people.annotators[0].user)
    assert alice.delete(f"/api/me/tokens/{ApiToken.objects.get().uuid}/").status_code == 204
    assert alice.get("/api/me/tokens/").json() == []


def ended_by_an_admin(people: People) -> None:
    admin = APIClient()
    admin.force_login(people.admin.user)
    [listed] = admin.get(f"/api/projects/{people.project.uuid}/tokens/").json()
    assert (listed["person"], listed["name"]) == ("Alice", "One")
    for _ in range(2):
        assert admin.post(f"/api/tokens/{listed['id']}/revoke/").status_code == 204
    assert Event.objects.filter(verb="api_token_revoked").count() == 1


@pytest.mark.parametrize(
    "end",
    [
        ended_by_time,
        ended_by_deactivating,
        ended_by_switching_off,
        ended_by_a_password_link,
        ended_by_its_person,
        ended_by_an_admin,
    ],
)
def test_a_token_ends_for_good(end: Callable[[People], None], people: People) -> None:
    _, text = token_create(member=people.annotators[0], name="One", scope="label", days=1)
    assert reads(people, text) == 200
    end(people)
    assert reads(people, text) == 401


def test_a_changed_password_leaves_tokens_as_they_are(people: People, client_of: ClientOf) -> None:
    _, text = token_create(member=people.annotators[0], name="One", scope="read", days=1)
    body = {"current": PASSWORD, "password": "four unrelated words"}
    assert client_of(people.annotators[0]).post("/api/me/password/", body, format="json").status_code == 200
    assert reads(people, text) == 200


@pytest.mark.parametrize("header", ["Bearer quorum_none", "Bearer ", "Bearer", "bearer a b c", "Bearer \u00e9"])
def test_what_is_no_token_gets_401_even_beside_a_session(header: str, people: People, client_of: ClientOf) -> None:
    answer = client_of(people.admin).get("/api/projects/", headers={"Authorization": header})
    assert (answer.status_code, answer["WWW-Authenticate"]) == (401, "Bearer")


def test_a_session_still_needs_the_csrf_token(people: People) -> None:
    browser = APIClient(enforce_csrf_checks=True)
    browser.force_login(people.admin.user)
    url = f"/api/projects/{people.project.uuid}/"
    assert browser.patch(url, {"name": "New"}, format="json").status_code == 403
    _, text = token_create(member=people.admin, name="One", scope="manage", days=1)
    assert script(text).patch(url, {"name": "New"}, format="json").status_code == 200
