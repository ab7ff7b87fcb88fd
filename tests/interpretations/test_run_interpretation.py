"""The worker's side of an interpretation: the real core with tiny models, and what pages read of its results."""

import json
import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.files.storage import default_storage
from pytest_django.fixtures import Settings
from rest_framework.test import APIClient

from al_worker.bridge import run_interpretation
from al_worker.bridge.after_rounds import GIVES_WAY
from al_worker.bridge.interpretation_directory import directory_of
from al_worker.bridge.run_interpretation import InterpretationRun
from annotation_app.interpretations.services import interpretation_pause, interpretation_resume
from annotation_app.models import EquivalenceEvaluation, Interpretation, Project, Round
from tests.conftest import People
from tests.interpretation.tiny_generators import tiny_bart, tiny_bert
from tests.interpretations.conftest import asked, system
from tests.rounds.starting import waiting_round
from tests.stack import command_line, descendants

__all__ = ["tiny_bart", "tiny_bert"]

pytestmark = pytest.mark.django_db(transaction=True)
Interrupt = Callable[[Interpretation, Callable[[], object]], None]
SHORT = {"beams": 1, "min_tokens": 2, "max_tokens": 12}


@pytest.fixture
def start(
    admin: APIClient,
    base: str,
    articles: Project,
    acts: EquivalenceEvaluation,
    worker: object,
    settings: Settings,
    tiny_bert: Path,
    tiny_bart: Path,
) -> Callable[..., Interpretation]:
    settings.MODELS = [f"tiny={tiny_bert}", f"tiny-bart={tiny_bart}"]

    def started(*systems: dict[str, Any]) -> Interpretation:
        body = asked(*systems, evaluations=[str(acts.uuid)], generation=SHORT)
        answer = admin.post(base, body, "json")
        assert answer.status_code == 201, answer.json()
        return Interpretation.objects.get(uuid=answer.json()["id"])

    return started


def tiny(title: str = "Tiny", **changes: Any) -> dict[str, Any]:
    return system(title=title, model="tiny", kind="transformer", max_epochs=2) | changes


def run(row: Interpretation) -> Interpretation:
    InterpretationRun.run(row.pk)
    row.refresh_from_db()
    return row


@pytest.fixture
def interrupt(monkeypatch: pytest.MonkeyPatch) -> Interrupt:
    """Does something once, when the first epoch is done."""

    def at_first_epoch(row: Interpretation, act: Callable[[], object]) -> None:
        core_process, left = run_interpretation.core_process, [act]

        def interrupted(*args: Any, **kwargs: Any) -> Iterator[Any]:
            for reported in core_process(*args, **kwargs):
                yield reported
                if left and Interpretation.objects.filter(pk=row.pk).exclude(curves={}).exists():
                    left.pop()()

        monkeypatch.setattr(run_interpretation, "core_process", interrupted)

    return at_first_epoch


