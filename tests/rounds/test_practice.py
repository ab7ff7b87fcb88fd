"""Practice: set up by an admin, gone through by annotators who see the key, and never counted as data."""

import uuid
from collections.abc import Callable

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation_app.aggregation.selectors import majority_labels
from annotation_app.agreement.selectors import agreement_table
from annotation_app.assignment.services import BatchInvalid, batch_open
from annotation_app.codebook.definition import codebook_of
from annotation_app.dashboards.overview import overview
from annotation_app.evaluation.gold import GoldSource, gold_labels
from annotation_app.export.options import ExportOptions
from annotation_app.export.stream import export_open
from annotation_app.models import (
    Adjudication,
    Answer,
    AnswerPattern,
    Assignment,
    Batch,
    Item,
    Practice,
    WorkerBeat,
)
from annotation_app.releases.counts import counts_of
from annotation_app.rounds.budget import budget_spent
from annotation_app.rounds.draw import eligible_items
from annotation_app.rounds.spec import RoundSpec
from annotation_app.rounds.training_set import training_set
from tests.conftest import People
from tests.factories import publish
from tests.labels import NO, YES, label_batch
from tests.rounds.practices import NAMES, Admin, ClientOf, answer, go_on, go_through, mine, window
from tests.rounds.starting import opened
from tests.spans import span_layer

Spec = Callable[..., RoundSpec]


def test_an_annotator_sees_the_key_after_each_answer_and_passes(
    people: People, admin: Admin, client_of: ClientOf
) -> None:
    practice, client = admin.opened(), client_of(people.annotators[0])
    (offered,) = mine(client, people)
    assert (offered["standing"], offered["may_begin"], offered["pass_mark"]) == ("not_begun", True, 75)
    assert window(client, people)["state"] == "none"

    client.post(f"/api/practices/{practice}/attempts/")
    shown = window(client, people)
    assert shown["progress"] | {"batch_number": 0} == {"done": 0, "total": 4, "withdrawn": 0, "batch_number": 0}
    first = shown["assignments"][0]
    assert first["key"] is None and "About" not in str(shown)

    assert answer(client, first["id"], YES).status_code == 201
    after = client.get(f"/api/assignments/{first['id']}/").json()
    assert after["key"] == {
        "explanations": {},
        "answers": NO,
        "explanation": f"About {first['item']['external_id']}.",
        "differs": ["opinion"],
    }
    assert after["final"] == "This is practice, and you have seen the key. Your answer can no longer be changed."
    again = client.post(
        f"/api/assignments/{first['id']}/annotations/",
        {"client_id": str(uuid.uuid4()), "base_revision": 1, "answers": NO, "context_opened": "sentence"}
        | {"active_ms": 1, "wall_ms": 1},
        "json",
    )
    assert (again.status_code, again.json()["code"]) == (409, "seen")

    for assignment in window(client, people)["assignments"]:
        assert answer(client, assignment["id"], NO).status_code == 201
    (result,) = mine(client, people)
    assert (result["standing"], result["may_begin"]) == ("passed", False)
    assert result["attempts"] == [{"number": 1, "total": 4, "done": 4, "right": 3, "passed": True}]
    assert admin.standings() == {"Ada": "not_begun", "Alice": "passed", "Bob": "not_begun", "Charlie": "not_begun"}
    assert window(client, people)["state"] == "none"


def test_it_counts_a_skip_as_wrong_and_gives_no_more_attempts_than_were_set(
    people: People, admin: Admin, client_of: ClientOf
) -> None:
    practice, client = admin.opened(), client_of(people.annotators[0])
    client.post(f"/api/practices/{practice}/attempts/")
    twice = client.post(f"/api/practices/{practice}/attempts/")
    assert (twice.status_code, twice.json()["code"]) == (409, "no_attempt")
    skipped = {"client_id": str(uuid.uuid4()), "base_revision": 0, "answers": {}, "context_opened": "sentence"}
    skipped |= {"active_ms": 1, "wall_ms": 1, "skip_reason": "Unclear"}
    for assignment in window(client, people)["assignments"][:2]:
        assert client.post(f"/api/assignments/{assignment['id']}/annotations/", skipped, "json").status_code == 201
    for assignment in window(client, people)["assignments"]:
        answer(client, assignment["id"], NO)
    (failed,) = mine(client, people)
    assert (failed["standing"], failed["attempts_left"], failed["attempts"][0]["right"]) == ("again", 1, 2)
    last = go_through(client, people, practice, [YES] * 4)
    assert (last["standing"], last["may_begin"], len(last["attempts"])) == ("failed", False, 2)
    refused = client.post(f"/api/practices/{practice}/attempts/")
    assert refused.json()["detail"] == "You have no attempt left. Ask an admin for another practice."


