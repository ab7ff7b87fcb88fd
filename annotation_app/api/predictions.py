"""Serve the predictions of an evaluation, their errors, and the causes that people name."""

from typing import Any
from uuid import UUID

from django.http import Http404, HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from al_worker.formats.paper_csv import as_csv
from al_worker.formats.paper_latex import as_latex
from annotation_app.api.access import member_or_404, memberships, person
from annotation_app.api.errors import ADMIN_ERRORS, ErrorBody
from annotation_app.api.evaluations import evaluation_of_my_project
from annotation_app.api.inputs import QueryInteger, checked, given_once
from annotation_app.dashboards.error_table import error_table
from annotation_app.evaluation.predictions import (
    AGREEMENT,
    WHICH,
    causes_of,
    prediction_context,
    prediction_view,
    predictions_page,
)
from annotation_app.evaluation.services import cause_mark, error_cause_take
from annotation_app.models import Capability, Prediction
from annotation_app.refusals import Invalid

MAX_PAGE = 200
MAX_K = 100
# An ending, how the table is written, and its media type.
TABLES = {"csv": (as_csv, "text/csv; charset=utf-8"), "tex": (as_latex, "application/x-tex; charset=utf-8")}


class PredictedItem(serializers.Serializer):
    id = serializers.UUIDField(source="uuid")
    external_id = serializers.CharField()
    text = serializers.CharField()


class NamedCause(serializers.Serializer):
    id = serializers.UUIDField(source="uuid")
    name = serializers.CharField()


class PredictionOut(serializers.Serializer):
    id = serializers.UUIDField(source="row.uuid")
    item = PredictedItem(source="row.item")
    system = serializers.CharField(source="row.system")
    stage = serializers.CharField(source="row.stage")
    gold = serializers.CharField(allow_null=True, help_text="Null: an item of the pool.")
    is_unanimous = serializers.BooleanField(allow_null=True)
    # A field of that name hides the serializer's own `label`, which nothing asks for.
    label = serializers.CharField(source="row.label", allow_null=True)  # type: ignore[assignment]
    confidence = serializers.FloatField(source="row.confidence", allow_null=True)
    problem = serializers.CharField(source="row.problem", allow_blank=True)
    explanation = serializers.CharField(source="row.explanation", allow_blank=True)
    prompt = serializers.CharField(source="row.prompt", allow_blank=True)
    raw = serializers.CharField(source="row.raw", allow_blank=True)
    model = serializers.CharField(source="row.model", allow_blank=True)
    tokens_in = serializers.IntegerField(source="row.tokens_in", allow_null=True)
    tokens_out = serializers.IntegerField(source="row.tokens_out", allow_null=True)
    seconds = serializers.FloatField(source="row.seconds", allow_null=True)
    cause = NamedCause(allow_null=True)


class PredictionsOut(serializers.Serializer):
    total = serializers.IntegerField()
    rows = PredictionOut(many=True)


class TurnBefore(serializers.Serializer):
    speaker = serializers.CharField(allow_blank=True)
    text = serializers.CharField()


class PredictionContextOut(serializers.Serializer):
    utterance = serializers.CharField()
    before = TurnBefore(many=True, help_text="The 200 words before the utterance, by turns.")
    speaker = serializers.CharField(allow_blank=True)
    document = serializers.CharField()


class VotesOut(serializers.Serializer):
    label = serializers.CharField()  # type: ignore[assignment]
    n = serializers.IntegerField()


class PredictionDetail(PredictionOut):
    context = PredictionContextOut()  # type: ignore[assignment]
    votes = VotesOut(many=True)


class PredictionFilters(serializers.Serializer):
    system = serializers.CharField(required=False, max_length=100)
    stage = serializers.CharField(required=False, max_length=64)
    only = serializers.ChoiceField(choices=WHICH, default="all")
    gold = serializers.CharField(required=False, max_length=64)
    predicted = serializers.CharField(required=False, max_length=64)
    agreement = serializers.ChoiceField(choices=AGREEMENT, default="any")
    least_confidence = serializers.FloatField(required=False, min_value=0, max_value=1)
    cause = serializers.CharField(default="any", help_text="any, none, or a cause's id.")
    limit = QueryInteger(min_value=1, max_value=MAX_PAGE, default=50)
    offset = QueryInteger(min_value=0, default=0)

    def validate_cause(self, value: str) -> str:
        if value in ("any", "none"):
            return value
        try:
            return str(UUID(value))
        except ValueError as error:
            raise serializers.ValidationError("Choose any or none, or give a cause's id.") from error


class PredictionsView(APIView):
    @extend_schema(parameters=[PredictionFilters], responses={200: PredictionsOut, 400: ErrorBody, **ADMIN_ERRORS})
    def get(self, request: Request, evaluation_id: UUID) -> Response:
        """List predictions, the most confident first."""
        evaluation = evaluation_of_my_project(request, evaluation_id)
        asked = checked(PredictionFilters, given_once(request.query_params))
        limit, offset = asked.pop("limit"), asked.pop("offset")
        renamed = {"system": "system_name", "only": "which"}
        filters = {renamed.get(name, name): value for name, value in asked.items()}
        page = predictions_page(evaluation, filters, limit=limit, offset=offset)
        return Response(PredictionsOut(page).data)


