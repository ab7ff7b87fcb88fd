"""Rules that hold however many people act at one moment: each stands in the database or under a lock."""

import copy
from collections.abc import Callable
from datetime import timedelta
from importlib import import_module
from typing import Any

import pytest
from django.apps import apps
from django.db import IntegrityError, connection, transaction
from django.utils import timezone
from rest_framework.test import APIClient

from annotation_app.api.errors import answer
from annotation_app.models import CodebookVersion, Membership, Role, User
from annotation_app.projects.services import (
    codebook_create,
    codebook_publish,
    invite_create,
    member_role_set,
    published_codebook,
)
from tests.assignment.batches import at_once
from tests.conftest import People
from tests.factories import PASSWORD, make_member, make_user

pytestmark = pytest.mark.django_db(transaction=True)


def accept(token: str, **account: str) -> Any:
    """Joins over the API as a browser does, on this thread's own connection."""
    body = {"token": token, "password": "a-long-enough-word", **account}
    return APIClient().post("/api/invites/accept/", body, format="json")


def invites(people: People, count: int) -> list[str]:
    return [
        invite_create(project=people.project, role=Role.ANNOTATOR, actor=people.admin.user)[1] for _ in range(count)
    ]


@pytest.mark.parametrize(
    "names",
    [["dana"] * 10, ["dana", "Dana", "DANA", "dAna", "danA", "daNa", "DAna", "daNA", "ｄａｎａ", "Ｄana"]],
    ids=["one name", "one name in ten spellings"],
)
def test_ten_who_take_one_name_at_once_are_one_and_nine_refusals(people: People, names: list[str]) -> None:
    tokens = invites(people, 10)
    calls = [lambda pair=pair: accept(pair[0], username=pair[1]) for pair in zip(tokens, names, strict=True)]
    answers = at_once(calls)
    assert sorted(answer.status_code for answer in answers) == [200] + [400] * 9
    refused = [answer.json()["errors"]["username"][0] for answer in answers if answer.status_code == 400]
    assert all("taken" in message for message in refused)
    assert User.objects.named("dana").count() == 1
    assert people.project.invites.filter(used_at__isnull=False).count() == 1


def test_the_database_itself_refuses_a_second_spelling(people: People) -> None:
    make_user("Zoë")
    for double in ("zoë", "ZOË", "Zoe\u0308"):
        with pytest.raises(IntegrityError, match="user_name_once"), transaction.atomic():
            User.objects.create(username=double)


@pytest.mark.parametrize("typed", ["ada", "ADA", "Ａda"])
def test_people_sign_in_by_any_spelling_of_their_name(people: People, typed: str) -> None:
    answer = APIClient().post("/api/session/", {"username": typed, "password": PASSWORD}, format="json")
    assert (answer.status_code, answer.json().get("username")) == (200, "ada")


@pytest.mark.parametrize("name", ["ΝΙΚΟΣ", "Élodie", "STRASSE", "İpek"])
def test_people_sign_in_by_the_name_that_they_were_given(db: None, name: str) -> None:
    make_user(name)
    answer = APIClient().post("/api/session/", {"username": name, "password": PASSWORD}, format="json")
    assert (answer.status_code, answer.json().get("username")) == (200, name)


def test_wrong_passwords_of_all_spellings_are_counted_together(people: People) -> None:
    spellings = ["ada", "Ada", "aDa", "adA", "ADa", "AdA", "aDA", "ADA", "Ａda", "aＤa", "ada"]
    answers = [
        APIClient().post("/api/session/", {"username": name, "password": "wrong"}, format="json").status_code
        for name in spellings
    ]
    assert (answers[0], answers[-1]) == (400, 429)


def test_an_upgrade_renames_later_accounts_of_one_name(db: None, capsys: pytest.CaptureFixture[str]) -> None:
    migration = import_module("annotation_app.migrations.0017_user_name_once")
    constraint = User._meta.constraints[0]
    with connection.schema_editor() as editor:
        editor.remove_constraint(User, constraint)
    try:
        for name in ("ida", "Ida", "IDA", "ida-2"):
            User.objects.create(username=name)
        migration.doubles_rename(apps, None)
        assert list(User.objects.order_by("pk").values_list("username", flat=True)) == [
            "ida",
            "Ida-3",
            "IDA-4",
            "ida-2",
        ]
        assert "'Ida' is also 'ida'" in capsys.readouterr().out
    finally:
        with connection.schema_editor() as editor:
            editor.add_constraint(User, constraint)