def test_it_comes_before_the_persons_round_and_outlasts_the_next_rounds_start(
    people: People, admin: Admin, client_of: ClientOf, worker: WorkerBeat, spec: Spec
) -> None:
    practice, client = admin.opened(), client_of(people.annotators[0])
    batch = opened(people, spec()).batch
    assert not set(batch.batch_items.values_list("item__external_id", flat=True)) & set(NAMES)
    assert not window(client, people)["assignments"][0]["batch"]["is_practice"]
    client.post(f"/api/practices/{practice}/attempts/")
    assert window(client, people)["assignments"][0]["batch"]["is_practice"]
    Assignment.objects.filter(batch_item__batch=batch).update(state="withdrawn")
    opened(people, spec())
    assert go_on(client, people, 4)["standing"] == "passed"


@pytest.mark.django_db(transaction=True)
def test_nothing_of_it_counts(
    people: People, admin: Admin, client_of: ClientOf, worker: WorkerBeat, spec: Spec
) -> None:
    """Everybody who may annotate answers the same items: for each reader of answers there are none."""
    practice = admin.opened()
    for member in people.annotators:
        go_through(client_of(member), people, practice, [NO] * 4)
    assert Answer.objects.count() == 12
    project, attempts = people.project, list(people.project.batches.filter(kind=Batch.Kind.PRACTICE))
    codebook = project.codebooks.get()
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM rules.rated_answer WHERE project = %s", [project.pk])
        assert cursor.fetchone() == (0,)
    # By the batches of all rounds, and by these batches where they are named.
    for batches in (None, attempts):
        assert not any(row.votes for row in majority_labels(project=project, stage="opinion", batches=batches))
    assert training_set(project=project, stages=["opinion"], codebook=codebook_of(codebook), batches=attempts) == []
    agreement_table(project=project, scope="all")
    assert not AnswerPattern.objects.exists()
    gold = gold_labels(project=project, source=GoldSource(kind="labels"), version=codebook, stages=["opinion"])
    assert not gold["opinion"].labels
    assert budget_spent(project) == 0
    assert counts_of(project)["annotations"] == 0
    for kind in ("annotations", "aggregated"):
        assert b"".join(export_open(kind=kind, options=ExportOptions(project=project))) == b""
    told = overview(membership=people.admin)
    assert (told.batches, told.people, told.project.has_answers) == ([], [], False)
    members = admin.client.get(f"/api/projects/{project.uuid}/members/").json()
    assert {(member["done"], member["total"]) for member in members} == {(0, 0)}
    # A round neither draws the items nor learns from them.
    assert not eligible_items(project).filter(external_id__in=NAMES).exists()
    assert opened(people, spec(query_size=36)).batch.batch_items.count() == 36


def test_its_items_are_opened_in_no_other_batch(people: People, admin: Admin) -> None:
    admin.opened()
    items = list(Item.objects.filter(external_id__in=NAMES).values_list("pk", flat=True))
    with pytest.raises(BatchInvalid, match="4 of 4 items are in a practice"):
        batch_open(
            project=people.project,
            codebook=people.project.codebooks.get(),
            items=[(pk, None) for pk in items],
            annotators=people.annotators,
            annotators_per_item=1,
            kind=Batch.Kind.PROTOTYPE,
            number=1,
        )


