"""Serve the imported columns of a project, and take which of them stand beside the text."""

from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation_app.api.access import member_or_404, person
from annotation_app.api.errors import ADMIN_ERRORS, ErrorBody
from annotation_app.api.inputs import checked
from annotation_app.ingest.columns import MOST_SHOWN, columns_of, columns_show
from annotation_app.models import Capability


class ColumnOut(serializers.Serializer):
    path = serializers.ListField(child=serializers.CharField(), min_length=1, max_length=2)
    name = serializers.CharField()
    example = serializers.CharField(allow_blank=True, help_text="The beginning of a value.")
    shown = serializers.BooleanField()


class ColumnsOut(serializers.Serializer):
    columns = ColumnOut(many=True)


class ColumnsIn(serializers.Serializer):
    shown = serializers.ListField(
        child=serializers.ListField(
            child=serializers.CharField(allow_blank=True, trim_whitespace=False, max_length=1000),
            min_length=1,
            max_length=2,
        ),
        max_length=MOST_SHOWN,
        help_text="Paths of the columns to show, in this order; all others are hidden.",
    )


class ColumnsView(APIView):
    @extend_schema(responses={200: ColumnsOut, **ADMIN_ERRORS})
    def get(self, request: Request, project_id: UUID) -> Response:
        """List the imported columns of the project's texts, and which of them are shown."""
        member = member_or_404(request, project_id, Capability.MANAGE)
        return Response(ColumnsOut({"columns": columns_of(member.project)}).data)

    @extend_schema(request=ColumnsIn, responses={200: ColumnsOut, 400: ErrorBody, **ADMIN_ERRORS, 409: ErrorBody})
    def put(self, request: Request, project_id: UUID) -> Response:
        """Set which columns stand beside the text while people label, validate and decide."""
        member = member_or_404(request, project_id, Capability.MANAGE)
        paths = [tuple(path) for path in checked(ColumnsIn, request.data)["shown"]]
        columns_show(project=member.project, actor=person(request), paths=paths)
        member.project.refresh_from_db()
        return Response(ColumnsOut({"columns": columns_of(member.project)}).data)