def test_one_invite_lets_one_person_in(people: People) -> None:
    (token,) = invites(people, 1)
    answers = at_once([lambda n=n: accept(token, username=f"person{n}") for n in range(6)])
    assert sorted(answer.status_code for answer in answers) == [200] + [409] * 5
    assert User.objects.filter(username__startswith="person").count() == 1


def test_one_person_with_six_invites_joins_once(people: People, client_of: Callable[[User], APIClient]) -> None:
    user, tokens = make_user("dora"), invites(people, 6)
    clients = [client_of(user) for _ in tokens]
    calls = [
        lambda pair=pair: pair[0].post("/api/invites/accept/", {"token": pair[1]}, format="json")
        for pair in zip(clients, tokens, strict=True)
    ]
    assert sorted(answer.status_code for answer in at_once(calls)) == [200] + [400] * 5
    assert people.project.memberships.filter(user=user).count() == 1


def test_two_admins_who_leave_at_once_leave_one(people: People, client_of: Callable[[Membership], APIClient]) -> None:
    second = make_member(people.project, "eva", Role.ADMIN)
    calls = []
    for who, whom in ((people.admin, second), (second, people.admin)):
        address = f"/api/members/{whom.uuid}/"
        calls.append(lambda c=client_of(who), a=address: c.patch(a, {"role": "annotator"}, format="json").status_code)
        calls.append(lambda c=client_of(who), a=address: c.post(f"{a}deactivate/").status_code)
    statuses = at_once(calls)
    # 401: whoever is deactivated is signed out at that moment, with what they had begun.
    assert set(statuses) <= {200, 400, 401, 403, 404}
    assert people.project.memberships.filter(role=Role.ADMIN, is_active=True).count() >= 1


def test_a_role_change_goes_by_the_role_of_the_moment(people: People) -> None:
    """Read before somebody made them the only admin, a member must not be demoted as if they were an annotator."""
    stale = Membership.objects.get(pk=people.annotators[0].pk)
    member_role_set(member=people.annotators[0], role=Role.ADMIN, actor=people.admin.user)
    member_role_set(member=people.admin, role=Role.ANNOTATOR, actor=people.admin.user)
    with pytest.raises(ValueError, match="last admin"):
        member_role_set(member=stale, role=Role.ANNOTATOR, actor=people.admin.user)
    assert people.project.memberships.filter(role=Role.ADMIN, is_active=True).count() == 1


def test_versions_of_a_codebook_that_are_made_and_published_at_once_follow_each_other(people: People) -> None:
    definition: dict[str, Any] = CodebookVersion.objects.get(project=people.project).definition
    actor = people.admin.user
    made = at_once([lambda: codebook_create(project=people.project, definition=definition, actor=actor)] * 5)
    assert sorted(version.version for version in made) == [2, 3, 4, 5, 6]
    # Each adds a label of its own, so that each fits the version before both and neither fits the other.
    wider = [copy.deepcopy(definition), copy.deepcopy(definition)]
    for key, each in zip(("unsure", "unclear"), wider, strict=True):
        each["stages"][0]["labels"].append({"key": key, "name": key.capitalize()})
    both = [codebook_create(project=people.project, definition=each, actor=actor) for each in wider]
    at_once([lambda v=v: codebook_publish(codebook=v, actor=actor) for v in both])
    # Whichever came last is compared with the other one.
    first, last = CodebookVersion.objects.filter(pk__in=[each.pk for each in both]).order_by("published_at")
    assert (first.compatible, last.compatible) == (True, False)


def test_what_the_database_refuses_is_told_as_a_conflict(people: People) -> None:
    """What a service let through is no 500: here a member's number is taken twice."""
    with pytest.raises(IntegrityError) as refused, transaction.atomic():
        Membership.objects.create(project=people.project, user=make_user("late"), role="annotator", number=1)
    response = answer(refused.value, {})
    assert response is not None
    assert (response.status_code, response.data["code"]) == (409, "changed_meanwhile")


def test_a_clock_that_was_set_back_leaves_the_newest_codebook_the_newest(people: People) -> None:
    before = CodebookVersion.objects.get(project=people.project)
    CodebookVersion.objects.filter(pk=before.pk).update(published_at=timezone.now() + timedelta(hours=1))
    made = codebook_create(project=people.project, definition=before.definition, actor=people.admin.user)
    codebook_publish(codebook=made, actor=people.admin.user)
    assert published_codebook(people.project) == made
