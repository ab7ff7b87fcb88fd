"""Closing a batch with what is there, opening it again, and handing a person's open items to somebody else."""

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from rest_framework.test import APIClient

from annotation_app.aggregation.selectors import majority_labels
from annotation_app.annotation.services import annotation_submit
from annotation_app.assignment.closing import batch_close, batch_reopen, items_hand_over
from annotation_app.assignment.members import member_activate, member_deactivate
from annotation_app.assignment.selectors import MemberProgress, WindowState, batch_progress, members_progress
from annotation_app.assignment.services import next_window
from annotation_app.models import Assignment, Batch, Event, Membership, Round
from annotation_app.refusals import Refused
from annotation_app.rounds.services import round_start
from annotation_app.rounds.spec import RoundSpec
from tests.assignment.batches import at_once, open_batch
from tests.conftest import People
from tests.factories import make_member
from tests.labels import NO, YES, submission
from tests.refusals import refusal
from tests.rounds.conftest import own_storage, spec, texts, worker
from tests.rounds.starting import opened

__all__ = ["own_storage", "spec", "texts", "worker"]
pytestmark = pytest.mark.django_db(transaction=True)
ClientOf = Callable[[Membership], APIClient]


def answer(member: Membership, n: int, answers: dict[str, str] = NO) -> None:
    """Answers the person's next `n` items."""
    for _ in range(n):
        row = next_window(membership=member, ahead=1).assignments[0]
        annotation_submit(membership=member, assignment_uuid=row.uuid, body=submission(answers))


def states(batch: Batch, member: Membership) -> Counter[str]:
    return Counter(Assignment.objects.filter(batch_item__batch=batch, annotator=member).values_list("state", flat=True))


def test_closing_withdraws_what_is_open_and_says_how_much(people: People, client_of: ClientOf) -> None:
    alice, bob, _ = people.annotators
    batch = open_batch(people.project, [alice, bob], size=6)
    answer(alice, 4)
    answer(bob, 1)
    held = next_window(membership=bob, ahead=1).assignments[0]
    client = client_of(people.admin)
    rest = client.get(f"/api/batches/{batch.uuid}/rest/").json()
    assert (rest["open"], [(each["display_name"], each["done"], each["open"]) for each in rest["people"]]) == (
        7,
        [("Alice", 4, 2), ("Bob", 1, 5)],
    )
    both = Assignment.objects.filter(state="submitted").values_list("batch_item", flat=True)
    n_whole = sum(n == 2 for n in Counter(both).values())
    assert rest["short"] == 6 - n_whole
    assert rest["unanswered"] == 6 - len(set(both))

    answered = client.post(f"/api/batches/{batch.uuid}/close/")
    assert answered.status_code == 200 and answered.json()["open"] == 0
    assert batch_progress(batch).complete
    assert members_progress([bob])[bob.pk] == MemberProgress(1, 1, 5, batch.number, WindowState.FINISHED)
    assert client_of(bob).get(f"/api/projects/{people.project.uuid}/next/").json()["progress"] == {
        "done": 1,
        "total": 1,
        "withdrawn": 5,
        "batch_number": batch.number,
    }
    assert next_window(membership=bob, ahead=3).assignments == []
    with refusal("withdrawn"):
        annotation_submit(membership=bob, assignment_uuid=held.uuid, body=submission(NO))
    assert Event.objects.get(verb="batch_closed").data == {"assignments": 7}
    assert client.post(f"/api/batches/{batch.uuid}/close/").json()["code"] == "closed_already"


def test_a_majority_is_of_the_slots_that_the_batch_gives_whatever_was_answered(people: People) -> None:
    """Of three slots two equal answers are a majority, one answer is none."""
    alice, bob, charlie = people.annotators
    batch = open_batch(people.project, people.annotators, size=1)
    answer(alice, 1, YES)
    batch_close(batch=batch, actor=people.admin.user)
    [found] = majority_labels(project=people.project, stage="opinion")
    assert (found.state, found.label, found.votes) == ("no_majority", None, {"yes": 1})
    batch_reopen(batch=batch, actor=people.admin.user)
    answer(bob, 1, YES)
    batch_close(batch=batch, actor=people.admin.user)
    [found] = majority_labels(project=people.project, stage="opinion")
    assert (found.state, found.label, found.votes) == ("majority", "yes", {"yes": 2})
    assert states(batch, charlie) == {"withdrawn": 1}


def test_the_next_round_starts_after_a_close(
    people: People, texts: list[str], worker: object, spec: Callable[..., RoundSpec]
) -> None:
    row = opened(people, spec())
    batch = row.batch
    answer(people.annotators[0], 3)
    batch_close(batch=batch, actor=people.admin.user)
    second = round_start(project=people.project, spec=spec(), actor=people.admin.user)
    assert (second.number, Round.objects.get(pk=row.pk).state) == (2, "complete")
    with pytest.raises(Refused, match="next round has begun"):
        batch_reopen(batch=batch, actor=people.admin.user)


def test_it_opens_again_for_those_who_are_there(people: People) -> None:
    alice, bob, _ = people.annotators
    batch = open_batch(people.project, [alice, bob], size=3)
    answer(alice, 1)
    batch_close(batch=batch, actor=people.admin.user)
    member_deactivate(member=bob, actor=people.admin.user)
    assert batch_reopen(batch=batch, actor=people.admin.user) == 2
    assert (states(batch, alice), states(batch, bob)) == ({"submitted": 1, "open": 2}, {"withdrawn": 3})
    batch_close(batch=batch, actor=people.admin.user)
    member_activate(member=bob, actor=people.admin.user)
    assert states(batch, bob) == {"withdrawn": 3}


