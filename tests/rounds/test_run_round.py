"""The worker's side of a round, with the real core in a process of its own."""

import json
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db.models.functions import Now
from pydantic import ValidationError
from pytest_django.fixtures import Settings
from rest_framework.test import APIClient

from al_worker.bridge.directory import directory_build, directory_of
from al_worker.bridge.run_round import RoundRun
from annotation_app.models import BatchItem, LeaseLost, Membership, Round, RoundFile, WorkerBeat
from annotation_app.rounds.results import Chosen, Results, round_accept
from annotation_app.rounds.services import round_cancel, round_restart
from annotation_app.rounds.spec import RoundSpec
from tests.conftest import People
from tests.labels import NO, YES, label_batch
from tests.rounds.starting import opened, start

Spec = Callable[..., RoundSpec]


def label_by_words(row: Round) -> None:
    label_batch(row.batch, lambda member, item: YES if "should" in item.text or "policy" in item.text else NO)


def test_it_closes_the_loop(
    people: People,
    texts: list[str],
    worker: WorkerBeat,
    spec: Spec,
    client_of: Callable[[Membership], APIClient],
) -> None:
    first = opened(people, spec())
    assert BatchItem.objects.filter(batch=first.batch).count() == 8
    label_by_words(first)
    second = opened(people, spec(strategy="entropy"))
    chosen = list(BatchItem.objects.filter(batch=second.batch).order_by("rank").values_list("item_id", "rank", "score"))
    assert [rank for _, rank, _ in chosen] == list(range(1, 9))
    scores = [score for _, _, score in chosen]
    assert scores == sorted(scores, reverse=True)
    assert not {item for item, _, _ in chosen} & set(first.batch.batch_items.values_list("item_id", flat=True))
    record = client_of(people.admin).get(f"/api/rounds/{second.uuid}/record/").json()
    assert record["strategy"]["used"] == "entropy"
    assert record["training_set"]["n"] == len(second.training_set) == 8
    assert [row["rank"] for row in record["selected"]] == list(range(1, 9))
    assert set(second.progress["seconds"]) >= {"training", "scoring", "selecting"}
    names = set(RoundFile.objects.filter(round=second).values_list("name", flat=True))
    assert names == {"scores.npz", "selected.jsonl", "metrics.json", "stopping.jsonl", "record.json"}


def test_it_gives_the_same_batch_for_the_same_random_state(
    people: People, texts: list[str], worker: WorkerBeat, spec: Spec
) -> None:
    row = start(people, spec())
    directory = directory_build(row)
    config = (directory / "config.toml").read_text()
    assert "number = 0" in config
    pool = [json.loads(line) for line in (directory / "pool.jsonl").read_text().splitlines()]
    assert [line["text"] for line in pool] == texts


def test_it_draws_a_share_of_the_batch_at_random_and_no_text_twice(
    people: People, texts: list[str], worker: WorkerBeat, spec: Spec
) -> None:
    """Half of eight: four items without a score of the strategy, and the options on the record."""
    label_by_words(opened(people, spec()))
    row = opened(people, spec(strategy="entropy", random_share=0.5, no_duplicate_texts=True))
    drawn = BatchItem.objects.filter(batch=row.batch, score=None)
    assert (drawn.count(), row.batch.batch_items.count()) == (4, 8)
    assert len(set(row.batch.batch_items.values_list("item__text", flat=True))) == 8
    assert (row.record["random_share"], row.record["no_duplicate_texts"]) == (0.5, True)
    assert row.record["machine"]["config"]["round"]["random_share"] == 0.5


def test_it_trains_at_the_rate_that_was_asked_for(
    people: People, texts: list[str], worker: WorkerBeat, spec: Spec
) -> None:
    label_by_words(opened(people, spec()))
    row = start(people, spec(strategy="entropy", learning_rate=3e-4))
    config = (directory_build(row) / "config.toml").read_text()
    assert "[training]\nlearning_rate = 0.0003" in config
    round_cancel(row=row, actor=people.admin.user)
    with pytest.raises(ValidationError, match="Choose a number above 0"):
        spec(strategy="entropy", learning_rate=1.0)


def test_it_records_why_a_round_failed_and_restarts(
    people: People, texts: list[str], worker: WorkerBeat, spec: Spec, settings: Settings
) -> None:
    label_by_words(opened(people, spec()))
    settings.MODELS = [*settings.MODELS, "broken=/nowhere/at/all"]
    row = start(people, spec(strategy="entropy", model="broken"))
    RoundRun.run(row.pk)
    row.refresh_from_db()
    assert row.state == Round.State.FAILED
    assert "/nowhere/at/all" in row.failure
    assert row.failed_step == "training"
    settings.MODELS = [*settings.MODELS[:-1], "broken=bow-logreg"]
    assert round_restart(row=row, actor=people.admin.user).state == Round.State.DRAFT


def test_it_is_worked_on_by_one_worker(people: People, texts: list[str], worker: WorkerBeat, spec: Spec) -> None:
    row = start(people, spec())
    lease = Round.take(row.pk)
    assert lease is not None
    assert lease.attempt == 1
    assert Round.take(row.pk) is None
    Round.objects.filter(pk=row.pk).update(lease_until=Now() - timedelta(seconds=1))
    assert list(Round.waiting()) == [row]
    taken_over = Round.take(row.pk)
    assert taken_over is not None
    assert taken_over.attempt == 2
    with pytest.raises(LeaseLost):
        lease.renew(state=Round.State.SCORING)
    taken_over.renew(state=Round.State.SCORING)
    row.refresh_from_db()
    assert row.state == Round.State.SCORING


def test_it_writes_nothing_once_the_lease_is_lost(
    people: People, texts: list[str], worker: WorkerBeat, spec: Spec
) -> None:
    row = start(people, spec())
    lease = Round.take(row.pk)
    Round.objects.filter(pk=row.pk).update(lease_until=Now() - timedelta(seconds=1))
    Round.take(row.pk)
    assert lease is not None
    with pytest.raises(LeaseLost):
        round_accept(lease=lease, results=Results([Chosen("doc_0_1", 1, 0.5)], {}, {}, []))
    assert not BatchItem.objects.exists()


def test_it_prunes_scratch_of_earlier_rounds(people: People, texts: list[str], worker: WorkerBeat, spec: Spec) -> None:
    first = opened(people, spec())
    label_by_words(first)
    second = opened(people, spec(strategy="entropy"))
    assert not directory_of(first).exists()
    assert directory_of(second).is_dir()
