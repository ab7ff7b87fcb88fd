"""A project begun from a template, and as a copy of another: what comes along, and what never does."""

import json
import uuid
from collections.abc import Callable
from typing import Any

import pytest
from rest_framework.test import APIClient

from annotation_app.codebook.templates import BY_KEY
from annotation_app.models import (
    Annotation,
    Batch,
    CodebookVersion,
    ImportedSpans,
    Item,
    ItemSource,
    LanguageModelApproval,
    Membership,
    Project,
    PromptVersion,
    SetSentence,
    SourceDocument,
)
from tests.assignment.batches import open_batch
from tests.conftest import People
from tests.factoids.rows import make_short_set
from tests.factories import make_items
from tests.labels import YES, label_batch

pytestmark = pytest.mark.django_db
ClientOf = Callable[[Membership], APIClient]


@pytest.fixture
def admin(people: People, client_of: ClientOf) -> APIClient:
    people.admin.user.can_create_projects = True
    people.admin.user.save()
    return client_of(people.admin)


def copied(admin: APIClient, people: People, **wanted: Any) -> Project:
    sent = {"name": "Board again", **wanted}
    made = admin.post(f"/api/projects/{people.project.uuid}/copy/", sent, "json")
    assert made.status_code == 201, made.content
    return Project.objects.get(uuid=made.json()["id"])


@pytest.mark.parametrize("key", BY_KEY)
def test_every_template_begins_a_project(admin: APIClient, key: str) -> None:
    made = admin.post("/api/projects/", {"name": "New", "codebook": key}, "json").json()
    (version,) = admin.get(f"/api/projects/{made['id']}/codebooks/").json()
    assert version["definition"]["name"] == BY_KEY[key].definition["name"]
    # Nobody labels by two labels that stand for others.
    assert version["state"] == ("draft" if key == "blank" else "published")


def test_templates_are_for_everyone_signed_in(people: People, client_of: ClientOf) -> None:
    listed = client_of(people.annotators[0]).get("/api/codebook-templates/").json()
    assert [each["key"] for each in listed] == list(BY_KEY)


def test_creating_twice_makes_one_project(admin: APIClient) -> None:
    sent = {"name": "New", "codebook": "none", "client_id": str(uuid.uuid4())}
    first, again = (admin.post("/api/projects/", sent, "json") for _ in range(2))
    assert (first.status_code, again.status_code) == (201, 201)
    assert first.json()["id"] == again.json()["id"]
    assert Project.objects.filter(name="New").count() == 1
    other = admin.post("/api/projects/", {**sent, "name": "Another"}, "json")
    assert (other.status_code, other.json()["code"]) == (409, "client_id_reused")


def test_a_copy_has_settings_codebook_and_prompts_alone(people: People, admin: APIClient) -> None:
    source = people.project
    source.description, source.time_zone, source.annotation_budget = "Of a board", "Europe/Oslo", 40
    source.shown_columns = [json.dumps(["party"])]
    source.save()
    make_items(source, ["One sentence here."])
    for number, template in ((1, "Old"), (2, "New")):
        PromptVersion.objects.create(
            project=source, stage="opinion", number=number, template=template, created_by=people.admin.user
        )
    LanguageModelApproval.objects.create(
        project=source, model="m", destination="example.org", approved_by=people.admin.user
    )
    copy = copied(admin, people)
    assert (copy.description, copy.time_zone, copy.annotation_budget) == ("Of a board", "Europe/Oslo", 40)
    assert copy.shown_columns == []
    version = copy.codebooks.get()
    assert (version.version, version.state, version.compatible) == (1, "published", None)
    assert version.definition == source.codebooks.get().definition
    assert list(copy.prompt_versions.values_list("stage", "number", "template")) == [("opinion", 1, "New")]
    assert list(copy.memberships.values_list("user__username", "role", "number")) == [("ada", "admin", 1)]
    assert not copy.items.exists()
    assert not copy.imports.exists()
    assert not copy.language_model_approvals.exists()


def test_the_newest_draft_comes_where_nothing_is_published(people: People, admin: APIClient) -> None:
    made = admin.post("/api/projects/", {"name": "Plain", "codebook": "blank"}, "json").json()
    again = admin.post(f"/api/projects/{made['id']}/copy/", {"name": "Plain again"}, "json").json()
    (version,) = admin.get(f"/api/projects/{again['id']}/codebooks/").json()
    assert (version["state"], version["version"]) == ("draft", 1)


def test_members_come_with_their_roles_and_new_numbers(people: People, admin: APIClient) -> None:
    bob = people.annotators[1]
    bob.is_active = False
    bob.save()
    copy = copied(admin, people, members=True)
    shown = list(copy.memberships.order_by("number").values_list("user__username", "role", "number"))
    assert shown == [("ada", "admin", 1), ("alice", "annotator", 2), ("charlie", "annotator", 3)]


