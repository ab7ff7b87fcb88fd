"""An item that an admin leaves out is never drawn again; answers that were given stay."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from rest_framework.test import APIClient

from annotation_app.annotation.services import annotation_submit
from annotation_app.assignment.services import next_window
from annotation_app.codebook.definition import parse_definition
from annotation_app.export.options import ExportOptions
from annotation_app.export.stream import export_open
from annotation_app.models import Assignment, Event, Item, Membership, Round
from annotation_app.rounds.draw import eligible_items
from annotation_app.rounds.training_set import training_set
from tests.assignment.batches import open_batch
from tests.conftest import People
from tests.factories import make_items
from tests.labels import YES, submission

pytestmark = pytest.mark.django_db(transaction=True)
ClientOf = Callable[[Membership], APIClient]
REASON = {"reason": "A row of a test"}


def act(client: APIClient, item: Item, what: str, body: dict[str, str] = REASON) -> Any:
    return client.post(f"/api/items/{item.uuid}/{what}/", body, "json")


def test_it_leaves_the_pool_and_comes_back(people: People, client_of: ClientOf) -> None:
    first, second = make_items(people.project, ["Un rang de test.", "A sentence."])
    client = client_of(people.admin)
    assert act(client, first, "leave-out", {"reason": " "}).json()["errors"]["reason"][0].startswith("Give a reason")
    shown = act(client, first, "leave-out")
    assert (shown.status_code, shown.json()["left_out"], shown.json()["left_out_reason"]) == (
        200,
        "by_admin",
        "A row of a test",
    )
    assert list(eligible_items(people.project)) == [second]
    project = client.get(f"/api/projects/{people.project.uuid}/").json()
    assert (project["pool_size"], project["pool_left"]) == (1, 1)
    assert act(client, first, "leave-out").status_code == 409
    assert Event.objects.get(verb="item_left_out").data == {"reason": "A row of a test", "assignments": 0}
    url = f"/api/projects/{people.project.uuid}/items/"
    assert [each["item_id"] for each in client.get(url, {"state": "left_out"}).json()["items"]] == ["doc_0_1"]
    assert [each["item_id"] for each in client.get(url, {"q": "SENTENCE"}).json()["items"]] == ["doc_1_1"]
    assert client.get(f"{url}count/", {"q": "doc_"}).json() == {"n": 2, "hidden": 0}
    assert act(client, first, "take-back").json()["left_out"] == ""
    assert eligible_items(people.project).count() == 2
    assert act(client, first, "take-back").status_code == 409


def test_who_has_not_answered_gets_it_no_more_and_answers_stay(people: People, client_of: ClientOf) -> None:
    alice, bob, charlie = people.annotators
    batch = open_batch(people.project, people.annotators, size=1)
    item = Item.objects.get(batch_items__batch=batch)
    rows = {each: next_window(membership=each, ahead=1).assignments[0] for each in (alice, bob)}
    annotation_submit(membership=alice, assignment_uuid=rows[alice].uuid, body=submission(YES))
    client = client_of(people.admin)
    assert act(client, item, "leave-out").status_code == 200
    states = dict(Assignment.objects.values_list("annotator", "state"))
    assert states == {alice.pk: "submitted", bob.pk: "withdrawn", charlie.pk: "withdrawn"}
    assert not next_window(membership=charlie, ahead=1).assignments
    assert act(client, item, "take-back").status_code == 200
    assert len(next_window(membership=charlie, ahead=1).assignments) == 1


def test_later_rounds_do_not_learn_from_it_and_exports_say_why(people: People, client_of: ClientOf) -> None:
    batch = open_batch(people.project, people.annotators[:1], size=2)
    for _ in range(2):
        row = next_window(membership=people.annotators[0], ahead=1).assignments[0]
        annotation_submit(membership=people.annotators[0], assignment_uuid=row.uuid, body=submission(YES))
    gone, stays = Item.objects.filter(batch_items__batch=batch).order_by("pk")

    def learnt() -> list[str]:
        codebook = parse_definition(batch.codebook.definition)
        examples = training_set(project=people.project, stages=["opinion"], codebook=codebook, batches=[batch])
        return [each.item for each in examples]

    assert learnt() == [gone.external_id, stays.external_id]
    act(client_of(people.admin), gone, "leave-out")
    assert learnt() == [stays.external_id]
    for kind in ("aggregated", "annotations"):
        export = export_open(kind=kind, options=ExportOptions(people.project))
        lines = [json.loads(line) for line in b"".join(export).splitlines()]
        said = {each.get("id") or each["item_id"]: each["left_out"] for each in lines}
        assert said == {gone.external_id: "A row of a test", stays.external_id: None}


def test_not_while_a_round_has_read_the_pool(people: People, client_of: ClientOf) -> None:
    [item] = make_items(people.project, ["A sentence."])
    Round.objects.create(
        project=people.project,
        number=1,
        state="training",
        strategy_asked="random",
        query_size=1,
        random_state=1,
        model="none",
        learning_stages=[],
        annotators_per_item=1,
        codebook=people.project.codebooks.get(),
        created_by=people.admin.user,
    )
    refused = act(client_of(people.admin), item, "leave-out")
    assert (refused.status_code, refused.json()["code"]) == (409, "item_kept")
    assert refused.json()["detail"].startswith("Round 1 is choosing")


def test_what_the_filters_left_out_is_no_admins_to_take_back(people: People, client_of: ClientOf) -> None:
    [item] = make_items(people.project, ["Hm."])
    Item.objects.update(left_out="too_short")
    assert act(client_of(people.admin), item, "leave-out").json()["detail"].startswith("This item is too short")
    assert act(client_of(people.admin), item, "take-back").status_code == 409
