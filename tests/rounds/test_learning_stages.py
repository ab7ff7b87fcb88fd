"""A round that learns two stages, the second of which is open only for some items."""

import json
import tomllib
from collections.abc import Callable
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from rest_framework.test import APIClient

from al_worker.bridge.directory import directory_build, directory_of
from annotation_app.models import Item, Membership, Round, WorkerBeat
from annotation_app.refusals import Invalid
from annotation_app.rounds.spec import RoundSpec
from annotation_app.rounds.training_set import training_set_hash
from tests.conftest import People
from tests.labels import NO, YES, label_batch
from tests.rounds.starting import opened, start

Spec = Callable[..., RoundSpec]

POLICY = {
    "opinion": "yes",
    "mp": "yes",
    "mp_context": "sentence",
    "stance_nli": "neutral",
    "stance_nli_context": "sentence",
}


def by_words(member: Membership, item: Item) -> dict[str, str]:
    """Opinions: what should be and what is enough; monetary policy: the rates that should rise."""
    return POLICY if "rates" in item.text else YES if "enough" in item.text else NO


def usable(text: str) -> dict[str, str]:
    opinion = "yes" if "rates" in text or "enough" in text else "no"
    return {"opinion": opinion} | ({"mp": "yes" if "rates" in text else "no"} if opinion == "yes" else {})


@pytest.fixture
def labelled(people: People, texts: list[str], worker: WorkerBeat, spec: Spec) -> Round:
    row = opened(people, spec(query_size=24))
    label_batch(row.batch, by_words)
    return row


def test_it_learns_two_stages_with_a_head_each(
    people: People, labelled: Round, spec: Spec, client_of: Callable[[Membership], APIClient]
) -> None:
    row = opened(people, spec(strategy="entropy", learning_stages=["mp", "opinion"], combine="max"))
    items = Item.objects.filter(batch_items__batch=labelled.batch).order_by("external_id")
    expected = [[item.external_id, usable(item.text)] for item in items]
    assert {len(labels) for _, labels in expected} == {1, 2}, "the second stage is to be open for some items only"
    assert (row.learning_stages, row.combine, row.training_set) == (["opinion", "mp"], "max", expected)
    directory = directory_of(row)
    config = tomllib.loads((directory / "config.toml").read_text())
    assert config["heads"] == [
        {"name": "opinion", "labels": ["yes", "no"], "positive_labels": ["yes"]},
        {"name": "mp", "labels": ["yes", "no"], "positive_labels": ["yes"]},
    ]
    assert config["model"] == {"name": "bow-logreg"} and config["strategy"]["combine"] == "max"
    lines = [json.loads(line) for line in (directory / "labeled.jsonl").read_text().splitlines()]
    assert [[line["id"], line["labels"]] for line in lines] == expected
    n_open = sum("mp" in labels for _, labels in expected)
    assert [row.metrics["heads"][name]["n_labeled"] for name in ("opinion", "mp")] == [24, n_open]
    record = client_of(people.admin).get(f"/api/rounds/{row.uuid}/record/").json()
    assert (record["learning_stages"], record["strategy"]["combine"]) == (["opinion", "mp"], "max")
    assert record["training_set"]["examples"] == [{"id": item, "labels": labels} for item, labels in expected]
    assert record["training_set"]["sha256"] == training_set_hash(row.training_set)
    assert record["machine"]["model"]["heads"]["mp"]["n"] == n_open


def test_it_writes_one_stage_as_the_one_head_without_a_name(people: People, labelled: Round, spec: Spec) -> None:
    row = start(people, spec(strategy="entropy", learning_stages=["mp"]))
    directory = directory_build(row)
    config = tomllib.loads((directory / "config.toml").read_text())
    assert config["model"] == {"name": "bow-logreg", "labels": ["yes", "no"], "positive_labels": ["yes"]}
    assert "heads" not in config and "combine" not in config["strategy"]
    lines = [json.loads(line) for line in (directory / "labeled.jsonl").read_text().splitlines()]
    assert {(line["label"], "labels" in line) for line in lines} == {("yes", False), ("no", False)}
    asked_for_nothing_more = [json.loads(line) for line in (directory / "issued.jsonl").read_text().splitlines()]
    assert len(lines) + len(asked_for_nothing_more) == 24


