"""Sign-in by OpenID Connect, against a real provider on a port of its own."""

import logging
from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.core.checks import run_checks
from oidc_provider_mock import User as Account
from rest_framework.test import APIClient

from annotation_app.models import Event, Identity, Invite, Membership, Role, Session, User
from annotation_app.projects import openid_provider
from annotation_app.projects.openid_provider import provider as provider_of_now
from annotation_app.projects.services import invite_create
from annotation_app.projects.sessions import SessionStore
from tests.conftest import People
from tests.factories import PASSWORD
from tests.openid_provider import came_back, ended, provider_running

BOTH = {"email": "both@example.org", "email_verified": True}
ACCOUNTS = [
    Account(sub="s-alice", claims={"email": "alice@example.org", "email_verified": True, "name": "Alice of Example"}),
    Account(sub="s-unsure", claims={"email": "alice@example.org", "email_verified": False}),
    Account(sub="s-new", claims={"preferred_username": "alice", "name": "New Person"}),
    Account(sub="s-bare", claims={}),
    Account(sub="s-both", claims=BOTH),
]


@pytest.fixture(scope="module")
def issuer() -> Iterator[str]:
    with provider_running(*ACCOUNTS) as issuer:
        yield issuer


@pytest.fixture(autouse=True)
def provider(issuer: str, settings: Any) -> None:
    settings.OPENID_ISSUER, settings.OPENID_CLIENT_ID, settings.OPENID_CLIENT_SECRET = issuer, "quorum", "client-secret"


def begun(client: APIClient, **body: str) -> str:
    answer = client.post("/api/openid/", body, format="json")
    assert answer.status_code == 200, answer.content
    return str(answer.json()["url"])


def link_begun(client: APIClient, current: str = PASSWORD) -> Any:
    return client.post("/api/me/openid/", {"current": current}, format="json")


def signed_in(username: str) -> APIClient:
    client = APIClient()
    client.post("/api/session/", {"username": username, "password": PASSWORD}, format="json")
    return client


def me(client: APIClient) -> Any:
    answer = client.get("/api/me/")
    return answer.json() if answer.status_code == 200 else None


def linked(username: str, subject: str = "s-bare") -> APIClient:
    client = signed_in(username)
    assert ended(client, link_begun(client).json()["url"], subject) == "/openid?next=%2Faccount"
    return client


def invited(people: People, address: str = "") -> str:
    """The token of an invitation. One for an address is sent there, so a test gives it a token that it knows."""
    invite, token = invite_create(project=people.project, actor=people.admin.user, role=Role.ANNOTATOR)
    Invite.objects.filter(pk=invite.pk).update(address=address)
    return token


# The way there and back


def test_the_way_to_the_provider_has_pkce_state_and_nonce(people: People, settings: Any) -> None:
    asked = parse_qs(urlsplit(begun(APIClient())).query)
    assert asked["response_type"] == ["code"]
    assert asked["code_challenge_method"] == ["S256"]
    assert len(asked["code_challenge"][0]) == 43
    assert asked["state"] and asked["nonce"]
    assert asked["redirect_uri"] == ["http://testserver/api/openid/back/"]
    settings.PUBLIC_URL = "https://example.org/quorum/"
    asked = parse_qs(urlsplit(begun(APIClient())).query)
    assert asked["redirect_uri"] == ["https://example.org/quorum/api/openid/back/"]


@pytest.mark.parametrize(
    ("wished", "given"),
    [
        ("/projects/1?a=b", "/projects/1?a=b"),
        ("//evil.example", "/"),
        ("/\\evil.example", "/"),
        ("https://evil.example", "/"),
        ("evil", "/"),
    ],
)
def test_it_goes_on_to_a_page_of_this_site_only(people: People, wished: str, given: str) -> None:
    linked("alice")
    client = APIClient()
    where = urlsplit(ended(client, begun(client, next=wished), "s-bare"))
    assert (where.netloc, where.path, parse_qs(where.query)) == ("", "/openid", {"next": [given]})
    assert me(client)["username"] == "alice"


def test_a_sign_in_gets_a_session_of_its_own_that_stands_in_the_list(people: People) -> None:
    linked("alice")
    client = APIClient(HTTP_USER_AGENT="Browser/1")
    url = begun(client)
    before = client.cookies["sessionid"].value
    ended(client, url, "s-bare")
    assert client.cookies["sessionid"].value != before
    assert [row["agent"] for row in client.get("/api/me/sessions/").json() if row["is_this"]] == ["Browser/1"]
    [stored] = Session.objects.filter(user__username="alice", agent="Browser/1")
    assert not [key for key in SessionStore().decode(stored.session_data) if key.startswith("_state_openid")]


