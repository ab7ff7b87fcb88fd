"""Light Celery entry points: imports and releases. Their own queue and worker; torch is never imported here."""

from celery import shared_task

from annotation_app.beat import beat_attach
from annotation_app.ingest import services as imports
from annotation_app.releases import services as releases
from annotation_app.wake import RUN_IMPORT, RUN_RELEASE


@shared_task(name=RUN_IMPORT)
def import_run(import_id: int) -> None:
    imports.import_run(import_id=import_id)


@shared_task(name=RUN_RELEASE)
def release_run(release_id: int) -> None:
    releases.release_run(release_id=release_id)


beat_attach(queue="light", sweeps={RUN_IMPORT: imports.import_requeue_lapsed, RUN_RELEASE: releases.releases_waiting})
