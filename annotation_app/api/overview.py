"""Serve a project's overview to admins.

It is asked for every few seconds, and answered with 304 where nothing changed.
"""

import hashlib
from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.conf import settings
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from al_worker.formats.strategies import STRATEGIES
from annotation_app.api.access import member_or_404
from annotation_app.api.errors import ErrorBody
from annotation_app.api.health import broker_answers
from annotation_app.api.insights import BaselineOut, limits
from annotation_app.api.projects import ProjectOut
from annotation_app.dashboards.job_queue import jobs_of, worker_states
from annotation_app.dashboards.overview import BatchLine, OpenBatch, RoundBrief, Trend, overview
from annotation_app.dashboards.people import IDLE_AFTER, Person
from annotation_app.disk import is_low
from annotation_app.models import Batch, Capability, Round


class RoundBriefOut(serializers.Serializer):
    id = serializers.UUIDField()
    number = serializers.IntegerField()
    state = serializers.ChoiceField(choices=Round.State.choices)
    failed_step = serializers.CharField(allow_blank=True)
    failure = serializers.CharField(allow_blank=True)
    strategy = serializers.CharField(help_text="Title of the strategy that chose, or is to choose.")
    asked = serializers.CharField(
        allow_null=True, help_text="Title of the one that was asked for, if another one chose."
    )
    seconds = serializers.FloatField(help_text="Of the machine, so far.")


class NextOut(serializers.Serializer):
    number = serializers.IntegerField()
    trains_model = serializers.BooleanField(help_text="What the server suggests trains a model.")


class BatchPartOut(serializers.Serializer):
    batch = serializers.UUIDField()
    done = serializers.IntegerField(help_text="Answered or skipped.")
    skipped = serializers.IntegerField()
    total = serializers.IntegerField(help_text="With what they could still be given.")


class OpenBatchOut(serializers.Serializer):
    id = serializers.UUIDField()
    kind = serializers.ChoiceField(choices=Batch.Kind.choices)
    number = serializers.IntegerField()
    opened_at = serializers.DateTimeField()
    size = serializers.IntegerField()
    done = serializers.IntegerField(help_text="Assignments, as total.")
    total = serializers.IntegerField()
    complete = serializers.BooleanField()


class PersonOut(serializers.Serializer):
    id = serializers.UUIDField()
    display_name = serializers.CharField()
    number = serializers.IntegerField()
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
    kind = serializers.ChoiceField(choices=["import", "round", "simulation", "release"])
    name = serializers.CharField()
    at_work = serializers.BooleanField(help_text="false: it waits for a worker.")
    created_at = serializers.DateTimeField()


class OverviewWaiting(serializers.Serializer):
    disagreements = serializers.IntegerField(allow_null=True, help_text="Items to decide; null without stages.")
    validations = serializers.IntegerField(allow_null=True, help_text="Items to validate; null without a span layer.")


class TrendPositives(serializers.Serializer):
    count = serializers.IntegerField()
    n = serializers.IntegerField(help_text="Items with a majority at the first stage that wait for none here.")
    share = serializers.FloatField(allow_null=True)
    low = serializers.FloatField(allow_null=True, help_text="Wilson, 95%.")
    high = serializers.FloatField(allow_null=True)


class TrendAgreement(serializers.Serializer):
    alpha_nominal = serializers.FloatField(allow_null=True)
    low = serializers.FloatField(allow_null=True, help_text="Jackknife over items, 95%.")
    high = serializers.FloatField(allow_null=True)
    n_units = serializers.IntegerField(help_text="Items with two answers or more.")
    reason = serializers.CharField(allow_blank=True, help_text="Why alpha has no value.")


class TrendBatch(serializers.Serializer):
    kind = serializers.ChoiceField(choices=["round", "prototype"])
    number = serializers.IntegerField()
    complete = serializers.BooleanField()
    agreement = TrendAgreement()
    positives = TrendPositives()


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
    next = NextOut()
    batches = OpenBatchOut(many=True)
    idle_after_hours = serializers.IntegerField()
    people = PersonOut(many=True)
    waiting = OverviewWaiting()
    workers = WorkerStatesOut()
    disk = DiskOut()
    jobs = JobOut(many=True)
    trend = TrendOut(allow_null=True)


