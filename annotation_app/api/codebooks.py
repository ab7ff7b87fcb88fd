"""Serve codebook versions: list, draft, publish."""

from uuid import UUID

from django.db import transaction
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation_app.api.access import found_or_404, member_or_404, person
from annotation_app.api.errors import ADMIN_ERRORS, ErrorBody
from annotation_app.api.inputs import MOST, DefinitionField, QueryInteger, checked, given_once
from annotation_app.api.tagged import tagged
from annotation_app.codebook.definition import DefinitionError
from annotation_app.codebook.templates import BY_KEY, TEMPLATES
from annotation_app.models import Capability, CodebookVersion
from annotation_app.projects.codebook_drafts import MOST_DRAFT, draft_done, draft_of, draft_put
from annotation_app.projects.services import codebook_create, codebook_publish
from annotation_app.projects.versions import changes_between, versions_compared
from annotation_app.refusals import Invalid


class CodebookChangeOut(serializers.Serializer):
    path = serializers.CharField(help_text="Where in the definition, by keys: stages.<stage>.labels.<label>.")
    words = serializers.CharField(source="message")
    is_breaking = serializers.BooleanField(
        source="breaking", help_text="Answers given under the earlier version leave training."
    )


class CodebookFaultOut(serializers.Serializer):
    path = serializers.CharField(allow_blank=True, help_text="Empty: the whole.")
    message = serializers.CharField()


class CodebookOut(serializers.Serializer):
    id = serializers.UUIDField(source="row.uuid")
    version = serializers.IntegerField(source="row.version")
    state = serializers.ChoiceField(source="row.state", choices=["draft", "published"])
    definition = DefinitionField(source="row.definition")
    compatible = serializers.BooleanField(source="row.compatible", allow_null=True)
    changes = CodebookChangeOut(
        many=True,
        allow_null=True,
        help_text="Against the version published before it; of a draft, against the one in force. Null: there is none.",
    )
    faults = CodebookFaultOut(many=True, help_text="Rules that came after the version was stored, and that it breaks.")
    created_at = serializers.DateTimeField(source="row.created_at")
    published_at = serializers.DateTimeField(source="row.published_at", allow_null=True)


class CodebookChangesView(APIView):
    class ChangesQuery(serializers.Serializer):
        old = QueryInteger(min_value=1)
        new = QueryInteger(min_value=1)

    @extend_schema(
        parameters=[ChangesQuery],
        responses={200: CodebookChangeOut(many=True), 400: ErrorBody, **ADMIN_ERRORS, 409: ErrorBody},
    )
    def get(self, request: Request, project_id: UUID) -> Response:
        """List what differs from one version to another. A version that breaks a later rule is refused."""
        member = member_or_404(request, project_id, Capability.MANAGE)
        asked = checked(self.ChangesQuery, given_once(request.query_params))
        return Response(CodebookChangeOut(changes_between(member.project, **asked), many=True).data)


class CodebooksView(APIView):
    class CodebookIn(serializers.Serializer):
        definition = serializers.JSONField()
        draft_revision = serializers.IntegerField(
            min_value=0,
            max_value=MOST,
            required=False,
            allow_null=True,
            help_text="The revision of the shared draft that this is: the draft is done with.",
        )

    @extend_schema(responses={200: CodebookOut(many=True), **ADMIN_ERRORS})
    def get(self, request: Request, project_id: UUID) -> Response:
        """List the project's codebook versions, the newest first."""
        member = member_or_404(request, project_id, Capability.MANAGE)
        versions = member.project.codebooks.order_by("-version")
        return Response(CodebookOut(versions_compared(member.project, versions), many=True).data)

    @extend_schema(request=CodebookIn, responses={201: CodebookOut, 400: ErrorBody, **ADMIN_ERRORS})
    def post(self, request: Request, project_id: UUID) -> Response:
        """Store a draft, and refuse one with faults."""
        member = member_or_404(request, project_id, Capability.MANAGE)
        data = checked(self.CodebookIn, request.data)
        try:
            with transaction.atomic():
                codebook = codebook_create(project=member.project, definition=data["definition"], actor=person(request))
                draft_done(project=member.project, revision=data.get("draft_revision"), actor=person(request))
        except DefinitionError as error:
            raise Invalid(by_path(error), "The codebook has faults.") from error
        (shown,) = versions_compared(member.project, [codebook])
        return Response(CodebookOut(shown).data, status=status.HTTP_201_CREATED)


