"""Check items: items with known answers in a batch, which its annotators cannot tell and which are no data."""

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from rest_framework.test import APIClient

import annotation_app
from al_worker.bridge.run_round import RoundRun
from annotation_app.aggregation.selectors import majority_labels
from annotation_app.agreement.selectors import agreement_table
from annotation_app.annotation.services import annotation_submit
from annotation_app.annotation.suggestions import suggestions_set
from annotation_app.assignment.selectors import batch_progress
from annotation_app.assignment.services import next_window
from annotation_app.codebook.definition import codebook_of
from annotation_app.dashboards.items.filters import ItemFilters, items_matching
from annotation_app.dashboards.items.outcomes import item_outcomes
from annotation_app.dashboards.overview import overview
from annotation_app.dashboards.report.minutes import times_of
from annotation_app.evaluation.gold import gold_labels
from annotation_app.evaluation.spec import GoldSource
from annotation_app.export.options import ExportOptions
from annotation_app.export.stream import export_open
from annotation_app.models import (
    AnswerPattern,
    Assignment,
    Batch,
    BatchItem,
    KnownAnswer,
    Membership,
    Practice,
    Prediction,
    WorkerBeat,
)
from annotation_app.refusals import Invalid
from annotation_app.releases.counts import counts_of
from annotation_app.rounds.budget import budget_spent
from annotation_app.rounds.check_items import check_size
from annotation_app.rounds.services import round_cancel
from annotation_app.rounds.spec import RoundSpec
from annotation_app.rounds.training_set import training_set
from tests.assignment.batches import more_people
from tests.conftest import People
from tests.factories import make_items
from tests.labels import NO, YES, label_batch, submission
from tests.rounds.practices import NAMES, Admin, answer, window
from tests.rounds.starting import opened, start
from tests.suggestions import SYSTEM, predicted_all

Spec = Callable[..., RoundSpec]
ClientOf = Callable[[Membership], APIClient]
Mix = Callable[..., Any]


@pytest.fixture
def source(admin: Admin) -> str:
    """A practice of four items whose key is no, that is never opened."""
    practice: str = admin.make().json()["practice"]["id"]
    for each in admin.add(practice, source="ids", ids=NAMES).json()["items"]:
        assert admin.write(practice, each["item"]["id"], NO).status_code == 200
    return practice


@pytest.fixture
def mix(people: People, admin: Admin, source: str) -> Mix:
    """Opens a prototype batch of ten items for everybody, with two check items unless something else is said."""

    def mixed(**changes: Any) -> Any:
        body = {
            "size": 10,
            "random_state": 5,
            "annotators": [str(member.uuid) for member in people.annotators],
            "annotators_per_item": 3,
            "check_items": {"practice": source, "percent": 20},
        }
        return admin.client.post(f"/api/projects/{people.project.uuid}/prototype/", body | changes, "json")

    return mixed


def prototype(people: People) -> Batch:
    return people.project.batches.get(kind=Batch.Kind.PROTOTYPE)


def checks_of(batch: Batch) -> list[str]:
    return list(batch.batch_items.filter(is_check=True).order_by("rank").values_list("item__external_id", flat=True))


def results(admin: Admin, batch: Batch) -> dict[str, tuple[int, int, int]]:
    told = admin.client.get(f"/api/batches/{batch.uuid}/check-items/").json()
    return {each["display_name"]: (each["answered"], each["right"], each["skipped"]) for each in told["people"]}


def opened_with_checks(people: People, asked: RoundSpec) -> Batch:
    return opened(people, asked).batch


def with_checks(spec: Spec, source: str, **changes: Any) -> RoundSpec:
    return spec(check_items={"practice": source, "percent": 20}, **changes)


@pytest.mark.parametrize(("n", "percent", "size"), [(10, 1, 1), (100, 5, 5), (50, 3, 2), (49, 3, 1), (1, 20, 1)])
def test_the_share_is_rounded_and_gives_one_at_least(n: int, percent: int, size: int) -> None:
    assert check_size(n, percent) == size