def prediction_of_my_project(request: Request, prediction_id: UUID) -> Prediction:
    rows = Prediction.objects.select_related(
        "item__utterance", "item__document", "evaluation__project", "evaluation__codebook"
    )
    row = rows.filter(uuid=prediction_id, evaluation__project__in=memberships(request).values("project_id")).first()
    if row is None:
        raise Http404
    evaluation_of_my_project(request, row.evaluation.uuid)
    return row


class PredictionView(APIView):
    @extend_schema(responses={200: PredictionDetail, **ADMIN_ERRORS})
    def get(self, request: Request, prediction_id: UUID) -> Response:
        """Return one prediction with its context, and with how many people gave each label."""
        row = prediction_of_my_project(request, prediction_id)
        context = prediction_context(row)
        votes = [{"label": label, "n": n} for label, n in sorted(context.votes.items())]
        told: dict[str, Any] = {"context": context, "votes": votes, **vars(prediction_view(row))}
        return Response(PredictionDetail(told).data)


class PredictionCauseView(APIView):
    class CauseIn(serializers.Serializer):
        cause = serializers.UUIDField(allow_null=True)

    @extend_schema(request=CauseIn, responses={200: PredictionOut, 400: ErrorBody, 409: ErrorBody, **ADMIN_ERRORS})
    def post(self, request: Request, prediction_id: UUID) -> Response:
        """Name the cause of an error. Null takes it away."""
        row = prediction_of_my_project(request, prediction_id)
        given = checked(self.CauseIn, request.data)["cause"]
        member = member_or_404(request, row.evaluation.project.uuid, Capability.MANAGE)
        cause = row.evaluation.project.error_causes.filter(uuid=given).first() if given else None
        if given and cause is None:
            raise Invalid({"cause": ["This project has no such cause."]})
        cause_mark(prediction=row, cause=cause, member=member)
        return Response(PredictionOut(prediction_view(row)).data)


class ErrorCauseOut(serializers.Serializer):
    id = serializers.UUIDField()
    name = serializers.CharField()
    n = serializers.IntegerField(help_text="Predictions that it is the cause of.")


class ErrorCausesView(APIView):
    class ErrorCauseIn(serializers.Serializer):
        name = serializers.CharField(max_length=200)

    @extend_schema(responses={200: ErrorCauseOut(many=True), **ADMIN_ERRORS})
    def get(self, request: Request, project_id: UUID) -> Response:
        """List the project's causes of errors, each with how often it stands."""
        project = member_or_404(request, project_id, Capability.MANAGE).project
        return Response(ErrorCauseOut(causes_of(project), many=True).data)

    @extend_schema(
        request=ErrorCauseIn,
        responses={200: ErrorCauseOut, 201: ErrorCauseOut, 400: ErrorBody, 409: ErrorBody, **ADMIN_ERRORS},
    )
    def post(self, request: Request, project_id: UUID) -> Response:
        """Add a cause of errors to the project's list, or return the one of that name that is there (200)."""
        project = member_or_404(request, project_id, Capability.MANAGE).project
        given = checked(self.ErrorCauseIn, request.data)
        row, is_new = error_cause_take(project=project, name=given["name"], actor=person(request))
        [cause] = [each for each in causes_of(project) if each["id"] == row.uuid]
        return Response(ErrorCauseOut(cause).data, status=status.HTTP_201_CREATED if is_new else status.HTTP_200_OK)


class ErrorTableView(APIView):
    class Input(serializers.Serializer):
        system = serializers.CharField(max_length=100)
        stage = serializers.CharField(max_length=64)
        k = QueryInteger(min_value=1, max_value=MAX_K, default=5)

    @extend_schema(
        parameters=[Input],
        responses={
            **{(200, media_type.partition(";")[0]): OpenApiTypes.STR for _, media_type in TABLES.values()},
            400: ErrorBody,
            **ADMIN_ERRORS,
        },
    )
    def get(self, request: Request, evaluation_id: UUID, name: str) -> HttpResponse:
        """Return the k most confident errors in each direction, with their causes, as `csv` or `tex`."""
        evaluation = evaluation_of_my_project(request, evaluation_id)
        if name not in TABLES:
            raise Http404
        asked = checked(self.Input, given_once(request.query_params))
        for field in ("system", "stage"):
            if asked[field] not in evaluation.spec[f"{field}s"]:
                raise Invalid({field: [f"This evaluation has no {field} {asked[field]!r}."]})
        write, content_type = TABLES[name]
        table = error_table(evaluation=evaluation, system=asked["system"], stage=asked["stage"], k=asked["k"])
        response = HttpResponse(write(table), content_type=content_type)
        response["Content-Disposition"] = f'attachment; filename="evaluation-{evaluation.number}-errors.{name}"'
        return response