def test_it_draws_at_random_whatever_it_is_to_learn(
    people: People, texts: list[str], worker: WorkerBeat, spec: Spec
) -> None:
    row = opened(people, spec(learning_stages=["opinion", "mp"]))
    assert row.batch.batch_items.count() == 8
    assert "combine" not in tomllib.loads((directory_of(row) / "config.toml").read_text())["strategy"]


def test_it_names_the_stage_that_nobody_has_a_label_for(
    people: People, texts: list[str], worker: WorkerBeat, spec: Spec
) -> None:
    label_batch(opened(people, spec()).batch, lambda member, item: NO)
    two = spec(strategy="entropy", learning_stages=["opinion", "mp"])
    with pytest.raises(Invalid, match="no item has a usable majority label at stage mp"):
        start(people, two)


@pytest.mark.parametrize(
    ("changes", "field", "words"),
    [
        ({"learning_stages": []}, "learning_stages", "one or more stages"),
        ({"learning_stages": ["mp", "mp"]}, "learning_stages", "each once"),
        ({"learning_stages": ["mp", "tone"]}, "learning_stages", "'tone' is not a stage"),
    ],
)
def test_it_refuses_stages_that_cannot_be_learned(
    people: People, texts: list[str], worker: WorkerBeat, spec: Spec, changes: dict[str, Any], field: str, words: str
) -> None:
    with pytest.raises(Invalid) as invalid:
        start(people, spec(**changes))
    assert list(invalid.value.errors) == [field] and words in invalid.value.errors[field][0]


def test_it_is_asked_for_and_shown_by_the_api(
    people: People, texts: list[str], worker: WorkerBeat, client_of: Callable[[Membership], APIClient]
) -> None:
    client, path = client_of(people.admin), f"/api/projects/{people.project.uuid}/rounds/"
    cal = next(strategy for strategy in client.get(path).json()["strategies"] if strategy["name"] == "cal")
    assert cal["presets"] == {"cal_authors": {"k": 10, "vector": "pooled_head", "metric": "euclidean_unit"}}
    assert cal["options"][0]["minimum"] is None and cal["options"][1]["choices"] == []
    body = {
        "strategy": "random",
        "query_size": 4,
        "random_state": 1,
        "model": "bow-logreg",
        "annotators": [str(member.uuid) for member in people.annotators],
        "annotators_per_item": 3,
    }
    missing = client.post(path, body | {"learning_stage": "opinion"}, format="json")
    assert missing.status_code == 400 and list(missing.json()["errors"]) == ["learning_stages"]
    odd = client.post(path, body | {"learning_stages": ["mp"], "combine": "mean"}, format="json")
    assert odd.status_code == 400 and list(odd.json()["errors"]) == ["combine"]
    made = client.post(path, body | {"learning_stages": ["opinion", "mp"], "combine": "max"}, format="json")
    assert made.status_code == 201
    assert (made.json()["learning_stages"], made.json()["combine"]) == (["opinion", "mp"], "max")


@pytest.mark.django_db(transaction=True)
def test_it_keeps_rounds_of_one_stage_through_the_migration(
    people: People, texts: list[str], worker: WorkerBeat, spec: Spec
) -> None:
    row = start(people, spec())
    row.training_set = [["a", {"opinion": "yes"}], ["b", {"opinion": "no"}]]
    row.training_set_hash = training_set_hash(row.training_set)
    row.save()
    first = ("annotation_app", "0001_initial")
    try:
        call_command("migrate", *first, verbosity=0)
        earlier = MigrationLoader(connection).project_state(first).apps.get_model("annotation_app", "Round")
        old = earlier.objects.get(pk=row.pk)
        assert (old.learning_stage, old.training_set) == ("opinion", [["a", "yes"], ["b", "no"]])
        assert old.training_set_hash != row.training_set_hash
    finally:
        call_command("migrate", verbosity=0)
    again = Round.objects.get(pk=row.pk)
    for name in ("learning_stages", "combine", "training_set", "training_set_hash"):
        assert getattr(again, name) == getattr(row, name)
