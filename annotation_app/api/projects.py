"""Serve projects: list, create, change."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.db import transaction
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.exceptions import PermissionDenied
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation_app.api.access import member_or_404, memberships, person
from annotation_app.api.errors import ADMIN_ERRORS, ErrorBody
from annotation_app.api.inputs import CLIENT_ID, checked
from annotation_app.api.windows import WindowProgressOut
from annotation_app.codebook.templates import BY_KEY, NO_CODEBOOK
from annotation_app.dashboards.pending_work import pending_work
from annotation_app.dashboards.projects import project_overviews
from annotation_app.models import Capability, Membership, Project, Role, User
from annotation_app.projects.copies import CopySpec, project_copy
from annotation_app.projects.lifecycle import (
    project_archive,
    project_change,
    project_delete,
    project_restore,
    project_transfer,
)
from annotation_app.projects.services import project_create
from annotation_app.rounds.budget import budget_set

MOST_BUDGET = 10_000_000

CREATES = "You may not create projects here: ask the operator."


class CodebookName(serializers.Serializer):
    id = serializers.UUIDField(source="uuid")
    version = serializers.IntegerField()


class MyProgress(WindowProgressOut):
    state = serializers.ChoiceField(choices=["ok", "finished", "waiting", "none"])


class ActiveRound(serializers.Serializer):
    id = serializers.UUIDField(source="uuid")
    number = serializers.IntegerField()
    state = serializers.CharField()


class ProjectOut(serializers.Serializer):
    id = serializers.UUIDField()
    name = serializers.CharField()
    description = serializers.CharField(allow_blank=True)
    owner = serializers.CharField(help_text="Who answers for it: its creator, or whom it was transferred to.")
    role = serializers.ChoiceField(choices=Role.choices)
    may = serializers.ListField(
        child=serializers.ChoiceField(choices=list(Capability)), help_text="What the member's role allows."
    )
    annotation_budget = serializers.IntegerField(allow_null=True)
    budget_spent = serializers.IntegerField()
    time_zone = serializers.CharField()
    created_at = serializers.DateTimeField()
    archived_at = serializers.DateTimeField(allow_null=True, help_text="Read only since then.")
    deletes_at = serializers.DateTimeField(allow_null=True, help_text="When it is deleted with all it holds.")
    pool_size = serializers.IntegerField()
    pool_left = serializers.IntegerField(help_text="Items of the pool that no batch of any kind has issued.")
    n_documents = serializers.IntegerField()
    active_codebook = CodebookName(allow_null=True)
    has_spans = serializers.BooleanField(help_text="One of its published codebooks has a span layer.")
    has_stages = serializers.BooleanField(help_text="One of its published codebooks has stages.")
    has_batches = serializers.BooleanField(help_text="A batch was made, of any kind.")
    has_answers = serializers.BooleanField(help_text="Somebody has submitted or skipped an item.")
    has_text_sets = serializers.BooleanField(help_text="It has texts for factoid analysis.")
    my_progress = MyProgress(allow_null=True)
    active_round = ActiveRound(allow_null=True)


class WaitingOut(serializers.Serializer):
    to_validate = serializers.IntegerField()
    to_decide = serializers.IntegerField()
    to_agree = serializers.IntegerField(help_text="Left by a second look; 0 for who is no admin.")


class ProjectsView(APIView):
    class ProjectIn(serializers.Serializer):
        name = serializers.CharField(max_length=200)
        description = serializers.CharField(max_length=10_000, required=False, allow_blank=True)
        annotation_budget = serializers.IntegerField(
            min_value=1, max_value=MOST_BUDGET, required=False, allow_null=True
        )
        time_zone = serializers.CharField(max_length=64, required=False)
        codebook = serializers.ChoiceField(choices=[*BY_KEY, NO_CODEBOOK], required=False)
        client_id = CLIENT_ID

    @extend_schema(responses={200: ProjectOut(many=True), 401: ErrorBody})
    def get(self, request: Request) -> Response:
        """List the person's projects."""
        return Response(ProjectOut(project_overviews(memberships(request)), many=True).data)

    @extend_schema(
        request=ProjectIn,
        responses={201: ProjectOut, 400: ErrorBody, 401: ErrorBody, 403: ErrorBody, 409: ErrorBody},
    )
    def post(self, request: Request) -> Response:
        """Create a project, of which the person becomes an admin."""
        owner = creator(request)
        return created_project(request, project_create(owner=owner, **checked(self.ProjectIn, request.data)))


def creator(request: Request) -> User:
    """Return the signed-in person, who may create projects."""
    if not person(request).can_create_projects:
        raise PermissionDenied(CREATES)
    return person(request)


def created_project(request: Request, project: Project) -> Response:
    overview = project_overviews(memberships(request).filter(project=project))[0]
    return Response(ProjectOut(overview).data, status=status.HTTP_201_CREATED)


