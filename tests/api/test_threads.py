"""Threads of flags and notes beside the codebook: who says what to whom, and who never learns of it."""

import uuid
from collections.abc import Callable
from typing import Any

import pytest
from rest_framework.test import APIClient

from annotation_app.models import Assignment, Batch, CodebookVersion, Event, Flag, FlagMessage, Membership
from tests.api.test_remarks import answer
from tests.assignment.batches import open_batch
from tests.conftest import People
from tests.factories import publish

pytestmark = pytest.mark.django_db(transaction=True)
ClientOf = Callable[[Membership], APIClient]


class Asking:
    """The project's first annotator, who flagged an item, and its admin."""

    def __init__(self, people: People, client_of: ClientOf) -> None:
        self.people = people
        self.url = f"/api/projects/{people.project.uuid}/"
        self.alice, self.bob = (client_of(each) for each in people.annotators[:2])
        self.admin = client_of(people.admin)
        self.batch = open_batch(people.project, people.annotators[:2], size=2)
        self.assignment = answer(self.alice, str(people.project.uuid))["id"]
        self.flag_body = {"note": "Is irony an opinion?", "client_id": str(uuid.uuid4())}
        sent = self.alice.post(f"/api/assignments/{self.assignment}/flag/", self.flag_body, "json")
        assert sent.status_code == 201
        self.flag = str(Flag.objects.get().uuid)

    def say(self, client: APIClient, words: str, **more: Any) -> int:
        body = {"client_id": str(uuid.uuid4()), "words": words, **more}
        return int(client.post(f"{self.url}flags/{self.flag}/messages/", body, "json").status_code)

    def read(self, client: APIClient, n_seen: int) -> int:
        return int(client.post(f"{self.url}flags/{self.flag}/read/", {"n_seen": n_seen}, "json").status_code)

    def own(self, client: APIClient) -> list[dict[str, Any]]:
        return list(client.get(f"{self.url}flags/").json()["flags"])

    def queue(self, state: str = "waiting") -> list[dict[str, Any]]:
        return list(self.admin.get(f"{self.url}remarks/", {"kind": "flag", "state": state}).json()["remarks"])

    def notes(self, client: APIClient) -> list[dict[str, Any]]:
        return list(client.get(f"{self.url}codebook-notes/").json())

    def publish(self, **body: Any) -> Any:
        return self.admin.post(f"{self.url}codebook-notes/", body, "json")


@pytest.fixture
def asking(people: People, client_of: ClientOf) -> Asking:
    return Asking(people, client_of)


def test_a_question_is_answered_and_asked_again(asking: Asking) -> None:
    [waiting] = asking.queue()
    assert (waiting["words"], waiting["waits"], waiting["unread"], waiting["messages"]) == (
        "Is irony an opinion?",
        True,
        True,
        [],
    )
    assert asking.say(asking.admin, " Yes, it is. ") == 201
    assert asking.queue() == []
    [open_still] = asking.queue("open")
    assert [(each["who"], each["words"], each["is_asker"]) for each in open_still["messages"]] == [
        ("Ada", "Yes, it is.", False)
    ]
    [own] = asking.own(asking.alice)
    assert (own["unread"], own["assignment"], own["final"], own["resolved"]) == (1, asking.assignment, False, False)
    assert asking.read(asking.alice, 1) == 204
    assert asking.own(asking.alice)[0]["unread"] == 0
    client_of_admin = f"{asking.url}remarks/{asking.flag}/"
    assert asking.admin.post(client_of_admin, {"resolved": True}, "json").status_code == 204
    assert asking.own(asking.alice)[0]["resolved"]
    assert asking.say(asking.alice, "Always?") == 201
    [again] = asking.queue()
    assert (again["resolved"], again["waits"], again["n_messages"]) == (False, True, 2)
    verbs = Event.objects.filter(verb__regex="^(flag|remark|item_fl)").order_by("pk").values_list("verb", flat=True)
    assert list(verbs) == ["item_flagged", "flag_answered", "remark_resolved", "remark_reopened", "flag_replied"]


def test_what_was_not_seen_stays_unread(asking: Asking) -> None:
    """The second message came while the first was on the screen, and one's own are never unread."""
    asking.say(asking.admin, "First")
    asking.say(asking.admin, "Second")
    asking.say(asking.alice, "Mine")
    asking.read(asking.alice, 1)
    assert asking.own(asking.alice)[0]["unread"] == 1
    asking.read(asking.alice, 99)
    asking.read(asking.alice, 0)
    assert asking.own(asking.alice)[0]["unread"] == 0
    assert asking.queue()[0]["unread"]
    asking.read(asking.admin, 3)
    assert not asking.queue()[0]["unread"]


