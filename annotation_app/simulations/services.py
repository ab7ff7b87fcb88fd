"""Start, cancel and restart a simulation: what an admin does."""

import tempfile
import uuid
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, BinaryIO, cast

from django.core.files.uploadedfile import UploadedFile
from django.db import connection, transaction

from al_worker.formats.simulation import TEST, TRAIN
from al_worker.formats.strategies import check_options
from annotation_app.ingest.source import Source
from annotation_app.models import Project, Simulation, SimulationFile, User, WorkerBeat, event_write
from annotation_app.projects.writable import writable_lock
from annotation_app.refusals import Invalid, Refused
from annotation_app.simulations.data import Files, StageSource, files_check, stage_draw, upload_write
from annotation_app.simulations.spec import MAX_TRAININGS, Errors, SimulationSpec, amount, spec_faults
from annotation_app.storage import StoredFile, stored_files

MAX_UNFINISHED = 5


@dataclass(frozen=True)
class Uploads:
    """Hold two labelled files as sent. Lines whose label is a mark for missing are left out."""

    train: UploadedFile
    test: UploadedFile
    missing: frozenset[str] = frozenset()


def simulation_create(
    *, project: Project, spec: SimulationSpec, source: StageSource | Uploads, actor: User
) -> Simulation:
    """Create a simulation that waits for the worker, with its data in the storage.

    Raises Invalid for bad input and Refused where the worker or the project is not ready for it.
    """
    ready_check(project)
    faults = spec_faults(spec)
    if faults:
        raise Invalid(faults)
    with tempfile.TemporaryDirectory() as folder:
        files = data_make(Path(folder), project, source)
        faults = data_faults(spec, files)
        if faults:
            raise Invalid(faults)
        return simulation_write(project=project, spec=spec, files=files, actor=actor)


def ready_check(project: Project) -> None:
    """Raise Refused. Within a transaction, two admins at once are counted one after the other."""
    if down := WorkerBeat.down_text(Simulation.QUEUE, "start the simulation"):
        raise Refused("worker_down", down)
    if connection.in_atomic_block:
        writable_lock(project.pk)
    unfinished = project.simulations.filter(state__in=Simulation.WORKING_STATES).count()
    if unfinished >= MAX_UNFINISHED:
        detail = f"{unfinished} simulations of this project wait or run: cancel one, or let one finish."
        raise Refused("too_many", detail)


def data_make(folder: Path, project: Project, source: StageSource | Uploads) -> Files:
    if isinstance(source, StageSource):
        return stage_draw(folder, project, source)
    for name, upload in ((TRAIN, source.train), (TEST, source.test)):
        upload_write(folder / name, Source(upload.name or name, file=cast(BinaryIO, upload.file)))
    names = {"train": source.train.name or TRAIN, "test": source.test.name or TEST}
    return files_check(folder, names, source.missing)


def data_faults(spec: SimulationSpec, files: Files) -> Errors:
    """Return the faults of the spec that only the data show."""
    errors: Errors = {}
    most = files.n_train // 2
    if max(spec.batch_sizes) > most or min(spec.batch_sizes) < 1:
        errors["batch_sizes"] = [f"The pool has {files.n_train:,} items: give 1 to {most:,}, so that some are chosen."]
    labels = files.about["train"]["class_counts"]
    unknown = [label for label in spec.positive_labels if label not in labels]
    if unknown:
        errors["positive_labels"] = [f'"{unknown[0]}" is no label of the data: there are {", ".join(labels)}.']
    errors |= files.part_faults(spec.parts)
    if spec.string_test is not None:
        for name in ("label", "otherwise"):
            if (given := getattr(spec.string_test, name)) not in labels:
                errors[f"string_test.{name}"] = [f'"{given}" is no label of the data: there are {", ".join(labels)}.']
    if not errors and (trainings := amount(spec, files.n_train).trainings) > MAX_TRAININGS:
        errors["batches"] = [
            f"That is {trainings:,} trainings; {MAX_TRAININGS:,} are the most. Take fewer seeds, strategies or batches."
        ]
    return errors


