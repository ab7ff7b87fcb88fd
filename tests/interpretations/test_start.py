"""Choices, estimate, start, pause, going on and cancel, as the browser meets them."""

import hashlib
import json
import tomllib
from pathlib import Path
from typing import Any

import pytest
from django.core.files.storage import default_storage
from pytest_django.fixtures import Settings
from rest_framework.test import APIClient

from al_worker.bridge.interpretation_directory import config_text
from annotation_app.models import EquivalenceEvaluation, Event, Interpretation, Project
from tests.conftest import People
from tests.interpretation.tiny_generators import tiny_bart, tiny_bert
from tests.interpretations.conftest import N, asked, evaluation_make, system

__all__ = ["tiny_bart", "tiny_bert"]

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"name": " "}, "name"),
        ({"data": "release:0"}, "data"),
        ({"data": "release:7"}, "data"),
        ({"systems": []}, "systems"),
        ({"systems": [system(), system(title="minilm, LEAD")]}, "systems[1].title"),
        ({"systems": [system(kind="gpt")]}, "systems[0].kind"),
        ({"systems": [system(model="/etc")]}, "systems[0].model"),
        ({"systems": [system(model="bow-logreg")]}, "systems[0].model"),
        ({"systems": [system(kind="bart")]}, "systems[0].model"),
        ({"systems": [system(filter="filterbert")]}, "systems[0].filter_model"),
        ({"systems": [system(filter_model="all-MiniLM-L6-v2")]}, "systems[0].filter_model"),
        ({"systems": [system(filter="filterbert", filter_model="../x")]}, "systems[0].filter_model"),
        ({"systems": [system(budget=1)]}, "systems[0].budget"),
        ({"systems": [system(max_epochs=101)]}, "systems[0].max_epochs"),
        ({"systems": [system(augment=1)]}, "systems[0].augment"),
        ({"generation": {"min_tokens": 9, "max_tokens": 8}}, "generation.min_tokens"),
        ({"evaluations": ["00000000-0000-0000-0000-000000000000"]}, "evaluations[0]"),
        ({"bertscore": "/etc/passwd"}, "bertscore"),
        ({"split": "train"}, "split"),
        ({"seed": -1}, "seed"),
        ({"rules": "mine"}, "rules"),
        ({"training": {"learning_rate": 0}}, "training.learning_rate"),
        ({"training": {"patience": 0}}, "training.patience"),
        ({"seeed": 1}, "seeed"),
    ],
)
def test_faults_are_named_by_their_field(
    admin: APIClient, base: str, articles: Project, worker: object, changes: dict[str, Any], field: str
) -> None:
    answer = admin.post(base, asked() | changes, "json")
    assert answer.status_code == 400, answer.content
    assert list(answer.json()["errors"]) == [field]
    assert not Interpretation.objects.exists()


def test_the_form_offers_what_is_usable(
    people: People,
    admin: APIClient,
    base: str,
    articles: Project,
    acts: EquivalenceEvaluation,
    settings: Settings,
    tiny_bart: Path,
) -> None:
    evaluation_make(people, "one class", ["cut rates"])
    kinds = {each["name"]: each["available"] for each in admin.get(f"{base}choices/").json()["kinds"]}
    assert kinds == {"transformer": True, "bert": True, "bart": False}
    settings.MODELS = ["all-MiniLM-L6-v2", "bow-logreg", f"small-bart={tiny_bart}", "nowhere/at-all"]
    found = admin.get(f"{base}choices/").json()
    assert {each["name"]: each["available"] for each in found["kinds"]}["bart"]
    assert {each["name"]: (each["kinds"], each["available"]) for each in found["models"]} == {
        "all-MiniLM-L6-v2": (["transformer", "bert", "filterbert"], True),
        "small-bart": (["bart"], True),
        "nowhere/at-all": (["transformer", "bert", "filterbert", "bart"], False),
    }
    assert [each["name"] for each in found["encoders"]] == ["all-MiniLM-L6-v2", "nowhere/at-all"]
    settings.MODELS = [f"gone={tiny_bart}/nowhere", "nowhere/at-all"]
    notes = [each["note"] for each in admin.get(f"{base}choices/").json()["models"]]
    assert notes == [
        "The folder that QUORUM_MODELS names for it is not on this machine.",
        "Not on this machine yet: fetched from the hub when a round asks for it.",
    ]
    [data] = found["data"]
    assert (data["key"], data["usable"], data["sources"]) == ("current", True, {"train": 9, "valid": 1, "test": 2})
    good, bad = found["evaluations"]
    assert (good["title"], good["usable"], good["warnings"]) == ("act, acts", True, ["2 classes not validated."])
    assert (bad["usable"], bad["reason"]) == (False, "it has one class, and an evaluation needs two or more")