class CodebookDraftOut(serializers.Serializer):
    revision = serializers.IntegerField(help_text="To be sent with the next change.")
    text = serializers.CharField(allow_null=True, help_text="JSON, maybe not complete. Null: none is being written.")
    base = serializers.CharField(
        allow_blank=True, help_text="The newest version and the one in force when it was begun, such as 3.2."
    )
    by = serializers.CharField(source="changed_by.shown_name", allow_null=True, default=None)
    changed_at = serializers.DateTimeField()


class CodebookDraftView(APIView):
    class RevisionIn(serializers.Serializer):
        base_revision = serializers.IntegerField(min_value=0, max_value=MOST)

    class DraftIn(RevisionIn):
        text = serializers.CharField(max_length=MOST_DRAFT, trim_whitespace=False, allow_blank=True)
        base = serializers.RegexField(r"^[0-9]{1,10}\.[0-9]{1,10}$", required=False)

    @extend_schema(responses={200: CodebookDraftOut, **ADMIN_ERRORS})
    def get(self, request: Request, project_id: UUID) -> Response:
        """Return the text that the project's admins are writing."""
        member = member_or_404(request, project_id, Capability.MANAGE)
        return tagged(request, CodebookDraftOut(draft_of(member.project)).data)

    @extend_schema(request=DraftIn, responses={200: CodebookDraftOut, 400: ErrorBody, 409: ErrorBody, **ADMIN_ERRORS})
    def put(self, request: Request, project_id: UUID) -> Response:
        """Keep a text that was written from `base_revision`. 409 `stale`: somebody changed it meanwhile."""
        member = member_or_404(request, project_id, Capability.MANAGE)
        data = checked(self.DraftIn, request.data)
        return Response(CodebookDraftOut(draft_put(project=member.project, actor=person(request), **data)).data)

    @extend_schema(
        request=RevisionIn, responses={200: CodebookDraftOut, 400: ErrorBody, 409: ErrorBody, **ADMIN_ERRORS}
    )
    def post(self, request: Request, project_id: UUID) -> Response:
        """Discard the text, as it stood at `base_revision`. 409 `stale`: somebody changed it meanwhile."""
        member = member_or_404(request, project_id, Capability.MANAGE)
        data = checked(self.RevisionIn, request.data)
        draft = draft_put(project=member.project, actor=person(request), text=None, **data)
        return Response(CodebookDraftOut(draft).data)


def by_path(error: DefinitionError) -> dict[str, list[str]]:
    messages: dict[str, list[str]] = {}
    for path, message in error.errors:
        messages.setdefault(f"definition.{path}" if path else "definition", []).append(message)
    return messages


class CodebookTemplateOut(serializers.Serializer):
    key = serializers.ChoiceField(choices=list(BY_KEY))
    title = serializers.CharField()
    help = serializers.CharField(help_text="What it asks.")
    definition = DefinitionField()


class CodebookTemplatesView(APIView):
    @extend_schema(responses={200: CodebookTemplateOut(many=True), 401: ErrorBody})
    def get(self, request: Request) -> Response:
        """List codebooks to start from."""
        return Response(CodebookTemplateOut(TEMPLATES, many=True).data)


class CodebookPublishView(APIView):
    @extend_schema(request=None, responses={200: CodebookOut, **ADMIN_ERRORS, 409: ErrorBody})
    def post(self, request: Request, codebook_id: UUID) -> Response:
        """Publish a draft. It cannot be changed after that."""
        codebook = found_or_404(request, CodebookVersion.objects.all(), codebook_id)
        published = codebook_publish(codebook=codebook, actor=person(request))
        (shown,) = versions_compared(published.project, [published])
        return Response(CodebookOut(shown).data)
