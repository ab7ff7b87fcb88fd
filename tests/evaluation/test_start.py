"""Start, estimate, pause, go on and cancel, as the browser meets them."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from rest_framework.test import APIClient

from annotation_app.annotation.suggestions import suggestions_set
from annotation_app.evaluation.estimate import ASSUMED_TOKENS_OUT, SUGGESTED
from annotation_app.models import (
    Batch,
    Evaluation,
    EvaluationFile,
    Event,
    Item,
    LanguageModelApproval,
    Membership,
    Prediction,
)
from tests.conftest import People
from tests.evaluation.conftest import HOST, asked
from tests.factories import make_items, publish
from tests.suggestions import SYSTEM, predicted_all


@pytest.fixture
def admin(people: People, client_of: Callable[[Membership], APIClient]) -> APIClient:
    return client_of(people.admin)


@pytest.fixture
def evaluations(people: People) -> str:
    return f"/api/projects/{people.project.uuid}/evaluations/"


@pytest.fixture
def approved(people: People, models_file: Path) -> None:
    for name in ("small", "free"):
        LanguageModelApproval.objects.create(
            project=people.project, model=name, destination=HOST, approved_by=people.admin.user
        )


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"name": "  "}, "name"),
        ({"name": "a\u0000b"}, "name"),
        ({"name": "a" * 201}, "name"),
        ({"gold": {"kind": "release"}}, "gold.number"),
        ({"gold": {"kind": "labels", "number": 1}}, "gold.number"),
        ({"gold": {"kind": "labels", "phase": 3}}, "gold.phase"),
        ({"gold": {"kind": "guesses"}}, "gold.kind"),
        ({"stages": []}, "stages"),
        ({"stages": ["opinion", "opinion"]}, "stages[1]"),
        ({"stages": ["opinion", "mood"]}, "stages[1]"),
        ({"systems": []}, "systems"),
        ({"systems": ["majority", "oracle"]}, "systems[1]"),
        ({"folds": 1}, "folds"),
        ({"examples": 21}, "examples"),
        ({"epsilon": 0.3}, "epsilon"),
        ({"limit": 0}, "limit"),
        ({"pool": -1}, "pool"),
        ({"prompts": {"opinion": 1}}, "prompts.opinion"),
        ({"prompts": {"mp": 0}}, "prompts.mp"),
        ({"seeed": 1}, "seeed"),
    ],
)
def test_faults_are_named_by_their_field(
    admin: APIClient, evaluations: str, labelled: Batch, worker: object, changes: dict[str, Any], field: str
) -> None:
    answer = admin.post(evaluations, asked(**changes), "json")
    assert answer.status_code == 400, answer.content
    assert list(answer.json()["errors"]) == [field]
    assert not Evaluation.objects.exists()


def test_it_waits_with_all_that_its_figures_depend_on(
    admin: APIClient, evaluations: str, labelled: Batch, worker: object, approved: None
) -> None:
    sent = asked(stages=["opinion", "mp_context"], systems=["majority", "people", "small"], limit=2, seed=7)
    made = admin.post(evaluations, sent, "json").json()
    assert (made["number"], made["state"], made["is_dry_run"]) == (1, "waiting", True)
    assert [(stage["key"], stage["n"]) for stage in made["stages"]] == [("opinion", 4), ("mp_context", 3)]
    spec = made["spec"]
    assert spec["kinds"] == {"majority": "majority", "people": "people", "small": "language_model"}
    prompt = spec["questions"]["opinion"]["prompt"]
    assert prompt["number"] == 0 and "Does the speaker give an opinion here?" in prompt["template"]
    assert len(prompt["sha256"]) == 64
    assert "more context than the sentence" in spec["questions"]["mp_context"]["prompt"]["template"]
    recorded = spec["language_models"]["small"]
    assert (recorded["model"], recorded["destination"], recorded["price_out"]) == ("gpt-5-nano", HOST, 10.0)
    # Two of the four items at the first stage and two of the three at the other.
    totals = {system["name"]: system["total"] for system in made["progress"]["systems"]}
    assert totals == {"majority": 7, "small": 4}
    event = Event.objects.get(verb="evaluation_created")
    assert event.data["systems"] == ["majority", "people", "small"]
    assert [each["id"] for each in admin.get(evaluations).json()] == [made["id"]]


def test_stages_of_one_title_are_told_apart_by_their_keys(
    people: People, labelled: Batch, worker: object, started: Callable[..., Evaluation]
) -> None:
    definition = people.project.codebooks.get().definition
    stages = [each | {"title": "Opinion"} if each["key"] == "mp_context" else each for each in definition["stages"]]
    publish(people.project, definition | {"stages": stages})
    titles = started(stages=["opinion", "mp_context"], systems=["majority"]).spec["titles"]
    assert titles == {
        "opinion": "Opinion (opinion)",
        "mp_context": "Opinion (mp_context)",
        "majority": "Majority class",
    }


def test_not_without_a_worker_and_not_too_many(
    admin: APIClient, evaluations: str, labelled: Batch, request: pytest.FixtureRequest
) -> None:
    assert admin.post(evaluations, asked(), "json").json()["code"] == "worker_down"
    request.getfixturevalue("worker")
    made = [admin.post(evaluations, asked(name=f"Number {number}"), "json") for number in range(4)]
    assert [answer.status_code for answer in made] == [201, 201, 201, 409]
    assert made[3].json()["code"] == "too_many"
    assert [row.number for row in Evaluation.objects.order_by("pk")] == [1, 2, 3]


def test_it_is_paused_goes_on_and_is_cancelled(
    admin: APIClient, evaluations: str, labelled: Batch, worker: object
) -> None:
    path = f"/api/evaluations/{admin.post(evaluations, asked(), 'json').json()['id']}"
    lease = Evaluation.take(Evaluation.objects.get().pk)
    assert lease is not None and lease.held().exists()
    paused = admin.post(f"{path}/pause/").json()
    assert (paused["state"], paused["finished_at"]) == ("paused", None)
    assert not lease.held().exists()
    assert Evaluation.take(lease.row_id) is None
    assert admin.post(f"{path}/pause/").json()["code"] == "wrong_state"
    assert admin.post(f"{path}/resume/").json()["state"] == "waiting"
    assert admin.post(f"{path}/resume/").json()["code"] == "wrong_state"
    assert Evaluation.take(lease.row_id) is not None
    cancelled = admin.post(f"{path}/cancel/").json()
    assert cancelled["state"] == "cancelled" and cancelled["finished_at"] is not None
    assert admin.post(f"{path}/cancel/").json()["code"] == "wrong_state"
    assert admin.post(f"{path}/resume/").json()["state"] == "waiting"
    verbs = Event.objects.filter(verb__startswith="evaluation_").order_by("pk").values_list("verb", flat=True)
    kinds = ("created", "paused", "resumed", "cancelled", "resumed")
    assert list(verbs) == [f"evaluation_{kind}" for kind in kinds]


def test_progress_counts_answers_tokens_and_money(
    admin: APIClient, evaluations: str, labelled: Batch, worker: object, approved: None
) -> None:
    made = admin.post(evaluations, asked(systems=["small", "free"]), "json").json()
    row = Evaluation.objects.get()
    row.progress = {"detail": "Asking", "systems": {"small": {"failed_requests": 3, "seconds_left": 12.5}}}
    row.save()
    answers = {"unanimous": ("yes", ""), "majority": (None, "refused"), "closed": (None, "not_json")}
    for name, (label, problem) in answers.items():
        for system in ("small", "free"):
            Prediction.objects.create(
                evaluation=row,
                system=system,
                stage="opinion",
                item=Item.objects.get(external_id=name),
                label=label,
                problem=problem,
                tokens_in=1000,
                tokens_out=100,
            )
    progress = admin.get(f"/api/evaluations/{made['id']}/").json()["progress"]
    assert progress["detail"] == "Asking"
    small, free = progress["systems"]
    # 3,000 tokens at 1 and 300 at 10 for a million.
    assert small == {
        "name": "small",
        "kind": "language_model",
        "total": 4,
        "answered": 3,
        "refused": 1,
        "not_compliant": 2,
        "failed_requests": 3,
        "tokens_in": 3000,
        "tokens_out": 300,
        "cost": pytest.approx(0.006),
        "currency": "USD",
        "seconds_left": 12.5,
    }
    assert (free["cost"], free["failed_requests"], free["seconds_left"]) == (None, 0, None)


def test_an_estimate_counts_requests_and_says_what_it_assumes(
    admin: APIClient, people: People, evaluations: str, labelled: Batch, worker: object, approved: None
) -> None:
    make_items(people.project, ["Nobody was given this.", "Nor this."], document="pool")
    template = "{labels} {sentence}"
    saved = {"stage": "opinion", "template": template, "base_number": 0}
    assert admin.post(f"/api/projects/{people.project.uuid}/prompts/", saved, "json").status_code == 201
    sent = asked(systems=["majority", "small", "free"], pool=5)
    told = admin.post(f"{evaluations}estimate/", sent, "json").json()
    [stage] = told["stages"]
    assert (stage["n"], stage["labels"]) == (4, {"yes": 3, "no": 1})
    assert {each["reason"]: each["n"] for each in stage["left_out"]} == {
        "no majority among the answers": 1,
        "a label that the codebook keeps out of learning": 1,
    }
    majority, small, free = told["systems"]
    assert (majority["requests"], majority["cost"]) == (0, 0.0)
    # Four items with gold labels and the two of the pool. A prompt is ["yes", "no"], a blank and "Text of NAME.",
    # whose names have 9, 8, 6 and 7 letters: 13 + 1 + 9 + 7.5 characters in the mean.
    assert (small["requests"], small["tokens_in"]) == (6, round(6 * 30.5 / 4))
    assert small["tokens_out"] == 6 * ASSUMED_TOKENS_OUT
    assert small["cost"] == pytest.approx((46 * 1 + 360 * 10) / 1e6)
    assert "are assumed" in small["note"]
    assert free["cost"] is None and "gives no prices" in free["note"]
    assert any("2 items" in notice for notice in told["notices"])
    assert not Evaluation.objects.exists()


def test_an_estimate_warns_of_labels_that_were_given_under_suggestions(
    admin: APIClient, evaluations: str, labelled: Batch, worker: object
) -> None:
    def notices() -> list[str]:
        return list(admin.post(f"{evaluations}estimate/", asked(), "json").json()["notices"])

    assert notices() == []
    evaluation = predicted_all(labelled)
    suggestions_set(
        batch=labelled, mode="before", evaluation=evaluation, system=SYSTEM, actor=labelled.project.created_by
    )
    assert notices() == [SUGGESTED]


def test_an_estimate_takes_the_mean_of_earlier_answers(
    admin: APIClient, evaluations: str, labelled: Batch, worker: object, approved: None
) -> None:
    admin.post(evaluations, asked(systems=["small"]), "json")
    row = Evaluation.objects.get()
    for name, tokens in (("unanimous", 10), ("closed", 20)):
        item = Item.objects.get(external_id=name)
        Prediction.objects.create(evaluation=row, system="small", stage="opinion", item=item, tokens_out=tokens)
    told = admin.post(f"{evaluations}estimate/", asked(systems=["small"], limit=2), "json").json()
    assert (told["systems"][0]["requests"], told["systems"][0]["tokens_out"]) == (2, 30)
    assert "15 tokens an answer" in told["systems"][0]["note"]


def test_figures_and_files_come_from_the_storage(
    admin: APIClient, evaluations: str, labelled: Batch, worker: object
) -> None:
    made = admin.post(evaluations, asked(), "json").json()
    path, row = f"/api/evaluations/{made['id']}/", Evaluation.objects.get()
    assert (admin.get(path).json()["figures"], admin.get(path).json()["files"]) == (None, [])
    stored = default_storage.save(f"evaluations/{row.uuid}/1/figures.json", ContentFile(b'{"seed": 0}'))
    EvaluationFile.objects.create(evaluation=row, name="figures.json", path=stored, sha256="", size=11)
    done = admin.get(path).json()
    assert (done["figures"], done["files"]) == ({"seed": 0}, [{"name": "figures.json", "size": 11}])
    file = admin.get(f"{path}files/figures.json/")
    assert b"".join(file.streaming_content) == b'{"seed": 0}'
    assert file["Content-Disposition"] == 'attachment; filename="evaluation-1-figures.json"'
    assert file["Content-Security-Policy"].startswith("sandbox;")
    assert admin.get(f"{path}files/other.json/").status_code == 404


def test_an_admin_chooses_what_adjudicators_see(
    admin: APIClient, evaluations: str, labelled: Batch, worker: object
) -> None:
    made = admin.post(evaluations, asked(systems=["majority", "bow-logreg"]), "json").json()
    path = f"/api/evaluations/{made['id']}/shown/"
    assert admin.post(path, {"systems": ["bow-logreg"]}, "json").json()["code"] == "wrong_state"
    Evaluation.objects.update(state=Evaluation.State.DONE)
    assert admin.post(path, {"systems": ["oracle"]}, "json").status_code == 400
    shown = admin.post(path, {"systems": ["bow-logreg"]}, "json").json()
    assert shown["shown_to_adjudicators"] == ["bow-logreg"]
    assert admin.post(path, {"systems": []}, "json").json()["shown_to_adjudicators"] == []
    assert Event.objects.filter(verb="evaluation_shown").count() == 2
