"""Projects, codebooks, members, invites, as an admin and as others."""

import copy
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from annotation_app.models import CodebookVersion, Event, Membership, Project, TextSet
from tests.conftest import People
from tests.factories import make_items, make_member, make_project, publish, unpublish
from tests.spans import span_layer

ClientOf = Callable[[Membership], APIClient]


def test_it_shows_own_projects_only(people: People, client_of: ClientOf) -> None:
    make_items(people.project, ["One sentence here.", "Another sentence here."])
    (shown,) = client_of(people.annotators[0]).get("/api/projects/").json()
    assert shown["name"] == "Board"
    assert (shown["role"], shown["n_documents"], shown["budget_spent"]) == ("annotator", 1, 0)
    assert (shown["pool_size"], shown["pool_left"]) == (2, 2)
    assert shown["my_progress"] == {"done": 0, "total": 0, "withdrawn": 0, "batch_number": None, "state": "none"}
    assert shown["active_codebook"]["version"] == 1
    assert client_of(people.outsider).get(f"/api/projects/{people.project.uuid}/").status_code == 404


def test_it_counts_queries_independent_of_projects(people: People, client_of: ClientOf) -> None:
    client = client_of(people.annotators[0])
    # session, user, memberships, standings, (progress of idle batches), budget, pool, what is left of it, documents,
    # codebooks, rounds
    with CaptureQueriesContext(connection) as one:
        client.get("/api/projects/")
    for name in ("Second", "Third"):
        project = make_project(name)
        Membership.objects.create(project=project, user=people.annotators[0].user, role="annotator", number=1)
    with CaptureQueriesContext(connection) as three:
        assert len(client.get("/api/projects/").json()) == 3
    assert len(one) == len(three) <= 14


def test_it_says_what_codebooks_have(people: People, client_of: ClientOf) -> None:
    def said() -> tuple[bool, bool]:
        shown = client_of(people.admin).get(f"/api/projects/{people.project.uuid}/").json()
        return shown["has_spans"], shown["has_stages"]

    assert said() == (False, True)
    publish(people.project, {"name": "Spans", "span_layer": span_layer()})
    assert said() == (True, True)
    unpublish(people.project.codebooks.filter(version=1))
    assert said() == (True, False)
    unpublish(people.project.codebooks.all())
    assert said() == (False, False)


def test_it_says_whether_there_are_text_sets(people: People, client_of: ClientOf) -> None:
    client = client_of(people.annotators[0])
    assert client.get(f"/api/projects/{people.project.uuid}/").json()["has_text_sets"] is False
    TextSet.objects.create(project=people.project, name="Ferry", created_by=people.admin.user)
    assert client.get(f"/api/projects/{people.project.uuid}/").json()["has_text_sets"] is True


def test_it_creates_a_project_with_the_five_stages(people: People, client_of: ClientOf) -> None:
    user = people.admin.user
    client = client_of(people.admin)
    assert client.post("/api/projects/", {"name": "New"}, format="json").status_code == 403
    user.can_create_projects = True
    user.save()
    made = client.post("/api/projects/", {"name": "New", "time_zone": "Europe/Oslo"}, format="json")
    assert made.status_code == 201, made.content
    (codebook,) = client.get(f"/api/projects/{made.json()['id']}/codebooks/").json()
    keys = [stage["key"] for stage in codebook["definition"]["stages"]]
    assert keys == ["opinion", "mp", "mp_context", "stance_nli", "stance_nli_context"]
    assert codebook["state"] == "published"
    wrong = client.post("/api/projects/", {"name": "New", "time_zone": "Mars/Base"}, format="json")
    assert wrong.status_code == 400
    assert "time_zone" in wrong.json()["errors"]


def test_it_versions_codebooks_and_says_what_breaks(people: People, client_of: ClientOf) -> None:
    client, base = client_of(people.admin), f"/api/projects/{people.project.uuid}/codebooks/"
    definition = client.get(base).json()[0]["definition"]
    faulty = copy.deepcopy(definition)
    faulty["stages"][1]["open_when"] = {"all": [{"stage": "nowhere", "in": ["yes"]}]}
    answer = client.post(base, {"definition": faulty}, format="json")
    assert answer.status_code == 400
    assert "definition.stages[1].open_when.all[0].stage" in answer.json()["errors"]
    removed = copy.deepcopy(definition)
    removed["stages"] = removed["stages"][:1]
    draft = client.post(base, {"definition": removed}, format="json").json()
    assert (draft["version"], draft["state"]) == (2, "draft")
    published = client.post(f"/api/codebooks/{draft['id']}/publish/").json()
    assert (published["state"], published["compatible"]) == ("published", False)
    assert client.post(f"/api/codebooks/{draft['id']}/publish/").status_code == 409


