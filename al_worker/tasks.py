"""Celery entry points of the model worker: load by id, call, record."""

from celery import shared_task

from al_worker.bridge.drive import round_drive


@shared_task(name="al_worker.tasks.run_round")
def run_round(round_id: int) -> None:
    round_drive(round_id)