def test_a_way_back_counts_once_and_in_one_browser(people: People) -> None:
    linked("alice")
    client, other = APIClient(), APIClient()
    back = came_back(begun(client), "s-bare")
    assert other.get(back)["Location"] == "/openid?why=lapsed"
    assert client.get(back)["Location"] == "/openid?next=%2F"
    assert client.get(back)["Location"] == "/openid?why=lapsed"
    assert me(other) is None


@pytest.mark.parametrize("wrong", ["nonce", "code"])
def test_what_does_not_hold_lets_nobody_in(people: People, caplog: pytest.LogCaptureFixture, wrong: str) -> None:
    linked("alice")
    client = APIClient()
    back = came_back(begun(client), "s-bare")
    session = client.session
    [state] = [name for name in list(session.keys()) if name.startswith("_state_openid")]
    if wrong == "nonce":
        session[state]["data"]["nonce"] = "another"
        session.save()
    else:
        # The provider refuses a code that it never gave.
        back = back.replace("code=", "code=x")
    caplog.set_level(logging.DEBUG)
    assert client.get(back)["Location"] == "/openid?why=faulty"
    assert me(client) is None
    code = parse_qs(urlsplit(back).query)["code"][0]
    told = "\n".join(record.getMessage() for record in caplog.records if record.name.startswith("annotation_app"))
    assert "A sign-in by OpenID Connect failed" in told
    assert code not in told and "client-secret" not in told


@pytest.mark.parametrize("setting", ["OPENID_CLIENT_ID", "OPENID_ISSUER"])
def test_the_token_must_be_for_this_installation_and_of_this_issuer(
    people: People, settings: Any, monkeypatch: pytest.MonkeyPatch, setting: str
) -> None:
    linked("alice")
    client, before = APIClient(), provider_of_now()
    back = came_back(begun(client), "s-bare")
    # The provider answers as before, to an installation that expects another.
    monkeypatch.setattr(openid_provider, "provider", lambda: before)
    setattr(settings, setting, "https://another.example.org")
    assert client.get(back)["Location"] == "/openid?why=faulty"
    assert me(client) is None


def test_turning_back_at_the_provider_is_told(people: People) -> None:
    client = APIClient()
    assert ended(client, begun(client), "") == "/openid?why=denied"


def test_a_provider_that_does_not_answer_is_told(people: People, settings: Any) -> None:
    settings.OPENID_ISSUER = "http://localhost:9"
    answer = APIClient().post("/api/openid/", {}, format="json")
    assert (answer.status_code, answer.json()["code"]) == (409, "unreachable")


def test_it_takes_the_token_against_forged_requests(people: People) -> None:
    assert APIClient(enforce_csrf_checks=True).post("/api/openid/", {}, format="json").status_code == 403


# Whose account it is


def test_nobodys_sign_in_makes_no_account(people: People) -> None:
    client, before = APIClient(), User.objects.count()
    assert ended(client, begun(client), "s-new") == "/openid?why=not_linked"
    assert (me(client), User.objects.count(), Identity.objects.count()) == (None, before, 0)


def test_a_verified_address_leads_to_the_account_that_confirmed_it(people: People) -> None:
    client = APIClient()
    assert ended(client, begun(client), "s-alice") == "/openid?why=not_linked"
    User.objects.filter(username="alice").update(email="alice@example.org")
    assert ended(client, begun(client), "s-unsure") == "/openid?why=not_linked"
    assert ended(client, begun(client), "s-alice") == "/openid?next=%2F"
    assert me(client)["username"] == "alice"
    # From now on the identity counts, whatever address the account has.
    User.objects.filter(username="alice").update(email="")
    again = APIClient()
    ended(again, begun(again), "s-alice")
    assert me(again)["username"] == "alice"
    assert Event.objects.filter(verb="identity_linked", actor__username="alice").count() == 1


def test_a_switched_off_account_stays_closed(people: People) -> None:
    linked("alice")
    User.objects.filter(username="alice").update(is_active=False, email="both@example.org")
    for subject in ("s-bare", "s-both"):
        client = APIClient()
        assert ended(client, begun(client), subject) == "/openid?why=switched_off"
        assert me(client) is None


def test_an_invitation_makes_an_account_without_a_password(people: People) -> None:
    client, token = APIClient(), invited(people)
    assert ended(client, begun(client, invite=token), "s-new") == "/openid?next=%2F"
    new = me(client)
    # The name alice is taken.
    assert (new["username"], new["display_name"], new["has_password"]) == ("alice-2", "New Person", False)
    assert Membership.objects.get(user__username="alice-2").project == people.project
    wrong = APIClient().post("/api/session/", {"username": "alice-2", "password": "!"}, format="json")
    assert wrong.status_code == 400
    again = APIClient()
    ended(again, begun(again), "s-new")
    assert me(again)["id"] == new["id"]
    assert again.post("/api/openid/", {"invite": token}, format="json").status_code == 409


