"""Light Celery entry points: imports, exports, reports. Their own queue and worker; torch is never imported here."""

from celery import shared_task

from annotation_app.beat import beat_attach
from annotation_app.ingest import services
from annotation_app.wake import RUN_IMPORT


@shared_task(name=RUN_IMPORT)
def import_run(import_id: int) -> None:
    services.import_run(import_id=import_id)


beat_attach(queue="light", sweeps={RUN_IMPORT: services.import_requeue_lapsed})
