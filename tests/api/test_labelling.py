"""Labelling over HTTP: the shapes, the answers and the refusals that the browser acts on."""

import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from annotation_app.api import labelling as shapes
from annotation_app.api import windows
from annotation_app.api.done import DoneOut
from annotation_app.api.items import serialize_items
from annotation_app.assignment.services import assignments_withdraw
from annotation_app.models import Annotation, Assignment, Batch, Membership
from tests.api.labelling import Person, body, same_keys
from tests.assignment.batches import open_batch
from tests.conftest import People
from tests.factories import make_items
from tests.labels import NO

ClientOf = Callable[[Membership], APIClient]
ALL = {
    "opinion": "yes",
    "mp": "yes",
    "mp_context": "utterance",
    "stance_nli": "neutral",
    "stance_nli_context": "sentence",
}


@pytest.fixture
def batch(people: People) -> Batch:
    return open_batch(people.project, people.annotators, size=5)


@pytest.fixture
def alice(people: People, batch: Batch, client_of: ClientOf) -> Person:
    return Person(client_of(people.annotators[0]), str(people.project.uuid))


def test_it_hands_out_items_as_the_schema_says(alice: Person, batch: Batch) -> None:
    answer = alice.next(2)
    assert answer.status_code == 200
    window = answer.json()
    same_keys(windows.WindowOut(), window)
    assert (window["state"], window["progress"]) == ("ok", {"done": 0, "total": 5, "withdrawn": 0, "batch_number": 1})
    first, second = window["assignments"]
    row = Assignment.objects.get(uuid=first["id"])
    item = row.batch_item.item
    assert (first["state"], first["position"], second["position"]) == ("claimed", 1, 2)
    assert first["item"]["text"] == item.text
    assert first["item"]["speaker"] == item.utterance.speaker
    assert first["item"]["utterance"] == {
        "external_id": item.utterance.external_id,
        "number": item.utterance.position + 1,
    }
    assert (first["item"]["sentence_number"], first["item"]["document"]["external_id"]) == (1, "doc-1")
    assert first["item"]["context"]["utterance"] == {"speaker": item.utterance.speaker, "before": "", "after": ""}
    codebook = {"id": str(batch.codebook.uuid), "version": 1, "definition": batch.codebook.definition}
    assert (first["codebook"], window["codebooks"]) == (codebook["id"], [codebook])
    assert alice.one(first["id"]).json()["codebook"] == codebook
    assert (first["current"], first["claimed_until"]) == (None, None)
    assert first["first_look"] is None
    assert first["batch"] == {"number": 1, "total": 5, "open": True, "is_practice": False}
    assert alice.next(2).json() == window


@pytest.mark.parametrize("ahead", ["0", "51", "x", "1e9"])
def test_it_refuses_a_window_of_another_size(alice: Person, ahead: str) -> None:
    answer = alice.next(ahead)
    assert (answer.status_code, list(answer.json()["errors"])) == (400, ["ahead"])


def test_it_stores_once_and_brings_the_next_items(alice: Person) -> None:
    first = alice.window()["assignments"][0]["id"]
    sent = body(answers=ALL)
    created = alice.submit(first, sent)
    assert created.status_code == 201, created.content
    same_keys(shapes.SubmittedOut(), created.json())
    assert created.json()["annotation"]["answers"] == ALL
    refill = created.json()["refill"]
    assert ([row["position"] for row in refill["assignments"]], refill["progress"]["done"]) == ([2, 3, 4], 1)
    again = alice.submit(first, sent)
    assert (again.status_code, again.json()) == (200, created.json())
    assert Annotation.objects.count() == 1


def test_it_sends_nothing_again_that_the_browser_has(alice: Person) -> None:
    first, *others = alice.window()["assignments"]
    sent = body(answers=ALL)
    whole = alice.submit(first["id"], sent).json()["refill"]
    assert whole["assignments"][:2] == others
    assert whole["codebooks"] == []
    refill = alice.submit(first["id"], sent, held=others).json()["refill"]
    assert refill == whole | {"assignments": whole["assignments"][2:]}


def test_it_sends_again_what_is_held_longer_than_the_browser_knows(
    people: People, client_of: ClientOf, settings: Any
) -> None:
    open_batch(people.project, people.annotators, size=5, k=2)
    alice = Person(client_of(people.annotators[0]), str(people.project.uuid))
    first, second, third = alice.window()["assignments"]
    Assignment.objects.update(claimed_at=timezone.now() - timedelta(seconds=settings.CLAIM_IDLE_SECONDS * 0.6))
    longer = alice.submit(first["id"], held=[second, third]).json()["refill"]["assignments"]
    assert [row["id"] for row in longer][:2] == [second["id"], third["id"]]
    assert longer[0]["claimed_until"] > second["claimed_until"]
    assert longer[0]["tag"] != second["tag"]
    after = alice.submit(second["id"], held=longer).json()["refill"]["assignments"]
    assert not {row["id"] for row in after} & {row["id"] for row in longer}


def test_it_sends_again_what_has_other_columns_beside_it(alice: Person, people: People) -> None:
    first, *others = alice.window()["assignments"]
    people.project.shown_columns = ['["year"]']
    people.project.save()
    refill = alice.submit(first["id"], held=others).json()["refill"]["assignments"]
    assert [row["id"] for row in refill][:2] == [row["id"] for row in others]


@pytest.mark.parametrize("ids", [["x"], [str(uuid4()) for _ in range(101)]])
def test_it_refuses_a_list_that_names_no_assignments(alice: Person, ids: list[str]) -> None:
    first = alice.window()["assignments"][0]["id"]
    answer = alice.submit(first, held=[{"id": each, "tag": ""} for each in ids])
    assert (answer.status_code, list(answer.json()["errors"])) == (400, ["held"])
    assert not Annotation.objects.exists()


