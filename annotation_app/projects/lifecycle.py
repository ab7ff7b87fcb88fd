"""Rename, transfer, archive, delete with a grace period, restore, and purge a project once the grace is over."""

import shutil
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

from django.conf import settings
from django.core.files.storage import default_storage
from django.db import connection, transaction
from django.db.models import Manager, Model
from django.utils import timezone

from annotation_app.models import (
    Capability,
    Evaluation,
    EvaluationFile,
    Import,
    Interpretation,
    InterpretationFile,
    Project,
    ProjectDeletion,
    Release,
    Round,
    RoundFile,
    Simulation,
    SimulationFile,
    StringVectors,
    TestSet,
    User,
    event_write,
)
from annotation_app.projects.services import time_zone_check
from annotation_app.refusals import Invalid, Refused

# Rows that name files in the storage: the field with the name, and the way to their project.
STORED: tuple[tuple[type[Model], str, str], ...] = (
    (Import, "file", "project"),
    (RoundFile, "path", "round__project"),
    (TestSet, "path", "project"),
    (SimulationFile, "path", "simulation__project"),
    (EvaluationFile, "path", "evaluation__project"),
    (InterpretationFile, "path", "interpretation__project"),
    (Release, "path", "project"),
)


@transaction.atomic
def project_change(
    *,
    project: Project,
    actor: User,
    name: str | None = None,
    description: str | None = None,
    time_zone: str | None = None,
) -> None:
    """Rename or describe it, or set its time zone. Raises Invalid for an empty name and an unknown time zone."""
    project = project_lock(project)
    new = {"name": name, "description": description, "time_zone": time_zone}
    changed = {field: value.strip() for field, value in new.items() if value is not None}
    if changed.get("name") == "":
        raise Invalid({"name": ["Give the project a name."]})
    if "time_zone" in changed:
        time_zone_check(changed["time_zone"])
    changed = {field: value for field, value in changed.items() if getattr(project, field) != value}
    if not changed:
        return
    old = project.name
    for field, value in changed.items():
        setattr(project, field, value)
    project.save(update_fields=list(changed))
    event_write(
        verb="project_changed",
        project=project,
        actor_id=actor.pk,
        subject=project.uuid,
        old=old,
        name=project.name,
        fields=sorted(changed),
    )


@transaction.atomic
def project_transfer(*, project: Project, actor: User, member_uuid: UUID) -> None:
    """Let another active admin answer for the project. Raises Invalid; doing it twice changes nothing."""
    project = project_lock(project)
    admins = project.memberships.active_with(Capability.MANAGE).filter(user__is_active=True)
    member = admins.select_related("user").filter(uuid=member_uuid).first()
    if member is None:
        raise Invalid({"member": ["Choose an active admin of this project. Make the person an admin first."]})
    old = project.owner
    if member.user == old:
        return
    project.transferred_to = member.user
    project.save(update_fields=["transferred_to"])
    event_write(
        verb="project_transferred",
        project=project,
        actor_id=actor.pk,
        subject=member.uuid,
        old=old.shown_name,
        to=member.user.shown_name,
    )


def project_lock(project: Project) -> Project:
    return Project.objects.select_for_update(no_key=True).get(pk=project.pk)


def busy_check(project: Project) -> None:
    """Raise Refused while a worker is at work on the project."""
    at_work = (
        (Round, "A round is at work: wait until its batch is open, or cancel it."),
        (Import, "An import is being read: wait until it is done."),
        (Simulation, "A simulation is running: wait until it is done, or cancel it."),
        (Evaluation, "An evaluation is running: wait until it is done, or pause it."),
        (StringVectors, "Strings are being compared: wait until it is done, which takes a minute at most."),
        (Interpretation, "An interpretation is running: wait until it is done, or pause it."),
        (Release, "A release is being made: wait until it is done."),
    )
    for model, words in at_work:
        if model.objects.filter(project=project, state__in=model.WORKING_STATES).exists():
            raise Refused("busy", words)


