"""Serve the audit log of a project to its admins: page by page, or as a file."""

from typing import Any, Literal
from uuid import UUID

from django.http import StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation_app.api.access import member_or_404, person
from annotation_app.api.errors import ADMIN_ERRORS, ErrorBody
from annotation_app.api.export import TOTAL_LINES, OwnFormat, streamed
from annotation_app.api.inputs import MOST_BIG, QueryInteger, given_once, one_of
from annotation_app.codebook.texts import shown
from annotation_app.dashboards.log.download import FORMATS, log_open
from annotation_app.dashboards.log.lines import ALL, MAIN, LogFilters, log_page
from annotation_app.dashboards.log.words import KINDS
from annotation_app.models import Capability, Membership, Project

ERRORS = {400: ErrorBody, **ADMIN_ERRORS}
SYSTEM = "system"
KIND_KEYS = tuple(KINDS)


class WhichLines(serializers.Serializer):
    kind = one_of(
        MAIN, ALL, *KINDS, default=MAIN, help_text="main: all but annotations, which are many; all: these too."
    )
    person = serializers.CharField(
        required=False, help_text="Whose lines: the id of a member, or system. Left out: everyone's."
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        unknown = [name for name in self.initial_data if name not in self.fields]
        if unknown:
            allowed = f"Not a parameter of the log. Allowed here: {', '.join(self.fields)}."
            raise ValidationError({shown(name): [allowed] for name in unknown})
        return attrs

    def filters(self, project: Project) -> LogFilters:
        said = self.validated_data.get("person")
        return LogFilters(project, self.validated_data["kind"], None if said is None else whose(project, said))


def whose(project: Project, said: str) -> Membership | Literal["system"]:
    if said == SYSTEM:
        return "system"
    try:
        member = project.memberships.filter(uuid=UUID(said)).first()
    except ValueError:
        member = None
    if member is None:
        raise ValidationError({"person": ["Nobody in this project has this id: name a member, or system."]})
    return member


class LogLineOut(serializers.Serializer):
    id = serializers.IntegerField(help_text="To go on from, with before.")
    at = serializers.DateTimeField()
    person = serializers.UUIDField(allow_null=True, help_text="The member; null for the system.")
    who = serializers.CharField(help_text="Display name, or “the system”.")
    kind = serializers.ChoiceField(choices=KIND_KEYS, allow_null=True)
    verb = serializers.CharField()
    sentence = serializers.CharField(help_text="What was done, in words; who did it is not in it.")
    subject = serializers.CharField(allow_blank=True)
    # A field of that name hides the serializer's own `data`, which nothing asks for of a line.
    data = serializers.DictField()  # type: ignore[assignment]


class LogKindOut(serializers.Serializer):
    key = serializers.ChoiceField(choices=KIND_KEYS)
    title = serializers.CharField()


class LogOut(serializers.Serializer):
    lines = LogLineOut(many=True)
    older = serializers.IntegerField(allow_null=True, help_text="What to name as before for the next page.")
    kinds = LogKindOut(many=True)


class LogView(APIView):
    class Input(WhichLines):
        before = QueryInteger(min_value=1, max_value=MOST_BIG, required=False, help_text="Lines older than this one.")

    @extend_schema(parameters=[Input], responses={200: LogOut, **ERRORS})
    def get(self, request: Request, project_id: UUID) -> Response:
        """List who did what, and when, newest first, 100 a page."""
        project = member_or_404(request, project_id, Capability.MANAGE).project
        data = self.Input(data=given_once(request.query_params))
        data.is_valid(raise_exception=True)
        page = log_page(filters=data.filters(project), before=data.validated_data.get("before"))
        kinds = [{"key": key, "title": title} for key, (title, _) in KINDS.items()]
        return Response(LogOut({"lines": page.lines, "older": page.older, "kinds": kinds}).data)


class LogExportView(APIView):
    content_negotiation_class = OwnFormat

    class Input(WhichLines):
        format = one_of(*FORMATS, default="jsonl")

    @extend_schema(
        parameters=[Input, TOTAL_LINES],
        responses={
            **{(200, format.media_type): OpenApiTypes.BINARY for format in FORMATS.values()},
            **ERRORS,
        },
    )
    def get(self, request: Request, project_id: UUID) -> StreamingHttpResponse:
        """Stream the same lines as a file. A failure breaks the connection, so that no partial file looks whole."""
        project = member_or_404(request, project_id, Capability.MANAGE).project
        data = self.Input(data=given_once(request.query_params))
        data.is_valid(raise_exception=True)
        export = log_open(
            filters=data.filters(project), format=data.validated_data["format"], actor_id=person(request).pk
        )
        return streamed(export)
