"""Drafts of a consensus list: started, edited, published as versions, discarded. And what the database refuses."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.db import DatabaseError, transaction
from django.utils import timezone
from rest_framework.test import APIClient

from annotation_app.config.grants import APPEND_ONLY
from annotation_app.models import (
    Event,
    Factoid,
    FactoidItem,
    FactoidList,
    FactoidPairing,
    FactoidPhase,
    FactoidRelation,
    FactoidRevision,
    Membership,
    Project,
    ProjectDeletion,
    Role,
    SetText,
    TextSet,
)
from annotation_app.projects.lifecycle import project_purge
from tests.conftest import People
from tests.factoids.api import Json, change, define, factoid, get_list, send, step
from tests.factoids.rows import in_texts, judge, list_of, make_pairing, make_phase, make_short_set
from tests.factories import make_member

Clients = Callable[[Membership], APIClient]


@pytest.fixture
def text_set(people: People) -> TextSet:
    return make_short_set(people.project, ["a", "b"])


@pytest.fixture
def admin(people: People, client_of: Clients) -> APIClient:
    return client_of(people.admin)


def draft(admin: APIClient, text_set: TextSet, start: object = None) -> Json:
    body = {"from": start and str(start)}
    answer = admin.post(f"/api/text-sets/{text_set.uuid}/consensus/", body, format="json")
    assert answer.status_code == 201, answer.json()
    return dict(answer.json())


def act(admin: APIClient, list_id: str, what: str) -> Any:
    return admin.post(f"/api/factoid-lists/{list_id}/{what}/")


def test_a_draft_is_edited_by_those_who_resolve_and_published(
    people: People, admin: APIClient, text_set: TextSet, client_of: Clients
) -> None:
    judging = client_of(make_member(people.project, "judge", Role.ADJUDICATOR))
    row = draft(admin, text_set)
    assert {name: row[name] for name in ("kind", "step", "state", "phase", "owner", "version", "may_edit")} == {
        "kind": "consensus",
        "step": "consensus",
        "state": "open",
        "phase": None,
        "owner": None,
        "version": None,
        "may_edit": True,
    }
    empty = act(admin, row["id"], "publish")
    assert (empty.status_code, empty.json()["code"]) == (409, "empty")
    define(judging, row["id"], factoid("C1", "a-001"), factoid("C2"))
    assert client_of(people.annotators[0]).get(f"/api/factoid-lists/{row['id']}/").status_code == 404
    assert act(admin, row["id"], "publish").json()["version"] == 1
    shown = get_list(judging, row["id"])
    assert (shown["state"], shown["version"], shown["may_edit"]) == ("published", 1, False)
    late = send(judging, row["id"], step(2, "new", change(factoid("C3"))))
    assert (late.status_code, late.json()["code"]) == (409, "closed")
    assert act(admin, row["id"], "publish").json()["code"] == "closed"
    assert act(admin, row["id"], "discard").json()["code"] == "closed"

    # A second version starts as a copy, with the same keys.
    copy = draft(admin, text_set, row["id"])
    assert copy["factoids"] == shown["factoids"]
    define(admin, copy["id"], factoid("C3", "b-001"))
    assert act(admin, copy["id"], "publish").json()["version"] == 2
    (seen,) = admin.get(f"/api/projects/{people.project.uuid}/text-sets/").json()["sets"]
    assert [(each["version"], each["n_factoids"]) for each in seen["consensus"]] == [(1, 2), (2, 3)]
    assert seen["drafts"] == []


def test_a_discarded_draft_is_hidden_and_keeps_its_revisions(admin: APIClient, text_set: TextSet) -> None:
    row = draft(admin, text_set)
    define(admin, row["id"], factoid("C1"))
    (seen,) = admin.get(f"/api/projects/{text_set.project.uuid}/text-sets/").json()["sets"]
    assert [(each["id"], each["n_factoids"]) for each in seen["drafts"]] == [(row["id"], 1)]
    assert act(admin, row["id"], "discard").status_code == 204
    assert admin.get(f"/api/factoid-lists/{row['id']}/").status_code == 404
    (seen,) = admin.get(f"/api/projects/{text_set.project.uuid}/text-sets/").json()["sets"]
    assert seen["drafts"] == []
    assert FactoidRevision.objects.count() == 1


def test_a_draft_starts_from_what_no_longer_changes_unnoticed(
    people: People, admin: APIClient, text_set: TextSet
) -> None:
    annotator = people.annotators[0]
    phase = make_phase(text_set, "definition", {annotator: in_texts({"P1": "ab"})})
    row = draft(admin, text_set, list_of(phase, annotator).uuid)
    assert [(each["id"], each["sentences"]) for each in row["factoids"]] == [("P1", ["a-001", "b-001"])]
    reopened = admin.post(f"/api/factoid-phases/{phase.uuid}/reopen/")
    assert "A consensus list was made from them" in reopened.json()["detail"]
    assert act(admin, row["id"], "discard").status_code == 204
    assert admin.post(f"/api/factoid-phases/{phase.uuid}/reopen/").status_code == 200
    for start in (list_of(phase, annotator).uuid, row["id"], uuid4()):
        answer = admin.post(f"/api/text-sets/{text_set.uuid}/consensus/", {"from": str(start)}, format="json")
        assert list(answer.json()["errors"]) == ["from"]


def test_a_list_of_a_phase_is_no_draft(people: People, admin: APIClient, text_set: TextSet) -> None:
    phase = make_phase(text_set, "definition", {people.annotators[0]: {}})
    row = list_of(phase, people.annotators[0])
    for what in ("publish", "discard"):
        assert act(admin, str(row.uuid), what).json()["code"] == "not_a_draft"


def test_the_database_refuses_steps_on_closed_lists_and_changes_of_published_ones(
    people: People, text_set: TextSet
) -> None:
    member = people.annotators[0]
    closed = list_of(make_phase(text_set, "definition", {member: {}}), member)
    published = FactoidList.objects.create(text_set=text_set, version=1, published_at=timezone.now())
    for row in (closed, published):
        with pytest.raises(DatabaseError, match="is closed and cannot be changed"), transaction.atomic():
            FactoidRevision.objects.create(
                factoid_list=row, revision=1, client_id=uuid4(), body_hash="", kind="new", created_by=member.user
            )
    with pytest.raises(DatabaseError, match="cannot be changed or deleted"), transaction.atomic():
        FactoidList.objects.filter(pk=published.pk).update(version=2)
    with pytest.raises(DatabaseError, match="cannot be changed or deleted"), transaction.atomic():
        published.delete()
    assert {"annotation_app_factoidrevision", "annotation_app_factoidrelation"} <= set(APPEND_ONLY)


@pytest.mark.django_db(transaction=True)
def test_a_purge_takes_everything_of_a_text_set(people: People, admin: APIClient, text_set: TextSet) -> None:
    first, second = people.annotators[:2]
    phase = make_phase(text_set, "definition", {first: in_texts({"P1": "a"}), second: in_texts({"Q1": "b"})})
    lists = list_of(phase, first), list_of(phase, second)
    judge(make_pairing(*lists), ("P1", "Q1", "equal"))
    path = f"/api/text-sets/{text_set.uuid}/phases/"
    body = {"kind": "definition", "step": "second_look", "follows": str(phase.uuid)}
    assert admin.post(path, body, format="json").status_code == 201
    row = draft(admin, text_set, lists[0].uuid)
    assert act(admin, row["id"], "publish").status_code == 200
    given = {"kind": "annotation", "members": [str(first.uuid)], "given": row["id"]}
    assert admin.post(path, given, format="json").status_code == 201
    define(admin, draft(admin, text_set)["id"], factoid("C1"))
    kept = make_short_set(people.outsider.project, ["x", "y"])
    later = timezone.now() + timedelta(days=30)
    ProjectDeletion.objects.create(project=people.project, asked_by=people.admin.user, purge_after=later)
    ProjectDeletion.objects.update(purge_after=timezone.now() - timedelta(minutes=1))
    assert project_purge(project_id=people.project.pk)
    assert not Project.objects.filter(pk=people.project.pk).exists()
    assert list(TextSet.objects.all()) == [kept]
    assert SetText.objects.count() == 2
    for model in (FactoidPhase, FactoidList, Factoid, FactoidItem, FactoidRevision, FactoidPairing, FactoidRelation):
        assert not model._default_manager.exists()
    assert Event.objects.filter(verb="project_purged").exists()
