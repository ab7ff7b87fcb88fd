"""The worker's side of a simulation, with the real core in processes of its own."""

import json
import os
import signal
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.core.files.storage import default_storage
from django.db.models.functions import Now

from al_worker.bridge import run_simulation
from al_worker.bridge.process import CoreStopped
from al_worker.bridge.run_simulation import SimulationRun
from al_worker.bridge.simulation_directory import config_text, directory_of, model_keys, results_of
from annotation_app.models import Round, Simulation, WorkerBeat
from annotation_app.simulations.services import simulation_cancel, simulation_restart
from annotation_app.simulations.spec import Case
from tests.conftest import People
from tests.rounds.starting import waiting_round
from tests.stack import command_line, descendants

Started = Callable[..., Simulation]
Interrupt = Callable[[Callable[[], None]], None]

# Two cells of six batches.
SMALL: dict[str, Any] = {"batches": 6, "seeds": [1], "full_supervision": "none"}


class Died(Exception):
    """What nobody has foreseen ends the worker's task."""


def lapse(row: Simulation) -> None:
    Simulation.objects.filter(pk=row.pk).update(lease_until=Now() - timedelta(seconds=1))


def results(row: Simulation) -> list[dict[str, Any]]:
    with default_storage.open(row.files.get(name="results.jsonl").path) as file:
        return [json.loads(line) for line in file.read().splitlines()]


@pytest.fixture
def interrupt(monkeypatch: pytest.MonkeyPatch) -> Interrupt:
    """Does something once, in the middle of a run: when the real core has finished its third batch."""

    def at_third_batch(act: Callable[[], None]) -> None:
        core_process, left = run_simulation.core_process, [act]

        def interrupted(*args: Any, **kwargs: Any) -> Iterator[Any]:
            for said in core_process(*args, **kwargs):
                if left and Simulation.objects.filter(progress__batches__gte=3).exists():
                    left.pop()()
                yield said

        monkeypatch.setattr(run_simulation, "core_process", interrupted)

    return at_third_batch


def test_it_steps_aside_for_a_round_and_goes_on_after_it(
    people: People, started: Started, worker: WorkerBeat, interrupt: Interrupt
) -> None:
    row = started(**SMALL)
    undisturbed = started(**SMALL)
    assert SimulationRun.waiting() == [(row.pk, 0)]
    rounds: list[Round] = []
    interrupt(lambda: rounds.append(waiting_round(people)))
    SimulationRun.run(row.pk)
    row.refresh_from_db()
    assert row.state == Simulation.State.WAITING, row.failure
    assert row.lease_until is None
    assert row.progress["detail"] == "Rounds go first: it goes on after the round."
    assert 3 <= row.progress["batches"] < row.progress["trainings"] == 12
    assert sum(len(curve["n_labeled"]) for curve in row.curves) >= 1
    assert SimulationRun.waiting() == []
    SimulationRun.run(row.pk)
    row.refresh_from_db()
    assert row.attempt == 1, "it was not even taken while the round waits"
    Round.objects.filter(pk=rounds[0].pk).update(state=Round.State.ANNOTATING)
    assert SimulationRun.waiting() == [(row.pk, 1)]
    SimulationRun.run(row.pk)
    row.refresh_from_db()
    assert (row.state, row.attempt) == (Simulation.State.DONE, 2), row.failure
    SimulationRun.run(undisturbed.pk)
    assert results(row) == results(undisturbed)
    assert not directory_of(row).exists()


def test_it_is_cancelled_and_restarted_where_it_stopped(
    people: People, started: Started, worker: WorkerBeat, interrupt: Interrupt
) -> None:
    row = started(**SMALL)
    interrupt(lambda: simulation_cancel(row=row, actor=people.admin.user))
    SimulationRun.run(row.pk)
    row.refresh_from_db()
    assert (row.state, row.attempt) == (Simulation.State.CANCELLED, 1)
    cells = results_of(row) / "cells"
    before = sum(path.read_bytes().count(b"\n") for path in cells.glob("*/lines.jsonl"))
    assert 3 <= before < 12
    simulation_restart(row=row, actor=people.admin.user)
    assert results_of(row).is_dir()
    SimulationRun.run(row.pk)
    row.refresh_from_db()
    assert (row.state, len(results(row))) == (Simulation.State.DONE, 12)


