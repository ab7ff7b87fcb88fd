"""Start releases: by an admin, from the worker's queue, or from the command line."""

import logging
from functools import partial

from django.db import transaction
from django.db.models import Max

from annotation_app.codebook.texts import UNSTORABLE
from annotation_app.enqueue import RUN_RELEASE, enqueue
from annotation_app.lease_renewal import ProgressCallback, owner_name
from annotation_app.models import Lease, LeaseLost, Project, Release, User, WorkerBeat, event_write
from annotation_app.projects.writable import writable_lock
from annotation_app.releases.counts import nothing_to_release
from annotation_app.releases.errors import ReleaseRefused
from annotation_app.releases.run import release_execute, release_fail

logger = logging.getLogger(__name__)
QUEUE = "light"
# A release that ended its worker this often would do so again.
MOST_ATTEMPTS = 3
START = {"step": "queued", "fraction": 0.0}
NOTES_LENGTH = 10_000


def release_create(*, project: Project, actor: User, notes: str = "") -> Release:
    """Create a numbered release that waits for the worker. Raises ReleaseRefused."""
    if down := WorkerBeat.down_text(QUEUE, "make the release again"):
        raise ReleaseRefused("worker_down", down)
    with transaction.atomic():
        release = release_write(project=project, actor=actor, notes=notes)
        transaction.on_commit(partial(enqueue, RUN_RELEASE, release.pk, QUEUE))
    return release


@transaction.atomic
def release_write(*, project: Project, actor: User | None, notes: str) -> Release:
    """Write the row with the project's next number. Raises ReleaseRefused while one is made, or without data."""
    # Of two admins at once the second waits here, then sees the first one's release.
    writable_lock(project.pk)
    running = project.releases.filter(state__in=Release.WORKING_STATES).first()
    if running is not None:
        detail = f"Release {running.number} is being made: wait until it is done, then make the next one."
        raise ReleaseRefused("release_running", detail)
    if nothing := nothing_to_release(project):
        raise ReleaseRefused("nothing_to_release", nothing)
    number = (project.releases.aggregate(last=Max("number"))["last"] or 0) + 1
    release = Release.objects.create(project=project, number=number, notes=notes, progress=START, created_by=actor)
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


def release_run(*, release_id: int) -> None:
    """Run a release in the worker. Do nothing where another worker has it or nothing is left to do."""
    lease = release_take(release_id)
    if lease is None:
        return
    release = Release.objects.select_related("project").get(pk=release_id)
    try:
        if spent := lease.spent(release, MOST_ATTEMPTS):
            release_fail(release=release, lease=lease, reason=spent)
        else:
            with lease:
                release_execute(release=release, lease=lease)
    except LeaseLost:
        logger.warning("Release %s was taken over by another worker.", release.uuid)


def release_take(release_id: int) -> Lease | None:
    """Take a release that nobody works on; return None where somebody does or nothing is left to do."""
    return Release.take(row_id=release_id, owner=owner_name(), state=Release.State.RUNNING)


def release_here(*, project: Project, notes: str = "", on_progress: ProgressCallback | None = None) -> Release:
    """Make a release in this process; the returned one is done or failed. Raises ReleaseRefused.

    If the process is killed, the light worker finishes the release: all that it needs is in the database.
    """
    with transaction.atomic():
        release = release_write(project=project, actor=None, notes=notes)
        lease = release_take(release.pk)
    if lease is None:
        raise LeaseLost
    try:
        release_execute(release=release, lease=lease, on_progress=on_progress)
    except KeyboardInterrupt:
        release_fail(release=release, lease=lease, reason="Stopped by the keyboard.")
        raise
    release.refresh_from_db()
    return release


def releases_waiting() -> list[tuple[int, int]]:
    """Return (id, attempt) of releases that wait for a worker, for the light worker's sweep."""
    return list(Release.waiting().order_by("pk").values_list("pk", "attempt"))
