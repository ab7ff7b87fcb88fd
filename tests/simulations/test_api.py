"""Start, refusals, downloads and roles, as the browser meets them."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from pytest_django.fixtures import Settings
from rest_framework.test import APIClient

from al_worker.bridge.run_simulation import SimulationRun
from annotation_app.models import Event, Membership, Simulation, WorkerBeat
from annotation_app.simulations.selectors import same_order
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
    sent = {name: (f"my-{name}.jsonl", jsonl(lines)) for name, lines in files.items()}
    return post_files(client, people, sent, **changes)


def post_files(client: APIClient, people: People, files: dict[str, tuple[str, bytes]], **changes: Any) -> Any:
    form: dict[str, Any] = {name: SimpleUploadedFile(*file) for name, file in files.items()}
    form["spec"] = json.dumps({**SPEC, **changes})
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
    SimulationRun.run(Simulation.objects.get().pk)
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
    for kind, media_type in (("svg", "image/svg+xml"), ("png", "image/png"), ("pdf", "application/pdf")):
        plot = admin.get(f"{path}plots/bow-logreg-b5-macro-f1.{kind}/")
        assert (plot.status_code, plot["Content-Type"]) == (200, media_type)
        assert plot["Content-Security-Policy"].startswith("sandbox;")
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
    assert 'Line 4: "label" is missing' in errors(train=missing)["train"][0]
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


def table(lines: list[dict[str, Any]]) -> bytes:
    rows = "".join(f'{line["id"]};"{line["text"]}";{line["label"]};{n % 2}\r\n' for n, line in enumerate(lines))
    return f"sep=;\r\nID;Sentence;Label;half\r\n{rows}".encode("utf-16")


def test_it_takes_tables_and_arrays_as_an_import_does(
    admin: APIClient, people: People, files: Lines, worker: WorkerBeat
) -> None:
    """The table's first line names the delimiter, so that item n stands on line n + 3 (from 0)."""
    train, test = table(files["train"]), json.dumps(files["test"], indent=1).encode()
    made = post_files(admin, people, {"train": ("mine.csv", train), "test": ("held.json", test)})
    assert made.status_code == 201, made.content
    assert made.json()["texts"]["train"] == {"n": 60, "class_counts": {"no": 30, "yes": 30}}
    assert made.json()["texts"]["files"] == {"train": "mine.csv", "test": "held.json"}
    SimulationRun.run(Simulation.objects.get().pk)
    assert Simulation.objects.get().state == "done"
    parts = {"parts": [{"key": "half", "field": "half", "value": "1"}]}
    swapped = {"train": ("mine.json", test), "test": ("held.csv", train)}
    assert post_files(admin, people, swapped, **parts).status_code == 201
    twice = table([*files["train"], files["train"][0]])
    answer = post_files(admin, people, {"train": ("mine.csv", twice), "test": ("held.json", test)})
    assert "Line 63: id" in answer.json()["errors"]["train"][0]
    assert "was already given on line 3" in answer.json()["errors"]["train"][0]


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("book.xls", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "This is an old Excel, Word or PowerPoint file"),
        ("talk.pdf", b"%PDF-1.7", "This is a PDF document"),
        ("a.csv", b"id,text,answer\na,x,yes\n", "label: Missing column 'label'. Columns found: id, text, answer"),
        ("a.csv", b"id,text,label\na,x,yes\nb,,no\nc,x\n", "Line 3: text: Empty text"),
        ("a.json", b'[{"id": "a", "text": "x", "label": "yes"},\n{"id": }]', "Line 2: Malformed JSON"),
        ("a.jsonl", b'{"id": "a", "text": "x", "label": "yes"}\n{"id": }\n', "Line 2: Malformed JSON"),
    ],
)
def test_a_file_that_is_none_is_named(
    admin: APIClient, people: People, files: Lines, worker: WorkerBeat, name: str, content: bytes, told: str
) -> None:
    sent = {"train": (name, content), "test": ("held.jsonl", jsonl(files["test"]))}
    answer = post_files(admin, people, sent)
    assert answer.status_code == 400
    assert told in answer.json()["errors"]["train"][0]


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


REPORT: dict[str, Any] = {
    "strategies": [{"key": "random", "name": "random"}, {"key": "entropy", "name": "entropy"}],
    "parts": [{"key": "real", "field": "silver", "value": False}],
    "string_test": {"phrases": ["strongly BELIEVE"], "label": "yes", "otherwise": "no"},
    "primary": "entropy",
    "primary_part": "real",
    "first_batch_in_area": False,
}


