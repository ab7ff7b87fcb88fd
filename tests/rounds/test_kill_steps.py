"""kill -9 of the model process in each step: the next worker waits for the lease, then goes on and
chooses the very same items."""

import os
import shutil
import signal
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from django.db.models.functions import Now

from al_worker.bridge import process
from al_worker.bridge.directory import directory_build
from al_worker.bridge.run_round import RoundRun
from al_worker.formats.run_directory import read_selected
from annotation_app.models import BatchItem, Round, WorkerBeat
from annotation_app.rounds.spec import RoundSpec
from tests.conftest import People
from tests.labels import NO, YES, label_batch
from tests.rounds.starting import opened, start

STEPS = ("encode", "train", "score", "select")


def killed_in(row: Round, step: str, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs the core as the worker does and kills it at the first word of the step."""
    pids: list[int] = []
    popen = process.subprocess.Popen

    def remembered(*args: object, **kwargs: object) -> object:
        child = popen(*args, **kwargs)
        pids.append(child.pid)
        return child

    monkeypatch.setattr(process.subprocess, "Popen", remembered)
    with pytest.raises(process.CoreFailed, match="SIGKILL"):
        for progress in process.core_process(directory_build(row), cache=cache, tick=1.0):
            if progress is not None and progress.step == step:
                os.kill(pids[0], signal.SIGKILL)
    monkeypatch.undo()


def chosen_undisturbed(row: Round, directory: Path, cache: Path) -> list[tuple[str, float]]:
    """What the same files give where nothing is killed."""
    shutil.copytree(directory_build(row), directory)
    for _ in process.core_process(directory, cache=cache, tick=60.0):
        pass
    return [(chosen.id, chosen.score) for chosen in read_selected(directory / "selected.jsonl")]


@pytest.mark.parametrize("step", STEPS)
def test_it_goes_on_after_a_kill_in_any_step(
    step: str,
    people: People,
    texts: list[str],
    worker: WorkerBeat,
    spec: Callable[..., RoundSpec],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    first = opened(people, spec())
    label_batch(first.batch, lambda member, item: YES if "rates" in item.text or "policy" in item.text else NO)
    row = start(people, spec(strategy="entropy", model="all-MiniLM-L6-v2"))
    undisturbed = chosen_undisturbed(row, tmp_path / "copy", tmp_path / "other cache")
    killed_in(row, step, tmp_path / "cache", monkeypatch)
    assert Round.take(row.pk) is not None
    RoundRun.run(row.pk)
    row.refresh_from_db()
    assert row.state == Round.State.DRAFT, "the dead worker's lease still holds"
    Round.objects.filter(pk=row.pk).update(lease_until=Now() - timedelta(seconds=1))
    RoundRun.run(row.pk)
    row.refresh_from_db()
    assert (row.state, row.attempt) == (Round.State.ANNOTATING, 2), row.failure
    chosen = BatchItem.objects.filter(batch=row.batch).order_by("rank").select_related("item")
    assert [(item.item.external_id, item.score) for item in chosen] == undisturbed
