"""Successive models on the project's stopping set, through the real worker, and the signals that come of it."""

from collections.abc import Callable
from hashlib import sha256
from typing import Any

import pytest
from django.core.files.storage import default_storage
from django.core.files.uploadedfile import SimpleUploadedFile
from rest_framework.test import APIClient

from al_worker.bridge.directory import directory_of
from al_worker.formats.run_directory import PREVIOUS_STOPPING, STOPPING, STOPPING_SET, read_items, read_labels
from annotation_app.models import Item, Membership, Project, Round, RoundFile, StoppingSet, WorkerBeat
from annotation_app.rounds import stopping_set
from annotation_app.rounds.spec import RoundSpec
from tests.conftest import People
from tests.labels import NO, YES, label_batch
from tests.rounds.held_out import LINES, jsonl
from tests.rounds.starting import opened

Spec = Callable[..., RoundSpec]
ClientOf = Callable[[Membership], APIClient]


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stopping_set, "SIZE", 20)


def by_words(row: Round) -> None:
    label_batch(row.batch, lambda member, item: YES if "should" in item.text or "policy" in item.text else NO)


def next_round(people: People, spec: Spec, before: Round, **changes: Any) -> Round:
    by_words(before)
    return opened(people, spec(**{"strategy": "entropy", "query_size": 6} | changes))


def names_of(project: Project) -> list[str]:
    items = StoppingSet.objects.get(project=project).items
    names = dict(project.items.values_list("pk", "external_id"))
    return [names[pk] for pk in items]


def told(people: People, client_of: ClientOf) -> dict[str, Any]:
    return client_of(people.admin).get(f"/api/projects/{people.project.uuid}/insights/").json()


def test_it_compares_models_over_three_rounds_and_measures_them(
    people: People, texts: list[str], worker: WorkerBeat, spec: Spec, client_of: ClientOf
) -> None:
    upload = SimpleUploadedFile("held-out.jsonl", jsonl(LINES))
    url = f"/api/projects/{people.project.uuid}/test-set/"
    assert client_of(people.admin).post(url, {"stage": "opinion", "file": upload}).status_code == 201
    first = opened(people, spec(query_size=12))
    assert not StoppingSet.objects.exists()
    second = next_round(people, spec, first)
    issued_before = set(first.batch.batch_items.values_list("item__external_id", flat=True))
    key = f"{people.project.uuid}:stopping"
    eligible = [f"doc_{n}_1" for n in range(40) if f"doc_{n}_1" not in issued_before]
    drawn = sorted(eligible, key=lambda name: sha256(f"{key}:{name}".encode()).digest())[:20]
    assert names_of(people.project) == drawn
    assert StoppingSet.objects.get().pool_size == 28
    third = next_round(people, spec, second)
    fourth = next_round(people, spec, third)

    # What was handed out meanwhile stays in the set.
    assert [item.id for item in read_items(directory_of(fourth) / STOPPING_SET)] == drawn
    assert set(drawn) & set(third.batch.batch_items.values_list("item__external_id", flat=True))
    assert second.metrics["stopping"]["kappa"] is None
    said = {}
    for row in (second, third, fourth):
        with default_storage.open(RoundFile.objects.get(round=row, name=STOPPING).path) as stored:
            (path := directory_of(fourth) / "check.jsonl").write_bytes(stored.read())
        said[row.number] = read_labels(path)[""]
    for row in (third, fourth):
        figures, now, before = row.metrics["stopping"], said[row.number], said[row.number - 1]
        learned = {item for item, _ in row.training_set}
        common = [name for name in now if name in before]
        assert common and not learned & set(common) and set(now) <= set(drawn)
        assert (figures["n"], figures["n_compared"]) == (20, len(common))
        assert figures["changed_share"] == sum(now[name] != before[name] for name in common) / len(common)
        assert -1 <= figures["kappa"] <= 1
    body = told(people, client_of)
    signals = {signal["key"]: signal for signal in body["signals"]}
    kappas = [{"round": row.number, "value": row.metrics["stopping"]["kappa"]} for row in (third, fourth)]
    assert signals["kappa_average"]["values"] == [{"round": 1, "value": None}, {"round": 2, "value": None}, *kappas]
    assert signals["kappa_average"]["status"] == "unknown"
    assert "there are 2" in signals["kappa_average"]["reason"]
    changed = [point["value"] for point in signals["classification_change"]["values"]]
    assert changed == [None, None, *(row.metrics["stopping"]["changed_share"] for row in (third, fourth))]
    uncertainty = [point["value"] for point in signals["selected_uncertainty"]["values"]]
    overall = [point["value"] for point in signals["overall_uncertainty"]["values"]]
    # Entropy picks what the model is least sure of.
    assert all(chosen >= pool > 0 for chosen, pool in zip(uncertainty[1:], overall[1:], strict=True))
    curve = [(batch["n_training"], batch["held_out"] and batch["held_out"]["n"]) for batch in body["batches"]]
    assert curve == [(0, None), (12, 3), (18, 3), (24, 3)]
    assert [sum(batch["pool"]["entropy_histogram"]) for batch in body["batches"][1:]] == [28, 22, 16]
    assert [sum(batch["pool"]["positive_histogram"]) for batch in body["batches"][1:]] == [28, 22, 16]