def test_they_are_handed_out_among_the_others_and_leave_size_as_it_is(people: People, mix: Mix, admin: Admin) -> None:
    response = mix()
    assert response.status_code == 201
    told = response.json()["batch"]
    assert (told["size"], told["n_checks"], told["total"], told["complete"]) == (10, 2, 36, False)
    batch = prototype(people)
    checks = checks_of(batch)
    assert len(checks) == 2 and set(checks) < set(NAMES)
    assert KnownAnswer.objects.filter(batch_item__batch=batch).count() == 2
    places = {}
    for member in people.annotators:
        rows = Assignment.objects.filter(annotator=member, batch_item__batch=batch).order_by("position")
        places[member.pk] = [n for n, row in enumerate(rows.select_related("batch_item")) if row.batch_item.is_check]
        assert rows.count() == 12
    # Each person meets them at places of their own.
    assert len({tuple(each) for each in places.values()}) > 1
    label_batch(batch, lambda member, item: NO)


def shape(told: Any, name: str = "") -> Any:
    """What an answer's fields are, with the values of all that is not about one item."""
    if isinstance(told, Mapping):
        return {key: shape(value, key) for key, value in told.items()}
    if isinstance(told, list):
        # How much was said before an item is the text's alone.
        return "list" if name.startswith("minus_") else [shape(value, name) for value in told][:1]
    return type(told).__name__


def walk_all(client: APIClient, people: People) -> list[tuple[Any, Any, Any]]:
    """Answers everything in hand, one by one; (window, answer to the submit, the assignment after it) of each."""
    found = []
    while (told := window(client, people))["assignments"]:
        each = told["assignments"][0]
        sent = answer(client, each["id"], NO)
        assert sent.status_code == 201
        found.append((each, sent.json(), client.get(f"/api/assignments/{each['id']}/").json()))
    return found


def test_no_answer_of_the_api_tells_a_check_item_from_another(people: People, mix: Mix, client_of: ClientOf) -> None:
    assert mix().status_code == 201
    batch, alice = prototype(people), people.annotators[0]
    client = client_of(alice)
    checks = {
        str(row.uuid)
        for row in Assignment.objects.filter(annotator=alice, batch_item__batch=batch, batch_item__is_check=True)
    }
    first = window(client, people)
    assert first["progress"]["total"] == 12
    steps = walk_all(client, people)
    assert len(steps) == 12 and len(checks) == 2
    by_kind: dict[bool, set[str]] = {True: set(), False: set()}
    for place, (each, sent, after) in enumerate(steps, 1):
        progress = sent["refill"]["progress"]
        assert (progress["done"], progress["total"]) == (place, 12)
        is_check = each["id"] in checks
        # What is left to hand out differs with the place, and is told by how many were answered alone.
        said = {"given": each, "sent": sent["annotation"], "refill": sorted(sent["refill"]), "after": after}
        by_kind[is_check].add(json.dumps(shape(said), sort_keys=True))
        # Whatever is said of the batch, of a key or of who may revise is the same everywhere.
        assert (each["batch"]["number"], each["batch"]["total"], each["batch"]["is_practice"]) == (1, 12, False)
        assert each["batch"] == steps[0][0]["batch"]
        assert "score" not in json.dumps(each) and "known" not in json.dumps([each, sent, after])
        assert after.get("key") == steps[0][2].get("key")
    assert by_kind[True] == by_kind[False] and len(by_kind[True]) == 1
    done = client.get(f"/api/projects/{people.project.uuid}/assignments/?mine=done").json()
    text = json.dumps(done)
    assert all(check in text for check in checks)
    assert "check" not in text
    # No route about check items answers an annotator.
    assert client.get(f"/api/batches/{batch.uuid}/check-items/").status_code == 403
    assert client.get(f"/api/projects/{people.project.uuid}/annotators/").status_code == 403
    pace = client.get(f"/api/projects/{people.project.uuid}/pace/").json()
    assert pace["done"] == 12


def test_admins_see_who_answered_as_the_key_does(people: People, mix: Mix, admin: Admin) -> None:
    assert mix().status_code == 201
    batch = prototype(people)
    bob = people.annotators[1]
    checks = set(checks_of(batch))
    label_batch(batch, lambda member, item: YES if member == bob and item.external_id in checks else NO)
    assert results(admin, batch) == {"Alice": (2, 2, 0), "Bob": (2, 0, 0), "Charlie": (2, 2, 0)}
    page = admin.client.get(f"/api/projects/{people.project.uuid}/annotators/?batch={batch.uuid}").json()
    told = {each["display_name"]: each["checks"] for each in page["annotators"]}
    assert told["Alice"] | {"low": 0} == {"answered": 2, "right": 2, "skipped": 0, "share": 1.0, "low": 0, "high": 1.0}
    assert 0.3 < told["Alice"]["low"] < 0.4
    assert (told["Bob"]["share"], told["Bob"]["low"]) == (0.0, 0.0)
    # They are no rounds' items, and the work of data is ten items each.
    assert {each["done"] for each in page["annotators"] if each["display_name"] != "Ada"} == {10}
    rounds = admin.client.get(f"/api/projects/{people.project.uuid}/annotators/").json()
    assert {each["checks"]["answered"] for each in rounds["annotators"]} == {0}