def test_it_reports_parts_references_and_the_comparison_named_beforehand(
    admin: APIClient, people: People, files: Lines, worker: WorkerBeat
) -> None:
    """The first 12 of 30 test lines are the part, "no" and "yes" in turn; the phrase stands in every "yes"."""
    test = [{**line, "silver": n >= 12} for n, line in enumerate(files["test"])]
    made = post(admin, people, {**files, "test": test}, **REPORT).json()
    assert made["config"]["parts"] == REPORT["parts"]
    SimulationRun.run(Simulation.objects.get().pk)
    done = admin.get(f"/api/simulations/{made['id']}/").json()
    assert done["state"] == "done", done["failure"]
    summary = done["summary"]
    assert summary["parts"] == {"real": 12} and summary["area_includes_first_batch"] is False
    assert summary["references"]["string test"] == {"": 1.0, "real": 1.0}
    (study,) = summary["studies"]
    named = [d for part in (study, study["parts"]["real"]) for d in part["differences"] if d["primary"]]
    assert [(d["strategy"], d["against"], d["measure"]) for d in named] == [("entropy", "random", "area_under_curve")]
    assert named[0] in study["parts"]["real"]["differences"]
    assert len(study["strategies"]["entropy"]["n_not_informative"]) == 3


def test_it_names_what_is_wrong_with_the_report(
    admin: APIClient, people: People, files: Lines, worker: WorkerBeat
) -> None:
    def errors(**changes: Any) -> dict[str, list[str]]:
        answer = post(admin, people, files, **{**REPORT, "parts": [], "primary_part": "", **changes})
        assert answer.status_code == 400, answer.content
        return dict(answer.json()["errors"])

    assert errors(parts=REPORT["parts"]) == {"parts[0].value": ['No line of the test file has "silver" = false.']}
    twice = [*REPORT["parts"], {"key": "real", "field": "label", "value": "yes"}]
    assert set(errors(parts=twice)) == {"parts[1].key"}
    assert set(errors(parts=[{"key": "x", "field": "label", "value": 0.5}])) == {"parts.0.value"}
    assert set(errors(primary="random")) == {"primary"}
    assert set(errors(primary_part="real")) == {"primary_part"}
    assert set(errors(string_test={"phrases": [""], "label": "yes", "otherwise": "no"})) == {"string_test.phrases"}
    unknown = errors(string_test={"phrases": ["believe"], "label": "maybe", "otherwise": "no"})
    assert unknown == {"string_test.label": ['"maybe" is no label of the data: there are no, yes.']}
    assert Simulation.objects.count() == 0


def test_it_leaves_out_what_is_missing_where_that_is_asked(
    admin: APIClient, people: People, files: Lines, worker: WorkerBeat
) -> None:
    """One more line has no label; one more has NA, which stays a label that is told where nothing is asked."""
    lines = {**files, "train": [*files["train"], {"id": "a", "text": "Not answered.", "label": "NA"}]}
    told = post(admin, people, lines).json()
    assert told["texts"]["train"]["class_counts"] == {"NA": 1, "no": 30, "yes": 30}
    assert [notice[:63] for notice in told["notices"]] == [
        "train.jsonl: Counted as labels, though they look like marks for"
    ]
    usual = admin.get(f"/api/projects/{people.project.uuid}/simulations/choices/").json()["missing_marks"]
    lines["train"].append({"id": "b", "text": "Blank.", "label": None})
    assert post(admin, people, lines).status_code == 400
    source = {"kind": "upload", "missing": usual}
    made = post(admin, people, lines, source=source).json()
    assert made["texts"]["train"] == {"n": 60, "class_counts": {"no": 30, "yes": 30}}
    (notice,) = made["notices"]
    assert notice == (
        "train.jsonl: 2 lines hold a mark for missing (a blank cell: 1, NA: 1) and are left out: lines 61, 62."
    )
    row = Simulation.objects.get(uuid=made["id"])
    SimulationRun.run(row.pk)
    summary = admin.get(f"/api/simulations/{made['id']}/").json()["summary"]
    assert summary["full_supervision"]["bow-logreg"]["class_counts"] == {"no": 30, "yes": 30}


def test_it_keeps_to_its_limits(
    admin: APIClient, people: People, files: Lines, worker: WorkerBeat, settings: Settings
) -> None:
    many = [{"key": f"random-{n}", "name": "random"} for n in range(16)]
    answer = post(admin, people, files, strategies=many, seeds=list(range(20)), batch_sizes=[1], batches=60)
    assert "That is 19,201 trainings; 10,000 are the most" in answer.json()["errors"]["batches"][0]
    settings.SIMULATION_MAX_BYTES = 1000
    assert "Larger than" in post(admin, people, files).json()["errors"]["train"][0]


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


@pytest.mark.parametrize(
    ("labels", "named", "same"),
    [
        (("no", "yes"), ["random", "entropy", "cal", "breaking_ties"], ["1", "3"]),
        (("no", "yes", "other"), ["entropy", "breaking_ties"], []),
        (("no", "yes"), ["entropy", "random"], []),
    ],
)
def test_with_two_labels_it_names_the_strategies_of_one_order(
    labels: tuple[str, ...], named: list[str], same: list[str]
) -> None:
    cases = [{"key": str(place), "name": name} for place, name in enumerate(named)]
    row = Simulation(data={"train": {"class_counts": dict.fromkeys(labels, 1)}}, config={"strategies": cases})
    assert same_order(row) == same