def test_a_sending_that_is_repeated_says_nothing_twice(asking: Asking) -> None:
    url = f"/api/assignments/{asking.assignment}/flag/"
    assert asking.alice.post(url, asking.flag_body, "json").status_code == 201
    assert Flag.objects.count() == 1
    other = asking.alice.post(url, {**asking.flag_body, "note": "Else"}, "json")
    assert (other.status_code, other.json()["code"]) == (409, "client_id_reused")
    same = str(uuid.uuid4())
    assert [asking.say(asking.admin, "Yes", client_id=same) for _ in range(2)] == [201, 201]
    assert FlagMessage.objects.count() == 1
    assert asking.say(asking.admin, "No", client_id=same) == 409
    assert asking.say(asking.alice, "Yes", client_id=same) == 409
    assert asking.say(asking.admin, "  ") == 400


def test_nobody_else_takes_part(asking: Asking, people: People, client_of: ClientOf) -> None:
    outsider = client_of(people.outsider)
    for stranger in (asking.bob, outsider):
        assert (asking.say(stranger, "And I?"), asking.read(stranger, 0)) == (404, 404)
    assert asking.own(asking.bob) == []
    assert asking.bob.get(f"{asking.url}flags/items/").json() == {"assignments": []}
    assert asking.alice.get(f"{asking.url}flags/items/").json() == {"assignments": [asking.assignment]}
    theirs = asking.bob.get(f"{asking.url}flags/", {"assignment": asking.assignment}).json()
    assert (theirs["flags"], theirs["n"]) == ([], 0)


def test_an_admin_who_annotates_the_item_takes_no_part_until_their_answer_is_final(
    people: People, client_of: ClientOf
) -> None:
    batch = open_batch(people.project, [people.annotators[0], people.admin], size=1)
    alice, admin, project = client_of(people.annotators[0]), client_of(people.admin), str(people.project.uuid)
    given = answer(alice, project)
    assert alice.post(f"/api/assignments/{given['id']}/flag/", {"note": "Surely no?"}, "json").status_code == 201
    flag = Flag.objects.get()
    url = f"/api/projects/{project}/flags/{flag.uuid}/messages/"
    body = {"client_id": str(uuid.uuid4()), "words": "It is."}
    note = {"words": "It is.", "flag": str(flag.uuid)}
    assert admin.post(url, body, "json").status_code == 404
    assert admin.post(f"/api/projects/{project}/codebook-notes/", note, "json").status_code == 404
    Batch.objects.filter(pk=batch.pk).update(frozen_at=batch.opened_at)
    assert admin.post(url, body, "json").status_code == 201
    assert client_of(people.annotators[0]).get(f"/api/projects/{project}/flags/").json()["flags"][0]["final"]


def test_a_note_that_is_sent_again_is_published_once(asking: Asking) -> None:
    note = {"words": "Irony counts.", "stage": "opinion", "flag": asking.flag, "client_id": str(uuid.uuid4())}
    assert [asking.publish(**note).status_code for _ in range(2)] == [201, 201]
    assert len(asking.notes(asking.bob)) == 1
    assert len(asking.own(asking.alice)[0]["messages"]) == 1
    other = asking.publish(**{**note, "words": "Irony counts not."})
    assert (other.status_code, other.json()["code"]) == (409, "client_id_reused")


def test_a_note_reaches_everybody_and_tells_not_who_asked(asking: Asking) -> None:
    sent = asking.publish(words="Irony counts as an opinion.", stage="opinion", flag=asking.flag)
    assert sent.status_code == 201
    [shown] = asking.notes(asking.bob)
    version = CodebookVersion.objects.get(pk=asking.batch.codebook_id).version
    assert (shown["words"], shown["stage"], shown["version"]) == ("Irony counts as an opinion.", "opinion", version)
    assert set(shown) == {"id", "words", "stage", "version", "published_at", "withdrawn_at", "published_by"}
    assert shown["published_by"] is None
    assert asking.notes(asking.admin)[0]["published_by"] == "Ada"
    [message] = asking.own(asking.alice)[0]["messages"]
    assert (message["words"], message["is_note"]) == ("Irony counts as an opinion.", True)
    assert asking.queue() == []
    withdraw = f"{asking.url}codebook-notes/{shown['id']}/withdraw/"
    assert [asking.admin.post(withdraw).status_code for _ in range(2)] == [204, 204]
    assert asking.notes(asking.bob) == []
    assert asking.notes(asking.admin)[0]["withdrawn_at"] is not None
    verbs = Event.objects.filter(verb__startswith="codebook_note").order_by("pk").values_list("verb", flat=True)
    assert list(verbs) == ["codebook_note_published", "codebook_note_withdrawn"]


def test_a_note_belongs_to_a_version(asking: Asking, people: People) -> None:
    """Without a flag it is beside the newest version; with one, beside the version that was labelled with."""
    first = CodebookVersion.objects.get(pk=asking.batch.codebook_id)
    second = publish(people.project, {**first.definition, "guidelines": "Newer."})
    assert asking.publish(words="New").json()["version"] == second.version
    assert asking.publish(words="Asked", flag=asking.flag).json()["version"] == first.version
    assert asking.publish(words="Chosen", codebook=str(first.uuid)).json()["version"] == first.version
    assert asking.publish(words="None", stage="nothing").status_code == 400
    assert asking.publish(words="None", codebook=str(uuid.uuid4())).status_code == 400
    assert Assignment.objects.filter(flags__notes__isnull=False).count() == 1