def test_texts_come_whole_and_answers_never(people: People, admin: APIClient) -> None:
    source = people.project
    items = make_items(source, ["First sentence here.", "Second one there.", "Third one nowhere."])
    Item.objects.filter(pk=items[2].pk).update(left_out="by_admin", left_out_reason="It is a heading.")
    release = SourceDocument.objects.create(
        project=source, source=items[0].document.source, external_id="s1", text="A release.", n_words=2
    )
    ItemSource.objects.create(item=items[1], source_document=release, position=0)
    marks = [{"start": 0, "end": 6, "category": "a", "comment": "", "source": "s1"}]
    ImportedSpans.objects.create(item=items[1], spans=marks)
    make_short_set(source, ["M01", "M02"])
    source.shown_columns = [json.dumps(["party"])]
    source.save()
    label_batch(open_batch(source, people.annotators[:2], size=2), lambda member, item: YES)
    answers = Annotation.objects.count()
    assert answers == 4

    copy = copied(admin, people, texts=True)
    fields = ("external_id", "number", "start", "end", "text", "left_out", "left_out_reason", "meta")
    of_each = [list(each.items.order_by("pk").values_list(*fields)) for each in (source, copy)]
    assert of_each[0] == of_each[1]
    assert not set(source.items.values_list("uuid")) & set(copy.items.values_list("uuid"))
    for item in copy.items.select_related("document", "utterance__document"):
        assert (item.document.project, item.utterance.document) == (copy, item.document)
        assert item.document.source.project == copy
    link = ItemSource.objects.get(item__project=copy)
    assert (link.item.external_id, link.source_document.external_id) == (items[1].external_id, "s1")
    assert link.source_document.project == copy
    assert ImportedSpans.objects.get(item__project=copy).spans == marks
    assert copy.shown_columns == source.shown_columns
    texts = SetSentence.objects.filter(text_set__project=copy).order_by("pk")
    assert list(texts.values_list("external_id", "text")) == [
        ("M01-001", "Sentence of M01."),
        ("M02-001", "Sentence of M02."),
    ]
    assert not Batch.objects.filter(project=copy).exists()
    assert Annotation.objects.count() == answers
    # What is done to the copy leaves the source alone: its imports can be undone there.
    shown = admin.get(f"/api/projects/{copy.uuid}/imports/").json()
    assert [(each["state"], each["keeps"]) for each in shown] == [("done", "")] * 2


def test_both_logs_say_what_was_copied(people: People, admin: APIClient) -> None:
    make_items(people.project, ["One sentence here."])
    copy = copied(admin, people, texts=True, members=True)
    told = [sentences(admin, each) for each in (people.project, copy)]
    assert "Copied the project as “Board again”: 3 other members added, 1 item." in told[0]
    assert "Began the project as a copy of “Board”: 3 other members, 1 item." in told[1]


def sentences(admin: APIClient, project: Project) -> list[str]:
    return [line["sentence"] for line in admin.get(f"/api/projects/{project.uuid}/events/").json()["lines"]]


def test_a_retry_makes_no_second_copy(people: People, admin: APIClient) -> None:
    client_id = str(uuid.uuid4())
    assert copied(admin, people, client_id=client_id) == copied(admin, people, client_id=client_id)
    other = admin.post(f"/api/projects/{people.project.uuid}/copy/", {"name": "Else", "client_id": client_id}, "json")
    assert (other.status_code, other.json()["code"]) == (409, "client_id_reused")


def test_an_archived_project_can_be_copied(people: People, admin: APIClient) -> None:
    assert admin.post(f"/api/projects/{people.project.uuid}/archive/").status_code == 200
    assert copied(admin, people).archived_at is None


def test_a_version_of_older_rules_comes_as_a_draft(people: People, admin: APIClient) -> None:
    version = people.project.codebooks.get()
    CodebookVersion.objects.filter(pk=version.pk).update(definition={**version.definition, "unknown": 1})
    assert copied(admin, people).codebooks.get().state == "draft"


def test_it_is_transferred_to_another_active_admin(people: People, admin: APIClient) -> None:
    alice = people.annotators[0]
    path = f"/api/projects/{people.project.uuid}/transfer/"
    refused = admin.post(path, {"member": str(alice.uuid)}, "json")
    assert refused.json()["errors"] == {
        "member": ["Choose an active admin of this project. Make the person an admin first."]
    }
    assert admin.patch(f"/api/members/{alice.uuid}/", {"role": "admin"}, "json").status_code == 200
    assert admin.post(path, {"member": str(alice.uuid)}, "json").json()["owner"] == "Alice"
    members = admin.get(f"/api/projects/{people.project.uuid}/members/").json()
    assert [each["display_name"] for each in members if each["is_owner"]] == ["Alice"]
    assert admin.post(path, {"member": str(alice.uuid)}, "json").status_code == 200
    told = [sentence for sentence in sentences(admin, people.project) if sentence.startswith("Transferred")]
    before = people.project.created_by.shown_name
    assert told == [f"Transferred the project to Alice (before: {before})."]


def test_an_admin_whose_account_is_off_does_not_count_as_one(people: People, admin: APIClient) -> None:
    alice = people.annotators[0]
    alice.role, alice.user.is_active = "admin", False
    alice.save()
    alice.user.save()
    refused = admin.patch(f"/api/members/{people.admin.uuid}/", {"role": "annotator"}, "json")
    assert "last admin" in refused.json()["errors"]["role"][0]


def test_time_zone_and_budget_are_settings(people: People, admin: APIClient) -> None:
    path = f"/api/projects/{people.project.uuid}/"
    shown = admin.patch(path, {"time_zone": "Europe/Oslo", "annotation_budget": 30}, "json").json()
    assert (shown["time_zone"], shown["annotation_budget"]) == ("Europe/Oslo", 30)
    assert "time_zone" in admin.patch(path, {"time_zone": "Mars/Base"}, "json").json()["errors"]
    assert sentences(admin, people.project)[0] == "Changed the project's time zone."
