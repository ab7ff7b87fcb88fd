"""Sign in, sign out, CSRF, lock-out."""

import pytest
from rest_framework.test import APIClient

from tests.conftest import People
from tests.factories import PASSWORD


@pytest.fixture
def browser() -> APIClient:
    """A client that must send CSRF tokens, as a browser must."""
    return APIClient(enforce_csrf_checks=True)


def sign_in(browser: APIClient, username: str, password: str) -> object:
    browser.get("/api/session/")
    return browser.post(
        "/api/session/",
        {"username": username, "password": password},
        format="json",
        headers={"X-CSRFToken": browser.cookies["csrftoken"].value},
    )


def test_it_signs_in_and_out(people: People, browser: APIClient) -> None:
    assert browser.get("/api/me/").status_code == 401
    answer = sign_in(browser, "alice", PASSWORD)
    assert answer.status_code == 200
    assert answer.json()["username"] == "alice"
    assert browser.get("/api/me/").json()["display_name"] == "Alice"
    assert browser.delete("/api/session/").status_code == 403
    token = {"X-CSRFToken": browser.cookies["csrftoken"].value}
    assert browser.delete("/api/session/", headers=token).status_code == 204
    assert browser.get("/api/me/").status_code == 401


def test_it_wants_the_csrf_token_at_sign_in(people: People, browser: APIClient) -> None:
    body = {"username": "alice", "password": PASSWORD}
    assert browser.post("/api/session/", body, format="json").status_code == 403


def test_it_answers_a_wrong_password_and_an_unknown_name_alike(people: People, browser: APIClient) -> None:
    wrong, unknown = sign_in(browser, "alice", "no"), sign_in(browser, "nobody", "no")
    assert wrong.status_code == unknown.status_code == 400
    assert wrong.json() == unknown.json()


def test_it_refuses_a_deactivated_account(people: People, browser: APIClient) -> None:
    user = people.annotators[0].user
    user.is_active = False
    user.save()
    assert sign_in(browser, "alice", PASSWORD).status_code == 400


def test_it_locks_out_by_name_and_address_together(people: People, browser: APIClient) -> None:
    answers = [sign_in(browser, "alice", "no").status_code for _ in range(11)]
    assert answers[0] == 400
    assert answers[-1] == 429
    assert sign_in(browser, "alice", PASSWORD).status_code == 429
    assert sign_in(browser, "bob", PASSWORD).status_code == 200
    elsewhere = APIClient(enforce_csrf_checks=True, REMOTE_ADDR="10.0.0.9")
    assert sign_in(elsewhere, "alice", PASSWORD).status_code == 200


def test_it_takes_no_body_without_end(browser: APIClient, db: None) -> None:
    body = b'{"username": "' + b"a" * (2 * 1024 * 1024) + b'", "password": "b"}'
    browser.get("/api/session/")
    token = {"X-CSRFToken": browser.cookies["csrftoken"].value}
    answer = browser.generic("POST", "/api/session/", body, "application/json", headers=token)
    assert answer.status_code == 413
