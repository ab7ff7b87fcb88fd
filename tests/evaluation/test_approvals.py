"""Whose texts go where: an admin's approval is of one model at one destination, and a key is nowhere."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.core import serializers
from pytest_django.fixtures import Settings
from rest_framework.test import APIClient

from annotation_app.evaluation.language_models import models_usable
from annotation_app.models import Batch, Evaluation, Event, LanguageModelApproval, Membership
from annotation_app.refusals import Refused
from tests.conftest import People
from tests.evaluation.conftest import HOST, KEY, asked

ELSEWHERE = "elsewhere.example"


@pytest.fixture
def admin(people: People, client_of: Callable[[Membership], APIClient]) -> APIClient:
    return client_of(people.admin)


def url(people: People, path: str) -> str:
    return f"/api/projects/{people.project.uuid}/{path}"


def approve(admin: APIClient, people: People, name: str = "small", destination: str = HOST) -> Any:
    return admin.post(url(people, f"language-models/{name}/approval/"), {"destination": destination}, "json")


def models(admin: APIClient, people: People) -> dict[str, dict[str, Any]]:
    choices = admin.get(url(people, "evaluations/choices/")).json()
    return {model["name"]: model for model in choices["language_models"]}


def test_choices_tell_where_texts_go_and_what_is_missing(
    admin: APIClient, people: People, models_file: Path, settings: Settings
) -> None:
    found = models(admin, people)
    assert found["small"] == {
        "name": "small",
        "title": "Small",
        "kind": "openai",
        "model": "gpt-5-nano",
        "destination": HOST,
        "is_remote": True,
        "price_in": 1.0,
        "price_out": 10.0,
        "currency": "USD",
        "approved": None,
        "problem": "",
    }
    assert (found["free"]["price_in"], found["free"]["destination"]) == (None, HOST)
    assert (found["local"]["destination"], found["local"]["is_remote"]) == ("", False)
    keyless = found["keyless"]
    assert keyless["destination"] == "api.anthropic.com"
    assert "TEST_MODEL_KEY_THAT_IS_NOT_SET is not set here" in keyless["problem"]
    systems = {each["name"]: each for each in admin.get(url(people, "evaluations/choices/")).json()["systems"]}
    assert not systems["keyless"]["available"] and systems["keyless"]["note"] == keyless["problem"]
    assert systems["small"]["kind"] == "language_model" and systems["bow-logreg"]["kind"] == "trained"
    models_file.write_text("[models.small\n", encoding="utf-8")
    broken = admin.get(url(people, "evaluations/choices/")).json()
    assert broken["language_models"] == [] and "not valid TOML" in broken["language_models_problem"]
    settings.LANGUAGE_MODELS = ""
    none = admin.get(url(people, "evaluations/choices/")).json()
    assert (none["language_models"], none["language_models_problem"]) == ([], "")


def test_texts_go_only_where_an_admin_approved(
    admin: APIClient, people: People, models_file: Path, labelled: Batch, worker: object
) -> None:
    start = url(people, "evaluations/")
    refused = admin.post(start, asked(systems=["small"]), "json")
    assert (refused.status_code, refused.json()["code"]) == (409, "not_approved")
    assert (refused.json()["model"], refused.json()["destination"]) == ("small", HOST)
    assert not Evaluation.objects.exists()
    given = approve(admin, people)
    assert given.status_code == 201
    assert given.json()["approved"]["by"] == "Ada"
    assert approve(admin, people).json()["approved"] == given.json()["approved"]
    assert admin.post(start, asked(systems=["small", "local"]), "json").status_code == 201
    # The operator points the model elsewhere: the approval was of the first destination.
    models_file.write_text(models_file.read_text(encoding="utf-8").replace(HOST, ELSEWHERE), encoding="utf-8")
    assert admin.post(start, asked(systems=["small"]), "json").json()["code"] == "not_approved"
    with pytest.raises(Refused, match=ELSEWHERE):
        models_usable(people.project, ["small"])
    assert models(admin, people)["small"]["approved"] is None
    stale = approve(admin, people)
    assert (stale.status_code, stale.json()["code"]) == (409, "destination_changed")
    assert stale.json()["destination"] == ELSEWHERE
    assert approve(admin, people, destination=ELSEWHERE).status_code == 201
    assert set(models_usable(people.project, ["small"])) == {"small"}
    taken = admin.delete(url(people, "language-models/small/approval/"))
    assert (taken.status_code, taken.json()["approved"]) == (200, None)
    assert not LanguageModelApproval.objects.exists()
    assert admin.post(start, asked(systems=["small"]), "json").json()["code"] == "not_approved"
    told = Event.objects.filter(verb__startswith="language_model").order_by("pk").values_list("verb", "data")
    assert list(told) == [
        ("language_model_approved", {"model": "small", "destination": HOST}),
        ("language_model_approved", {"model": "small", "destination": ELSEWHERE}),
        ("language_model_approval_taken", {"model": "small", "destination": HOST}),
        ("language_model_approval_taken", {"model": "small", "destination": ELSEWHERE}),
    ]


def test_it_goes_on_only_where_texts_may_still_go(
    admin: APIClient, people: People, models_file: Path, labelled: Batch, worker: object
) -> None:
    approve(admin, people)
    row = admin.post(url(people, "evaluations/"), asked(systems=["small"]), "json").json()
    path = f"/api/evaluations/{row['id']}"
    assert admin.post(f"{path}/pause/").json()["state"] == "paused"
    admin.delete(url(people, "language-models/small/approval/"))
    assert admin.post(f"{path}/resume/").json()["code"] == "not_approved"
    approve(admin, people)
    assert admin.post(f"{path}/resume/").json()["state"] == "waiting"


def test_evaluations_that_ask_the_model_are_paused_where_its_approval_is_taken_back(
    admin: APIClient, people: People, models_file: Path, labelled: Batch, worker: object
) -> None:
    approve(admin, people)
    asks, other = (
        admin.post(url(people, "evaluations/"), asked(systems=systems), "json").json()["id"]
        for systems in (["majority", "small"], ["majority"])
    )
    Evaluation.objects.filter(uuid=asks).update(state="running", lease_owner="a worker")
    admin.delete(url(people, "language-models/small/approval/"))
    states = {str(row.uuid): (row.state, row.lease_owner) for row in Evaluation.objects.all()}
    assert states == {asks: ("paused", ""), other: ("waiting", "")}
    assert Event.objects.filter(verb="evaluation_paused").count() == 1


def test_a_model_of_another_kind_is_not_approved(admin: APIClient, people: People, models_file: Path) -> None:
    assert approve(admin, people, "local", "").status_code == 400
    assert approve(admin, people, "local", HOST).json()["code"] == "destination_changed"
    assert approve(admin, people, "nobody").status_code == 404


def test_a_key_is_in_no_row_no_event_and_no_answer(
    admin: APIClient, people: People, models_file: Path, labelled: Batch, worker: object
) -> None:
    approve(admin, people)
    row = admin.post(url(people, "evaluations/"), asked(systems=["small", "keyless"]), "json")
    assert row.json()["code"] == "no_model"
    row = admin.post(url(people, "evaluations/"), asked(systems=["small"]), "json")
    answers = [
        row,
        admin.get(url(people, "evaluations/choices/")),
        admin.get(url(people, "evaluations/")),
        admin.post(url(people, "evaluations/estimate/"), asked(systems=["small"]), "json"),
        admin.get(f"/api/evaluations/{row.json()['id']}/"),
        admin.get(url(people, "events/")),
    ]
    assert [answer.status_code for answer in answers] == [201, 200, 200, 200, 200, 200]
    sent = "".join(answer.content.decode() for answer in answers)
    kept = "".join(serializers.serialize("json", model.objects.all()) for model in stored_models())
    assert "gpt-5-nano" in sent and "gpt-5-nano" in kept
    for secret in (KEY, "user:pass"):
        assert secret not in sent and secret not in kept


def stored_models() -> list[Any]:
    return list(apps.get_app_config("annotation_app").get_models())