def test_a_round_takes_only_who_passed_where_it_is_required(
    people: People, admin: Admin, client_of: ClientOf, worker: WorkerBeat, spec: Spec
) -> None:
    practice = admin.opened(is_required=True)
    client = client_of(people.annotators[0])
    asked = spec(annotators=[member.uuid for member in people.annotators[:2]], annotators_per_item=1)
    url = f"/api/projects/{people.project.uuid}/rounds/"
    refused = admin.client.post(url, asked.model_dump(mode="json"), "json")
    assert refused.json()["errors"]["annotators"] == ["Practice 1, “Stance”, has to be passed first, by Alice, Bob."]
    go_through(client, people, practice, [NO] * 4)
    batch = opened(people, spec(annotators=[people.annotators[0].uuid], annotators_per_item=1)).batch
    hand_over = {"giver": str(people.annotators[0].uuid), "taker": str(people.annotators[1].uuid)}
    refused = admin.client.post(f"/api/batches/{batch.uuid}/hand-over/", hand_over, "json")
    assert (refused.status_code, refused.json()["code"]) == (409, "practice")
    go_through(client_of(people.annotators[1]), people, practice, [NO] * 4)
    assert admin.client.post(f"/api/batches/{batch.uuid}/hand-over/", hand_over, "json").status_code == 200


def test_of_two_required_practices_of_one_title_both_have_to_be_passed(
    people: People, admin: Admin, client_of: ClientOf, worker: WorkerBeat, spec: Spec
) -> None:
    first = admin.opened(is_required=True)
    second = admin.make(is_required=True).json()["practice"]["id"]
    (item,) = admin.add(second, source="ids", ids=["doc_4_1"]).json()["items"]
    assert admin.write(second, item["item"]["id"], NO).status_code == 200
    assert admin.open(second).status_code == 200
    alice = people.annotators[0]
    client = client_of(alice)
    assert client.post(f"/api/practices/{second}/attempts/").status_code == 201
    assert answer(client, window(client, people)["assignments"][0]["id"], NO).status_code == 201
    asked = spec(annotators=[alice.uuid], annotators_per_item=1).model_dump(mode="json")
    url = f"/api/projects/{people.project.uuid}/rounds/"
    told = admin.client.post(url, asked, "json").json()["errors"]["annotators"]
    assert told == ["Practice 1, “Stance”, has to be passed first, by Alice."]
    go_through(client, people, first, [NO] * 4)
    assert admin.client.post(url, asked, "json").status_code == 201


def test_the_key_is_drawn_from_adjudicated_labels_of_closed_rounds(
    people: People, admin: Admin, client_of: ClientOf, worker: WorkerBeat, spec: Spec
) -> None:
    practice = admin.make().json()["practice"]["id"]
    nothing = admin.add(practice, source="adjudicated", size=5)
    assert "size" in nothing.json()["errors"]
    batch = opened(people, spec()).batch
    label_batch(batch, lambda member, item: YES if member == people.annotators[0] else NO)
    row = batch.batch_items.order_by("rank")[0]
    decision = Adjudication.objects.create(
        batch_item=row,
        revision=1,
        client_id=uuid.uuid4(),
        body_hash="",
        adjudicator=people.admin,
        source=Adjudication.Source.ADJUDICATION,
    )
    decision.labels.create(stage="opinion", label="yes")
    decision.labels.create(stage="mp", label="no")
    # While answers can still change, the key would tell on them.
    assert admin.add(practice, source="adjudicated", size=5).status_code == 400
    named = admin.add(practice, source="ids", ids=[row.item.external_id])
    assert named.json()["errors"]["ids"] == [f"{row.item.external_id}: people may still answer it in an open batch."]
    opened(people, spec())
    (item,) = admin.add(practice, source="adjudicated", size=5).json()["items"]
    assert (item["item"]["external_id"], item["answers"]) == (row.item.external_id, {"opinion": "yes", "mp": "no"})
    # Who had the item sees its decided label now: their own first answer there is locked, and gets no second look.
    assert admin.open(practice).status_code == 200
    Assignment.objects.exclude(batch_item__batch__kind=Batch.Kind.PRACTICE).filter(
        state__in=("open", "claimed")
    ).update(state="withdrawn")
    go_through(client_of(people.annotators[0]), people, practice, [NO])
    assert row.assignments.get(annotator=people.annotators[0]).answers_revealed_at is not None
    assert row.assignments.get(annotator=people.annotators[1]).answers_revealed_at is None