def test_it_lists_own_done_items_and_shows_one_to_revise(alice: Person) -> None:
    first, second, _ = (row["id"] for row in alice.window()["assignments"])
    alice.submit(second, answers=ALL, comment="hm", context_opened="utterance")
    alice.submit(first, answers={}, skip_reason="two sentences")
    done = alice.done()
    same_keys(DoneOut(), alice.done_page())
    assert [(row["id"], row["position"], row["state"], row["answers"]) for row in done] == [
        (first, 1, "skipped", {}),
        (second, 2, "submitted", ALL),
    ]
    shown = alice.client.get(f"/api/assignments/{second}/").json()
    same_keys(windows.AssignmentOut(), shown)
    assert shown["current"] == {
        "revision": 1,
        "answers": ALL,
        "spans": [],
        "comment": "hm",
        "context_opened": "utterance",
        "skip_reason": None,
    }
    assert alice.submit(second, base_revision=1).status_code == 201
    assert alice.client.get(f"/api/assignments/{second}/").json()["current"]["answers"] == NO
    assert alice.client.get(f"/api/assignments/{first}/").json()["current"]["skip_reason"] == "two sentences"


def test_it_names_every_kind_of_conflict(alice: Person, people: People, batch: Batch) -> None:
    first, second, third = (row["id"] for row in alice.window()["assignments"])
    sent = body()
    alice.submit(first, sent)
    reused = alice.submit(first, {**sent, "comment": "another body"})
    stale = alice.submit(first, base_revision=0)
    assert (reused.status_code, reused.json()["code"]) == (409, "client_id_reused")
    assert (stale.status_code, stale.json()["code"]) == (409, "stale")
    same_keys(shapes.LabellingConflict(), stale.json())
    assert (stale.json()["current"]["revision"], stale.json()["current"]["answers"]) == (1, NO)
    unmade = alice.submit(second, base_revision=4)
    assert (unmade.json()["code"], unmade.json()["current"]) == ("stale", None)
    assert alice.client.post(f"/api/assignments/{first}/release/").json()["code"] == "answered"
    assignments_withdraw(membership=people.annotators[0], actor_id=None)
    assert alice.submit(third).json()["code"] == "withdrawn"
    Batch.objects.update(frozen_at=timezone.now())
    assert alice.submit(first, base_revision=1).json()["code"] == "closed"
    assert alice.client.get(f"/api/assignments/{first}/").json()["batch"]["open"] is False


def test_it_releases_a_claimed_item(alice: Person) -> None:
    first = alice.window()["assignments"][0]["id"]
    assert alice.client.post(f"/api/assignments/{first}/release/").status_code == 204
    assert alice.client.get(f"/api/assignments/{first}/").json()["state"] == "open"


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"answers": {"opinion": "yes", "mp_context": "sentence"}}, "answers.mp"),
        ({"answers": {"opinion": "no", "mp": "no"}}, "answers.mp"),
        ({"answers": {"opinion": "\ud800"}}, "answers.opinion"),
        ({"answers": {"\ud800": "no"}}, "answers.\\ud800"),
        ({"answers": None}, "answers"),
        ({"answers": ["no"]}, "answers"),
        ({"comment": "a\x00b"}, "comment"),
        ({"comment": "a\ud800b"}, "comment"),
        ({"comment": "x" * 10_001}, "comment"),
        ({"skip_reason": "\udfff", "answers": {}}, "skip_reason"),
        ({"spans": [{"start": 0}]}, "spans"),
        ({"spans": {}}, "spans"),
        ({"context_opened": "\ud800"}, "context_opened"),
        ({"client_id": "one"}, "client_id"),
        ({"client_id": "\ud800"}, "client_id"),
        ({"base_revision": -1}, "base_revision"),
        ({"base_revision": 2**70}, "base_revision"),
        ({"active_ms": 1e300}, "active_ms"),
        ({"active_ms": 9_000, "wall_ms": 1_000}, "active_ms"),
        ({"wall_ms": -1}, "wall_ms"),
    ],
)
def test_it_names_the_field_of_bad_input_and_stores_nothing(alice: Person, changes: dict[str, Any], field: str) -> None:
    first = alice.window()["assignments"][0]["id"]
    sent = json.dumps(body(**changes))
    answer = alice.client.post(f"/api/assignments/{first}/annotations/", sent, content_type="application/json")
    assert answer.status_code == 400, answer.content
    assert field in answer.json()["errors"]
    assert not Annotation.objects.exists()


@pytest.mark.parametrize("sent", ["{", "[]", "null", '{"client_id": NaN}', "1" * 5000])
def test_it_answers_what_is_no_body_with_400(alice: Person, sent: str) -> None:
    first = alice.window()["assignments"][0]["id"]
    answer = alice.client.post(f"/api/assignments/{first}/annotations/", sent, content_type="application/json")
    assert answer.status_code == 400
    assert answer.json()["detail"]


def test_it_keeps_text_exactly(alice: Person) -> None:
    text = " \ttwo\r\n\r\nlines, na\u00efve \U0001f469\u200d\U0001f52c  "
    first = alice.window()["assignments"][0]["id"]
    alice.submit(first, comment=text)
    assert alice.client.get(f"/api/assignments/{first}/").json()["current"]["comment"] == text


def test_a_document_of_one_utterance_has_no_turns(people: People) -> None:
    [alone] = make_items(people.project, ["The report."], "report")
    first, second = make_items(people.project, ["Good morning.", "Good morning to you."], "talk")
    shown = serialize_items([alone.pk, first.pk, second.pk], people.project)
    numbers = [(shown[item.pk]["utterance"] or {}).get("number") for item in (alone, first, second)]
    assert numbers == [None, 1, 2]