def test_the_session_holds_no_token_of_an_invitation(people: People) -> None:
    client, token = APIClient(), invited(people)
    begun(client, invite=token)
    [stored] = Session.objects.filter(user=None)
    assert token not in str(SessionStore().decode(stored.session_data))


def test_a_known_person_joins_by_an_invitation(people: People) -> None:
    linked("olga")
    client = APIClient()
    assert ended(client, begun(client, invite=invited(people)), "s-bare") == "/openid?next=%2F"
    assert me(client)["username"] == "olga"
    assert Membership.objects.filter(user__username="olga", project=people.project).count() == 1
    # Who belongs to it already is signed in, and uses nothing up.
    token = invited(people)
    assert ended(client, begun(client, invite=token), "s-bare") == "/openid?next=%2F"
    assert APIClient().get(f"/api/invites/{token}/").status_code == 200


def test_an_invitation_that_was_used_meanwhile_makes_no_account(people: People) -> None:
    client, token, before = APIClient(), invited(people), User.objects.count()
    back = came_back(begun(client, invite=token), "s-new")
    faster = APIClient()
    ended(faster, begun(faster, invite=token), "s-alice")
    assert client.get(back)["Location"] == "/openid?why=invite_invalid"
    assert User.objects.count() == before + 1


def test_an_invitation_for_an_address_confirms_it(people: People) -> None:
    client = APIClient()
    ended(client, begun(client, invite=invited(people, "both@example.org")), "s-new")
    assert me(client)["address"] == "both@example.org"


# One's own account


def test_linking_takes_the_password_and_unlinking_too(people: People) -> None:
    client = signed_in("alice")
    assert link_begun(client, "wrong").json()["errors"] == {"current": ["This is not your password."]}
    assert client.get("/api/me/openid/").json() == {"linked": False, "name": ""}
    ended(client, link_begun(client).json()["url"], "s-alice")
    assert client.get("/api/me/openid/").json() == {"linked": True, "name": "alice@example.org"}
    unlink = "/api/me/openid/unlink/"
    assert client.post(unlink, {"current": "wrong"}, format="json").status_code == 400
    assert [client.post(unlink, {"current": PASSWORD}, format="json").status_code for _ in range(2)] == [204, 204]
    assert client.get("/api/me/openid/").json()["linked"] is False
    assert Event.objects.filter(verb="identity_unlinked", actor__username="alice").count() == 1


def test_one_sign_in_belongs_to_one_account_and_one_account_has_one(people: People) -> None:
    alice = linked("alice")
    bob = signed_in("bob")
    assert ended(bob, link_begun(bob).json()["url"], "s-bare") == "/openid?why=taken"
    assert ended(alice, link_begun(alice).json()["url"], "s-new") == "/openid?why=other_linked"
    assert Identity.objects.count() == 1


def test_a_link_counts_for_the_person_who_began_it(people: People) -> None:
    client = signed_in("alice")
    back = came_back(link_begun(client).json()["url"], "s-bare")
    client.post("/api/session/", {"username": "bob", "password": PASSWORD}, format="json")
    assert client.get(back)["Location"] == "/openid?why=lapsed"
    assert not Identity.objects.exists()


def test_the_last_way_in_is_not_unlinked(people: People) -> None:
    client = APIClient()
    ended(client, begun(client, invite=invited(people)), "s-new")
    answer = client.post("/api/me/openid/unlink/", {"current": "any"}, format="json")
    assert (answer.status_code, answer.json()["code"]) == (409, "no_password")


def test_guesses_of_a_password_stay_limited(people: People, settings: Any) -> None:
    settings.AXES_FAILURE_LIMIT = 3
    client = linked("alice")
    assert [link_begun(client, "wrong").status_code for _ in range(3)][-1] == 429
    other = APIClient()
    assert ended(other, begun(other), "s-bare") == "/openid?next=%2F", "no password is guessed here"


# Settings


def test_it_is_off_without_an_issuer(people: People, settings: Any) -> None:
    assert APIClient().get("/api/session/").json()["openid_button"] == settings.OPENID_BUTTON
    settings.OPENID_ISSUER = ""
    assert APIClient().get("/api/session/").json()["openid_button"] == ""
    assert APIClient().post("/api/openid/", {}, format="json").status_code == 404


def test_half_a_provider_stops_the_start(settings: Any) -> None:
    settings.OPENID_ISSUER, settings.OPENID_CLIENT_ID = "http://login.example.org", ""
    assert {"quorum.E005", "quorum.E006"} <= {message.id for message in run_checks()}
