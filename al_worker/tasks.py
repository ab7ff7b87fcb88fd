"""Celery entry points of the model worker: load by id, call, record."""

from celery import shared_task

from al_worker.bridge.drive import round_drive
from al_worker.bridge.simulation import simulation_drive
from annotation_app.beat import beat_attach
from annotation_app.rounds.selectors import rounds_to_wake
from annotation_app.simulations.selectors import simulations_to_wake
from annotation_app.wake import RUN_ROUND, RUN_SIMULATION


@shared_task(name=RUN_ROUND)
def run_round(round_id: int) -> None:
    round_drive(round_id)


@shared_task(name=RUN_SIMULATION)
def run_simulation(simulation_id: int) -> None:
    simulation_drive(simulation_id)


beat_attach(queue="models", sweeps={RUN_ROUND: rounds_to_wake, RUN_SIMULATION: simulations_to_wake})
