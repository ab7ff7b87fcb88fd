"""Start imports: from an upload, from the worker's queue, or from the command line."""

import uuid
from pathlib import Path

from django.core.files.storage import default_storage
from django.core.files.uploadedfile import UploadedFile
from django.db import DatabaseError, transaction

from annotation_app.ingest.options import BLANK, ImportOptions
from annotation_app.ingest.run import ImportRun
from annotation_app.ingest.splitter import splitter_installed
from annotation_app.lease_renewal import ProgressCallback
from annotation_app.models import Import, LeaseLost, Project, User, WorkerBeat, event_write
from annotation_app.projects.writable import ProjectArchived, writable_lock
from annotation_app.refusals import Invalid, Refused

START = {"step": "queued", "fraction": 0.0, "rows": 0}


def import_create(*, project: Project, actor: User, upload: UploadedFile, options: ImportOptions) -> Import:
    """Keep the upload and queue its import. Raises Invalid, and Refused where no worker would run it."""
    splitter_check(options)
    if down := WorkerBeat.down_text(Import.QUEUE, "import again"):
        raise Refused("worker_down", down)
    public_id = uuid.uuid4()
    stored = default_storage.save(f"imports/{public_id}", upload)
    try:
        with transaction.atomic():
            writable_lock(project.pk)
            imported = Import.objects.create(
                uuid=public_id, file=stored, **import_fields(project, actor, upload.name or "upload", options)
            )
            import_begin_write(imported)
            imported.enqueue()
    except (DatabaseError, ProjectArchived):
        default_storage.delete(stored)
        raise
    return imported


def splitter_check(options: ImportOptions) -> None:
    if not splitter_installed(options.splitter):
        message = f"{options.splitter} is not installed on the server: pip install it there, or use {BLANK}."
        raise Invalid({"splitter": [message]})


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


def import_from_path(
    *,
    project: Project,
    actor: User | None,
    path: Path,
    options: ImportOptions,
    on_progress: ProgressCallback | None = None,
) -> Import:
    """Import a file or folder in place, in this process; the import that comes back is done or failed."""
    splitter_check(options)
    with transaction.atomic():
        writable_lock(project.pk)
        imported = Import.objects.create(**import_fields(project, actor, path.name, options))
        import_begin_write(imported)
        lease = Import.take(imported.pk)
    if lease is None:
        raise LeaseLost
    job = ImportRun(imported, lease, path=path, on_progress=on_progress)
    job.run_here()
    return imported
