"""Rounds that learn sets of labels and scales: training labels, run directory, model, figures and what admins see."""

import json
import tomllib
from collections.abc import Callable
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from rest_framework.test import APIClient

from al_worker.bridge.directory import directory_of
from annotation_app.codebook.definition import parse_definition
from annotation_app.models import Item, Membership, WorkerBeat
from annotation_app.refusals import Invalid
from annotation_app.rounds.held_out import held_out_attach, held_out_of
from annotation_app.rounds.spec import RoundSpec
from tests.conftest import People
from tests.factories import publish
from tests.labels import label_batch
from tests.rounds.starting import opened, start

Spec = Callable[..., RoundSpec]
TOPICS = [{"key": key, "name": key.title()} for key in ("meeting", "rates", "unclear")]
STAGES: list[dict[str, Any]] = [
    {"key": "topics", "title": "Topics", "prompt": "Which?", "type": "several", "labels": TOPICS, "least": 0},
    {"key": "strength", "title": "Strength", "prompt": "How much?", "type": "scale", "high": 4},
    {"key": "times", "title": "Times", "prompt": "How often?", "type": "number", "required": False},
]
DEFINITION = {"name": "Sets and scales", "stages": STAGES}
BOTH = ["topics", "strength"]


@pytest.fixture
def measured(people: People) -> People:
    publish(people.project, DEFINITION)
    return people


def by_words(member: Membership, item: Item) -> dict[str, str]:
    """All agree on the topics; the three are one point apart on the scale, so that the median is the middle one."""
    topics = [key for key, word in (("meeting", "met"), ("rates", "rates")) if word in item.text]
    middle = 3 if "rates" in item.text else 2
    apart = member.number % 3 - 1
    return {"topics": json.dumps(topics, separators=(",", ":")), "strength": str(middle + apart)}


def learned(text: str) -> dict[str, str]:
    topics = '["rates"]' if "rates" in text else '["meeting"]' if "met" in text else "[]"
    return {"strength": "3" if "rates" in text else "2", "topics": topics}


def test_a_codebook_of_sets_and_scales_needs_no_learning_and_may_name_one() -> None:
    assert parse_definition(DEFINITION).learning is None
    for key in BOTH:
        assert parse_definition({**DEFINITION, "learning": {"stage": key}}).learning is not None
    excluded = {**DEFINITION, "learning": {"stage": "topics", "exclude": ["unclear"]}}
    assert parse_definition(excluded).never_learned == ("unclear",)


def test_a_round_learns_them_from_majorities_of_labels_and_medians(
    measured: People, texts: list[str], worker: WorkerBeat, spec: Spec, client_of: Callable[[Membership], APIClient]
) -> None:
    first = opened(measured, spec(query_size=24, learning_stages=[]))
    label_batch(first.batch, by_words)
    row = opened(measured, spec(strategy="entropy", learning_stages=["strength", "topics"]))
    items = Item.objects.filter(batch_items__batch=first.batch).order_by("external_id")
    assert row.training_set == [[item.external_id, learned(item.text)] for item in items]
    config = tomllib.loads((directory_of(row) / "config.toml").read_text())
    assert [(head["name"], head["kind"], head["labels"]) for head in config["heads"]] == [
        ("topics", "several", ["meeting", "rates", "unclear"]),
        ("strength", "ordered", ["1", "2", "3", "4"]),
    ]
    topics, strength = (row.metrics["heads"][key] for key in BOTH)
    assert topics["training"]["macro_f1"] > 0.9 and topics["n_labeled"] == 24
    assert strength["training"]["mean_absolute_error"] < 0.2

    admin, url = client_of(measured.admin), f"/api/projects/{measured.project.uuid}"
    for key, kind in (("topics", "several"), ("strength", "ordered")):
        told = admin.get(f"{url}/insights/", {"stage": key}).json()
        newest, before = told["batches"][-1], told["batches"][0]
        assert (newest["head_kind"], told["positive"]) == (kind, [])
        assert newest["training"]["macro_f1"] > 0.5 and newest["pool"]["entropy_over_ln_c"]["mean"] > 0
        assert before["n_labeled"] == 24
    assert admin.get(f"{url}/insights/").json()["stage"] == "topics"
    assert admin.get(f"{url}/overview/").json()["trend"]["stage"] == "topics"
    counts = admin.get(f"{url}/insights/", {"stage": "topics"}).json()["batches"][0]["class_counts"]
    assert counts == {
        "meeting": sum("met" in item.text for item in items),
        "rates": sum("rates" in item.text for item in items),
        "unclear": 0,
        "no_majority": 0,
    }


