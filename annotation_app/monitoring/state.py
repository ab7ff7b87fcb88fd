"""Read the state of jobs, workers, mails, database and disk when Prometheus asks, in about a dozen statements."""

from collections.abc import Iterator
from typing import Any

from django.conf import settings
from django.db import connection
from django.db.models import Count, F, Max, Min, Q, Sum
from django.db.models.functions import Now
from django.utils import timezone
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from annotation_app.disk import free_bytes
from annotation_app.models import (
    Evaluation,
    Import,
    Interpretation,
    LeasedModel,
    Mail,
    Release,
    Round,
    Simulation,
    StringVectors,
    WorkerBeat,
)

JOBS: dict[str, type[LeasedModel]] = {
    "import": Import,
    "round": Round,
    "simulation": Simulation,
    "evaluation": Evaluation,
    "interpretation": Interpretation,
    "suggestions": StringVectors,
    "release": Release,
}


class StateCollector(Collector):
    """Collect what the database and the disk tell."""

    def collect(self) -> Iterator[Metric]:
        yield from jobs()
        yield from round_seconds()
        yield workers()
        yield mails()
        size = GaugeMetricFamily("quorum_database_bytes", "Size of the database.")
        size.add_metric([], database_bytes())
        yield size
        free = GaugeMetricFamily("quorum_disk_free_bytes", "Free bytes where files are stored.")
        free.add_metric([], free_bytes())
        yield free


def jobs() -> Iterator[Metric]:
    """Yield how many jobs of each kind are in each state, how long the oldest has waited, and the oldest lease."""
    n_jobs = GaugeMetricFamily("quorum_jobs", "Jobs by kind and state.", labels=["kind", "state"])
    waits = GaugeMetricFamily("quorum_job_wait_seconds", "Since the oldest waiting job was made.", labels=["kind"])
    leases = GaugeMetricFamily(
        "quorum_job_lease_age_seconds", "Since the lease renewed longest ago was renewed.", labels=["kind"]
    )
    now = timezone.now()
    for kind, model in JOBS.items():
        # The base of all jobs has no fields of its own that the checker knows.
        rows: Any = model._default_manager
        for state, n in rows.values_list("state").annotate(Count("pk")):
            n_jobs.add_metric([kind, state], n)
        working = rows.filter(state__in=model.WORKING_STATES)
        made, until = working.aggregate(
            made=Min("created_at", filter=Q(lease_until__isnull=True) | Q(lease_until__lt=Now())),
            until=Min("lease_until"),
        ).values()
        waits.add_metric([kind], (now - made).total_seconds() if made else 0.0)
        age = settings.LEASE_SECONDS - (until - now).total_seconds() if until else 0.0
        leases.add_metric([kind], max(0.0, age))
    yield from (n_jobs, waits, leases)


def round_seconds() -> Iterator[Metric]:
    """Yield how many rounds got their batch, and the seconds that they took from their start to the batch."""
    took = Sum(F("batch__opened_at") - F("created_at"))
    n, time = Round.objects.filter(batch__isnull=False).aggregate(n=Count("pk"), took=took).values()
    # No counters: they fall when a project is deleted, which Prometheus would take for a new start.
    n_rounds = GaugeMetricFamily("quorum_rounds_opened", "Rounds that got their batch.")
    n_rounds.add_metric([], n)
    seconds = GaugeMetricFamily("quorum_rounds_opened_seconds", "Seconds from their start to their batch, added up.")
    seconds.add_metric([], time.total_seconds() if time else 0.0)
    yield from (n_rounds, seconds)


def workers() -> Metric:
    seen = GaugeMetricFamily("quorum_worker_seen_seconds", "Since the queue's worker gave a sign.", labels=["queue"])
    now = timezone.now()
    for queue, last in WorkerBeat.objects.values_list("queue").annotate(Max("seen_at")):
        seen.add_metric([queue], max(0.0, (now - last).total_seconds()))
    return seen


def mails() -> Metric:
    n_mails = GaugeMetricFamily("quorum_mails", "Mails of the last week by state.", labels=["state"])
    waiting = Count("pk", filter=Q(ended_at__isnull=True))
    given_up = Count("pk", filter=Q(ended_at__isnull=False) & ~Q(problem=""))
    sent = Count("pk", filter=Q(ended_at__isnull=False, problem=""))
    for state, n in Mail.objects.aggregate(waiting=waiting, given_up=given_up, sent=sent).items():
        n_mails.add_metric([state], n)
    return n_mails


def database_bytes() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_database_size(current_database())")
        return int(cursor.fetchone()[0])


STATE = CollectorRegistry()
STATE.register(StateCollector())


def state_text() -> bytes:
    """Return the state in the text format of Prometheus."""
    return generate_latest(STATE)
