"""Start, refusals, downloads and roles, as the browser meets them."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from pytest_django.fixtures import Settings
from rest_framework.test import APIClient

from al_worker.bridge.simulation import simulation_drive
from annotation_app.models import Event, Membership, Simulation, WorkerBeat
from tests.conftest import People
from tests.simulations.conftest import jsonl

Lines = dict[str, list[dict[str, Any]]]
Clients = Callable[[Membership], APIClient]

SPEC: dict[str, Any] = {
    "name": "Which one first?",
    "source": {"kind": "upload"},
    "strategies": [
        {"key": "random", "name": "random"},
        {"key": "cal-k5", "name": "cal", "options": {"k": 5}},
        {"key": "cal-k10", "name": "cal", "options": {"k": 10}},
    ],
    "models": ["bow-logreg"],
    "seeds": [1],
    "batch_sizes": [5],
    "batches": 3,
    "positive_labels": ["yes"],
}


def post(client: APIClient, people: People, files: Lines, **changes: Any) -> Any:
    form = {name: SimpleUploadedFile(f"my-{name}.jsonl", jsonl(lines)) for name, lines in files.items()}
    form["spec"] = json.dumps({**SPEC, **changes})  # type: ignore[assignment]
    return client.post(f"/api/projects/{people.project.uuid}/simulations/", form, format="multipart")


@pytest.fixture
def admin(people: People, client_of: Clients) -> APIClient:
    return client_of(people.admin)


def test_it_starts_from_two_files_and_gives_out_the_results(
    admin: APIClient, people: People, files: Lines, worker: WorkerBeat
) -> None:
    answer = post(admin, people, files)
    assert answer.status_code == 201, answer.content
    made = answer.json()
    assert made["state"] == "waiting"
    # Three strategies, one seed, three batches, and full supervision once.
    assert made["progress"] == {"fraction": 0.0, "detail": "", "seconds": 0.0, "batches": 0, "trainings": 10}
    assert made["texts"]["train"] == {"n": 60, "class_counts": {"no": 30, "yes": 30}}
    assert made["texts"]["files"] == {"train": "my-train.jsonl", "test": "my-test.jsonl"}
    assert made["config"]["strategies"][1]["options"]["k"] == 5
    assert made["config"]["baseline"] == "random"
    path = f"/api/simulations/{made['id']}/"
    assert admin.get(f"{path}report/").json()["code"] == "not_done"
    simulation_drive(Simulation.objects.get().pk)
    done = admin.get(path).json()
    assert done["state"] == "done", done["failure"]
    (study,) = done["summary"]["studies"]
    assert list(study["strategies"]) == ["random", "cal-k5", "cal-k10"]
    assert len(study["strategies"]["random"]["macro_f1"]) == 3
    assert "bow-logreg-b5-macro-f1.svg" in done["plots"]
    report = admin.get(f"{path}report/")
    assert b"<h1>Simulation which-one-first</h1>" in b"".join(report.streaming_content)
    assert report["Content-Disposition"].startswith("attachment;")
    assert report["Content-Security-Policy"].startswith("sandbox;")
    assert report["X-Content-Type-Options"] == "nosniff"
    lines = b"".join(admin.get(f"{path}results/").streaming_content).splitlines()
    assert len(lines) == 10
    plot = admin.get(f"{path}plots/bow-logreg-b5-macro-f1.svg/")
    assert (plot.status_code, plot["Content-Security-Policy"].split(";")[0]) == (200, "sandbox")
    assert admin.get(f"{path}plots/report.html/").status_code == 404
    verbs = list(Event.objects.filter(subject=made["id"]).order_by("pk").values_list("verb", flat=True))
    assert verbs == ["simulation_created", "simulation_done"]
    choices = admin.get(f"/api/projects/{people.project.uuid}/simulations/choices/").json()
    (model,) = [model for model in choices["models"] if model["name"] == "bow-logreg"]
    assert model["seconds_per_batch"] > 0
    (listed,) = admin.get(f"/api/projects/{people.project.uuid}/simulations/").json()
    assert (listed["id"], listed["progress"]["batches"]) == (made["id"], 10)


def test_it_names_the_bad_line_and_the_mend(admin: APIClient, people: People, files: Lines, worker: WorkerBeat) -> None:
    def errors(**changed: list[dict[str, Any]]) -> dict[str, list[str]]:
        answer = post(admin, people, {**files, **changed})
        assert answer.status_code == 400
        return dict(answer.json()["errors"])

    missing = [*files["train"][:3], {"id": "x", "text": "No label."}]
    assert 'train.jsonl line 4: "label" is missing' in errors(train=missing)["train"][0]
    twice = [*files["test"], files["test"][0]]
    assert "was already given on line 1" in errors(test=twice)["test"][0]
    both = [*files["test"], files["train"][0]]
    assert "stands in both files" in errors(test=both)["test"][0]
    new = [*files["test"], {"id": "y", "text": "New.", "label": "maybe"}]
    assert 'the label "maybe", which no line of the train file has' in errors(test=new)["test"][0]
    same = [{**line, "label": "yes"} for line in files["train"]]
    assert "Has 1 different labels" in errors(train=same)["train"][0]
    assert "The file is empty" in errors(train=[])["train"][0]
    assert Simulation.objects.count() == 0


def test_it_says_that_test_texts_are_learnt(admin: APIClient, people: People, files: Lines, worker: WorkerBeat) -> None:
    leak = {"id": "again", "text": files["train"][0]["text"], "label": "yes"}
    answer = post(admin, people, {**files, "test": [*files["test"], leak]})
    assert answer.json()["notices"] == [
        "1 of 31 test texts also stand in the train file, word for word: scores are flattered."
    ]


def test_it_names_every_fault_of_the_spec(admin: APIClient, people: People, files: Lines, worker: WorkerBeat) -> None:
    cases = [
        {"key": "a b", "name": "random"},
        {"key": "cal", "name": "cal", "options": {"k": 0}},
        {"key": "cal", "name": "cal"},
        {"key": "x", "name": "oracle"},
    ]
    answer = post(admin, people, files, strategies=cases, models=["gpt"], seeds=[1, 1], batches=1, baseline="none")
    assert set(answer.json()["errors"]) == {
        "strategies[0].key",
        "strategies[1].options.k",
        "strategies[2].key",
        "strategies[3].name",
        "models",
        "seeds",
        "batches",
        "baseline",
    }
    answer = post(admin, people, files, batch_sizes=[31], positive_labels=["perhaps"])
    assert answer.json()["errors"] == {
        "batch_sizes": ["The pool has 60 items: give 1 to 30, so that some are chosen."],
        "positive_labels": ['"perhaps" is no label of the data: there are no, yes.'],
    }


def test_it_keeps_to_its_limits(
    admin: APIClient, people: People, files: Lines, worker: WorkerBeat, settings: Settings
) -> None:
    many = [{"key": f"random-{n}", "name": "random"} for n in range(16)]
    answer = post(admin, people, files, strategies=many, seeds=list(range(20)), batch_sizes=[1], batches=60)
    assert "That is 19,201 trainings; 10,000 are the most" in answer.json()["errors"]["batches"][0]
    settings.SIMULATION_MAX_BYTES = 1000
    assert "larger than" in post(admin, people, files).json()["errors"]["train"][0]


def test_it_refuses_what_is_not_a_form_of_its_own(admin: APIClient, people: People, worker: WorkerBeat) -> None:
    path = f"/api/projects/{people.project.uuid}/simulations/"
    answer = admin.post(path, {**SPEC, "source": {"kind": "upload", "train": "/etc/passwd"}}, format="json")
    assert answer.json()["errors"] == {"train": ["Choose a file."], "test": ["Choose a file."]}
    assert admin.post(path, {"spec": "{"}, format="multipart").json()["errors"]["spec"][0].startswith("Not JSON")
    stage = admin.post(path, {**SPEC, "source": {"kind": "stage", "stage": "opinion"}}, format="json")
    assert "0 items have a usable majority label" in stage.json()["errors"]["source.stage"][0]


def test_it_refuses_a_start_while_no_worker_lives(admin: APIClient, people: People, files: Lines) -> None:
    answer = post(admin, people, files)
    assert (answer.status_code, answer.json()["code"]) == (409, "worker_down")


def test_it_takes_on_five_at_a_time(
    admin: APIClient, people: People, files: Lines, started: Callable[..., Simulation], worker: WorkerBeat
) -> None:
    for _ in range(5):
        started()
    assert post(admin, people, files).json()["code"] == "too_many"
    first = Simulation.objects.order_by("pk")[0]
    assert admin.post(f"/api/simulations/{first.uuid}/cancel/").json()["state"] == "cancelled"
    assert post(admin, people, files).status_code == 201
    again = admin.post(f"/api/simulations/{first.uuid}/cancel/")
    assert (again.status_code, again.json()["code"]) == (409, "wrong_state")
