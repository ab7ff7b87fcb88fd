"""The Celery entry points of the model worker: load by id, call, record."""

from celery import shared_task

from al_worker.bridge.run_round import round_run
from al_worker.bridge.run_simulation import simulation_run
from annotation_app.enqueue import RUN_ROUND, RUN_SIMULATION
from annotation_app.heartbeat import heartbeat_attach
from annotation_app.rounds.selectors import waiting_rounds
from annotation_app.simulations.selectors import waiting_simulations


@shared_task(name=RUN_ROUND)
def run_round(round_id: int) -> None:
    round_run(round_id)


@shared_task(name=RUN_SIMULATION)
def run_simulation(simulation_id: int) -> None:
    simulation_run(simulation_id)


heartbeat_attach(queue="models", sweeps={RUN_ROUND: waiting_rounds, RUN_SIMULATION: waiting_simulations})
