"""Answers that are newer than a decision: said wherever the decision is shown. By hand."""

import pytest

from annotation_app.aggregation.disagreements import Filters, disagreements
from annotation_app.aggregation.outcomes import Kind
from annotation_app.aggregation.statements import Phase
from annotation_app.annotation.services import annotation_submit
from annotation_app.models import Assignment, Batch, BatchItem, Item
from tests.aggregation.decided import decide, second_look, withdraw
from tests.agreement.tables import Said, answer, at, fill, revise
from tests.assignment.batches import at_once
from tests.conftest import People
from tests.factories import make_member
from tests.labels import NO, YES, submission


@pytest.fixture
def batch(people: People) -> Batch:
    return fill(people.project, people.annotators, at("opinion", {"i1": "YNA", "i2": "YNA", "i3": "YYY"}))


def item(name: str) -> Item:
    return Item.objects.get(external_id=name)


def row(people: People, name: str, who: int = 0) -> Assignment:
    return Assignment.objects.get(
        batch_item__item=item(name), annotator=people.annotators[who], batch_item__batch__kind="round"
    )


def listed(people: People, kind: Kind = "decided", phase: Phase = 1, stage: str | None = None) -> dict[str, bool]:
    page = disagreements(reader=people.admin, filters=Filters(kind, stage, phase=phase), page=1)
    assert page.counts[kind] == len(page.items)
    return {each.batch_item.item.external_id: each.outcome.revised for each in page.items}


def test_a_revision_after_the_decision_is_said(people: People, batch: Batch) -> None:
    decide(people.admin, item("i1"), {"opinion": "yes"})
    decide(people.admin, item("i2"), {"opinion": "yes"})
    assert listed(people) == {"i1": False, "i2": False}
    assert listed(people, "revised") == {}
    # Now all three say no, and the decision stands.
    revise(batch, [(row(people, "i1", 0), NO), (row(people, "i1", 2), NO)], revision=2)
    assert listed(people) == {"i1": True, "i2": False}
    assert listed(people, "revised") == listed(people, "revised", stage="opinion") == {"i1": True}
    # Mp was not decided: nothing of it can be out of date.
    assert listed(people, "revised", stage="mp") == {}
    # A later decision saw it; one that is taken back has nothing to be newer than.
    decide(people.admin, item("i1"), {"opinion": "no"})
    assert listed(people) == {"i1": False, "i2": False}
    revise(batch, [(row(people, "i1", 0), YES)], revision=3)
    withdraw(people.admin, item("i1"))
    assert (listed(people), listed(people, "revised")) == ({"i2": False}, {})


def test_a_skip_takes_a_vote_away_and_a_surplus_answer_does_not_count(people: People, batch: Batch) -> None:
    for name in ("i1", "i2"):
        decide(people.admin, item(name), {"opinion": "yes"})
    late = make_member(people.project, "late", "annotator")
    answer(batch, [(BatchItem.objects.get(item=item("i2")), late, Said(NO, Assignment.State.SURPLUS))])
    skipped = row(people, "i1")
    skipped.state = Assignment.State.SKIPPED
    skipped.save()
    revise(batch, [(skipped, {})], revision=2)
    assert listed(people) == {"i1": True, "i2": False}


def test_a_second_look_after_the_decision_shows_in_phase_2(people: People, batch: Batch) -> None:
    alice, bob, charlie = people.annotators
    decide(people.admin, item("i1"), {"opinion": "yes"})
    decide(people.admin, item("i2"), {"opinion": "yes"})
    second_look(
        batch,
        {item("i1"): {alice: NO, bob: None, charlie: None}, item("i2"): {alice: None, bob: None, charlie: None}},
    )
    Batch.objects.filter(kind="second_look").update(frozen_at="2026-01-01T00:00:00Z")
    assert listed(people) == {"i1": False, "i2": False}
    assert listed(people, phase=2) == {"i1": True, "i2": False}
    decide(people.admin, item("i1"), {"opinion": "no"}, source="consensus")
    assert listed(people, phase=2) == {"i1": False, "i2": False}


@pytest.mark.django_db(transaction=True)
def test_what_a_decision_did_not_see_is_newer(people: People) -> None:
    """Whoever comes first, of a revision and a decision at once: the votes that it was made of, or the flag."""
    batch = fill(people.project, people.annotators, at("opinion", {f"i{n}": "YNA" for n in range(8)}))
    alice = people.annotators[0]

    def change(name: str) -> None:
        annotation_submit(membership=alice, assignment_uuid=row(people, name).uuid, body=submission(NO, 1))

    names = [f"i{n}" for n in range(8)]
    for name in names:
        at_once([lambda name=name: change(name), lambda name=name: decide(people.admin, item(name), {"opinion": "no"})])
    newer = {
        each.external_id: each.batch_items.get().adjudications.get().created_at
        < row(people, each.external_id).current.created_at
        for each in map(item, names)
    }
    assert listed(people) == newer
    assert batch.batch_items.count() == len(newer)
