"""Serve a project's overview to admins.

It is asked for every few seconds, and answered with 304 where nothing changed.
"""

from collections.abc import Sequence
from typing import Any, get_args
from uuid import UUID

from django.conf import settings
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation_app.api.access import member_or_404
from annotation_app.api.errors import ADMIN_ERRORS
from annotation_app.api.health import broker_answers
from annotation_app.api.insights import BaselineOut
from annotation_app.api.projects import ProjectOut
from annotation_app.api.tagged import tagged
from annotation_app.dashboards.job_queue import Kind, jobs_of, worker_states
from annotation_app.dashboards.overview import OpenBatch, overview
from annotation_app.dashboards.people import IDLE_AFTER, Person
from annotation_app.disk import is_low
from annotation_app.models import Batch, Capability, Round


class RoundBriefOut(serializers.Serializer):
    id = serializers.UUIDField(source="row.uuid")
    number = serializers.IntegerField(source="row.number")
    state = serializers.ChoiceField(choices=Round.State.choices)
    failed_step = serializers.CharField(source="row.failed_step", allow_blank=True)
    failure = serializers.CharField(source="row.failure", allow_blank=True)
    strategy = serializers.CharField(help_text="Title of the strategy that chose, or is to choose.")
    asked = serializers.CharField(
        allow_null=True, help_text="Title of the one that was asked for, if another one chose."
    )
    seconds = serializers.FloatField(help_text="Of the machine, so far.")


class NextOut(serializers.Serializer):
    number = serializers.IntegerField(source="next_number")
    trains_model = serializers.BooleanField(help_text="What the server suggests trains a model.")


class BatchPartOut(serializers.Serializer):
    batch = serializers.UUIDField(source="batch.row.uuid")
    done = serializers.IntegerField(source="part.done", help_text="Answered or skipped.")
    skipped = serializers.IntegerField(source="part.skipped")
    total = serializers.IntegerField(source="part.total", help_text="With what they could still be given.")


class OpenBatchOut(serializers.Serializer):
    id = serializers.UUIDField(source="row.uuid")
    kind = serializers.ChoiceField(source="row.kind", choices=Batch.Kind.choices)
    number = serializers.IntegerField(source="row.number")
    opened_at = serializers.DateTimeField(source="row.opened_at")
    size = serializers.IntegerField(source="progress.size")
    done = serializers.IntegerField(source="progress.done", help_text="Assignments, as total.")
    total = serializers.IntegerField(source="progress.total")
    complete = serializers.BooleanField(source="progress.complete")


class PersonOut(serializers.Serializer):
    id = serializers.UUIDField(source="member.uuid")
    display_name = serializers.CharField(source="member.user.shown_name")
    number = serializers.IntegerField(source="member.number")
    state = serializers.ChoiceField(choices=["not_begun", "working", "finished", "left"])
    idle = serializers.BooleanField()
    since = serializers.DateTimeField(allow_null=True, help_text="Last item, or the opening of the batch if later.")
    last_done_at = serializers.DateTimeField(allow_null=True)
    done = serializers.IntegerField()
    total = serializers.IntegerField()
    batches = BatchPartOut(many=True, help_text="Of those that they are on, in the order of the answer's `batches`.")


class WorkerStateOut(serializers.Serializer):
    alive = serializers.BooleanField()
    seen_at = serializers.DateTimeField(allow_null=True, help_text="Of a stopped one; null where it was never seen.")


class WorkerStatesOut(serializers.Serializer):
    broker = serializers.BooleanField()
    models = WorkerStateOut()
    light = WorkerStateOut()


class DiskOut(serializers.Serializer):
    low = serializers.BooleanField(help_text="Less than `reserve_bytes` are free: uploads are refused.")
    reserve_bytes = serializers.IntegerField()


class JobOut(serializers.Serializer):
    kind = serializers.ChoiceField(choices=get_args(Kind))
    name = serializers.CharField()
    at_work = serializers.BooleanField(help_text="false: it waits for a worker.")
    created_at = serializers.DateTimeField()


class OverviewWaiting(serializers.Serializer):
    disagreements = serializers.IntegerField(allow_null=True, help_text="Items to decide; null without stages.")
    validations = serializers.IntegerField(allow_null=True, help_text="Items to validate; null without a span layer.")


class TrendPositives(serializers.Serializer):
    count = serializers.IntegerField(source="positives")
    n = serializers.IntegerField(help_text="Items with a majority at the first stage that wait for none here.")
    share = serializers.FloatField(source="share.value", allow_null=True)
    low = serializers.FloatField(source="share.low", allow_null=True, help_text="Wilson, 95%.")
    high = serializers.FloatField(source="share.high", allow_null=True)


class TrendAgreement(serializers.Serializer):
    coefficient = serializers.CharField(
        allow_null=True, help_text="What alpha is called, by the kind of answers; null for free text, which has none."
    )
    alpha = serializers.FloatField(allow_null=True)
    low = serializers.FloatField(allow_null=True, help_text="Jackknife over items, 95%.")
    high = serializers.FloatField(allow_null=True)
    n_units = serializers.IntegerField(help_text="Items with two answers or more.")
    reason = serializers.CharField(allow_blank=True, help_text="Why alpha has no value.")


class TrendBatch(serializers.Serializer):
    kind = serializers.ChoiceField(source="row.kind", choices=["round", "prototype"])
    number = serializers.IntegerField(source="row.number")
    complete = serializers.BooleanField()
    agreement = TrendAgreement()
    positives = TrendPositives(source="*")


class TrendOut(serializers.Serializer):
    stage = serializers.CharField()
    title = serializers.CharField()
    positive = serializers.ListField(child=serializers.CharField(), help_text="Names of the labels that count.")
    baseline = BaselineOut(allow_null=True)
    batches = TrendBatch(many=True)


class OverviewOut(serializers.Serializer):
    project = ProjectOut()
    given_out = serializers.IntegerField(help_text="Items of the pool that stand in a batch, of whatever kind.")
    n_annotators = serializers.IntegerField(help_text="Active members with that role.")
    rounds = RoundBriefOut(many=True)
    next = NextOut(source="*")
    batches = OpenBatchOut(many=True)
    idle_after_hours = serializers.IntegerField()
    people = PersonOut(many=True)
    waiting = OverviewWaiting(source="*")
    workers = WorkerStatesOut()
    disk = DiskOut()
    jobs = JobOut(many=True)
    trend = TrendOut(allow_null=True)


class OverviewView(APIView):
    @extend_schema(responses={200: OverviewOut, 304: None, **ADMIN_ERRORS})
    def get(self, request: Request, project_id: UUID) -> Response:
        """Return pool, rounds, open batches with everyone's progress, pending work, workers, agreement and yield."""
        member = member_or_404(request, project_id, Capability.MANAGE)
        told = overview(membership=member)
        body = OverviewOut(
            {
                **vars(told),
                "idle_after_hours": int(IDLE_AFTER.total_seconds() // 3600),
                "people": [person_parts(person, told.batches) for person in told.people],
                "workers": {"broker": broker_answers(), **worker_states()},
                "disk": {"low": is_low(), "reserve_bytes": settings.DISK_RESERVE_BYTES},
                "jobs": jobs_of(member.project),
            }
        ).data
        return tagged(request, body)


def person_parts(person: Person, batches: Sequence[OpenBatch]) -> dict[str, Any]:
    parts = [{"batch": batch, "part": part} for batch, part in zip(batches, person.progress, strict=True) if part]
    return {**vars(person), "done": person.done, "total": person.total, "batches": parts}
