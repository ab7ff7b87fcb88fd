"""Serve the prototype batch: open one, watch it."""

from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation_app.api.access import member_or_404, person
from annotation_app.api.errors import BadInput, Conflict, ErrorBody
from annotation_app.api.rounds import RoundAnnotator
from annotation_app.models import Capability, Project
from annotation_app.rounds.errors import RoundInvalid, RoundRefused
from annotation_app.rounds.prototype import PrototypeSpec, prototype_open, prototype_reasons, prototype_view

ADMIN_ERRORS = {401: ErrorBody, 403: ErrorBody, 404: ErrorBody}


class PrototypeBatch(serializers.Serializer):
    id = serializers.UUIDField(source="row.uuid")
    closed_at = serializers.DateTimeField(source="row.closed_at", allow_null=True)
    frozen_at = serializers.DateTimeField(source="row.frozen_at", allow_null=True)
    number = serializers.IntegerField(source="row.number")
    size = serializers.IntegerField(source="progress.size")
    done = serializers.IntegerField(source="progress.done")
    total = serializers.IntegerField(source="progress.total")
    complete = serializers.BooleanField(source="progress.complete")
    random_state = serializers.IntegerField(source="row.random_state", allow_null=True)
    annotators_per_item = serializers.IntegerField(source="row.annotators_per_item")
    annotators = RoundAnnotator(many=True)


class PrototypePage(serializers.Serializer):
    batch = PrototypeBatch(allow_null=True)
    may_open = serializers.BooleanField()
    reasons = serializers.ListField(child=serializers.CharField())


def serialize_prototype_page(project: Project) -> dict[str, Any]:
    reasons = [reason for _, reason in prototype_reasons(project)]
    return PrototypePage({"batch": prototype_view(project), "may_open": not reasons, "reasons": reasons}).data


class PrototypeView(APIView):
    class PrototypeIn(serializers.Serializer):
        size = serializers.IntegerField(min_value=1)
        random_state = serializers.IntegerField(min_value=0)
        annotators = serializers.ListField(child=serializers.UUIDField(), allow_empty=False, max_length=1000)
        annotators_per_item = serializers.IntegerField(min_value=1)

    @extend_schema(responses={200: PrototypePage, **ADMIN_ERRORS})
    def get(self, request: Request, project_id: UUID) -> Response:
        return Response(serialize_prototype_page(member_or_404(request, project_id, Capability.MANAGE).project))

    @extend_schema(request=PrototypeIn, responses={201: PrototypePage, 400: ErrorBody, 409: ErrorBody, **ADMIN_ERRORS})
    def post(self, request: Request, project_id: UUID) -> Response:
        project = member_or_404(request, project_id, Capability.MANAGE).project
        data = self.PrototypeIn(data=request.data)
        data.is_valid(raise_exception=True)
        try:
            prototype_open(project=project, spec=PrototypeSpec(**data.validated_data), actor=person(request))
        except RoundInvalid as error:
            raise BadInput(error.errors) from error
        except RoundRefused as error:
            raise Conflict(error.code, str(error)) from error
        return Response(serialize_prototype_page(project), status=status.HTTP_201_CREATED)
