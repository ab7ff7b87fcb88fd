"""Celery entry points of the model worker: load by id, call, record."""

from celery import shared_task

from al_worker.bridge.drive import round_drive
from annotation_app.beat import beat_attach
from annotation_app.rounds.selectors import rounds_to_wake
from annotation_app.wake import RUN_ROUND


@shared_task(name=RUN_ROUND)
def run_round(round_id: int) -> None:
    round_drive(round_id)


beat_attach(queue="models", task=RUN_ROUND, sweep=rounds_to_wake)