def test_a_round_without_answers_is_cancelled_and_a_complete_batch_stays(people: People) -> None:
    batch = open_batch(people.project, people.annotators[:1], size=1)
    with pytest.raises(Refused, match="Nobody has answered yet"):
        batch_close(batch=batch, actor=people.admin.user)
    answer(people.annotators[0], 1)
    with pytest.raises(Refused, match="nothing to close"):
        batch_close(batch=batch, actor=people.admin.user)


def test_people_who_submit_while_it_closes_are_in_or_are_told(people: People) -> None:
    batch = open_batch(people.project, people.annotators, size=12)
    answer(people.annotators[0], 1)

    def work(member: Membership) -> str:
        try:
            answer(member, 8)
            return "all in"
        except (Refused, IndexError) as error:
            return type(error).__name__

    at_once(
        [
            *(lambda member=member: work(member) for member in people.annotators),
            lambda: batch_close(batch=batch, actor=people.admin.user),
        ]
    )
    left = Counter(Assignment.objects.filter(batch_item__batch=batch).values_list("state", flat=True))
    assert set(left) <= {"submitted", "withdrawn"}
    assert batch_progress(batch).complete


def test_open_items_go_to_somebody_who_has_not_had_them(people: People, client_of: ClientOf) -> None:
    alice, bob, charlie = people.annotators
    batch = open_batch(people.project, [alice, bob], size=6)
    answer(alice, 2)
    answer(bob, 6)
    held = next_window(membership=alice, ahead=3).assignments[0]
    client = client_of(people.admin)
    [first, _] = client.get(f"/api/batches/{batch.uuid}/rest/").json()["people"]
    assert [(taker["display_name"], taker["items"]) for taker in first["takers"]] == [("Ada", 4), ("Charlie", 4)]

    body = {"giver": str(alice.uuid), "taker": str(charlie.uuid)}
    assert client.post(f"/api/batches/{batch.uuid}/hand-over/", body, "json").status_code == 200
    assert (states(batch, alice), states(batch, charlie)) == ({"submitted": 2, "withdrawn": 4}, {"open": 4})
    assert members_progress([charlie])[charlie.pk].total == 4
    with refusal("withdrawn"):
        annotation_submit(membership=alice, assignment_uuid=held.uuid, body=submission(NO))
    answer(charlie, 4, YES)
    assert batch_progress(batch).complete and batch_progress(batch).done == 12
    # Nothing comes back to who gave it away.
    member_deactivate(member=alice, actor=people.admin.user)
    member_activate(member=alice, actor=people.admin.user)
    assert states(batch, alice) == {"submitted": 2, "withdrawn": 4}
    assert [each.state for each in majority_labels(project=people.project, stage="opinion")].count("majority") == 2
    assert client.post(f"/api/batches/{batch.uuid}/hand-over/", body, "json").json()["code"] == "nothing_open"


def test_items_go_to_nobody_who_has_them(people: People) -> None:
    alice, bob, _ = people.annotators
    batch = open_batch(people.project, [alice, bob], size=3)
    with pytest.raises(Refused, match="every open item"):
        items_hand_over(batch=batch, giver=alice.uuid, taker=bob.uuid, actor=people.admin.user)
    judge = make_member(people.project, "judge", "adjudicator")
    with pytest.raises(Refused, match="active members who annotate"):
        items_hand_over(batch=batch, giver=alice.uuid, taker=judge.uuid, actor=people.admin.user)
    with pytest.raises(Refused, match="two different members"):
        items_hand_over(batch=batch, giver=alice.uuid, taker=people.outsider.uuid, actor=people.admin.user)


def test_they_can_be_handed_back(people: People) -> None:
    alice, bob, charlie = people.annotators
    batch = open_batch(people.project, [alice, bob], size=4)
    answer(alice, 1)
    actor = people.admin.user
    assert items_hand_over(batch=batch, giver=alice.uuid, taker=charlie.uuid, actor=actor) == 3
    answer(charlie, 1)
    assert items_hand_over(batch=batch, giver=charlie.uuid, taker=alice.uuid, actor=actor) == 2
    answer(alice, 2)
    answer(bob, 4)
    assert batch_progress(batch).complete
    assert states(batch, charlie) == {"submitted": 1, "withdrawn": 2}


@pytest.mark.parametrize("first", ["before", "after"])
def test_of_k_of_n_a_new_person_shares_what_is_left(people: People, first: str) -> None:
    """Whether a process read the batch before or after the hand-over, it claims slots in one way."""
    from annotation_app.assignment.open_batch import batch_facts_cache

    alice, bob, charlie = people.annotators
    dora = make_member(people.project, "dora", "annotator")
    batch = open_batch(people.project, [alice, bob, charlie], size=6, k=2)
    answer(alice, 2)
    assert items_hand_over(batch=batch, giver=alice.uuid, taker=dora.uuid, actor=people.admin.user) == 4
    if first == "after":
        batch_facts_cache.clear()
    for member in (dora, bob, charlie):
        while window := next_window(membership=member, ahead=1).assignments:
            annotation_submit(membership=member, assignment_uuid=window[0].uuid, body=submission(NO))
    progress: Any = batch_progress(batch)
    assert (progress.complete, progress.done, progress.surplus) == (True, 12, 0)


def test_of_everybody_a_new_person_has_a_seat_of_their_own_in_every_process(people: People) -> None:
    from annotation_app.assignment.open_batch import batch_facts, batch_facts_cache

    alice, bob, charlie = people.annotators
    batch = open_batch(people.project, [alice, bob], size=2)
    assert not batch_facts(batch.pk).k_of_n(0)
    items_hand_over(batch=batch, giver=alice.uuid, taker=charlie.uuid, actor=people.admin.user)
    batch_facts_cache.clear()
    assert not batch_facts(batch.pk).k_of_n(0)
