"""Define the light worker's Celery tasks: imports, releases, purging deleted projects, deleting orphaned files.

The tasks have a queue of their own, and their worker never imports torch.
"""

from celery import shared_task

from annotation_app.enqueue import RUN_IMPORT, RUN_PURGE, RUN_RELEASE, TIDY_FILES
from annotation_app.heartbeat import heartbeat_attach
from annotation_app.ingest import services as imports
from annotation_app.projects import lifecycle, orphans
from annotation_app.releases import services as releases


@shared_task(name=RUN_IMPORT)
def import_run(import_id: int) -> None:
    imports.import_run(import_id=import_id)


@shared_task(name=RUN_RELEASE)
def release_run(release_id: int) -> None:
    releases.release_run(release_id=release_id)


@shared_task(name=RUN_PURGE)
def project_purge(project_id: int) -> None:
    lifecycle.project_purge(project_id=project_id)


@shared_task(name=TIDY_FILES)
def files_tidy(_: int) -> None:
    orphans.files_tidy()


heartbeat_attach(
    queue="light",
    hourly=(TIDY_FILES,),
    sweeps={
        RUN_IMPORT: imports.import_requeue_lapsed,
        RUN_RELEASE: releases.releases_waiting,
        RUN_PURGE: lifecycle.purges_due,
    },
)