def test_an_admin_who_annotates_the_batch_sees_no_result_while_they_can_answer(
    people: People, mix: Mix, admin: Admin
) -> None:
    everybody = [*people.annotators, people.admin]
    assert mix(annotators=[str(member.uuid) for member in everybody]).status_code == 201
    batch = prototype(people)
    told = admin.client.get(f"/api/batches/{batch.uuid}/check-items/").json()
    assert told == {"size": 2, "is_hidden": True, "people": []}


def test_a_skip_is_no_answer_and_what_is_withdrawn_is_not_asked_for(people: People, mix: Mix, admin: Admin) -> None:
    assert mix().status_code == 201
    batch = prototype(people)
    alice, bob = people.annotators[:2]
    rows = Assignment.objects.filter(batch_item__batch=batch, batch_item__is_check=True)
    next_window(membership=alice, ahead=20)
    skipped = rows.filter(annotator=alice).first()
    assert skipped is not None
    body = replace(submission({}), skip_reason="Unclear.")
    annotation_submit(membership=alice, assignment_uuid=skipped.uuid, body=body)
    assert results(admin, batch)["Alice"] == (0, 0, 1)
    take_off = admin.client.post(f"/api/batches/{batch.uuid}/take-off/", {"person": str(bob.uuid)}, "json")
    assert take_off.status_code == 200
    assert {row.state for row in rows.filter(annotator=bob)} == {"withdrawn"}
    assert admin.client.post(f"/api/batches/{batch.uuid}/close/").status_code == 200
    assert {row.state for row in rows.exclude(pk=skipped.pk)} == {"withdrawn"}
    assert results(admin, batch) == {"Alice": (0, 0, 1)}


def test_a_batch_waits_for_its_check_items_too(people: People, mix: Mix) -> None:
    """Else the next round could freeze the batch, and what is refused then would be a check item."""
    assert mix(annotators=[str(people.annotators[0].uuid)], annotators_per_item=1).status_code == 201
    batch, alice = prototype(people), people.annotators[0]
    rows = list(next_window(membership=alice, ahead=20).assignments)
    checks = set(batch.batch_items.filter(is_check=True).values_list("pk", flat=True))
    for row in rows:
        if row.batch_item_id not in checks:
            annotation_submit(membership=alice, assignment_uuid=row.uuid, body=submission(NO))
    progress = batch_progress(batch)
    assert (progress.done, progress.total, progress.complete) == (10, 12, False)


# An export reads a snapshot of its own.
@pytest.mark.django_db(transaction=True)
def test_no_reader_of_data_sees_them(people: People, admin: Admin, worker: WorkerBeat, spec: Spec, source: str) -> None:
    batch = opened_with_checks(people, with_checks(spec, source))
    checks = checks_of(batch)
    assert len(checks) == 2
    label_batch(batch, lambda member, item: YES if item.external_id in checks else NO)
    project, codebook = people.project, batch.codebook
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM rules.rated_annotation WHERE project = %s", [project.pk])
        assert cursor.fetchone() == (24,)
    for batches in (None, [batch]):
        rows = majority_labels(project=project, stage="opinion", batches=batches)
        assert len(list(rows)) == 8
    examples = training_set(
        project=project, stages=["opinion"], codebook=codebook_of(codebook), batches=[batch], adjudicated=True
    )
    assert len(examples) == 8 and not {example.item for example in examples} & set(checks)
    agreement_table(project=project, scope="all")
    assert {pattern.labels[0] for pattern in AnswerPattern.objects.filter(stage="opinion")} == {"no"}
    gold = gold_labels(project=project, source=GoldSource(kind="labels"), version=codebook, stages=["opinion"])
    assert len(gold["opinion"].labels) == 8
    assert budget_spent(project) == 8
    counts = counts_of(project)
    assert (counts["items"], counts["annotations"], counts["annotators"]) == (8, 24, 3)
    for kind, lines in (("annotations", 24), ("aggregated", 8)):
        sent = b"".join(export_open(kind=kind, options=ExportOptions(project=project))).decode()
        assert len(sent.splitlines()) == lines
        assert not [check for check in checks if f'"{check}"' in sent]
    assert sum(spent.done for spent in times_of(project, None).values()) == 24
    told = overview(membership=people.admin)
    assert [line.size for line in told.batches if hasattr(line, "size")] in ([], [8])
    assert sum(len(each.items) for each in item_outcomes(project).outcomes) == 8
    given = items_matching(ItemFilters(reader=people.admin, state="given"))
    done = items_matching(ItemFilters(reader=people.admin, state="done"))
    of_batch = items_matching(ItemFilters(reader=people.admin, batch=batch.uuid))
    by_label = items_matching(ItemFilters(reader=people.admin, stage="opinion", label="yes"))
    assert (given.count(), done.count(), of_batch.count(), by_label.count()) == (8, 8, 8, 0)
    item = BatchItem.objects.filter(batch=batch, is_check=True).select_related("item").first()
    assert item is not None
    case = admin.client.get(f"/api/projects/{project.uuid}/disagreements/{item.item.uuid}/")
    assert case.status_code == 404