class OverviewView(APIView):
    @extend_schema(responses={200: OverviewOut, 304: None, 401: ErrorBody, 403: ErrorBody, 404: ErrorBody})
    def get(self, request: Request, project_id: UUID) -> Response:
        """Pool, rounds, open batches with everyone's progress as counts, what waits, workers, agreement and yield."""
        member = member_or_404(request, project_id, Capability.MANAGE)
        told = overview(membership=member)
        body = OverviewOut(
            {
                "project": told.project,
                "given_out": told.given_out,
                "n_annotators": told.n_annotators,
                "rounds": [serialize_round(brief) for brief in told.rounds],
                "next": {"number": told.next_number, "trains_model": told.trains_model},
                "batches": [serialize_batch(batch) for batch in told.batches],
                "idle_after_hours": int(IDLE_AFTER.total_seconds() // 3600),
                "people": [serialize_person(person, told.batches) for person in told.people],
                "waiting": {"disagreements": told.disagreements, "validations": told.validations},
                "workers": {"broker": broker_answers(), **worker_states()},
                "disk": {"low": is_low(), "reserve_bytes": settings.DISK_RESERVE_BYTES},
                "jobs": jobs_of(member.project),
                "trend": told.trend and serialize_trend(told.trend),
            }
        ).data
        return tagged(request, body)


def tagged(request: Request, body: Any) -> Response:
    """Return the response under the hash of its content; without a body where the browser has the same one."""
    tag = f'"{hashlib.sha256(JSONRenderer().render(body)).hexdigest()[:32]}"'
    headers = {"ETag": tag, "Cache-Control": "private, no-cache"}
    if request.headers.get("If-None-Match") == tag:
        return Response(status=status.HTTP_304_NOT_MODIFIED, headers=headers)
    return Response(body, headers=headers)


def serialize_round(brief: RoundBrief) -> dict[str, Any]:
    row = brief.row
    used = row.strategy_used or row.strategy_asked
    return {
        "id": row.uuid,
        "number": row.number,
        "state": brief.state,
        "failed_step": row.failed_step,
        "failure": row.failure,
        "strategy": STRATEGIES[used].title,
        "asked": None if used == row.strategy_asked else STRATEGIES[row.strategy_asked].title,
        "seconds": brief.seconds,
    }


def serialize_batch(batch: OpenBatch) -> dict[str, Any]:
    return {
        "id": batch.row.uuid,
        "kind": batch.row.kind,
        "number": batch.row.number,
        "opened_at": batch.row.opened_at,
        "size": batch.progress.size,
        "done": batch.progress.done,
        "total": batch.progress.total,
        "complete": batch.progress.complete,
    }


def serialize_person(person: Person, batches: Sequence[OpenBatch]) -> dict[str, Any]:
    return {
        "id": person.member.uuid,
        "display_name": person.member.user.shown_name,
        "number": person.member.number,
        "state": person.state,
        "idle": person.idle,
        "since": person.since,
        "last_done_at": person.last_done_at,
        "done": person.done,
        "total": person.total,
        "batches": [
            {"batch": batch.row.uuid, "done": part.done, "skipped": part.skipped, "total": part.total}
            for batch, part in zip(batches, person.progress, strict=True)
            if part
        ],
    }


def serialize_trend(trend: Trend) -> dict[str, Any]:
    return {
        "stage": trend.stage,
        "title": trend.title,
        "positive": trend.positive,
        "baseline": trend.baseline,
        "batches": [serialize_trend_batch(line) for line in trend.batches],
    }


def serialize_trend_batch(line: BatchLine) -> dict[str, Any]:
    return {
        "kind": line.row.kind,
        "number": line.row.number,
        "complete": line.complete,
        "agreement": line.agreement,
        "positives": {
            "count": line.positives,
            "n": line.n,
            **dict(zip(("share", "low", "high"), limits(line.share), strict=True)),
        },
    }
