"""Start imports: from an upload, from the worker's queue, or from the command line."""

import logging
import uuid
from functools import partial
from pathlib import Path

from django.core.files.storage import default_storage
from django.core.files.uploadedfile import UploadedFile
from django.db import DatabaseError, transaction

from annotation_app.enqueue import RUN_IMPORT, enqueue
from annotation_app.ingest.options import BLANK, ImportOptions, OptionError
from annotation_app.ingest.rows import BadLine
from annotation_app.ingest.run import ImportRun, import_execute, import_fail
from annotation_app.ingest.splitter import splitter_installed
from annotation_app.lease_renewal import ProgressCallback, owner_name
from annotation_app.models import Import, Lease, LeaseLost, Project, User, WorkerBeat, event_write
from annotation_app.projects.writable import ProjectArchived, writable_lock

logger = logging.getLogger(__name__)
QUEUE = "light"
# An import that took its worker down this often would do so again.
MOST_ATTEMPTS = 3
START = {"step": "queued", "fraction": 0.0, "rows": 0}


class ImportRefused(Exception):
    """The import cannot be taken on now; the message says why."""


def import_create(*, project: Project, actor: User, upload: UploadedFile, options: ImportOptions) -> Import:
    """Keeps the upload and queues its import. Raises OptionError, and ImportRefused where no worker would run it."""
    splitter_check(options)
    if down := WorkerBeat.down_text(QUEUE, "import again"):
        raise ImportRefused(down)
    public_id = uuid.uuid4()
    stored = default_storage.save(f"imports/{public_id}", upload)
    try:
        with transaction.atomic():
            writable_lock(project.pk)
            imported = Import.objects.create(
                uuid=public_id, file=stored, **import_fields(project, actor, upload.name or "upload", options)
            )
            import_begin_write(imported)
            transaction.on_commit(partial(enqueue, RUN_IMPORT, imported.pk, QUEUE))
    except (DatabaseError, ProjectArchived):
        default_storage.delete(stored)
        raise
    return imported


def splitter_check(options: ImportOptions) -> None:
    if not splitter_installed(options.splitter):
        message = f"{options.splitter} is not installed on the server: pip install it there, or use {BLANK}."
        raise OptionError({"splitter": [message]})


def import_fields(project: Project, actor: User | None, filename: str, options: ImportOptions) -> dict[str, object]:
    return {
        "project": project,
        "filename": filename,
        "format": options.format,
        "options": options.as_dict(),
        "progress": START,
        "created_by": actor,
    }


def import_begin_write(imported: Import) -> None:
    event_write(
        verb="import_created",
        project=imported.project,
        actor_id=imported.created_by_id,
        subject=imported.uuid,
        filename=imported.filename,
        options=imported.options,
    )


def import_run(*, import_id: int) -> None:
    """Run an import in the worker. Do nothing where another worker has it or nothing is left to do."""
    lease = import_take(import_id)
    if lease is None:
        return
    imported = Import.objects.select_related("project").get(pk=import_id)
    try:
        if spent := lease.spent(imported, MOST_ATTEMPTS):
            import_fail(run=ImportRun(imported, lease), bad=BadLine(imported.filename, None, None, spent))
        else:
            with lease:
                import_execute(imported=imported, lease=lease)
    except LeaseLost:
        logger.warning("Import %s was taken over by another worker.", imported.uuid)


def import_take(import_id: int) -> Lease | None:
    """Takes an import that nobody works on; None where somebody does or nothing is left to do."""
    return Import.take(row_id=import_id, owner=owner_name(), state=Import.State.RUNNING)


def import_from_path(
    *,
    project: Project,
    actor: User | None,
    path: Path,
    options: ImportOptions,
    on_progress: ProgressCallback | None = None,
) -> Import:
    """Imports a file or folder in place, in this process; the import that comes back is done or failed."""
    splitter_check(options)
    with transaction.atomic():
        writable_lock(project.pk)
        imported = Import.objects.create(**import_fields(project, actor, path.name, options))
        import_begin_write(imported)
        lease = import_take(imported.pk)
    if lease is None:
        raise LeaseLost
    try:
        import_execute(imported=imported, lease=lease, path=path, on_progress=on_progress)
    except KeyboardInterrupt:
        import_fail(
            run=ImportRun(imported, lease), bad=BadLine(imported.filename, None, None, "Stopped by the keyboard.")
        )
        raise
    imported.refresh_from_db()
    return imported


def import_requeue_lapsed() -> list[tuple[int, int]]:
    """Return (id, attempt) of imports that wait for a worker, for the light worker's sweep.

    An import of the command line is not run by a worker: where its process is gone, it is marked as failed.
    """
    waiting = Import.waiting()
    for abandoned in waiting.filter(file="").select_related("project"):
        lease = import_take(abandoned.pk)
        if lease is not None:
            import_fail(
                run=ImportRun(abandoned, lease), bad=BadLine(abandoned.filename, None, None, "The command stopped.")
            )
    return list(waiting.exclude(file="").order_by("pk").values_list("pk", "attempt"))