def test_items_are_drawn_from_the_pool_and_go_back_with_a_practice_that_is_removed(
    people: People, admin: Admin
) -> None:
    practice = admin.make().json()["practice"]["id"]
    drawn = [each["item"]["external_id"] for each in admin.add(practice, source="pool", size=5).json()["items"]]
    assert len(set(drawn)) == 5
    assert eligible_items(people.project).count() == 35
    assert admin.client.delete(f"/api/practices/{practice}/").status_code == 204
    assert eligible_items(people.project).count() == 40
    assert not Practice.objects.exists() and not Batch.objects.exists()


def test_every_fault_is_named(people: People, admin: Admin) -> None:
    faults = admin.make(title=" ", pass_mark=0, attempts=21).json()["errors"]
    assert set(faults) == {"title", "pass_mark", "attempts"}
    practice = admin.make().json()["practice"]["id"]
    assert admin.open(practice).json()["code"] == "no_items"
    named = admin.add(practice, source="ids", ids=["doc_0_1", "nothing"])
    assert named.json()["errors"]["ids"] == ["nothing: the project has no such item, or it was left out."]
    (item,) = admin.add(practice, source="ids", ids=["doc_0_1"]).json()["items"]
    assert admin.open(practice).json()["detail"] == "1 of 1 items have no key yet."
    item_id = item["item"]["id"]
    assert admin.write(practice, item_id, {}).json()["errors"] == {"answers": ["Answer one question at least."]}
    closed = admin.write(practice, item_id, NO | {"mp": "no"}).json()["errors"]
    assert list(closed) == ["answers.mp"]
    assert admin.write(practice, item_id, NO).status_code == 200
    assert admin.open(practice).status_code == 200
    late = admin.write(practice, item_id, YES)
    assert (late.status_code, late.json()["code"]) == (409, "opened")
    body = {"title": "Stance", "pass_mark": 50, "attempts": 2, "is_required": True}
    assert admin.client.put(f"/api/practices/{practice}/", body, "json").status_code == 409
    kept = admin.client.put(f"/api/practices/{practice}/", body | {"pass_mark": 75}, "json").json()
    assert kept["practice"]["is_required"] is True


def test_a_codebook_of_spans_alone_has_no_practice(people: People, admin: Admin) -> None:
    publish(people.project, {"name": "Spans", "span_layer": span_layer()})
    refused = admin.make()
    assert (refused.status_code, refused.json()["code"]) == (409, "no_stages")


def test_others_results_and_drafts_stay_hidden(people: People, admin: Admin, client_of: ClientOf) -> None:
    draft = admin.make().json()["practice"]["id"]
    client = client_of(people.annotators[0])
    assert mine(client, people) == []
    assert client.post(f"/api/practices/{draft}/attempts/").status_code == 404
    assert client_of(people.outsider).post(f"/api/practices/{draft}/attempts/").status_code == 404
    practice = admin.opened(title="Second")
    go_through(client_of(people.annotators[1]), people, practice, [NO] * 4)
    assert "Bob" not in str(mine(client, people)) and mine(client, people)[0]["attempts"] == []
    admin.client.post(f"/api/practices/{practice}/close/")
    assert mine(client, people)[0]["may_begin"] is False
    assert client.post(f"/api/practices/{practice}/attempts/").json()["detail"] == "This practice is not open."


def test_its_list_takes_as_many_queries_whatever_the_number(people: People, admin: Admin, client_of: ClientOf) -> None:
    practice = admin.opened()
    url = f"/api/projects/{people.project.uuid}/practices/"
    admin.client.get(url)
    with CaptureQueriesContext(connection) as one:
        admin.client.get(url)
    go_through(client_of(people.annotators[0]), people, practice, [NO] * 4)
    admin.make()
    with CaptureQueriesContext(connection) as more:
        assert len(admin.client.get(url).json()["practices"]) == 2
    assert len(more) == len(one)
