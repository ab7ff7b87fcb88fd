"""Serve the held-out test set of a project: attach, look at, remove."""

from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from al_worker.formats.heads import HEAD_KINDS
from annotation_app.api.access import member_or_404, person
from annotation_app.api.errors import ADMIN_ERRORS, UPLOAD_ERRORS, ErrorBody
from annotation_app.api.imports import form_of
from annotation_app.api.inputs import checked
from annotation_app.api.parsers import CappedForm, FormLimit
from annotation_app.models import Capability, Project
from annotation_app.rounds.held_out import (
    MAX_BYTES,
    held_out_attach,
    held_out_of,
    held_out_remove,
    learnable_stages,
)


class TestSetOut(serializers.Serializer):
    stage = serializers.CharField()
    n = serializers.IntegerField()
    class_counts = serializers.DictField(child=serializers.IntegerField())
    sha256 = serializers.CharField()
    file_name = serializers.CharField()
    attached_at = serializers.DateTimeField()
    notices = serializers.ListField(child=serializers.CharField())


class LearnableStageOut(serializers.Serializer):
    key = serializers.CharField()
    title = serializers.CharField()
    labels = serializers.ListField(child=serializers.CharField())
    head_kind = serializers.ChoiceField(source="kind", choices=HEAD_KINDS)


class TestSetPage(serializers.Serializer):
    test_set = TestSetOut(allow_null=True)
    stages = LearnableStageOut(many=True)


class TestSetIn(serializers.Serializer):
    stage = serializers.CharField(max_length=64)
    file = serializers.FileField()


def serialize_test_set_page(project: Project) -> dict[str, Any]:
    return TestSetPage({"test_set": held_out_of(project), "stages": learnable_stages(project)}).data


class TestSetView(APIView):
    parser_classes = [CappedForm]

    def form_limit(self) -> FormLimit:
        return MAX_BYTES, ("file",), "draw a sample of its items"

    @extend_schema(responses={200: TestSetPage, **ADMIN_ERRORS})
    def get(self, request: Request, project_id: UUID) -> Response:
        """Return the test set, and the stages that one could be attached for."""
        return Response(serialize_test_set_page(member_or_404(request, project_id, Capability.MANAGE).project))

    @extend_schema(
        request={"multipart/form-data": TestSetIn},
        responses={201: TestSetPage, 400: ErrorBody, **ADMIN_ERRORS, **UPLOAD_ERRORS},
    )
    def post(self, request: Request, project_id: UUID) -> Response:
        """Attach a test set in place of the one before."""
        project = member_or_404(request, project_id, Capability.MANAGE).project
        data = checked(TestSetIn, form_of(request))
        stage, upload = data["stage"], data["file"]
        held_out_attach(project=project, stage=stage, upload=upload, actor=person(request))
        return Response(serialize_test_set_page(project), status=status.HTTP_201_CREATED)

    @extend_schema(responses={204: None, **ADMIN_ERRORS})
    def delete(self, request: Request, project_id: UUID) -> Response:
        """Take the test set away from later rounds."""
        project = member_or_404(request, project_id, Capability.MANAGE).project
        held_out_remove(project=project, actor=person(request))
        return Response(status=status.HTTP_204_NO_CONTENT)
