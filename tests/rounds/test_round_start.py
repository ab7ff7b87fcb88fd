"""Starting a round: what is refused, what is frozen, who wins when two press at once."""

import threading
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone
from pydantic import ValidationError

from annotation_app.annotation.services import annotation_submit
from annotation_app.models import Assignment, Batch, Item, Membership, Round, WorkerBeat
from annotation_app.refusals import Invalid, Refused
from annotation_app.rounds.services import round_cancel
from annotation_app.rounds.spec import RoundSpec
from tests.conftest import People
from tests.labels import NO, YES, label_batch, submission
from tests.refusals import refusal
from tests.rounds.starting import opened, start

Spec = Callable[..., RoundSpec]


def test_it_refuses_a_start_while_no_worker_lives(people: People, texts: list[str], spec: Spec) -> None:
    with pytest.raises(Refused, match="never seen") as refused:
        start(people, spec())
    assert refused.value.code == "worker_down"
    WorkerBeat.objects.create(
        name="m", queue="models", seen_at=timezone.now() - timedelta(seconds=30), started_at=timezone.now()
    )
    with pytest.raises(Refused, match=r"last seen \d+ seconds ago"):
        start(people, spec())
    assert not Round.objects.exists()


def test_it_names_every_fault_of_a_spec(people: People, texts: list[str], worker: WorkerBeat, spec: Spec) -> None:
    with pytest.raises(ValidationError) as refused:
        spec(strategy="oracle", query_size=0, random_state=-1, random_share=1.5, label_phase=3, combine="mean")
    found = {each["loc"][0]: each["msg"] for each in refused.value.errors()}
    assert found.pop("strategy").startswith("'oracle' is not one of random, ")
    assert found == {
        "query_size": "Choose 1 to 10,000 items.",
        "random_state": "Choose a whole number from 0 to 9007199254740991.",
        "random_share": "Choose a share from 0 to 1.",
        "label_phase": "Choose 1 (independent answers) or 2 (after second looks).",
        "combine": "'mean' is not one of sum, max.",
    }
    faulty = spec(model="gpt", learning_stages=["tone"], annotators=[people.outsider.uuid], query_size=41)
    with pytest.raises(Invalid) as invalid:
        start(people, faulty)
    assert set(invalid.value.errors) == {"model", "learning_stages", "annotators", "query_size"}


def test_it_draws_the_first_batch_at_random_or_says_so(
    people: People, texts: list[str], worker: WorkerBeat, spec: Spec
) -> None:
    with pytest.raises(Invalid, match="the first batch is drawn uniformly at random"):
        start(people, spec(strategy="entropy"))
    row = start(people, spec(strategy="entropy", allowed_alternative="random"))
    assert (row.strategy_asked, row.strategy_used) == ("entropy", "random")
    assert row.notices == ["Asked for entropy, used random: the first batch is drawn uniformly at random."]


def test_it_keeps_to_the_budget(people: People, texts: list[str], worker: WorkerBeat, spec: Spec) -> None:
    people.project.annotation_budget = 10
    people.project.save()
    row = opened(people, spec(query_size=8))
    label_batch(row.batch, lambda member, item: NO)
    with pytest.raises(Invalid, match="has 2 of 10 items left"):
        start(people, spec(query_size=3))
    assert start(people, spec(query_size=2)).number == 2


def test_it_waits_for_the_batch_and_freezes_it(
    people: People, texts: list[str], worker: WorkerBeat, spec: Spec
) -> None:
    row = opened(people, spec())
    with pytest.raises(Refused, match="0 of 24 assignments are done") as refused:
        start(people, spec(strategy="entropy"))
    assert refused.value.code == "batch_open"
    label_batch(row.batch, lambda member, item: YES if "rates" in item.text else NO)
    mine = Assignment.objects.filter(annotator=people.annotators[0]).first()
    revise = {"membership": people.annotators[0], "assignment_uuid": mine.uuid}
    annotation_submit(**revise, body=submission(NO, base_revision=1))
    start(people, spec(strategy="entropy"))
    row.refresh_from_db()
    assert row.state == Round.State.COMPLETE
    with refusal("closed"):
        annotation_submit(**revise, body=submission(YES, base_revision=2))