def test_one_alone_is_the_head_without_a_name(
    measured: People, texts: list[str], worker: WorkerBeat, spec: Spec
) -> None:
    first = opened(measured, spec(query_size=24, learning_stages=[]))
    label_batch(first.batch, by_words)
    row = opened(measured, spec(strategy="breaking_ties", learning_stages=["topics"]))
    config = tomllib.loads((directory_of(row) / "config.toml").read_text())
    assert config["model"]["kind"] == "several" and "heads" not in config
    assert row.metrics["kind"] == "several" and row.metrics["training"]["macro_f1"] > 0.9


@pytest.mark.parametrize(
    ("points", "expected"),
    [([1, 4, 4], "4"), ([1, 2, 4], "2"), ([1, 4], "1"), ([2, 3], "2"), ([4], None), ([], None)],
)
def test_the_median_needs_as_many_answers_as_a_majority_takes(points: list[int], expected: str | None) -> None:
    stage = parse_definition(DEFINITION).by_key["strength"]
    votes = {str(point): points.count(point) for point in points}
    assert stage.learned_label(None, votes, takes=2) == expected


def test_a_set_with_a_label_that_is_kept_out_is_not_learned(
    people: People, texts: list[str], worker: WorkerBeat, spec: Spec
) -> None:
    publish(people.project, {**DEFINITION, "learning": {"stage": "topics", "exclude": ["unclear"]}})
    first = opened(people, spec(query_size=24, learning_stages=["topics"]))

    def unclear(member: Membership, item: Item) -> dict[str, str]:
        return by_words(member, item) | ({"topics": '["rates","unclear"]'} if "rates" in item.text else {})

    label_batch(first.batch, unclear)
    row = opened(people, spec(strategy="entropy", learning_stages=["topics"]))
    texts_learned = Item.objects.filter(external_id__in=[name for name, _ in row.training_set]).values_list("text")
    assert texts_learned and not any("rates" in text for (text,) in texts_learned)
    assert row.metrics["labels"] == ["meeting", "rates"]


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"learning_stages": ["times"]}, "answered with a number or a text, which no model learns"),
        ({"strategy": "entropy", "learning_stages": []}, "entropy needs a stage to learn"),
    ],
)
def test_what_cannot_be_learned_is_refused(
    measured: People, texts: list[str], worker: WorkerBeat, spec: Spec, changes: dict[str, Any], said: str
) -> None:
    with pytest.raises(Invalid) as refused:
        start(measured, spec(**changes))
    assert said in str(refused.value)


def test_a_test_set_holds_sets(measured: People, texts: list[str], worker: WorkerBeat, spec: Spec) -> None:
    rows = [
        {"id": "t1", "text": "Rates will be cut.", "label": ["rates"]},
        {"id": "t2", "text": "They met about rates.", "label": ["rates", "meeting"]},
        {"id": "t3", "text": "Nothing at all.", "label": []},
    ]
    data = "\n".join(map(json.dumps, rows)).encode()
    held_out_attach(
        project=measured.project, stage="topics", upload=SimpleUploadedFile("t.jsonl", data), actor=measured.admin.user
    )
    row = held_out_of(measured.project)
    assert row is not None and row.class_counts == {"rates": 2, "meeting": 1}
    assert [*row.items.order_by("line").values_list("label", flat=True)] == ['["rates"]', '["meeting","rates"]', "[]"]
    first = opened(measured, spec(query_size=24, learning_stages=[]))
    label_batch(first.batch, by_words)
    learner = opened(measured, spec(strategy="entropy", learning_stages=BOTH))
    assert learner.metrics["heads"]["topics"]["held_out"]["n"] == 3

    wrong = SimpleUploadedFile("t.jsonl", json.dumps({"id": "x", "text": "y", "label": ["gone"]}).encode())
    with pytest.raises(Invalid) as refused:
        held_out_attach(project=measured.project, stage="topics", upload=wrong, actor=measured.admin.user)
    assert '"gone" is not a label of this stage' in str(refused.value)