def test_every_statement_outside_the_handing_out_reads_the_view() -> None:
    """A new reader of data that joins the table of batches' items would count check items."""
    root = Path(annotation_app.__file__).parent
    # What hands out, takes answers, or shows people and admins their own remarks and work is about all items.
    by_name = {"log.sql", "notices.sql", "own_flags.sql", "own_pace.sql", "remarks.sql"}
    allowed = ("assignment/", "annotation/", "db/", "agreement/sql/recount/")
    readers = [
        path.relative_to(root).as_posix()
        for path in root.rglob("*.sql")
        if "annotation_app_batchitem" in path.read_text(encoding="utf-8")
    ]
    assert [each for each in readers if not each.startswith(allowed) and each.rpartition("/")[2] not in by_name] == []


def test_a_batch_takes_them_from_a_practice_that_nobody_has_seen(
    people: People, mix: Mix, admin: Admin, source: str
) -> None:
    def refused(**check_items: Any) -> Any:
        response = mix(check_items={"practice": source, "percent": 20} | check_items)
        assert response.status_code == 400
        return response.json()["errors"]

    assert refused(percent=21) == {"check_items.percent": ["Choose 1 to 20 percent."]}
    assert "not there any more" in str(refused(practice=str(people.project.uuid)))
    few = mix(size=30)
    assert few.status_code == 400
    assert "20 % of 30 items is 6 check items, and the practice has 4" in str(few.json()["errors"])
    assert not Batch.objects.filter(kind=Batch.Kind.PROTOTYPE).exists()
    assert admin.open(source).status_code == 200
    assert "was opened" in str(refused())


def test_nobody_is_given_a_check_item_twice(people: People, mix: Mix, admin: Admin, source: str) -> None:
    assert mix().status_code == 201
    first = prototype(people)
    label_batch(first, lambda member, item: NO)
    assert mix(random_state=6).status_code == 201
    second = people.project.batches.get(kind=Batch.Kind.PROTOTYPE, number=2)
    assert set(checks_of(first)).isdisjoint(checks_of(second))
    label_batch(second, lambda member, item: NO)
    used_up = mix(random_state=7)
    assert "the practice has 0 with a key" in str(used_up.json()["errors"])
    (new,) = more_people(people.project, 1)
    assert mix(random_state=7, annotators=[str(new.uuid)], annotators_per_item=1).status_code == 201
    assert Practice.objects.get(uuid=source).opened_at is None


def test_a_key_that_changes_later_leaves_the_batch_as_it_is(
    people: People, mix: Mix, admin: Admin, source: str
) -> None:
    assert mix().status_code == 201
    batch = prototype(people)
    for each in admin.client.get(f"/api/practices/{source}/").json()["items"]:
        assert admin.write(source, each["item"]["id"], YES).status_code == 200
    label_batch(batch, lambda member, item: NO)
    assert set(results(admin, batch).values()) == {(2, 2, 0)}
    # While people answer them, no practice shows the key of these items.
    # The prototype is complete but not frozen: answers can be revised.
    assert admin.open(source).json()["code"] == "live"
    assert admin.client.delete(f"/api/practices/{source}/").status_code == 204
    assert set(results(admin, batch).values()) == {(2, 2, 0)}


def test_a_round_keeps_its_practice_until_its_batch_is_open(
    people: People, admin: Admin, worker: WorkerBeat, spec: Spec, source: str
) -> None:
    row = start(people, with_checks(spec, source))
    assert (str(row.check_practice.uuid), row.check_percent) == (source, 20)
    for response in (admin.open(source), admin.client.delete(f"/api/practices/{source}/")):
        assert (response.status_code, response.json()["code"]) == (409, "check_items")
    round_cancel(row=row, actor=people.admin.user)
    assert admin.open(source).status_code == 200