def test_it_learns_from_usable_majorities_only(
    people: People, texts: list[str], worker: WorkerBeat, spec: Spec
) -> None:
    row = opened(people, spec())
    first, second, third, *rest = Item.objects.filter(batch_items__batch=row.batch).order_by("external_id")
    votes = {first.pk: ("yes", "yes", "no"), second.pk: ("ambiguous",) * 3, third.pk: ("yes", "no", "ambiguous")}

    def rule(member: Membership, item: Item) -> dict[str, str]:
        label = votes.get(item.pk, ("no",) * 3)[people.annotators.index(member)]
        return YES if label == "yes" else {"opinion": label}

    label_batch(row.batch, rule)
    following = start(people, spec(strategy="entropy"))
    expected = [[first.external_id, {"opinion": "yes"}], *([item.external_id, {"opinion": "no"}] for item in rest)]
    assert following.training_set == sorted(expected, key=lambda pair: pair[0])
    assert len(following.training_set_hash) == 64


def test_it_starts_again_after_a_cancelled_round(
    people: People, texts: list[str], worker: WorkerBeat, spec: Spec
) -> None:
    row = start(people, spec())
    with pytest.raises(Refused, match="at work"):
        start(people, spec())
    round_cancel(row=row, actor=people.admin.user)
    assert opened(people, spec()).number == 2


def test_it_takes_back_an_open_batch_until_somebody_has_answered(
    people: People, texts: list[str], worker: WorkerBeat, spec: Spec
) -> None:
    first = opened(people, spec(query_size=6))
    chosen = list(first.batch.batch_items.order_by("rank").values_list("item__external_id", flat=True))
    round_cancel(row=first, actor=people.admin.user)
    first.refresh_from_db()
    assert (first.state, Batch.objects.count(), Assignment.objects.count()) == ("cancelled", 0, 0)
    assert first.record["round"]["state"] == "cancelled"
    assert [row["id"] for row in first.record["selected"]] == chosen
    second = opened(people, spec(query_size=40))
    mine = Assignment.objects.filter(annotator=people.annotators[0]).first()
    annotation_submit(membership=people.annotators[0], assignment_uuid=mine.uuid, body=submission(NO))
    with pytest.raises(Refused, match="has answers: it can't be cancelled"):
        round_cancel(row=second, actor=people.admin.user)
    assert Assignment.objects.count() == 120


@pytest.mark.django_db(transaction=True)
def test_it_lets_one_of_two_admins_start(people: People, texts: list[str], worker: WorkerBeat, spec: Spec) -> None:
    outcomes: list[str] = []
    ready = threading.Barrier(2)

    def press() -> None:
        ready.wait()
        try:
            outcomes.append(f"round {start(people, spec()).number}")
        except Refused as refused:
            outcomes.append(refused.code)
        finally:
            connection.close()

    threads = [threading.Thread(target=press) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == ["round 1", "round_active"]
    assert Round.objects.count() == 1


def test_it_gives_back_what_a_cancelled_start_froze_and_keeps_its_record(
    people: People, texts: list[str], worker: WorkerBeat, spec: Spec
) -> None:
    first = opened(people, spec())
    label_batch(first.batch, lambda member, item: NO)
    second = start(people, spec(query_size=4))
    round_cancel(row=second, actor=people.admin.user)
    second.refresh_from_db()
    assert (second.record["round"]["state"], second.record["selected"]) == ("cancelled", [])
    mine = Assignment.objects.filter(annotator=people.annotators[0]).first()
    annotation_submit(membership=people.annotators[0], assignment_uuid=mine.uuid, body=submission(YES, base_revision=1))


def test_it_asks_for_no_more_than_the_pool_holds(
    people: People, texts: list[str], worker: WorkerBeat, spec: Spec
) -> None:
    with pytest.raises(Invalid, match="The pool has 40 items"):
        start(people, spec(query_size=41))