def simulation_write(*, project: Project, spec: SimulationSpec, files: Files, actor: User) -> Simulation:
    public_id = uuid.uuid4()
    with stored_files(f"simulations/{public_id}", [files.folder / TRAIN, files.folder / TEST]) as stored:
        return row_write(public_id=public_id, project=project, spec=spec, files=files, stored=stored, actor=actor)


@transaction.atomic
def row_write(
    *,
    public_id: uuid.UUID,
    project: Project,
    spec: SimulationSpec,
    files: Files,
    stored: list[StoredFile],
    actor: User,
) -> Simulation:
    ready_check(project)
    work = amount(spec, files.n_train)
    row = Simulation.objects.create(
        uuid=public_id,
        project=project,
        name=spec.name.strip(),
        config=config_of(spec, files),
        data=files.about,
        notices=files.notices,
        progress={"fraction": 0.0, "detail": "", "seconds": 0.0, "batches": 0, "trainings": work.trainings},
        created_by=actor,
    )
    SimulationFile.objects.bulk_create(SimulationFile(simulation=row, **asdict(file)) for file in stored)
    event_write(
        verb="simulation_created",
        project=project,
        actor_id=actor.pk,
        subject=row.uuid,
        name=row.name,
        files={file.name: file.sha256 for file in stored},
    )
    row.enqueue()
    return row


def config_of(spec: SimulationSpec, files: Files) -> dict[str, Any]:
    """Return the stored part of the spec: options with their defaults, so that a later default changes nothing."""
    cases = [asdict(case) | {"options": check_options(case.name, case.options)} for case in spec.strategies]
    return {
        "strategies": cases,
        "models": list(spec.models),
        "seeds": list(spec.seeds),
        "batch_sizes": list(spec.batch_sizes),
        "batches": spec.batches,
        "full_supervision_seeds": spec.full_supervision_seeds,
        "baseline": spec.baseline_used,
        "positive_labels": list(spec.positive_labels or files.positive_labels),
        "missing": sorted(files.missing),
        "parts": [asdict(part) for part in spec.parts],
        "string_test": None if spec.string_test is None else asdict(spec.string_test),
        "primary": spec.primary,
        "primary_part": spec.primary_part,
        "first_batch_in_area": spec.first_batch_in_area,
    }


@transaction.atomic
def simulation_restart(*, row: Simulation, actor: User, anew: bool = False) -> Simulation:
    """Restart a failed or cancelled simulation after its last finished batch, or `anew` from the beginning."""
    ready_check(row.project)
    row = Simulation.objects.select_for_update().get(pk=row.pk)
    if row.state not in (Simulation.State.FAILED, Simulation.State.CANCELLED):
        detail = f"Only a simulation that failed or was cancelled can be restarted; this one is {row.state}."
        raise Refused("wrong_state", detail)
    row.failure = ""
    row.start_anew(Simulation.State.WAITING)
    if anew:
        row.generation += 1
        row.curves = []
        row.progress = {**row.progress, "fraction": 0.0, "detail": "", "seconds": 0.0, "batches": 0}
    row.save()
    event_write(verb="simulation_restarted", project=row.project, actor_id=actor.pk, subject=row.uuid, anew=anew)
    row.enqueue()
    return row


@transaction.atomic
def simulation_cancel(*, row: Simulation, actor: User) -> Simulation:
    """Cancel the simulation. The worker notices its lost lease within seconds; finished work stays for a restart."""
    row = Simulation.objects.select_for_update().get(pk=row.pk)
    if row.state not in (*Simulation.WORKING_STATES, Simulation.State.FAILED):
        raise Refused("wrong_state", f"The simulation is {row.state}: there is nothing to cancel.")
    row.end(Simulation.State.CANCELLED)
    row.save()
    event_write(verb="simulation_cancelled", project=row.project, actor_id=actor.pk, subject=row.uuid)
    return row
