"""Sign in, sign out, CSRF, lock-out."""

import pytest
from rest_framework.test import APIClient

from tests.conftest import People
from tests.factories import PASSWORD


@pytest.fixture
def visitor() -> APIClient:
    """A client that must send CSRF tokens, as a browser must."""
    return APIClient(enforce_csrf_checks=True)


def sign_in(visitor: APIClient, username: str, password: str) -> object:
    visitor.get("/api/session/")
    return visitor.post(
        "/api/session/",
        {"username": username, "password": password},
        format="json",
        headers={"X-CSRFToken": visitor.cookies["csrftoken"].value},
    )


def test_it_signs_in_and_out(people: People, visitor: APIClient) -> None:
    assert visitor.get("/api/me/").status_code == 401
    answer = sign_in(visitor, "alice", PASSWORD)
    assert answer.status_code == 200
    assert answer.json()["username"] == "alice"
    assert visitor.get("/api/me/").json()["display_name"] == "Alice"
    assert visitor.delete("/api/session/").status_code == 403
    token = {"X-CSRFToken": visitor.cookies["csrftoken"].value}
    assert visitor.delete("/api/session/", headers=token).status_code == 204
    assert visitor.get("/api/me/").status_code == 401


def test_it_wants_the_csrf_token_at_sign_in(people: People, visitor: APIClient) -> None:
    body = {"username": "alice", "password": PASSWORD}
    assert visitor.post("/api/session/", body, format="json").status_code == 403


def test_it_answers_a_wrong_password_and_an_unknown_name_alike(people: People, visitor: APIClient) -> None:
    wrong, unknown = sign_in(visitor, "alice", "no"), sign_in(visitor, "nobody", "no")
    assert wrong.status_code == unknown.status_code == 400
    assert wrong.json() == unknown.json()


def test_it_refuses_a_deactivated_account(people: People, visitor: APIClient) -> None:
    user = people.annotators[0].user
    user.is_active = False
    user.save()
    assert sign_in(visitor, "alice", PASSWORD).status_code == 400


def test_it_locks_out_by_name_and_address_together(people: People, visitor: APIClient) -> None:
    answers = [sign_in(visitor, "alice", "no").status_code for _ in range(11)]
    assert answers[0] == 400
    assert answers[-1] == 429
    assert sign_in(visitor, "alice", PASSWORD).status_code == 429
    assert sign_in(visitor, "bob", PASSWORD).status_code == 200
    elsewhere = APIClient(enforce_csrf_checks=True, REMOTE_ADDR="10.0.0.9")
    assert sign_in(elsewhere, "alice", PASSWORD).status_code == 200


def test_it_takes_no_body_without_end(visitor: APIClient, db: None) -> None:
    body = b'{"username": "' + b"a" * (2 * 1024 * 1024) + b'", "password": "b"}'
    visitor.get("/api/session/")
    token = {"X-CSRFToken": visitor.cookies["csrftoken"].value}
    answer = visitor.generic("POST", "/api/session/", body, "application/json", headers=token)
    assert answer.status_code == 413


@pytest.mark.parametrize(
    ("body", "status"), [("[" * 5000 + "]" * 5000, 400), ('{"username": "\\ud800", "password": "\\ud800"}', 400)]
)
def test_it_answers_odd_json_in_json(visitor: APIClient, db: None, body: str, status: int) -> None:
    visitor.get("/api/session/")
    token = {"X-CSRFToken": visitor.cookies["csrftoken"].value}
    answer = visitor.generic("POST", "/api/session/", body, "application/json", headers=token)
    assert (answer.status_code, "detail" in answer.json()) == (status, True)


def test_it_repeats_a_lone_surrogate_in_a_form_that_can_be_sent(people: People) -> None:
    admin = APIClient()
    admin.force_login(people.admin.user)
    body = '{"role": "\\ud800"}'
    answer = admin.generic("POST", f"/api/projects/{people.project.uuid}/invites/", body, "application/json")
    assert answer.status_code == 400
    assert "\\ud800" in answer.json()["errors"]["role"][0]


def test_it_says_in_json_that_the_token_is_missing_or_one_is_locked_out(
    people: People, visitor: APIClient
) -> None:
    refused = visitor.post("/api/session/", {"username": "alice", "password": PASSWORD}, format="json")
    assert (refused.status_code, "CSRF" in refused.json()["detail"]) == (403, True)
    locked = [sign_in(visitor, "alice", "no") for _ in range(11)][-1]
    assert (locked.status_code, "wrong passwords" in locked.json()["detail"]) == (429, True)
