"""One's own account, links for a forgotten password, sessions, and limits to guessing."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.core.management import call_command
from django.utils import timezone
from rest_framework.test import APIClient

from annotation_app.api.guesses import client_address
from annotation_app.assignment.members import member_deactivate
from annotation_app.models import Event, Membership, PasswordLink, Session, User
from tests.conftest import People
from tests.factories import PASSWORD, make_member, make_project

ClientOf = Callable[[Membership | User], APIClient]
NEW = "four unrelated words"


def signed_in(username: str, password: str = PASSWORD, **extra: str) -> APIClient:
    """A client that signed in by its password."""
    client = APIClient(**extra)
    answer = client.post("/api/session/", {"username": username, "password": password}, format="json")
    assert answer.status_code == 200, answer.content
    return client


def is_signed_in(client: APIClient) -> bool:
    return client.get("/api/me/").status_code == 200


def tried(username: str, password: str = "wrong", **extra: str) -> Any:
    return APIClient(**extra).post("/api/session/", {"username": username, "password": password}, format="json")


def link_for(admin: APIClient, member: Membership) -> str:
    """The token of a link that an admin makes for a member."""
    answer = admin.post(f"/api/members/{member.uuid}/password-link/")
    assert answer.status_code == 201, answer.content
    return str(answer.json()["url"]).split("/password#")[1]


def use(token: str, password: str = NEW) -> Any:
    return APIClient().post("/api/password-links/use/", {"token": token, "password": password}, format="json")


# Name and password


def test_a_person_changes_their_own_name(people: People) -> None:
    alice = signed_in("alice")
    assert alice.patch("/api/me/", {"display_name": "Alice B."}, format="json").json()["display_name"] == "Alice B."
    assert alice.get("/api/me/").json()["display_name"] == "Alice B."


def test_a_person_chooses_the_time_zone_of_their_pages(people: People) -> None:
    alice = signed_in("alice")
    assert alice.patch("/api/me/", {"time_zone": "Asia/Tokyo"}, format="json").json()["time_zone"] == "Asia/Tokyo"
    refused = alice.patch("/api/me/", {"time_zone": "Mars/Olympus"}, format="json")
    assert (refused.status_code, list(refused.json()["errors"])) == (400, ["time_zone"])
    me = alice.get("/api/me/").json()
    assert (me["time_zone"], me["display_name"]) == ("Asia/Tokyo", "Alice")
    assert alice.patch("/api/me/", {"time_zone": ""}, format="json").json()["time_zone"] == ""


def test_a_changed_password_ends_every_other_session(people: People) -> None:
    here, elsewhere = signed_in("alice"), signed_in("alice")
    body = {"current": PASSWORD, "password": NEW}
    assert here.post("/api/me/password/", body, format="json").status_code == 200
    assert (is_signed_in(here), is_signed_in(elsewhere)) == (True, False)
    assert Session.objects.filter(user__username="alice").count() == 1
    assert (tried("alice", PASSWORD).status_code, tried("alice", NEW).status_code) == (400, 200)
    assert Event.objects.filter(verb="password_changed", actor__username="alice").count() == 1


@pytest.mark.parametrize(
    ("current", "password", "field"),
    [("wrong", NEW, "current"), (PASSWORD, "short", "password"), (PASSWORD, "password1234", "password")],
)
def test_a_password_is_not_changed_without_the_old_one_or_to_a_poor_one(
    current: str, password: str, field: str, people: People
) -> None:
    answer = signed_in("alice").post("/api/me/password/", {"current": current, "password": password}, format="json")
    assert (answer.status_code, list(answer.json()["errors"])) == (400, [field])
    assert tried("alice", PASSWORD).status_code == 200


def test_guessing_the_current_password_on_the_page_is_limited_as_at_sign_in(people: People) -> None:
    alice = signed_in("alice")
    body = {"current": "wrong", "password": NEW}
    statuses = [alice.post("/api/me/password/", body, format="json").status_code for _ in range(11)]
    assert (statuses[0], statuses[-1]) == (400, 429)


# Sessions


def test_sessions_are_listed_and_ended_one_by_one_and_all_others_at_once(people: People) -> None:
    agents = ["Firefox", "Chrome", "Safari"]
    first, second, third = (signed_in("alice", HTTP_USER_AGENT=agent) for agent in agents)
    listed = first.get("/api/me/sessions/").json()
    assert {row["agent"]: row["is_this"] for row in listed} == {"Firefox": True, "Chrome": False, "Safari": False}
    assert not any(session.session_key in str(listed) for session in Session.objects.all())
    chrome = next(row["id"] for row in listed if row["agent"] == "Chrome")
    assert signed_in("bob").delete(f"/api/me/sessions/{chrome}/").status_code == 404
    assert first.delete(f"/api/me/sessions/{chrome}/").status_code == 204
    assert [is_signed_in(each) for each in (first, second, third)] == [True, False, True]
    assert first.delete("/api/me/sessions/").status_code == 204
    assert [is_signed_in(each) for each in (first, second, third)] == [True, False, False]


@pytest.mark.parametrize(
    ("idle", "used", "signed_in_ago", "is_live"),
    [(2, 1.9, 5, True), (2, 2.1, 5, False), (2, 0.5, 9.9, True), (2, 0.5, 10.1, False)],
)
def test_a_session_ends_when_idle_and_in_any_case(
    idle: float, used: float, signed_in_ago: float, is_live: bool, people: People, settings: Any
) -> None:
    """Limits of 2 and 10 hours; used and signed in so many hours ago."""
    settings.SESSION_IDLE_HOURS, settings.SESSION_COOKIE_AGE = idle, 10 * 3600
    alice = signed_in("alice")
    now = timezone.now()
    seen, begun = now - timedelta(hours=used), now - timedelta(hours=signed_in_ago)
    ends = min(seen + timedelta(hours=2), begun + timedelta(hours=10))
    Session.objects.update(seen_at=seen, signed_in_at=begun, expire_date=ends)
    assert is_signed_in(alice) is is_live
    if is_live:
        row = Session.objects.get()
        assert row.seen_at >= now
        assert abs(row.expire_date - min(now + timedelta(hours=2), begun + timedelta(hours=10))) < timedelta(minutes=1)


def test_a_sign_in_stores_the_nearer_limit(people: People, settings: Any) -> None:
    settings.SESSION_IDLE_HOURS = 2
    signed_in("alice")
    assert timedelta(minutes=119) < Session.objects.get().expire_date - timezone.now() < timedelta(minutes=121)


def test_a_password_change_does_not_begin_the_absolute_limit_anew(people: People) -> None:
    alice = signed_in("alice")
    store = alice.session
    store["signed_in_at"] = (timezone.now() - timedelta(days=20)).isoformat()
    store.save()
    alice.post("/api/me/password/", {"current": PASSWORD, "password": NEW}, format="json")
    assert is_signed_in(alice)
    assert timezone.now() - Session.objects.get().signed_in_at > timedelta(days=19)


def test_who_belongs_nowhere_any_more_is_signed_out(people: People) -> None:
    alice, ada = people.annotators[0], people.admin.user
    client = signed_in("alice")
    other = Membership.objects.create(project=make_project("Second"), user=alice.user, role="annotator", number=9)
    member_deactivate(member=alice, actor=ada)
    assert is_signed_in(client)
    member_deactivate(member=other, actor=ada)
    assert not is_signed_in(client)


def test_an_account_switched_off_is_signed_out_and_let_in_no_more(people: People) -> None:
    client = signed_in("alice")
    call_command("switch_account", "alice", "--off")
    assert not is_signed_in(client)
    assert Session.objects.filter(user__username="alice").count() == 0
    assert tried("alice", PASSWORD).status_code == 400
    call_command("switch_account", "alice")
    assert tried("alice", PASSWORD).status_code == 200


# Links for a forgotten password


def test_an_admins_link_sets_a_new_password_once(people: People, client_of: ClientOf) -> None:
    before = signed_in("alice")
    token = link_for(client_of(people.admin), people.annotators[0])
    shown = APIClient().post("/api/password-links/", {"token": token}, format="json").json()
    assert (shown["username"], shown["display_name"]) == ("alice", "Alice")
    assert not PasswordLink.objects.filter(token_hash=token).exists()
    assert use(token, "short").status_code == 400
    assert use(token).json()["username"] == "alice"
    assert not is_signed_in(before)
    assert tried("alice", NEW).status_code == 200
    assert use(token, "other unrelated words").status_code == 409
    verbs = Event.objects.filter(project=people.project, verb__startswith="password_link").values_list("verb", "actor")
    assert sorted(verbs) == [
        ("password_link_created", people.admin.user.pk),
        ("password_link_used", people.annotators[0].user.pk),
    ]


def test_a_link_ends_after_a_day_with_a_newer_one_and_with_a_changed_password(
    people: People, client_of: ClientOf
) -> None:
    admin, alice = client_of(people.admin), people.annotators[0]
    first, second = link_for(admin, alice), link_for(admin, alice)
    assert use(first).status_code == 409
    PasswordLink.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    assert use(second).status_code == 409
    third = link_for(admin, alice)
    signed_in("alice").post("/api/me/password/", {"current": PASSWORD, "password": NEW}, format="json")
    assert use(third, "other unrelated words").status_code == 409
    assert use("never was").status_code == 409


def test_an_admin_takes_over_no_account_that_is_more_elsewhere(people: People, client_of: ClientOf) -> None:
    """Neither one that belongs to another project, in any role, left or not, nor one with a right the admin lacks."""
    admin, alice = client_of(people.admin), people.annotators[0]
    other = make_project("Other")
    for role, is_active in (("admin", True), ("annotator", True), ("annotator", False)):
        there = Membership.objects.create(project=other, user=alice.user, role=role, number=5, is_active=is_active)
        answer = admin.post(f"/api/members/{alice.uuid}/password-link/")
        assert (answer.status_code, answer.json()["code"]) == (409, "password_link_refused"), (role, is_active)
        assert "manage.py password_link alice" in answer.json()["detail"]
        there.delete()
    for right in ("can_create_projects", "is_staff", "is_superuser"):
        User.objects.filter(pk=alice.user.pk).update(**{right: True})
        assert admin.post(f"/api/members/{alice.uuid}/password-link/").status_code == 409, right
        User.objects.filter(pk=alice.user.pk).update(**{right: False})
    assert admin.post(f"/api/members/{people.admin.uuid}/password-link/").status_code == 409
    assert PasswordLink.objects.count() == 0


def test_a_link_made_before_the_person_became_more_is_void(people: People, client_of: ClientOf) -> None:
    token = link_for(client_of(people.admin), people.annotators[0])
    Membership.objects.create(
        project=make_project("Other"), user=people.annotators[0].user, role="admin", number=1, is_active=True
    )
    assert use(token).status_code == 409
    assert tried("alice", PASSWORD).status_code == 200


def test_a_link_of_an_admin_who_is_none_any_more_is_void(people: People, client_of: ClientOf) -> None:
    token = link_for(client_of(people.admin), people.annotators[0])
    make_member(people.project, "second", "admin")
    Membership.objects.filter(pk=people.admin.pk).update(role="annotator")
    assert use(token).status_code == 409


def test_whoever_runs_the_server_makes_a_link_for_anybody(
    people: People, settings: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    settings.PUBLIC_URL = "https://example.org/quorum/"
    call_command("password_link", "ada")
    address = capsys.readouterr().out.splitlines()[-1]
    assert address.startswith("https://example.org/quorum/password#")
    assert use(address.split("#")[1]).json()["username"] == "ada"


# Guessing


def test_one_password_tried_on_many_names_is_stopped(people: People) -> None:
    answers = [tried(f"person-{number}") for number in range(60)]
    statuses = [answer.status_code for answer in answers]
    assert statuses[:39] == [400] * 39
    assert set(statuses[41:]) == {429}
    assert "many names" in answers[-1].json()["detail"]
    assert answers[-1]["Retry-After"] == "900"
    assert tried("alice", PASSWORD).status_code == 429
    assert tried("alice", PASSWORD, REMOTE_ADDR="10.0.0.9").status_code == 200


def test_a_class_in_one_room_does_not_lock_itself_out_by_typing_errors(people: People) -> None:
    """Thirty people behind one address, each wrong twice and then right, all wrong first."""
    names = [make_member(people.project, f"pupil-{number}", "annotator").user.username for number in range(30)]
    for _ in range(2):
        assert {tried(name).status_code for name in names} == {400}
    assert {tried(name, PASSWORD).status_code for name in names} == {200}
    assert {tried(name).status_code for name in names} == {400}


def test_a_name_with_capitals_counts_no_more_once_it_signed_in(people: People) -> None:
    make_member(people.project, "McArthur", "annotator")
    for _ in range(2):
        assert [tried("mcarthur").status_code for _ in range(8)] == [400] * 8
        assert tried("McArthur", PASSWORD).status_code == 200


def test_a_stranger_behind_the_same_address_gains_nothing_by_signing_in(people: People) -> None:
    for number in range(45):
        tried(f"person-{number}")
        if number % 5 == 0:
            tried("alice", PASSWORD)
    assert tried("person-99").status_code == 429


@pytest.mark.parametrize(
    ("proxies", "forwarded", "peer", "address"),
    [
        (0, "1.2.3.4", "10.0.0.1", "10.0.0.1"),
        (1, "1.2.3.4", "127.0.0.1", "1.2.3.4"),
        (1, "6.6.6.6, 1.2.3.4", "127.0.0.1", "1.2.3.4"),
        (2, "6.6.6.6, 1.2.3.4, 10.0.0.2", "127.0.0.1", "1.2.3.4"),
        (2, "1.2.3.4", "127.0.0.1", "127.0.0.1"),
        (1, "", "127.0.0.1", "127.0.0.1"),
        (1, "nonsense", "127.0.0.1", "127.0.0.1"),
        (0, "", "2001:db8:1:2:aaaa::1", "2001:db8:1:2::"),
        (1, "[2001:db8:1:2:bbbb::9]", "127.0.0.1", "2001:db8:1:2::"),
        (0, "", "::ffff:10.1.2.3", "10.1.2.3"),
    ],
)
def test_the_address_that_is_counted(
    proxies: int, forwarded: str, peer: str, address: str, settings: Any, rf: Any
) -> None:
    settings.PROXIES = proxies
    assert client_address(rf.get("/", REMOTE_ADDR=peer, HTTP_X_FORWARDED_FOR=forwarded)) == address


def test_a_made_up_forwarded_address_escapes_no_limit(people: People, settings: Any) -> None:
    settings.PROXIES = 1
    for number in range(45):
        tried(f"person-{number}", HTTP_X_FORWARDED_FOR=f"10.9.{number}.1, 192.0.2.7")
    assert tried("alice", PASSWORD, HTTP_X_FORWARDED_FOR="10.9.99.1, 192.0.2.7").status_code == 429
