"""A project that only marks spans, from its making to its second round, through the API and the worker's own code."""

import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from annotation_app.models import BatchItem
from tests.rounds.walk import Walk

pytestmark = pytest.mark.django_db(transaction=True)


def test_rounds_run_without_a_stage(walk: Walk) -> None:
    report = walk.text_import()["report"]
    assert (report["kept"], report["sources"], report["marked_items"]) == (8, 4, 0)
    assert walk.ok(walk.admin.get(f"{walk.url}/rounds/"))["next"]["suggested_strategy"] == "random"

    first = walk.opened()
    assert (first.learning_stages, first.model, first.training_set) == ([], "none", [])
    walk.label_all()
    shown = walk.ok(walk.admin.get(f"{walk.url}/rounds/"))
    assert shown["rounds"][0]["state"] == "complete"
    assert (shown["next"]["may_start"], shown["next"]["suggested_strategy"]) == (True, "ngram_density")

    second = walk.opened(strategy="ngram_density")
    assert (second.strategy_used, second.model, second.notices) == ("ngram_density", "none", [])
    scores = list(BatchItem.objects.filter(batch=second.batch).order_by("rank").values_list("score", flat=True))
    assert len(scores) == 3
    assert all(score is not None and score > 0 for score in scores)
    assert not set(first.batch.batch_items.values_list("item_id")) & set(
        second.batch.batch_items.values_list("item_id")
    )
    record = walk.ok(walk.admin.get(f"/api/rounds/{second.uuid}/record/"))
    assert (record["learning_stages"], record["training_set"]["n"]) == ([], 0)
    assert json.dumps(record)


def test_every_admin_page_answers(walk: Walk) -> None:
    walk.text_import()
    walk.opened()
    walk.label_all()
    for page in (
        "",
        "rounds/",
        "prototype/",
        "test-set/",
        "simulations/",
        "simulations/choices/",
        "imports/",
        "codebooks/",
        "members/",
    ):
        walk.ok(walk.admin.get(f"{walk.url}/{page}"))
    insights = walk.ok(walk.admin.get(f"{walk.url}/insights/"), 409)
    assert insights["code"] == "no_stages"


def test_a_prototype_batch_is_drawn_and_labelled(walk: Walk) -> None:
    walk.text_import()
    body = {"size": 2, "random_state": 1, "annotators": [str(walk.members[0].uuid)], "annotators_per_item": 1}
    assert walk.ok(walk.admin.post(f"{walk.url}/prototype/", body, "json"), 201)["batch"]["size"] == 2
    walk.label_all()
    assert walk.ok(walk.admin.get(f"{walk.url}/prototype/"))["batch"]["complete"] is True


def test_what_needs_a_stage_is_refused_with_the_reason(walk: Walk) -> None:
    walk.text_import()
    refused = walk.ok(walk.start(strategy="entropy", model="bow-logreg", allowed_alternative="random"), 400)["errors"]
    assert refused == {"strategy": ["entropy needs a stage to learn, and the codebook has none."]}
    refused = walk.ok(walk.start(learning_stages=["opinion"]), 400)["errors"]
    assert refused == {"learning_stages": ["The codebook has no stage with labels: send an empty list."]}
    upload = SimpleUploadedFile("test.jsonl", b'{"id": "a", "text": "x", "label": "yes"}\n')
    sent = {"stage": "opinion", "file": upload}
    refused = walk.ok(walk.admin.post(f"{walk.url}/test-set/", sent, format="multipart"), 400)["errors"]
    assert refused == {"stage": ["The codebook has no stage that a model can learn: there is nothing to test."]}
