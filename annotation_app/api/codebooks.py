"""Serve codebook versions: list, draft, publish."""

from uuid import UUID

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation_app.api.access import allowed, member_or_404, memberships, person
from annotation_app.api.errors import BadInput, Conflict, ErrorBody
from annotation_app.codebook.definition import DefinitionError
from annotation_app.models import Capability, CodebookVersion
from annotation_app.projects.services import AlreadyPublished, codebook_create, codebook_publish


class CodebookOut(serializers.Serializer):
    id = serializers.UUIDField(source="uuid")
    version = serializers.IntegerField()
    state = serializers.ChoiceField(choices=["draft", "published"])
    definition = serializers.JSONField()
    compatible = serializers.BooleanField(allow_null=True)
    created_at = serializers.DateTimeField()
    published_at = serializers.DateTimeField(allow_null=True)


class CodebooksView(APIView):
    class CodebookIn(serializers.Serializer):
        definition = serializers.JSONField()

    @extend_schema(responses={200: CodebookOut(many=True), 401: ErrorBody, 403: ErrorBody, 404: ErrorBody})
    def get(self, request: Request, project_id: UUID) -> Response:
        member = member_or_404(request, project_id, Capability.MANAGE)
        return Response(CodebookOut(member.project.codebooks.order_by("-version"), many=True).data)

    @extend_schema(
        request=CodebookIn, responses={201: CodebookOut, 400: ErrorBody, 401: ErrorBody, 403: ErrorBody, 404: ErrorBody}
    )
    def post(self, request: Request, project_id: UUID) -> Response:
        member = member_or_404(request, project_id, Capability.MANAGE)
        data = self.CodebookIn(data=request.data)
        data.is_valid(raise_exception=True)
        try:
            codebook = codebook_create(
                project=member.project, definition=data.validated_data["definition"], actor=person(request)
            )
        except DefinitionError as error:
            raise BadInput(by_path(error), "The codebook has faults.") from error
        return Response(CodebookOut(codebook).data, status=status.HTTP_201_CREATED)


def by_path(error: DefinitionError) -> dict[str, list[str]]:
    messages: dict[str, list[str]] = {}
    for path, message in error.errors:
        messages.setdefault(f"definition.{path}" if path else "definition", []).append(message)
    return messages


class CodebookPublishView(APIView):
    @extend_schema(
        request=None, responses={200: CodebookOut, 401: ErrorBody, 403: ErrorBody, 404: ErrorBody, 409: ErrorBody}
    )
    def post(self, request: Request, codebook_id: UUID) -> Response:
        mine = CodebookVersion.objects.filter(project__in=memberships(request).values("project_id"))
        codebook = get_object_or_404(mine.select_related("project"), uuid=codebook_id)
        allowed(memberships(request).filter(project=codebook.project).first(), Capability.MANAGE)
        try:
            return Response(CodebookOut(codebook_publish(codebook=codebook, actor=person(request))).data)
        except AlreadyPublished as error:
            raise Conflict("published", "This version is published already; save the change as a new one.") from error