def test_an_empty_project_says_what_it_lacks(admin: APIClient, base: str, worker: object) -> None:
    [data] = admin.get(f"{base}choices/").json()["data"]
    assert not data["usable"] and "import sources" in data["reason"]
    assert admin.post(base, asked(), "json").json()["errors"] == {"data": [data["reason"]]}


def test_the_estimate_counts_and_starts_nothing(
    admin: APIClient, base: str, articles: Project, acts: EquivalenceEvaluation
) -> None:
    systems = system(budget=40), system(title="More", augment=2, budget=4_000)
    body = asked(*systems, evaluations=[str(acts.uuid)])
    found = admin.post(f"{base}estimate/", body, "json").json()
    first, second = found["systems"]
    assert (first["examples"], second["examples"]) == (9, 18)
    # About 240 characters a source.
    assert (first["cut"], second["cut"], first["source_tokens_max"]) == (N, 0, 61)
    assert first["seconds"] is None
    [tally] = found["instances"]["tallies"]
    assert (tally["split"], tally["positives"], found["instances"]["total"]) == ("test", 2, 4)
    assert "act, acts: 2 classes not validated." in found["notices"]
    Interpretation.objects.create(
        project=articles,
        number=1,
        name="Before",
        state="done",
        progress={"timings": {"bert all-MiniLM-L6-v2": {"per_example": 2.0, "per_text": 10.0}}},
        created_by=articles.memberships.get(role="admin").user,
    )
    assert admin.post(f"{base}estimate/", body, "json").json()["systems"][0]["seconds"] == 9 * 2 + 2 * 10


def test_it_waits_with_its_data_written_down(
    people: People, admin: APIClient, base: str, articles: Project, acts: EquivalenceEvaluation, worker: object
) -> None:
    made = admin.post(base, asked(evaluations=[str(acts.uuid)]), "json").json()
    assert (made["number"], made["state"], made["systems"]) == (
        1,
        "waiting",
        [{"name": "minilm-lead", "title": "MiniLM, lead"}],
    )
    [used] = made["spec"]["evaluations"]
    assert (used["revision"], [each["name"] for each in used["classes"]]) == (1, ["class 0", "class 1"])
    assert made["notices"] == ["act, acts: 2 classes not validated."]
    event = Event.objects.get(verb="interpretation_created")
    files = {each["name"]: each["sha256"] for each in made["files"]}
    assert event.data["files"] == files
    assert set(files) == {"sources.jsonl", "targets.jsonl", "evaluations.json"}
    for name, digest in files.items():
        answer: Any = admin.get(f"{base}{made['id']}/files/{name}/")
        data = b"".join(answer.streaming_content)
        assert hashlib.sha256(data).hexdigest() == digest
    row = Interpretation.objects.get()
    with default_storage.open(row.files.get(name="sources.jsonl").path) as file:
        sources = [json.loads(line) for line in file]
    assert len(sources) == N and sources[0]["sentences"][0] == "The Committee cut rates."
    assert admin.get(f"{base}{made['id']}/results/").status_code == 409
    [listed] = admin.get(base).json()
    assert (listed["id"], listed["headline"], listed["progress"]["fraction"]) == (made["id"], [], 0.0)


def test_not_without_a_worker_and_not_too_many(
    admin: APIClient, base: str, articles: Project, request: pytest.FixtureRequest
) -> None:
    assert admin.post(base, asked(), "json").json()["code"] == "worker_down"
    request.getfixturevalue("worker")
    for _ in range(2):
        assert admin.post(base, asked(), "json").status_code == 201
    assert admin.post(base, asked(), "json").json()["code"] == "too_many"
    # What was stored for the refused one is gone again.
    folders = {Path(path).parent for path in Path(default_storage.path("interpretations")).rglob("*.jsonl")}
    assert len(folders) == 2