def test_a_draft_that_a_later_rule_refuses_is_listed_with_what_is_wrong(people: People, client_of: ClientOf) -> None:
    client, base = client_of(people.admin), f"/api/projects/{people.project.uuid}/codebooks/"
    definition = copy.deepcopy(client.get(base).json()[0]["definition"])
    definition["stages"][1]["open_when"] = {"all": [{"stage": "nowhere", "in": ["yes"]}]}
    draft = CodebookVersion.objects.create(
        project=people.project, version=2, definition=definition, created_by=people.admin.user
    )
    found, first = client.get(base).json()
    assert (found["version"], found["definition"], found["changes"]) == (2, definition, None)
    assert [fault["path"] for fault in found["faults"]] == ["stages[1].open_when.all[0].stage"]
    assert first["faults"] == []
    refused = client.post(f"/api/codebooks/{draft.uuid}/publish/")
    assert (refused.status_code, refused.json()["code"]) == (409, "faulty")


def test_it_lists_what_each_version_changes(people: People, client_of: ClientOf) -> None:
    client, base = client_of(people.admin), f"/api/projects/{people.project.uuid}/codebooks/"
    (first,) = client.get(base).json()
    assert first["changes"] is None

    def drafted(**parts: object) -> dict[str, Any]:
        return client.post(base, {"definition": first["definition"] | parts}, format="json").json()

    def change(path: str, words: str, *, is_breaking: bool = False) -> dict[str, Any]:
        return {"path": path, "words": words, "is_breaking": is_breaking}

    renamed = drafted(name="Other")
    assert renamed["changes"] == [change("name", "changed")]
    kept, *gone = first["definition"]["stages"]
    removed = [change(f"stages.{each['key']}", "stage removed", is_breaking=True) for each in gone]
    assert drafted(stages=[kept])["changes"] == removed
    # The draft that stays is then compared with the version in force; published ones keep theirs.
    assert client.post(f"/api/codebooks/{renamed['id']}/publish/").json()["changes"] == [change("name", "changed")]
    assert [each["changes"] for each in client.get(base).json()] == [
        [change("name", "changed"), *removed],
        [change("name", "changed")],
        None,
    ]
    unpublish(people.project.codebooks.all())
    assert [each["changes"] for each in client.get(base).json()] == [None] * 3


@pytest.mark.parametrize("role", ["admin", "annotator", "adjudicator"])
def test_it_lets_people_in_by_link_once(people: People, client_of: ClientOf, role: str) -> None:
    admin = client_of(people.admin)
    invite = admin.post(f"/api/projects/{people.project.uuid}/invites/", {"role": role}, format="json").json()
    token = invite["url"].rsplit("/", 1)[1]
    shown = APIClient().get(f"/api/invites/{token}/").json()
    told = (people.project.name, people.admin.user.shown_name, role)
    assert ((shown["project"], shown["invited_by"], shown["role"]), len(shown)) == (told, 4)
    account = {"token": token, "username": "dora", "display_name": "Dora", "password": "a-long-enough-pass"}
    weak = APIClient().post("/api/invites/accept/", {**account, "password": "short"}, format="json")
    assert (weak.status_code, list(weak.json()["errors"])) == (400, ["password"])
    newcomer = APIClient()
    assert newcomer.post("/api/invites/accept/", account, format="json").status_code == 200
    assert newcomer.get("/api/me/").json()["username"] == "dora"
    assert newcomer.get("/api/projects/").json()[0]["role"] == role
    assert APIClient().post("/api/invites/accept/", {**account, "username": "eve"}, format="json").status_code == 409
    used, unknown = APIClient().get(f"/api/invites/{token}/"), APIClient().get("/api/invites/never-was/")
    assert (used.status_code, used.json()) == (unknown.status_code, unknown.json())
    listed = admin.get(f"/api/projects/{people.project.uuid}/invites/").json()
    assert listed[0]["url"] is None
    assert Event.objects.filter(project=people.project, verb="invite_accepted").count() == 1


def test_it_deactivates_a_person_and_keeps_the_last_admin(people: People, client_of: ClientOf) -> None:
    admin, alice = client_of(people.admin), people.annotators[0]
    assert admin.post(f"/api/members/{alice.uuid}/deactivate/").json()["is_active"] is False
    assert client_of(alice).get(f"/api/projects/{people.project.uuid}/").status_code == 404
    assert admin.post(f"/api/members/{alice.uuid}/activate/").json()["is_active"] is True
    assert admin.post(f"/api/members/{people.admin.uuid}/deactivate/").status_code == 400
    demoted = admin.patch(f"/api/members/{people.admin.uuid}/", {"role": "annotator"}, format="json")
    assert demoted.status_code == 400


def test_it_numbers_members_as_they_come(people: People, client_of: ClientOf) -> None:
    make_member(people.project, "judge", "adjudicator")
    members = client_of(people.admin).get(f"/api/projects/{people.project.uuid}/members/").json()
    assert [(member["number"], member["role"]) for member in members] == [
        (1, "admin"),
        (2, "annotator"),
        (3, "annotator"),
        (4, "annotator"),
        (5, "adjudicator"),
    ]


def test_it_refuses_a_null_character_in_text(people: People, client_of: ClientOf) -> None:
    user = people.admin.user
    user.can_create_projects = True
    user.save()
    answer = client_of(people.admin).post("/api/projects/", {"name": "a\u0000b"}, format="json")
    assert answer.status_code == 400
    assert Project.objects.filter(name__startswith="a").count() == 0
