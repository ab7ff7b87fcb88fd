"""Start, pause, resume, cancel and remove an interpretation: what an admin does."""

import tempfile
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

from django.core.files.storage import default_storage
from django.db import connection, transaction
from django.db.models import Max

from al_worker.formats.interpretation import FILTERBERT, KINDS
from annotation_app.interpretations.data import STYLE, Data, data_of, files_write
from annotation_app.interpretations.evaluations import Chosen, evaluations_chosen
from annotation_app.interpretations.offered import Usable, models_usable
from annotation_app.interpretations.spec import InterpretationSpec
from annotation_app.models import Interpretation, InterpretationFile, Project, User, WorkerBeat, event_write
from annotation_app.projects.writable import writable_lock
from annotation_app.refusals import Invalid, Refused
from annotation_app.starts import started_before
from annotation_app.storage import StoredFile, stored_files

MAX_UNFINISHED = 2


@dataclass(frozen=True)
class Request:
    """Hold a request that was checked against the project."""

    project: Project
    spec: InterpretationSpec
    data: Data
    chosen: Sequence[Chosen]
    models: Mapping[str, Usable]


def interpretation_create(*, project: Project, spec: InterpretationSpec, actor: User) -> Interpretation:
    """Create an interpretation that waits for the worker, with its data in the storage.

    Return the one that the same client_id created before. Raises Invalid for bad input and Refused where the worker or
    the project is not ready for it.
    """
    if (before := started_before(project.interpretations.all(), spec.client_id, spec.body_hash())) is not None:
        return before
    ready_check(project)
    request = request_check(project, spec)
    public_id = uuid.uuid4()
    with tempfile.TemporaryDirectory() as folder:
        paths = files_write(Path(folder), request.data, request.chosen)
        with stored_files(f"interpretations/{public_id}", paths) as stored:
            row = row_write(public_id=public_id, request=request, stored=stored, actor=actor)
            if row.uuid != public_id:
                files_delete([file.path for file in stored])
            return row


def ready_check(project: Project) -> None:
    """Raise Refused. Within a transaction, two admins at once are counted one after the other."""
    if down := WorkerBeat.down_text(Interpretation.QUEUE, "start the interpretation"):
        raise Refused("worker_down", down)
    if connection.in_atomic_block:
        writable_lock(project.pk)
    unfinished = project.interpretations.filter(state__in=Interpretation.WORKING_STATES).count()
    if unfinished >= MAX_UNFINISHED:
        detail = f"{unfinished} interpretations of this project wait or run: pause one, or let one finish."
        raise Refused("too_many", detail)


def request_check(project: Project, spec: InterpretationSpec) -> Request:
    """Check a request against the project. Raises Invalid."""
    models = models_usable()
    if errors := model_errors(spec, models):
        raise Invalid(errors)
    chosen = evaluations_chosen(project, spec.evaluations)
    data = data_of(project, spec.data)
    if data.counts.reason:
        raise Invalid({"data": [data.counts.reason]})
    return Request(project, spec, data, chosen, models)


def model_errors(spec: InterpretationSpec, models: Mapping[str, Usable]) -> dict[str, list[str]]:
    """Return what is wrong with the models that a request names: only the operator's list may be read."""
    errors = {}
    for at, system in enumerate(spec.systems):
        named = {"model": (system.model, system.kind)}
        if system.filter_model:
            named["filter_model"] = system.filter_model, FILTERBERT
        for field, (name, kind) in named.items():
            if wrong := model_fault(models, name, kind):
                errors[f"systems[{at}].{field}"] = [wrong]
    if spec.bertscore and (wrong := model_fault(models, spec.bertscore, FILTERBERT)):
        errors["bertscore"] = [wrong]
    return errors


def model_fault(models: Mapping[str, Usable], name: str, kind: str) -> str:
    if name not in models:
        offered = ", ".join(models) or "none"
        return f"{name!r} is no model of this server's list (QUORUM_MODELS): there are {offered}."
    if kind in models[name].kinds:
        return ""
    title = KINDS[kind].title if kind in KINDS else "an encoder"
    return f"{name} does not serve as {title}. {models[name].note}".strip()


