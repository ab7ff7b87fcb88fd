"""The worker's side of an evaluation: the real core, a real server of a small model, and a proxy that counts."""

import json
import os
import signal
from collections.abc import Callable, Iterator
from datetime import timedelta
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from django.core.files.storage import default_storage
from django.db.models.functions import Now
from pytest_django.fixtures import Settings

from al_worker.bridge import run_evaluation
from al_worker.bridge.evaluation_directory import config_build, directory_of, prediction_of
from al_worker.bridge.run_evaluation import EvaluationRun
from al_worker.core.evaluation.config import read_evaluation
from annotation_app.evaluation.selectors import evaluation_view
from annotation_app.evaluation.services import PredictionsFile, evaluation_pause, evaluation_resume
from annotation_app.models import Batch, Evaluation, LanguageModelApproval, Round, WorkerBeat
from annotation_app.refusals import Refused
from tests.agreement.tables import fill
from tests.conftest import People
from tests.evaluation.conftest import NO, said
from tests.language_model import ANSWER, Fault, FaultyProxy
from tests.rounds.starting import waiting_round
from tests.stack import command_line, descendants

Started = Callable[..., Evaluation]
YES = said("yes", "yes", "sentence")
N_YES, N_NO = 8, 12
SLOW = 0.3


@pytest.fixture
def labelled(people: People) -> Batch:
    """Twenty items, eight of them yes, all of them unanimous but the first."""
    table = {f"y{at:02}": [YES] * 3 for at in range(N_YES)} | {f"n{at:02}": [NO] * 3 for at in range(N_NO)}
    table["y00"] = [YES, YES, NO]
    return fill(people.project, people.annotators, table)


@pytest.fixture
def tiny(people: People, settings: Settings, tmp_path: Path, faulty_proxy: FaultyProxy, tiny_causal: Path) -> str:
    """An approved model that always answers yes with a confidence of 0.9."""
    path = tmp_path / "models.toml"
    path.write_text(
        f"""
        [models.tiny]
        kind = "openai"
        model = "{tiny_causal}"
        base_url = "{faulty_proxy.address}/v1"
        max_tokens = 60
        concurrency = 2
        requests_per_minute = 6000
        """
    )
    settings.LANGUAGE_MODELS = str(path)
    LanguageModelApproval.objects.create(
        project=people.project,
        model="tiny",
        destination=faulty_proxy.address.removeprefix("http://"),
        approved_by=people.admin.user,
    )
    return "tiny"


@pytest.fixture
def interrupt(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[], None]], None]:
    """Does something once, when the first answers are stored."""

    def at_first_answers(act: Callable[[], None]) -> None:
        core_process, left = run_evaluation.core_process, [act]

        def interrupted(*args: Any, **kwargs: Any) -> Iterator[Any]:
            for reported in core_process(*args, **kwargs):
                yield reported
                if left and Evaluation.objects.filter(predictions__system="tiny").exists():
                    left.pop()()

        monkeypatch.setattr(run_evaluation, "core_process", interrupted)

    return at_first_answers


def lapse(row: Evaluation) -> None:
    Evaluation.objects.filter(pk=row.pk).update(lease_until=Now() - timedelta(seconds=1))


def run(row: Evaluation) -> Evaluation:
    EvaluationRun.run(row.pk)
    row.refresh_from_db()
    return row


def file_of(row: Evaluation, name: str) -> bytes:
    with default_storage.open(row.files.get(name=name).path) as file:
        return bytes(file.read())


def asked_once(proxy: FaultyProxy) -> bool:
    prompts = [request["messages"][0]["content"] for request in proxy.requests]
    return len(prompts) == len(set(prompts)) == N_YES + N_NO


