"""Serve rounds: list, start, watch, restart, cancel, download the record."""

import json
from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from al_worker.formats.strategies import COMBINES
from annotation_app.aggregation.statements import PHASES
from annotation_app.api.access import found_or_404, member_or_404, person
from annotation_app.api.errors import ADMIN_ERRORS, ErrorBody
from annotation_app.api.health import broker_answers
from annotation_app.api.inputs import spec_sent
from annotation_app.models import Capability, Role, Round
from annotation_app.refusals import Refused
from annotation_app.rounds.models_offered import offered_models
from annotation_app.rounds.readiness import stages_readiness
from annotation_app.rounds.selectors import (
    next_round_view,
    possible_annotators,
    round_view,
    round_views,
    strategy_views,
    workers_view,
)
from annotation_app.rounds.services import round_cancel, round_restart, round_start
from annotation_app.rounds.spec import RoundSpec


class StepOut(serializers.Serializer):
    name = serializers.CharField()
    state = serializers.ChoiceField(choices=["waiting", "running", "done"])
    seconds = serializers.FloatField(allow_null=True)


class ProgressOut(serializers.Serializer):
    step = serializers.CharField()
    fraction = serializers.FloatField()
    detail = serializers.CharField(allow_blank=True)
    seconds = serializers.FloatField()
    steps = StepOut(many=True)


class RoundAnnotator(serializers.Serializer):
    id = serializers.UUIDField()
    display_name = serializers.CharField()
    done = serializers.IntegerField()
    total = serializers.IntegerField()


class RoundBatch(serializers.Serializer):
    id = serializers.UUIDField()
    closed_at = serializers.DateTimeField(allow_null=True)
    number = serializers.IntegerField()
    size = serializers.IntegerField()
    done = serializers.IntegerField()
    total = serializers.IntegerField()
    complete = serializers.BooleanField()
    n_checks = serializers.IntegerField(help_text="Check items, which `size` leaves out.")


class RoundOut(serializers.Serializer):
    id = serializers.UUIDField(source="row.uuid")
    number = serializers.IntegerField(source="row.number")
    state = serializers.ChoiceField(choices=Round.State.choices)
    failed_step = serializers.CharField(source="row.failed_step", allow_blank=True)
    failure = serializers.CharField(source="row.failure", allow_blank=True)
    strategy_asked = serializers.CharField(source="row.strategy_asked")
    strategy_used = serializers.CharField(source="row.strategy_used")
    options = serializers.DictField(source="row.options")
    query_size = serializers.IntegerField(source="row.query_size")
    random_state = serializers.IntegerField(source="row.random_state")
    model = serializers.CharField(source="row.model")
    learning_stages = serializers.ListField(source="row.learning_stages", child=serializers.CharField())
    combine = serializers.ChoiceField(source="row.combine", choices=COMBINES)
    random_share = serializers.FloatField(source="row.random_share")
    no_duplicate_texts = serializers.BooleanField(source="row.no_duplicate_texts")
    learning_rate = serializers.FloatField(source="row.learning_rate", allow_null=True)
    label_phase = serializers.ChoiceField(source="row.label_phase", choices=PHASES)
    use_adjudicated = serializers.BooleanField(source="row.use_adjudicated")
    annotators_per_item = serializers.IntegerField(source="row.annotators_per_item")
    annotators = RoundAnnotator(many=True)
    attempt = serializers.IntegerField(source="row.attempt")
    n_training = serializers.IntegerField(source="row.n_training")
    progress = ProgressOut()
    notices = serializers.ListField(source="row.notices", child=serializers.CharField())
    metrics = serializers.DictField(source="row.metrics")
    timings = serializers.DictField(source="row.timings")
    started_at = serializers.DateTimeField(source="row.created_at")
    finished_at = serializers.DateTimeField(source="row.finished_at", allow_null=True)
    batch = RoundBatch(allow_null=True)


class WorkerOut(serializers.Serializer):
    alive = serializers.BooleanField()
    seen_seconds_ago = serializers.FloatField(allow_null=True)


class WorkersOut(serializers.Serializer):
    broker = serializers.BooleanField()
    models = WorkerOut()
    light = WorkerOut()


class OptionOut(serializers.Serializer):
    name = serializers.CharField()
    type = serializers.ChoiceField(choices=["int", "float", "bool", "choice"])
    default = serializers.JSONField()
    help = serializers.CharField()
    minimum = serializers.FloatField(allow_null=True)
    maximum = serializers.FloatField(allow_null=True)
    choices = serializers.ListField(child=serializers.CharField())


class StrategyOut(serializers.Serializer):
    name = serializers.CharField()
    title = serializers.CharField()
    summary = serializers.CharField()
    needs_model = serializers.BooleanField()
    options = OptionOut(many=True)
    presets = serializers.DictField(
        child=serializers.DictField(child=serializers.JSONField()),
        help_text="What a value of the option `preset` changes: options and their defaults.",
    )


class ModelOut(serializers.Serializer):
    name = serializers.CharField()
    title = serializers.CharField()
    available = serializers.BooleanField()
    note = serializers.CharField(allow_blank=True)
    learning_rate = serializers.FloatField(allow_null=True, help_text="Used unless a round gives another.")
    rate_reason = serializers.CharField(allow_blank=True)


