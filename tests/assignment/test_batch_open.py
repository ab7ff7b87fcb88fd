"""Opening a batch: the rows, each annotator's own order, and what is refused."""

import hashlib
from typing import Any

import pytest

from annotation_app.assignment.services import BatchInvalid, batch_open
from annotation_app.models import Assignment, Batch, BatchItem, CodebookVersion, Event
from tests.assignment.batches import open_batch
from tests.conftest import People
from tests.factories import make_items


def test_it_keeps_ranks_and_scores_and_makes_a_row_for_everyone(people: People) -> None:
    first, second = make_items(people.project, ["One.", "Two."])
    batch = batch_open(**spec(people, items=[(second.pk, 0.5), (first.pk, None)], round=None))
    assert list(batch.batch_items.order_by("rank").values_list("rank", "item", "score")) == [
        (1, second.pk, 0.5),
        (2, first.pk, None),
    ]
    assert Assignment.objects.filter(batch_item__batch=batch).count() == 2 * 3
    assert set(Assignment.objects.values_list("state", "slot", "claimed_at")) == {("open", None, None)}
    event = Event.objects.get(verb="batch_opened")
    assert (event.subject, event.data["items"], event.data["annotators"]) == (str(batch.uuid), 2, 3)


def test_it_orders_items_by_hash_for_each_annotator(people: People) -> None:
    batch = open_batch(people.project, people.annotators, size=20)
    orders = []
    for annotator in people.annotators:
        rows = Assignment.objects.filter(annotator=annotator).order_by("position")
        names = list(rows.values_list("batch_item__item__external_id", flat=True))
        seeds = [f"{batch.uuid}:{annotator.uuid}:{name}" for name in names]
        assert seeds == sorted(seeds, key=lambda seed: hashlib.sha256(seed.encode()).hexdigest())
        assert list(rows.values_list("position", flat=True)) == list(range(1, 21))
        orders.append(names)
    assert orders[0] != orders[1] != orders[2]


def test_it_pins_a_published_codebook_of_the_project(people: People) -> None:
    draft = CodebookVersion.objects.create(
        project=people.project, version=2, definition={}, created_by=people.admin.user
    )
    foreign = people.outsider.project.codebooks.get()
    for codebook in (draft, foreign):
        refused(people, "published codebook", codebook=codebook)


def test_it_refuses_items_and_people_that_do_not_fit(people: People) -> None:
    (foreign,) = make_items(people.outsider.project, ["Elsewhere."], "other")
    (own,) = make_items(people.project, ["Here."])
    refused(people, "one or more items", items=[])
    refused(people, "each once", items=[(own.pk, None), (own.pk, None)])
    refused(people, "1 of 2 items are not in this project", items=[(own.pk, None), (foreign.pk, None)])
    refused(people, "not an active member", annotators=[people.outsider])
    refused(people, "every annotator once", annotators=[people.annotators[0]] * 2)
    refused(people, "choose 1 to 3", annotators_per_item=4)
    refused(people, "choose 1 to 3", annotators_per_item=0)
    people.annotators[0].is_active = False
    refused(people, "not an active member")
    assert not Batch.objects.exists()
    assert not BatchItem.objects.exists()


def spec(people: People, **changes: Any) -> dict[str, Any]:
    return {
        "project": people.project,
        "codebook": people.project.codebooks.get(version=1),
        "items": [(item.pk, None) for item in people.project.items.all()],
        "annotators": people.annotators,
        "annotators_per_item": 3,
        "kind": Batch.Kind.ROUND,
        "number": 1,
        "actor_id": people.admin.user_id,
        **changes,
    }


def refused(people: People, message: str, **changes: Any) -> None:
    if not people.project.items.exists():
        make_items(people.project, ["A sentence."], "plain")
    with pytest.raises(BatchInvalid, match=message):
        batch_open(**spec(people, **changes))