def test_it_compares_with_the_last_model_of_the_same_stage(people: People) -> None:
    """Round 2 drew at random and left no predictions; round 3 learned another stage."""
    left = {}
    for number, stage in enumerate(("opinion", "opinion", "mp", "opinion"), start=1):
        row = round_row(people, number, stage)
        if number != 2:
            left[number] = RoundFile.objects.create(round=row, name=STOPPING, path=str(number), sha256="", size=0)
    elsewhere = round_row(people, 9, "opinion", project=people.outsider.project)
    RoundFile.objects.create(round=elsewhere, name=STOPPING, path="9", sha256="", size=0)
    rows = list(people.project.rounds.order_by("number"))
    assert [stopping_set.previous_stopping(row, "opinion") for row in rows] == [None, left[1], left[1], left[1]]
    assert [stopping_set.previous_stopping(row, "mp") for row in rows] == [None, None, None, left[3]]


def round_row(people: People, number: int, stage: str, project: Project | None = None) -> Round:
    return Round.objects.create(
        project=project or people.project,
        number=number,
        state=Round.State.COMPLETE,
        strategy_asked="entropy",
        query_size=1,
        random_state=1,
        model="bow-logreg",
        learning_stages=[stage],
        annotators_per_item=1,
        codebook=people.project.codebooks.get(),
        created_by=people.admin.user,
    )


def test_it_says_that_the_predictions_before_were_lost(
    people: People, texts: list[str], worker: WorkerBeat, spec: Spec
) -> None:
    second = next_round(people, spec, opened(people, spec(query_size=12)))
    path = RoundFile.objects.get(round=second, name=STOPPING).path
    default_storage.delete(path)
    third = next_round(people, spec, second)
    assert third.metrics["stopping"]["kappa"] is None
    assert f"not compared with the model before: {path} is no longer in the storage" in third.notices
    assert not (directory_of(third) / PREVIOUS_STOPPING).exists()


def by_words_in_two_stages(row: Round) -> None:
    """Opinions speak of rates or of policy; only those of rates are about the second stage."""

    def rule(member: Membership, item: Item) -> dict[str, str]:
        if "should" in item.text:
            return {"opinion": "yes", "mp": "yes", "mp_context": "sentence", "stance_nli": "neutral"} | {
                "stance_nli_context": "sentence"
            }
        return YES if "policy" in item.text else NO

    label_batch(row.batch, rule)


def test_it_compares_each_of_several_stages(
    people: People, texts: list[str], worker: WorkerBeat, spec: Spec, client_of: ClientOf
) -> None:
    client = client_of(people.admin)
    upload = SimpleUploadedFile("held-out.jsonl", jsonl(LINES))
    url = f"/api/projects/{people.project.uuid}/test-set/"
    assert client.post(url, {"stage": "mp", "file": upload}).status_code == 201
    by_words_in_two_stages(opened(people, spec(query_size=20)))
    both = opened(people, spec(strategy="entropy", query_size=6, learning_stages=["opinion", "mp"]))
    heads = both.metrics["heads"]
    assert heads["opinion"]["held_out"] is None
    assert heads["mp"]["held_out"]["n"] == both.record["test_set"]["n"] == 3
    assert heads["mp"]["stopping"]["n"] == heads["opinion"]["stopping"]["n"] == 20
    assert all(0 <= heads[stage]["selected"]["entropy_over_ln_c"] <= 1 for stage in ("opinion", "mp"))
    by_words_in_two_stages(both)
    one = opened(people, spec(strategy="entropy", query_size=6, learning_stages=["mp"]))
    assert 0 < one.metrics["stopping"]["n_compared"] <= one.metrics["stopping"]["n_unseen"] <= 20
    by_words_in_two_stages(one)
    again = opened(people, spec(strategy="entropy", query_size=6, learning_stages=["opinion", "mp"]))
    previous = read_labels(directory_of(again) / PREVIOUS_STOPPING)
    assert set(previous) == {"opinion", "mp"}
    with default_storage.open(RoundFile.objects.get(round=one, name=STOPPING).path) as stored:
        (path := directory_of(again) / "check.jsonl").write_bytes(stored.read())
    assert previous["mp"] == read_labels(path)[""]
    body = client.get(f"/api/projects/{people.project.uuid}/insights/", {"stage": "mp"}).json()
    values = {signal["key"]: [point["value"] for point in signal["values"]] for signal in body["signals"]}
    assert [value is None for value in values["kappa_average"]] == [True, True, False, False]
    assert [batch["held_out"] and batch["held_out"]["n"] for batch in body["batches"]] == [None, 3, 3, 3]
    assert told(people, client_of)["stage"] == "opinion"