class PossibleAnnotator(serializers.Serializer):
    id = serializers.UUIDField()
    display_name = serializers.CharField()
    role = serializers.ChoiceField(choices=Role.choices)
    is_usual = serializers.BooleanField()


class NextRound(serializers.Serializer):
    number = serializers.IntegerField()
    may_start = serializers.BooleanField()
    reasons = serializers.ListField(child=serializers.CharField())
    suggested_strategy = serializers.CharField()
    n_adjudicated = serializers.IntegerField(help_text="Items with a decision that stands.")
    second_looks = serializers.IntegerField(help_text="Batches that had a second look.")


class RoundsOut(serializers.Serializer):
    rounds = RoundOut(many=True)
    workers = WorkersOut()
    strategies = StrategyOut(many=True)
    models = ModelOut(many=True)
    annotators = PossibleAnnotator(many=True)
    next = NextRound()


class StageReadiness(serializers.Serializer):
    stage = serializers.CharField()
    classes = serializers.DictField(child=serializers.IntegerField(), help_text="Usable labels by class.")
    alpha = serializers.FloatField(allow_null=True, help_text="Of the newest batch that has one.")
    warnings = serializers.ListField(child=serializers.CharField())


class ReadinessView(APIView):
    @extend_schema(responses={200: StageReadiness(many=True), **ADMIN_ERRORS})
    def get(self, request: Request, project_id: UUID) -> Response:
        """Return, stage by stage, what speaks against a round with a model now. It forbids nothing."""
        project = member_or_404(request, project_id, Capability.MANAGE).project
        return Response(StageReadiness(stages_readiness(project), many=True).data)


def serialize_workers() -> dict[str, Any]:
    return {"broker": broker_answers(), **workers_view()}


class WorkersView(APIView):
    @extend_schema(responses={200: WorkersOut, **ADMIN_ERRORS})
    def get(self, request: Request, project_id: UUID) -> Response:
        """Tell which workers are alive."""
        member_or_404(request, project_id, Capability.MANAGE)
        return Response(WorkersOut(serialize_workers()).data)


class RoundsView(APIView):
    @extend_schema(responses={200: RoundsOut, **ADMIN_ERRORS})
    def get(self, request: Request, project_id: UUID) -> Response:
        """List the rounds, and what another one could be started with."""
        project = member_or_404(request, project_id, Capability.MANAGE).project
        views = round_views(project)
        body = {
            "rounds": views,
            "workers": serialize_workers(),
            "strategies": strategy_views(),
            "models": offered_models(),
            "annotators": possible_annotators(project),
            "next": next_round_view(project, views),
        }
        return Response(RoundsOut(body).data)

    @extend_schema(request=RoundSpec, responses={201: RoundOut, 400: ErrorBody, 409: ErrorBody, **ADMIN_ERRORS})
    def post(self, request: Request, project_id: UUID) -> Response:
        """Start a round."""
        project = member_or_404(request, project_id, Capability.MANAGE).project
        spec = spec_sent(RoundSpec, request.data)
        row = round_start(project=project, spec=spec, actor=person(request))
        return Response(RoundOut(round_view(row)).data, status=status.HTTP_201_CREATED)


def round_of_my_project(request: Request, round_id: UUID) -> Round:
    return found_or_404(request, Round.objects.all(), round_id)


class RoundDetailView(APIView):
    @extend_schema(responses={200: RoundOut, **ADMIN_ERRORS})
    def get(self, request: Request, round_id: UUID) -> Response:
        """Return one round."""
        return Response(RoundOut(round_view(round_of_my_project(request, round_id))).data)


class RoundRecordView(APIView):
    @extend_schema(responses={(200, "application/json"): OpenApiTypes.OBJECT, 409: ErrorBody, **ADMIN_ERRORS})
    def get(self, request: Request, round_id: UUID) -> HttpResponse:
        """Return the round's record: what it was asked, what it read and what it chose."""
        row = round_of_my_project(request, round_id)
        if not row.record:
            raise Refused(
                "no_record", f"Round {row.number} is {row.state}: its record is written when the batch opens."
            )
        body = json.dumps(row.record, ensure_ascii=False, indent=2) + "\n"
        response = HttpResponse(body, content_type="application/json; charset=utf-8")
        response["Content-Disposition"] = f'attachment; filename="round-{row.number}-record.json"'
        return response


class RoundActView(APIView):
    """Restart or cancel a round; the path says which."""

    service: Callable[..., Round]

    @extend_schema(request=None, responses={200: RoundOut, 409: ErrorBody, **ADMIN_ERRORS})
    def post(self, request: Request, round_id: UUID) -> Response:
        row = type(self).service(row=round_of_my_project(request, round_id), actor=person(request))
        return Response(RoundOut(round_view(row)).data)


class RoundRestartView(RoundActView):
    """Restart a failed round."""

    service = staticmethod(round_restart)


class RoundCancelView(RoundActView):
    """Cancel a round that has no answers."""

    service = staticmethod(round_cancel)