@transaction.atomic
def project_archive(*, project: Project, actor: User) -> None:
    """Make it read only and take it out of the list's main part. Raises Refused; doing it twice changes nothing."""
    project = project_lock(project)
    if project.archived_at is not None:
        return
    busy_check(project)
    project.archived_at = timezone.now()
    project.save(update_fields=["archived_at"])
    event_write(verb="project_archived", project=project, actor_id=actor.pk, subject=project.uuid)


@transaction.atomic
def project_delete(*, project: Project, actor: User, name: str) -> ProjectDeletion:
    """Archive it, and have it purged when the grace is over. `name` is the project's, typed as a confirmation.

    Raises Invalid where the name is another, Refused; doing it twice changes nothing.
    """
    project = project_lock(project)
    if name.strip() != project.name.strip():
        raise Invalid({"name": ["This is not the project's name: type it as it stands above."]})
    asked = ProjectDeletion.objects.filter(project=project).first()
    if asked is not None:
        return asked
    busy_check(project)
    now = timezone.now()
    if project.archived_at is None:
        project.archived_at = now
        project.save(update_fields=["archived_at"])
    asked = ProjectDeletion.objects.create(
        project=project, asked_by=actor, purge_after=now + timedelta(days=settings.DELETION_GRACE_DAYS)
    )
    event_write(
        verb="project_deletion_asked",
        project=project,
        actor_id=actor.pk,
        subject=project.uuid,
        days=settings.DELETION_GRACE_DAYS,
    )
    return asked


@transaction.atomic
def project_restore(*, project: Project, actor: User) -> None:
    """Take an archive or a deletion back. Doing it twice changes nothing."""
    project = project_lock(project)
    if project.archived_at is None:
        return
    ProjectDeletion.objects.filter(project=project).delete()
    project.archived_at = None
    project.save(update_fields=["archived_at"])
    event_write(verb="project_restored", project=project, actor_id=actor.pk, subject=project.uuid)


def purges_due() -> list[tuple[int, int]]:
    """Return (id, 0) of projects whose grace is over, for the light worker's sweep."""
    due = ProjectDeletion.objects.filter(purge_after__lte=timezone.now())
    return [(pk, 0) for pk in due.values_list("project", flat=True)]


@transaction.atomic
def project_purge(*, project_id: int) -> bool:
    """Delete a project whose grace is over, with its files and all it holds; False where there is nothing to do.

    Files go first: what fails after that is tried again, and nothing is left that no row names. The rows go by a
    function of the database, which looks at the grace itself: the application's role can't delete what people said.
    """
    project = Project.objects.select_for_update().filter(pk=project_id).first()
    due = project and ProjectDeletion.objects.filter(project=project, purge_after__lte=timezone.now()).exists()
    if project is None or not due:
        return False
    for path in files_of(project):
        default_storage.delete(path)
    for folder in folders_of(project):
        shutil.rmtree(folder, ignore_errors=True)
    name, uuid = project.name, project.uuid
    with connection.cursor() as cursor:
        cursor.execute("SELECT annotation_app_project_purge(%s)", [project_id])
        if not cursor.fetchone()[0]:
            return False
    event_write(verb="project_purged", project=None, actor_id=None, subject=uuid, name=name)
    return True


def files_of(project: Project) -> list[str]:
    """Return the names in the storage of all that the project keeps there."""
    kept = (
        model._default_manager.filter(**{owner: project}).values_list(field, flat=True)
        for model, field, owner in STORED
    )
    return [path for paths in kept for path in paths if path]


def folders_of(project: Project) -> list[Path]:
    """Return the scratch folders of its jobs on this host: the pool's texts lie in them."""
    runs = Path(settings.RUNS_DIR)
    rounds = [runs / str(uuid) for uuid in project.rounds.values_list("uuid", flat=True)]
    jobs: dict[str, Manager[Any]] = {
        "simulations": project.simulations,
        "evaluations": project.evaluations,
        "interpretations": project.interpretations,
        "string-vectors": project.string_vectors,
    }
    of_jobs = [runs / name / str(uuid) for name, rows in jobs.items() for uuid in rows.values_list("uuid", flat=True)]
    releases = [
        folder
        for uuid in project.releases.values_list("uuid", flat=True)
        for folder in (runs / "releases").glob(f"{uuid}-*")
    ]
    return [*rounds, *of_jobs, *releases]
