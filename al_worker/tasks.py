"""The Celery entry points of the model worker: load by id, call, record."""

from celery import shared_task

from al_worker.bridge.run_evaluation import EvaluationRun
from al_worker.bridge.run_interpretation import InterpretationRun
from al_worker.bridge.run_round import RoundRun
from al_worker.bridge.run_simulation import SimulationRun
from al_worker.bridge.run_string_vectors import StringVectorsRun
from annotation_app.heartbeat import heartbeat_attach
from annotation_app.models import Evaluation, Interpretation, Round, Simulation, StringVectors


@shared_task(name=Round.TASK)
def run_round(round_id: int) -> None:
    RoundRun.run(round_id)


@shared_task(name=Simulation.TASK)
def run_simulation(simulation_id: int) -> None:
    SimulationRun.run(simulation_id)


@shared_task(name=Evaluation.TASK)
def run_evaluation(evaluation_id: int) -> None:
    EvaluationRun.run(evaluation_id)


@shared_task(name=StringVectors.TASK)
def run_string_vectors(job_id: int) -> None:
    StringVectorsRun.run(job_id)


@shared_task(name=Interpretation.TASK)
def run_interpretation(interpretation_id: int) -> None:
    InterpretationRun.run(interpretation_id)


heartbeat_attach(
    queue="models",
    sweeps={
        Round.TASK: RoundRun.waiting,
        Simulation.TASK: SimulationRun.waiting,
        Evaluation.TASK: EvaluationRun.waiting,
        StringVectors.TASK: StringVectorsRun.waiting,
        Interpretation.TASK: InterpretationRun.waiting,
    },
)