def test_pause_go_on_and_cancel(admin: APIClient, base: str, articles: Project, worker: object) -> None:
    one = f"{base}{admin.post(base, asked(), 'json').json()['id']}/"
    assert admin.post(f"{one}resume/").json()["code"] == "wrong_state"
    for act, state in (("pause", "paused"), ("resume", "waiting"), ("cancel", "cancelled")):
        assert admin.post(f"{one}{act}/").json()["state"] == state
    # Its checkpoints are deleted, so it cannot go on.
    assert admin.post(f"{one}resume/").json()["code"] == "wrong_state"
    assert list(
        Event.objects.filter(verb__startswith="interpretation").order_by("pk").values_list("verb", flat=True)
    ) == [f"interpretation_{done}" for done in ("created", "paused", "resumed", "cancelled")]


def test_a_retry_of_a_start_starts_nothing_more(admin: APIClient, base: str, articles: Project, worker: object) -> None:
    body = asked(client_id="11111111-1111-4111-8111-111111111111")
    first = admin.post(base, body, "json").json()
    again = admin.post(base, body, "json")
    assert (again.status_code, again.json()["id"]) == (201, first["id"])
    other = admin.post(base, body | {"seed": 4}, "json")
    assert (other.status_code, other.json()["code"]) == (409, "client_id_reused")
    assert Interpretation.objects.count() == 1
    # A retry is answered also where another start would be refused.
    assert admin.post(base, asked(), "json").status_code == 201
    assert admin.post(base, body, "json").json()["id"] == first["id"]


def test_one_that_ended_is_removed_with_its_files(
    admin: APIClient, base: str, articles: Project, worker: object
) -> None:
    made = admin.post(base, asked(), "json").json()
    one = f"{base}{made['id']}/"
    [targets] = Interpretation.objects.get().files.filter(name="targets.jsonl")
    assert admin.post(f"{one}remove/").json()["code"] == "wrong_state"
    admin.post(f"{one}cancel/")
    assert default_storage.exists(targets.path)
    assert admin.post(f"{one}remove/").status_code == 204
    assert not default_storage.exists(targets.path)
    assert (admin.get(one).status_code, admin.get(base).json()) == (404, [])
    lines = admin.get(base.replace("interpretations/", "events/"), {"kind": "interpretations"}).json()
    said = [each["sentence"] for each in lines["lines"]]
    assert said[:2] == [
        "Removed the interpretation “A study”, number 1, with its files.",
        "Cancelled the interpretation “A study”.",
    ]


def test_how_models_are_trained_and_instances_made_is_asked_for(
    admin: APIClient, base: str, articles: Project, acts: EquivalenceEvaluation, worker: object
) -> None:
    training = {"learning_rate": 0.001, "schedule": "code", "patience": 2, "batch_size": 8}
    more: dict[str, Any] = {"rules": "code", "replace_positive": True, "training": training}
    body = asked(evaluations=[str(acts.uuid)], **more)
    made = admin.post(base, body, "json").json()
    assert {key: made["spec"][key] for key in more} == more
    config = tomllib.loads(config_text(Interpretation.objects.get().spec))
    assert config["training"] == training
    assert (config["instances"]["source"], config["instances"]["replace_positive"]) == ("code", True)
    # A rate that is left out is the kind's, which the file says by leaving it out.
    plain = admin.post(base, asked(), "json").json()["spec"]
    assert (plain["rules"], plain["replace_positive"], plain["training"]["learning_rate"]) == ("paper", False, None)
    assert "learning_rate" not in tomllib.loads(config_text(Interpretation.objects.latest("number").spec))["training"]


def test_another_projects_row_is_not_there(
    people: People, admin: APIClient, base: str, articles: Project, worker: object
) -> None:
    made = admin.post(base, asked(), "json").json()["id"]
    other = base.replace(str(people.project.uuid), str(people.outsider.project.uuid))
    assert admin.get(f"{other}{made}/").status_code == 404