def serialize_project(request: Request, member: Membership) -> Response:
    return Response(ProjectOut(project_overviews(memberships(request).filter(pk=member.pk))[0]).data)


CHANGE_ERRORS = {400: ErrorBody, **ADMIN_ERRORS, 409: ErrorBody}


class ProjectView(APIView):
    class ProjectChange(serializers.Serializer):
        name = serializers.CharField(max_length=200, required=False)
        description = serializers.CharField(max_length=10_000, required=False, allow_blank=True)
        time_zone = serializers.CharField(max_length=64, required=False)
        annotation_budget = serializers.IntegerField(
            min_value=1, max_value=MOST_BUDGET, allow_null=True, required=False
        )

        def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
            if not attrs:
                raise serializers.ValidationError(f"Name what to change: {', '.join(self.fields)}.")
            return attrs

    @extend_schema(responses={200: ProjectOut, 401: ErrorBody, 404: ErrorBody})
    def get(self, request: Request, project_id: UUID) -> Response:
        """Return one project."""
        return serialize_project(request, member_or_404(request, project_id))

    @extend_schema(request=ProjectChange, responses={200: ProjectOut, **CHANGE_ERRORS})
    def patch(self, request: Request, project_id: UUID) -> Response:
        """Change name, description, time zone and annotation budget, in items of round batches; null removes it."""
        member = member_or_404(request, project_id, Capability.MANAGE)
        given = checked(self.ProjectChange, request.data)
        with transaction.atomic():
            if "annotation_budget" in given:
                budget = given.pop("annotation_budget")
                budget_set(project=member.project, actor=person(request), annotation_budget=budget)
            project_change(project=member.project, actor=person(request), **given)
        return serialize_project(request, member)


class ProjectActView(APIView):
    """Archive or restore a project; the path says which."""

    service: Callable[..., None]

    @extend_schema(request=None, responses={200: ProjectOut, **CHANGE_ERRORS})
    def post(self, request: Request, project_id: UUID) -> Response:
        member = member_or_404(request, project_id, Capability.MANAGE, though_archived=True)
        type(self).service(project=member.project, actor=person(request))
        return serialize_project(request, member)


class ProjectArchiveView(ProjectActView):
    """Archive a project: it can only be read until it is restored."""

    service = staticmethod(project_archive)


class ProjectRestoreView(ProjectActView):
    """Restore an archived project."""

    service = staticmethod(project_restore)


class ProjectTransferView(APIView):
    session_only = True

    class MemberIn(serializers.Serializer):
        member = serializers.UUIDField(help_text="An active admin of the project.")

    @extend_schema(request=MemberIn, responses={200: ProjectOut, **CHANGE_ERRORS})
    def post(self, request: Request, project_id: UUID) -> Response:
        """Let another admin answer for the project."""
        member = member_or_404(request, project_id, Capability.MANAGE)
        data = checked(self.MemberIn, request.data)
        project_transfer(project=member.project, actor=person(request), member_uuid=data["member"])
        return serialize_project(request, member)


class ProjectCopyView(APIView):
    session_only = True

    class CopyIn(serializers.Serializer):
        name = serializers.CharField(max_length=200)
        members = serializers.BooleanField(default=False, help_text="Add the active members, with their roles.")
        texts = serializers.BooleanField(default=False, help_text="Copy the imported texts and the text sets.")
        client_id = CLIENT_ID

    @extend_schema(request=CopyIn, responses={201: ProjectOut, **CHANGE_ERRORS})
    def post(self, request: Request, project_id: UUID) -> Response:
        """Make another project with the same settings, codebook and prompts. Answers are never copied."""
        member = member_or_404(request, project_id, Capability.MANAGE, though_archived=True)
        actor = creator(request)
        spec = CopySpec(**checked(self.CopyIn, request.data))
        return created_project(request, project_copy(source=member.project, actor=actor, spec=spec))


class ProjectDeleteView(APIView):
    session_only = True

    class NameIn(serializers.Serializer):
        name = serializers.CharField(max_length=200, help_text="The project's name, typed as a confirmation.")

    @extend_schema(request=NameIn, responses={200: ProjectOut, **CHANGE_ERRORS})
    def post(self, request: Request, project_id: UUID) -> Response:
        """Archive the project, and delete it with all it holds after a grace period, in which it can be restored."""
        member = member_or_404(request, project_id, Capability.MANAGE, though_archived=True)
        data = checked(self.NameIn, request.data)
        project_delete(project=member.project, actor=person(request), **data)
        return serialize_project(request, member)


class WaitingView(APIView):
    @extend_schema(responses={200: WaitingOut, **ADMIN_ERRORS})
    def get(self, request: Request, project_id: UUID) -> Response:
        """Count what waits for validation, adjudication and consensus."""
        member = member_or_404(request, project_id, Capability.RESOLVE)
        return Response(WaitingOut(pending_work(member)).data)
