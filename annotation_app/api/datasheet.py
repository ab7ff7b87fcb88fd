"""Serve the datasheet of a project to admins: the computed answers, and what people wrote."""

from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation_app.api.access import member_or_404, person
from annotation_app.api.errors import BadInput, Conflict, ErrorBody
from annotation_app.models import Capability
from annotation_app.releases.datasheet import (
    AnswerInvalid,
    StaleAnswer,
    UnknownQuestion,
    datasheet_answer,
    datasheet_read,
    question_read,
)

ADMIN_ERRORS = {401: ErrorBody, 403: ErrorBody, 404: ErrorBody}


class DatasheetQuestion(serializers.Serializer):
    key = serializers.CharField()
    text = serializers.CharField()
    help = serializers.CharField()
    needs_answer = serializers.BooleanField(help_text="Nobody but a person can say.")
    computed = serializers.CharField(allow_null=True, help_text="Markdown made from the data; null: they say nothing.")
    answer = serializers.CharField(allow_blank=True, help_text="Markdown.")
    revision = serializers.IntegerField(help_text="Of the answer; 0: never answered.")
    answered_by = serializers.CharField(allow_null=True)
    answered_at = serializers.DateTimeField(allow_null=True)


class DatasheetSection(serializers.Serializer):
    key = serializers.CharField()
    title = serializers.CharField()
    questions = DatasheetQuestion(many=True)


class DatasheetOut(serializers.Serializer):
    n_questions = serializers.IntegerField()
    n_open = serializers.IntegerField(help_text="Questions that only a person can answer, and nobody has.")
    sections = DatasheetSection(many=True)


class DatasheetConflict(serializers.Serializer):
    """Why it cannot be done now; for a stale revision, the question as it is."""

    code = serializers.ChoiceField(choices=["stale_revision"])
    detail = serializers.CharField()
    current = DatasheetQuestion()


class DatasheetView(APIView):
    @extend_schema(responses={200: DatasheetOut, **ADMIN_ERRORS})
    def get(self, request: Request, project_id: UUID) -> Response:
        """Every question of the datasheet with its answers; nothing of it is an error in an empty project."""
        project = member_or_404(request, project_id, Capability.MANAGE).project
        return Response(DatasheetOut(datasheet_read(project=project)).data)


class DatasheetAnswerView(APIView):
    class DatasheetAnswerIn(serializers.Serializer):
        text = serializers.CharField(allow_blank=True, trim_whitespace=False)
        base_revision = serializers.IntegerField(min_value=0)

    @extend_schema(
        request=DatasheetAnswerIn,
        responses={200: DatasheetQuestion, 400: ErrorBody, 409: DatasheetConflict, **ADMIN_ERRORS},
    )
    def put(self, request: Request, project_id: UUID, question: str) -> Response:
        """Saves an answer that was written from `base_revision`; a blank text takes it away."""
        project = member_or_404(request, project_id, Capability.MANAGE).project
        data = self.DatasheetAnswerIn(data=request.data)
        data.is_valid(raise_exception=True)
        given: dict[str, Any] = data.validated_data
        try:
            datasheet_answer(project=project, question=question, actor=person(request), **given)
        except UnknownQuestion as error:
            raise NotFound from error
        except AnswerInvalid as error:
            raise BadInput({"text": [str(error)]}) from error
        except StaleAnswer as error:
            current = DatasheetQuestion(question_read(project=project, key=question)).data
            raise Conflict("stale_revision", str(error), current=current) from error
        return Response(DatasheetQuestion(question_read(project=project, key=question)).data)