def test_it_stores_what_the_pages_show(admin: APIClient, base: str, start: Callable[..., Interpretation]) -> None:
    row = run(start(tiny(), tiny("Small BART", kind="bart", model="tiny-bart", filter="oracle", augment=1)))
    assert row.state == Interpretation.State.DONE, row.failure
    assert not directory_of(row).exists()
    one = f"{base}{row.uuid}/"
    shown = admin.get(one).json()
    assert {name: [each["epoch"] for each in points] for name, points in shown["curves"].items()} == {
        "tiny": [1, 2],
        "small-bart": [1, 2],
    }
    assert (shown["progress"]["fraction"], shown["progress"]["detail"]) == (1.0, "done")
    assert {"figures.json", "record.json", "accuracy.csv", "accuracy.tex", "scored-tiny.jsonl"} <= {
        each["name"] for each in shown["files"]
    }
    results = admin.get(f"{one}results/").json()
    assert [each["name"] for each in results["systems"]] == ["tiny", "small-bart"]
    assert [each["name"] for each in results["evaluations"][0]["classes"]] == ["class 0", "class 1"]
    page: dict[str, Any] = {"system": "tiny", "limit": 1, "offset": 1}
    texts = admin.get(f"{one}generations/", page).json()
    assert texts["total"] == 2
    [text] = texts["rows"]
    assert text["source_title"] == f"Title of {text['source']}" and text["filtered"][0].startswith("The Committee")
    [reference] = text["references"]
    assert reference["linear"].startswith("[STD SENTENCE START] [REFERENCE START] It [REFERENCE END]")
    assert {span["category"] for span in reference["spans"]} == {"STD SENTENCE", "ACT", "REFERENCE"}
    assert set(text["generated"]) == {"linear", "text", "spans", "faults"}
    cells = results["systems"][0]["equivalence"]["confusion"][0]["cells"]
    for cell in cells:
        asked_for = {"positive_class": cell["positive_class"], "negative_class": cell["negative_class"]}
        query: dict[str, Any] = {"system": "tiny", "annotation": "act", "evaluation": "acts", **asked_for}
        found = admin.get(f"{one}instances/", query).json()
        assert found["total"] == cell["n"] and [each["number"] for each in found["rows"]] == cell["instances"]
        wrong = admin.get(f"{one}instances/", {**query, "mistakes": "1"}).json()
        assert wrong["total"] == cell["mistakes"] and not any(each["right"] for each in wrong["rows"])
        assert all(each["item"] and each["source_title"] for each in found["rows"])
    assert sum(cell["n"] for cell in cells) == 4
    assert admin.get(f"{one}instances/", {"system": "nobody"}).status_code == 400
    [listed] = admin.get(base).json()
    assert [each["title"] for each in listed["headline"]] == ["Tiny", "Small BART"]
    assert listed["headline"][0]["main_mean"] == results["systems"][0]["equivalence"]["main_mean"]
    compared = admin.get(f"{one}compare/", {"other": str(row.uuid)}).json()
    assert compared["same"] and len(compared["pairs"]) == 4
    assert compared["pairs"][0]["evaluations"][0]["p"] == 1.0
    body = asked(tiny(), evaluations=[results["evaluations"][0]["id"]], generation=SHORT)
    assert admin.post(f"{base}estimate/", body, "json").json()["systems"][0]["seconds"] > 0


def test_paused_or_killed_it_goes_on_from_its_checkpoint(
    people: People, start: Callable[..., Interpretation], interrupt: Interrupt
) -> None:
    whole = run(start(tiny()))
    assert whole.state == Interpretation.State.DONE, whole.failure
    row = start(tiny())
    interrupt(row, lambda: interpretation_pause(row=row, actor=people.admin.user))
    assert run(row).state == Interpretation.State.PAUSED
    assert row.curves["tiny"]
    interpretation_resume(row=row, actor=people.admin.user)
    Interpretation.objects.filter(pk=row.pk).update(curves={})
    interrupt(row, kill_core)
    assert (run(row).state, "SIGKILL" in row.failure) == (Interpretation.State.FAILED, True), row.failure
    interpretation_resume(row=row, actor=people.admin.user)
    assert run(row).state == Interpretation.State.DONE, row.failure
    assert generated(row) == generated(whole)
    assert losses(row) == losses(whole)


def kill_core() -> None:
    for pid in descendants(os.getpid()):
        if "al_worker.core interpret" in command_line(pid):
            os.kill(pid, signal.SIGKILL)


def generated(row: Interpretation) -> list[dict[str, Any]]:
    with default_storage.open(row.files.get(name="generations.jsonl").path) as file:
        return [json.loads(line) for line in file]


def losses(row: Interpretation) -> list[tuple[float, float]]:
    return [(each["train_loss"], each["valid_loss"]) for each in row.curves["tiny"]]


def test_it_gives_way_to_a_round(people: People, start: Callable[..., Interpretation], interrupt: Interrupt) -> None:
    row = start(tiny())
    interrupt(row, lambda: waiting_round(people))
    run(row)
    assert (row.state, row.progress["detail"]) == (Interpretation.State.WAITING, GIVES_WAY)
    assert InterpretationRun.waiting() == []
    Round.objects.update(state=Round.State.FAILED)
    assert [pk for pk, _ in InterpretationRun.waiting()] == [row.pk]


def test_a_model_that_is_offered_no_more_fails_it_with_the_reason(
    start: Callable[..., Interpretation], settings: Settings
) -> None:
    row = start(tiny())
    settings.MODELS = ["all-MiniLM-L6-v2"]
    assert run(row).state == Interpretation.State.FAILED
    assert "tiny is no longer on this server's list of models" in row.failure