def test_the_file_of_language_models_may_have_a_relative_path(
    labelled: Batch,
    tiny: str,
    worker: WorkerBeat,
    started: Started,
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path = Path(settings.LANGUAGE_MODELS)
    monkeypatch.chdir(path.parent)
    settings.LANGUAGE_MODELS = path.name
    assert list(read_evaluation(config_build(started(systems=["majority", tiny]))).language_models) == [tiny]


def test_it_stores_figures_predictions_and_files(
    labelled: Batch, tiny: str, worker: WorkerBeat, started: Started, faulty_proxy: FaultyProxy
) -> None:
    lines = [{"id": f"y{at:02}", "stage": "opinion", "label": "yes", "model": "paper"} for at in range(N_YES)]
    imported = PredictionsFile("paper.jsonl", BytesIO("\n".join(map(json.dumps, lines)).encode()))
    row = run(started(imported, systems=["majority", "bow-logreg", "people", tiny]))
    assert row.state == Evaluation.State.DONE, row.failure
    figures = json.loads(file_of(row, "figures.json"))
    (stage,) = figures["stages"]
    accuracy = {system["name"]: system["accuracy"] for system in stage["systems"]}
    assert {name: numbers[0] for name, numbers in row.progress["counts"].items()} == {
        "majority": 20,
        "bow-logreg": 20,
        "tiny": 20,
        "paper": 8,
    }
    assert accuracy["majority"] == 12 / 20
    assert accuracy["tiny"] == 8 / 20
    assert accuracy["paper"] == 1.0
    assert (stage["n"], stage["n_unanimous"]) == (20, 19)
    assert stage["systems"][2]["by_agreement"]["majority"]["n"] == 1
    assert "random sample" in stage["systems"][2]["shares"]["reason"]
    assert [each["annotator"] for each in stage["humans"]["others"]["annotators"]]
    # People: 58 of 60 pairs agree. The model agrees with 23 of the 60 answers: (58 + 23) / 120.
    raters = {each["key"]: each for each in stage["systems"][2]["as_rater"]["statistics"]}
    assert raters["percent_agreement"]["people"] == pytest.approx(58 / 60)
    assert raters["percent_agreement"]["with_model"] == pytest.approx(81 / 120)
    assert row.predictions.filter(system="tiny", label="yes", confidence=0.9).count() == 20
    assert row.predictions.filter(system="majority", label="no").count() == 20
    assert row.predictions.filter(system="bow-logreg").count() == 20
    answer = row.predictions.filter(system="tiny").first()
    assert answer is not None and answer.prompt and json.loads(answer.raw)["label"] == "yes"
    assert b"Majority class" in file_of(row, "accuracy.csv")
    assert rb"Opinion (n = 20)" in file_of(row, "accuracy.tex")
    assert file_of(row, "reliability-opinion-tiny.svg").startswith(b"<?xml")
    answers = [json.loads(line) for line in file_of(row, "answers.jsonl").splitlines()]
    assert len(answers) == N_YES + N_NO
    assert {(each["system"], each["raw"], each["label"]) for each in answers} == {("tiny", ANSWER, "yes")}
    assert all(each["prompt"] and each["answered_at"] and each["tokens_in"] > 0 for each in answers)
    assert asked_once(faulty_proxy)
    assert not directory_of(row).exists()
    # A file that covers eight of the twenty items wins nothing.
    best = max((name for name in accuracy if name != "paper"), key=accuracy.__getitem__)
    assert evaluation_view(row).headline == [
        {"stage": "opinion", "system": best, "accuracy": accuracy[best], "n": N_YES + N_NO}
    ]
    row.predictions.filter(system="majority").delete()
    # Predictions of an evaluation that is done are not counted again.
    assert {each["name"]: each["answered"] for each in evaluation_view(row).systems}["majority"] == 20


def test_a_pause_stores_what_is_under_way_and_resuming_asks_the_rest(
    people: People,
    labelled: Batch,
    tiny: str,
    worker: WorkerBeat,
    started: Started,
    faulty_proxy: FaultyProxy,
    interrupt: Callable[[Callable[[], None]], None],
) -> None:
    row = started(systems=[tiny])
    faulty_proxy.faults += [Fault(waits=SLOW) for _ in range(40)]
    interrupt(lambda: evaluation_pause(row=row, actor=people.admin.user) and None)
    run(row)
    assert row.state == Evaluation.State.PAUSED
    assert 1 <= row.predictions.count() == len(faulty_proxy.requests) < 20
    evaluation_resume(row=row, actor=people.admin.user)
    run(row)
    assert row.state == Evaluation.State.DONE, row.failure
    assert row.predictions.count() == 20
    assert asked_once(faulty_proxy)


def test_a_killed_core_loses_only_requests_under_way(
    people: People,
    labelled: Batch,
    tiny: str,
    worker: WorkerBeat,
    started: Started,
    faulty_proxy: FaultyProxy,
    interrupt: Callable[[Callable[[], None]], None],
) -> None:
    row = started(systems=[tiny])
    faulty_proxy.faults += [Fault(waits=SLOW) for _ in range(40)]

    def kill() -> None:
        for pid in descendants(os.getpid()):
            if "al_worker.core evaluate" in command_line(pid):
                os.kill(pid, signal.SIGKILL)

    interrupt(kill)
    run(row)
    assert row.state == Evaluation.State.FAILED
    assert "SIGKILL" in row.failure
    stored = set(row.predictions.values_list("prompt", flat=True))
    asked_before = len(faulty_proxy.requests)
    assert 1 <= len(stored) < 20
    evaluation_resume(row=row, actor=people.admin.user)
    run(row)
    assert row.state == Evaluation.State.DONE, row.failure
    again = [request["messages"][0]["content"] for request in faulty_proxy.requests[asked_before:]]
    assert len(again) == 20 - len(stored)
    assert not stored & set(again)


def test_answers_that_a_lost_worker_left_in_its_file_are_stored_first(
    labelled: Batch,
    tiny: str,
    worker: WorkerBeat,
    started: Started,
    faulty_proxy: FaultyProxy,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The first worker ends before it stores anything, though the core wrote every answer."""

    class Died(Exception):
        pass

    row = started(systems=[tiny])
    with monkeypatch.context() as patched:

        def die(self: EvaluationRun) -> int:
            if (directory_of(row) / "results/figures.json").exists():
                raise Died
            return 0

        patched.setattr(EvaluationRun, "answers_store", die)
        with pytest.raises(Died):
            run(row)
    assert row.predictions.count() == 0
    lapse(row)
    run(row)
    assert row.state == Evaluation.State.DONE, row.failure
    assert row.predictions.count() == 20
    assert asked_once(faulty_proxy)


def test_a_wrong_key_fails_it_with_the_reason_and_keeps_answers(
    people: People, labelled: Batch, tiny: str, worker: WorkerBeat, started: Started, faulty_proxy: FaultyProxy
) -> None:
    row = started(systems=[tiny])
    faulty_proxy.faults += [Fault(), Fault(), Fault(), Fault(), Fault(status=401)]
    run(row)
    assert row.state == Evaluation.State.FAILED
    assert "the provider does not accept the key" in row.failure
    kept = row.predictions.count()
    assert 4 <= kept < 20
    evaluation_resume(row=row, actor=people.admin.user)
    run(row)
    assert (row.state, row.predictions.count()) == (Evaluation.State.DONE, 20), row.failure


def test_texts_go_nowhere_without_an_approval_of_the_present_destination(
    people: People, labelled: Batch, tiny: str, worker: WorkerBeat, started: Started, faulty_proxy: FaultyProxy
) -> None:
    row = started(systems=[tiny])
    # As where the operator points the model elsewhere while the evaluation waits.
    LanguageModelApproval.objects.update(destination="elsewhere.example")
    assert run(row).state == Evaluation.State.FAILED
    assert "an admin has to approve that first" in row.failure
    assert faulty_proxy.requests == []


def test_one_that_is_done_asks_again_for_what_failed_each_time(
    people: People, labelled: Batch, tiny: str, worker: WorkerBeat, started: Started, faulty_proxy: FaultyProxy
) -> None:
    row = started(systems=[tiny])
    faulty_proxy.unavailable.append("Text of y00.")
    run(row)
    assert (row.state, row.progress["n_unanswered"]) == (Evaluation.State.DONE, 1), row.failure
    assert row.predictions.filter(system=tiny).count() == N_YES + N_NO - 1
    faulty_proxy.unavailable.clear()
    evaluation_resume(row=row, actor=people.admin.user)
    assert not row.files.exists()
    run(row)
    assert (row.state, row.progress["n_unanswered"]) == (Evaluation.State.DONE, 0)
    assert row.predictions.filter(system=tiny).count() == N_YES + N_NO
    with pytest.raises(Refused, match="lacks answers"):
        evaluation_resume(row=row, actor=people.admin.user)


def test_an_answer_whose_server_has_a_long_name_is_stored_all_the_same() -> None:
    line = {"stage": "opinion", "label": "yes", "confidence": 0.9, "model": "m" * 400, "raw": "r" * 400}
    row = prediction_of(Evaluation(), "tiny", line, 1)
    row.clean_fields(exclude=["evaluation", "item", "tokens_in", "tokens_out", "seconds"])
    assert (row.model, row.raw) == ("m" * 300, "r" * 400)


def test_an_empty_account_fails_it_in_a_plain_sentence_and_keeps_answers(
    people: People, labelled: Batch, tiny: str, worker: WorkerBeat, started: Started, faulty_proxy: FaultyProxy
) -> None:
    row = started(systems=[tiny])
    # The client tries 429 again, whatever it stands for.
    empty = Fault(status=429, error={"code": "insufficient_quota"}, headers={"retry-after-ms": "1"})
    faulty_proxy.faults += [Fault(), Fault(), *[empty] * 40]
    run(row)
    assert row.state == Evaluation.State.FAILED
    assert row.failure == "tiny: the provider's account has no money left."
    kept = row.predictions.count()
    assert 2 <= kept < 20
    faulty_proxy.faults.clear()
    evaluation_resume(row=row, actor=people.admin.user)
    run(row)
    assert (row.state, row.predictions.count()) == (Evaluation.State.DONE, 20), row.failure


def test_it_gives_way_to_a_round_and_goes_on_after_it(
    people: People,
    labelled: Batch,
    tiny: str,
    worker: WorkerBeat,
    started: Started,
    faulty_proxy: FaultyProxy,
    interrupt: Callable[[Callable[[], None]], None],
) -> None:
    row = started(systems=[tiny])
    faulty_proxy.faults += [Fault(waits=SLOW) for _ in range(40)]
    interrupt(lambda: waiting_round(people) and None)
    run(row)
    assert (row.state, row.progress["detail"]) == (Evaluation.State.WAITING, run_evaluation.GIVES_WAY)
    stored = row.predictions.count()
    assert 1 <= stored == len(faulty_proxy.requests) < 20
    # A worker that is told of it again leaves it, and so does one that looks for work.
    run(row)
    assert (len(faulty_proxy.requests), EvaluationRun.waiting()) == (stored, [])
    Round.objects.update(state=Round.State.FAILED)
    faulty_proxy.faults.clear()
    assert [pk for pk, _ in EvaluationRun.waiting()] == [row.pk]
    run(row)
    assert (row.state, row.predictions.count()) == (Evaluation.State.DONE, 20), row.failure
    assert asked_once(faulty_proxy)


def test_a_dry_run_asks_about_so_many_items_and_says_so(
    labelled: Batch, tiny: str, worker: WorkerBeat, started: Started, faulty_proxy: FaultyProxy
) -> None:
    row = run(started(systems=["majority", tiny], limit=5))
    assert row.state == Evaluation.State.DONE, row.failure
    assert len(faulty_proxy.requests) == row.predictions.filter(system=tiny).count() == 5
    (stage,) = json.loads(file_of(row, "figures.json"))["stages"]
    assert [(each["name"], each["n"]) for each in stage["systems"]] == [("majority", 20), ("tiny", 5)]
    view = evaluation_view(row)
    assert view.is_dry_run
    assert {each["name"]: (each["answered"], each["total"]) for each in view.systems}[tiny] == (5, 5)