def test_it_goes_on_after_its_worker_was_lost_but_not_for_ever(
    people: People, started: Started, worker: WorkerBeat
) -> None:
    row = started(**SMALL)
    for _ in range(3):
        assert Simulation.take(row.pk) is not None
        lapse(row)
    SimulationRun.run(row.pk)
    row.refresh_from_db()
    assert row.state == Simulation.State.FAILED
    assert "stopped 3 times" in row.failure and "more memory" in row.failure
    simulation_restart(row=row, actor=people.admin.user)
    SimulationRun.run(row.pk)
    row.refresh_from_db()
    assert row.state == Simulation.State.DONE, row.failure


def test_workers_are_counted_since_the_last_finished_batch(
    people: People, started: Started, worker: WorkerBeat, interrupt: Interrupt
) -> None:
    """The first worker is lost after its third batch, which two more then fail to go on from."""

    def die() -> None:
        raise Died

    row = started(**SMALL)
    for _ in range(2):
        assert Simulation.take(row.pk) is not None
        lapse(row)
    interrupt(die)
    with pytest.raises(Died):
        SimulationRun.run(row.pk)
    lapse(row)
    for _ in range(2):
        lease = Simulation.take(row.pk)
        row.refresh_from_db()
        assert lease is not None and lease.spent(row) == ""
        lapse(row)
    SimulationRun.run(row.pk)
    row.refresh_from_db()
    assert (row.state, row.attempt) == (Simulation.State.FAILED, 6)
    assert "stopped 3 times" in row.failure and "Died" in row.failure


def test_it_goes_on_after_somebody_stopped_the_core(
    people: People, started: Started, worker: WorkerBeat, interrupt: Interrupt
) -> None:
    """A machine that shuts down sends TERM to every process, and the core may be the first to end."""
    row = started(**SMALL)

    def terminate() -> None:
        for pid in descendants(os.getpid()):
            if "al_worker.core simulate" in command_line(pid):
                os.kill(pid, signal.SIGTERM)

    interrupt(terminate)
    with pytest.raises(CoreStopped, match="SIGTERM"):
        SimulationRun.run(row.pk)
    row.refresh_from_db()
    assert (row.state, row.failure) == (Simulation.State.RUNNING, "")
    lapse(row)
    assert SimulationRun.waiting() == [(row.pk, 1)]
    SimulationRun.run(row.pk)
    row.refresh_from_db()
    assert (row.state, row.attempt, len(results(row))) == (Simulation.State.DONE, 2, 12), row.failure


def test_it_records_why_it_failed_and_starts_anew(
    people: People, started: Started, worker: WorkerBeat, settings: Any
) -> None:
    settings.MODELS = [*settings.MODELS, "broken=/nowhere/at/all"]
    row = started(models=["broken"])
    SimulationRun.run(row.pk)
    row.refresh_from_db()
    assert row.state == Simulation.State.FAILED
    assert "/nowhere/at/all" in row.failure
    settings.MODELS = [*settings.MODELS[:-1], "broken=bow-logreg"]
    first = directory_of(row)
    row = simulation_restart(row=row, actor=people.admin.user, anew=True)
    assert directory_of(row) != first
    settings.MODELS = settings.MODELS[:-1]
    SimulationRun.run(row.pk)
    row.refresh_from_db()
    assert row.failure == "broken is no longer on this server's list of models (QUORUM_MODELS): add it, or cancel."


def test_it_fails_at_once_where_its_files_are_gone(
    people: People, worker: WorkerBeat, started: Callable[..., Simulation]
) -> None:
    row = started()
    default_storage.delete(row.files.get(name="train.jsonl").path)
    SimulationRun.run(row.pk)
    row.refresh_from_db()
    assert (row.state, row.attempt) == (Simulation.State.FAILED, 1)
    assert "No such file" in row.failure and "train.jsonl" in row.failure
    assert SimulationRun.waiting() == []


def test_it_writes_the_configuration_that_the_core_reads() -> None:
    config = {
        "strategies": [Case("n-gram.2", "ngram_density", {"j": 2}).__dict__],
        "models": ["bow-logreg"],
        "seeds": [1],
        "batch_sizes": [5],
        "batches": 3,
        "full_supervision_seeds": [],
        "baseline": "n-gram.2",
        "positive_labels": ["yes"],
    }
    text = config_text(config)
    assert '[strategies."n-gram.2"]\nname = "ngram_density"\nj = 2\n' in text
    assert '[models.bow-logreg]\nname = "bow-logreg"\n' in text
    keys = model_keys(["answerdotai/ModernBERT-base", "mine/ModernBERT-base", "a__b"])
    assert list(keys) == ["ModernBERT-base", "model-2", "model-3"]