def test_keys_that_went_while_the_worker_chose_are_told_and_the_batch_opens(
    people: People, admin: Admin, worker: WorkerBeat, spec: Spec, source: str
) -> None:
    row = start(people, with_checks(spec, source))
    for each in admin.client.get(f"/api/practices/{source}/").json()["items"][:3]:
        assert admin.client.delete(f"/api/practices/{source}/items/{each['item']['id']}/").status_code == 200
    RoundRun.run(row.pk)
    row.refresh_from_db()
    assert len(checks_of(row.batch)) == 1
    assert row.notices[-1] == "The batch has 1 of 2 check items: keys of the practice went meanwhile."


def test_a_cancelled_round_gives_its_check_items_back(
    people: People, admin: Admin, worker: WorkerBeat, spec: Spec, source: str
) -> None:
    batch = opened_with_checks(people, with_checks(spec, source))
    round_cancel(row=batch.round, actor=people.admin.user)
    assert not BatchItem.objects.filter(is_check=True).exists()
    assert KnownAnswer.objects.count() == 4


def test_a_person_who_is_added_gets_check_items_that_are_new_to_them(
    people: People, mix: Mix, admin: Admin, source: str
) -> None:
    alice, bob = people.annotators[:2]
    assert mix(annotators=[str(alice.uuid)], annotators_per_item=1).status_code == 201
    first = prototype(people)
    label_batch(first, lambda member, item: NO)
    assert mix(annotators=[str(bob.uuid)], annotators_per_item=1, random_state=9).status_code == 201
    second = people.project.batches.get(kind=Batch.Kind.PROTOTYPE, number=2)
    known = set(checks_of(first)) & set(checks_of(second))
    assert known
    add = admin.client.post(f"/api/batches/{second.uuid}/add-person/", {"person": str(alice.uuid)}, "json")
    assert add.status_code == 200
    given = Assignment.objects.filter(annotator=alice, batch_item__batch=second)
    names = set(given.values_list("batch_item__item__external_id", flat=True))
    assert len(names) == 12 - len(known) and not names & known


def test_shares_are_dealt_over_check_items_as_over_the_others(people: People, mix: Mix) -> None:
    shares = {str(member.uuid): parts for member, parts in zip(people.annotators, (1, 1, 2), strict=True)}
    assert mix(annotators_per_item=1, shares=shares).status_code == 201
    batch = prototype(people)
    sizes = [member.assignments.filter(batch_item__batch=batch).count() for member in people.annotators]
    assert sizes == [3, 3, 6]


def test_chosen_items_take_check_items_outside_the_rounds_and_as_a_round(
    people: People, admin: Admin, source: str
) -> None:
    make_items(people.project, ["one more", "and another"], "late")
    url = f"/api/projects/{people.project.uuid}/items/acts/"
    for as_round, name in ((False, "late_0_1"), (True, "late_1_1")):
        item = people.project.items.filter(external_id__startswith="late", batch_items=None).first()
        assert item is not None, name
        body = {
            "act": "open_batch",
            "items": [str(item.uuid)],
            "expected": 1,
            "annotators": [str(people.annotators[0].uuid)],
            "annotators_per_item": 1,
            "as_round": as_round,
            "check_items": {"practice": source, "percent": 5},
            "client_id": "00000000-0000-4000-8000-00000000000" + str(int(as_round)),
        }
        response = admin.client.post(url, body, "json")
        assert response.status_code == 201, response.json()
    kinds = BatchItem.objects.filter(is_check=True).values_list("batch__kind", flat=True)
    assert sorted(kinds) == ["chosen", "round"]


def test_a_system_suggests_only_where_it_predicted_the_check_items_too(people: People, mix: Mix) -> None:
    """An item without a suggestion among items that have one would be told."""
    assert mix().status_code == 201
    batch = prototype(people)
    evaluation = predicted_all(batch)

    def turn_on() -> None:
        suggestions_set(batch=batch, mode="before", actor=people.admin.user, evaluation=evaluation, system=SYSTEM)

    turn_on()
    check = batch.batch_items.filter(is_check=True).first()
    assert check is not None
    Prediction.objects.filter(item=check.item_id).delete()
    with pytest.raises(Invalid, match="predicted no label for 1 check item"):
        turn_on()
