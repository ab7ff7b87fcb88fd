"""Start releases: by an admin, from the worker's queue, or from the command line."""

from collections.abc import Sequence
from uuid import UUID

from django.db import transaction
from django.db.models import Max

from annotation_app.codebook.texts import UNSTORABLE
from annotation_app.evaluation.selectors import evaluations_done
from annotation_app.lease_renewal import ProgressCallback
from annotation_app.models import LeaseLost, Project, Release, User, WorkerBeat, event_write
from annotation_app.projects.writable import writable_lock
from annotation_app.refusals import Invalid, Refused
from annotation_app.releases.counts import nothing_to_release
from annotation_app.releases.run import ReleaseRun

START = {"step": "queued", "fraction": 0.0}
NOTES_LENGTH = 10_000


def release_create(
    *,
    project: Project,
    actor: User,
    notes: str = "",
    evaluations: Sequence[int] = (),
    text_sets: Sequence[UUID] = (),
) -> Release:
    """Create a numbered release that waits for the worker.

    `evaluations` are numbers of those that go into it, `text_sets` the ids of those that do.

    Raises Invalid and Refused.
    """
    if down := WorkerBeat.down_text(Release.QUEUE, "make the release again"):
        raise Refused("worker_down", down)
    with transaction.atomic():
        release = release_write(project=project, actor=actor, notes=notes, evaluations=evaluations, text_sets=text_sets)
        release.enqueue()
    return release


@transaction.atomic
def release_write(
    *,
    project: Project,
    actor: User | None,
    notes: str,
    evaluations: Sequence[int] = (),
    text_sets: Sequence[UUID] = (),
) -> Release:
    """Write the row with the project's next number. Raises Invalid, and Refused while one is made, or without data."""
    # Of two admins at once the second waits here, then sees the first one's release.
    writable_lock(project.pk)
    running = project.releases.filter(state__in=Release.WORKING_STATES).first()
    if running is not None:
        detail = f"Release {running.number} is being made: wait until it is done, then make the next one."
        raise Refused("release_running", detail)
    if not text_sets and (nothing := nothing_to_release(project)):
        raise Refused("nothing_to_release", nothing)
    done = set(evaluations_done(project).values_list("number", flat=True))
    if missing := [number for number in evaluations if number not in done]:
        raise Invalid({"evaluations": [f"Evaluation {missing[0]} is not done: choose one that is."]})
    own = set(project.text_sets.filter(uuid__in=text_sets).values_list("uuid", flat=True))
    if unknown := [uuid for uuid in text_sets if uuid not in own]:
        raise Invalid({"text_sets": [f"The project has no text set {unknown[0]}: choose one that it has."]})
    number = (project.releases.aggregate(last=Max("number"))["last"] or 0) + 1
    release = Release.objects.create(
        project=project,
        number=number,
        notes=notes,
        evaluations=sorted(set(evaluations)),
        text_sets=sorted(map(str, own)),
        progress=START,
        created_by=actor,
    )
    event_write(
        verb="release_created",
        project=project,
        actor_id=release.created_by_id,
        subject=release.uuid,
        number=number,
        notes=notes,
    )
    return release


def notes_fault(notes: str) -> str | None:
    """Return what is wrong with the notes of a release, or None."""
    if len(notes) > NOTES_LENGTH:
        return f"Has {len(notes):,} characters; at most {NOTES_LENGTH:,} are kept."
    bad = UNSTORABLE.search(notes)
    return f"Character {bad.start() + 1:,} (U+{ord(bad[0]):04X}): remove it." if bad else None


def release_here(
    *,
    project: Project,
    notes: str = "",
    evaluations: Sequence[int] = (),
    text_sets: Sequence[UUID] = (),
    on_progress: ProgressCallback | None = None,
) -> Release:
    """Make a release in this process; the returned one is done or failed. Raises Refused.

    If the process is killed, the light worker finishes the release: all that it needs is in the database.
    """
    with transaction.atomic():
        release = release_write(project=project, actor=None, notes=notes, evaluations=evaluations, text_sets=text_sets)
        lease = Release.take(release.pk)
    if lease is None:
        raise LeaseLost
    ReleaseRun(release, lease, on_progress).run_here()
    return release