@transaction.atomic
def row_write(*, public_id: uuid.UUID, request: Request, stored: Sequence[StoredFile], actor: User) -> Interpretation:
    """Write the row with its data files, and send it to the worker; return the row of the same client_id, if any."""
    project, spec = request.project, request.spec
    writable_lock(project.pk)
    if (before := started_before(project.interpretations.all(), spec.client_id, spec.body_hash())) is not None:
        return before
    ready_check(project)
    row = Interpretation.objects.create(
        uuid=public_id,
        project=project,
        number=(project.interpretations.aggregate(last=Max("number"))["last"] or 0) + 1,
        name=spec.name.strip(),
        spec=spec_stored(request),
        left_out=request.data.left_out_view(),
        notices=[f"{each.title}: {warning}" for each in request.chosen for warning in each.warnings],
        client_id=spec.client_id,
        body_hash=spec.body_hash(),
        created_by=actor,
    )
    InterpretationFile.objects.bulk_create(InterpretationFile(interpretation=row, **asdict(file)) for file in stored)
    event_write(
        verb="interpretation_created",
        project=project,
        actor_id=actor.pk,
        subject=row.uuid,
        name=row.name,
        number=row.number,
        systems=[system.title for system in spec.systems],
        files={file.name: file.sha256 for file in stored},
    )
    row.enqueue()
    return row


def spec_stored(request: Request) -> dict[str, Any]:
    """Return the request as the interpretation keeps it, with all that its figures depend on."""
    spec, counts = request.spec, request.data.counts
    return {
        "data": spec.data,
        "counts": {"sources": counts.sources, "targets": counts.targets},
        "style": STYLE,
        "outer": list(request.data.outer),
        "systems": [
            {"name": name, **system.model_dump(), "max_epochs": system.epochs} for name, system in spec.named.items()
        ],
        "evaluations": [each.stored() for each in request.chosen],
        "seed": spec.seed,
        "split": spec.split,
        "prefix": spec.prefix,
        "rules": spec.rules,
        "replace_positive": spec.replace_positive,
        "training": spec.training.model_dump(),
        "generation": spec.generation.model_dump(),
        "bertscore": spec.bertscore,
    }


@transaction.atomic
def interpretation_pause(*, row: Interpretation, actor: User) -> Interpretation:
    """Pause the interpretation: its worker loses the lease, and stops at its last checkpoint."""
    row = locked(row)
    if row.state not in Interpretation.WORKING_STATES:
        raise wrong_state(row, "Only one that waits or runs can be paused")
    row.state, row.lease_owner, row.lease_until = Interpretation.State.PAUSED, "", None
    row.save()
    event_write(verb="interpretation_paused", project=row.project, actor_id=actor.pk, subject=row.uuid)
    return row


@transaction.atomic
def interpretation_resume(*, row: Interpretation, actor: User) -> Interpretation:
    """Let a stopped interpretation go on from its last checkpoint."""
    ready_check(row.project)
    row = locked(row)
    if row.state not in Interpretation.STOPPED_STATES:
        raise wrong_state(row, "Only one that was paused or failed can go on")
    row.failure = ""
    row.start_anew(Interpretation.State.WAITING)
    row.save()
    event_write(verb="interpretation_resumed", project=row.project, actor_id=actor.pk, subject=row.uuid)
    row.enqueue()
    return row


@transaction.atomic
def interpretation_cancel(*, row: Interpretation, actor: User) -> Interpretation:
    """Cancel the interpretation for good. Its checkpoints are deleted (projects/orphans.py), and its data are kept."""
    row = locked(row)
    if row.state not in (*Interpretation.WORKING_STATES, Interpretation.State.PAUSED):
        raise wrong_state(row, "There is nothing to cancel")
    row.end(Interpretation.State.CANCELLED)
    row.save()
    event_write(verb="interpretation_cancelled", project=row.project, actor_id=actor.pk, subject=row.uuid)
    return row


@transaction.atomic
def interpretation_remove(*, row: Interpretation, actor: User) -> None:
    """Remove an interpretation that has ended, with its data, results and checkpoints. Raises Refused."""
    row = locked(row)
    writable_lock(row.project_id)
    if row.state not in Interpretation.ENDED_STATES:
        raise wrong_state(row, "Only one that is done, failed or cancelled can be removed: cancel it first")
    paths = list(row.files.values_list("path", flat=True))
    event_write(
        verb="interpretation_removed",
        project=row.project,
        actor_id=actor.pk,
        subject=row.uuid,
        name=row.name,
        number=row.number,
    )
    row.files.all().delete()
    row.delete()
    transaction.on_commit(partial(files_delete, paths))


def files_delete(paths: Sequence[str]) -> None:
    for path in paths:
        default_storage.delete(path)


def locked(row: Interpretation) -> Interpretation:
    rows = Interpretation.objects.select_for_update(of=("self",)).select_related("project", "created_by")
    return rows.get(pk=row.pk)


def wrong_state(row: Interpretation, what: str) -> Refused:
    return Refused("wrong_state", f"{what}; this interpretation is {row.state}.")
