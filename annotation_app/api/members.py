"""Serve members: roles, invites by link, deactivation. People cannot be looked up by name."""

from collections.abc import Callable
from uuid import UUID

from django.contrib.auth import login
from django.shortcuts import get_object_or_404
from django.utils.decorators import method_decorator
from django.views.decorators.csrf import csrf_protect
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation_app.api.access import allowed, member_or_404, memberships, person
from annotation_app.api.addresses import public_link
from annotation_app.api.errors import BadInput, Conflict, ErrorBody
from annotation_app.api.session import BACKEND, Me
from annotation_app.assignment.members import member_activate, member_deactivate
from annotation_app.dashboards.projects import member_overviews
from annotation_app.models import Capability, Invite, Membership, Role
from annotation_app.projects.services import (
    InviteInvalid,
    InviteUsed,
    ProjectError,
    invite_accept,
    invite_create,
    invite_find,
    invite_revoke,
    member_role_set,
)

ADMIN_ERRORS = {401: ErrorBody, 403: ErrorBody, 404: ErrorBody}


class MemberOut(serializers.Serializer):
    id = serializers.UUIDField()
    display_name = serializers.CharField()
    username = serializers.CharField()
    role = serializers.ChoiceField(choices=Role.choices)
    number = serializers.IntegerField()
    is_active = serializers.BooleanField()
    done = serializers.IntegerField()
    total = serializers.IntegerField()


class MembersView(APIView):
    @extend_schema(responses={200: MemberOut(many=True), **ADMIN_ERRORS})
    def get(self, request: Request, project_id: UUID) -> Response:
        member = member_or_404(request, project_id, Capability.MANAGE)
        return Response(MemberOut(member_overviews(member.project), many=True).data)


def member_of_my_project(request: Request, member_id: UUID) -> Membership:
    mine = Membership.objects.filter(project__in=memberships(request).values("project_id"))
    member = get_object_or_404(mine.select_related("project", "user"), uuid=member_id)
    allowed(memberships(request).filter(project=member.project).first(), Capability.MANAGE)
    return member


def serialize_member(member: Membership) -> Response:
    return Response(MemberOut(next(row for row in member_overviews(member.project) if row.id == member.uuid)).data)


class MemberView(APIView):
    class RoleIn(serializers.Serializer):
        role = serializers.ChoiceField(choices=Role.choices)

    @extend_schema(request=RoleIn, responses={200: MemberOut, 400: ErrorBody, **ADMIN_ERRORS})
    def patch(self, request: Request, member_id: UUID) -> Response:
        member = member_of_my_project(request, member_id)
        data = self.RoleIn(data=request.data)
        data.is_valid(raise_exception=True)
        try:
            return serialize_member(
                member_role_set(member=member, role=data.validated_data["role"], actor=person(request))
            )
        except ProjectError as error:
            raise BadInput(error.errors) from error


class MemberActivityView(APIView):
    """Deactivate or activate; the path says which."""

    service: Callable[..., Membership]

    @extend_schema(request=None, responses={200: MemberOut, 400: ErrorBody, **ADMIN_ERRORS})
    def post(self, request: Request, member_id: UUID) -> Response:
        member = member_of_my_project(request, member_id)
        try:
            return serialize_member(type(self).service(member=member, actor=person(request)))
        except ProjectError as error:
            raise BadInput(error.errors) from error


class MemberDeactivateView(MemberActivityView):
    service = staticmethod(member_deactivate)


class MemberActivateView(MemberActivityView):
    service = staticmethod(member_activate)


class InviteOut(serializers.Serializer):
    id = serializers.UUIDField(source="uuid")
    role = serializers.ChoiceField(choices=Role.choices)
    note = serializers.CharField(allow_blank=True)
    url = serializers.SerializerMethodField(help_text="Shown once, in the answer that creates it.")
    created_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField()
    used_at = serializers.DateTimeField(allow_null=True)
    revoked_at = serializers.DateTimeField(allow_null=True)

    def get_url(self, invite: Invite) -> str | None:
        url: str | None = self.context.get("url")
        return url


class InvitesView(APIView):
    class InviteIn(serializers.Serializer):
        role = serializers.ChoiceField(choices=Role.choices)
        note = serializers.CharField(max_length=200, required=False, default="", allow_blank=True)

    @extend_schema(responses={200: InviteOut(many=True), **ADMIN_ERRORS})
    def get(self, request: Request, project_id: UUID) -> Response:
        member = member_or_404(request, project_id, Capability.MANAGE)
        return Response(InviteOut(member.project.invites.order_by("-pk"), many=True).data)

    @extend_schema(request=InviteIn, responses={201: InviteOut, 400: ErrorBody, **ADMIN_ERRORS})
    def post(self, request: Request, project_id: UUID) -> Response:
        member = member_or_404(request, project_id, Capability.MANAGE)
        data = self.InviteIn(data=request.data)
        data.is_valid(raise_exception=True)
        invite, token = invite_create(project=member.project, actor=person(request), **data.validated_data)
        url = public_link(request, f"invite/{token}")
        return Response(InviteOut(invite, context={"url": url}).data, status=status.HTTP_201_CREATED)


class InviteRevokeView(APIView):
    @extend_schema(request=None, responses={200: InviteOut, 409: ErrorBody, **ADMIN_ERRORS})
    def post(self, request: Request, invite_id: UUID) -> Response:
        """An open link lets nobody in any more."""
        mine = Invite.objects.filter(project__in=memberships(request).values("project_id"))
        invite = get_object_or_404(mine, uuid=invite_id)
        allowed(memberships(request).filter(project=invite.project_id).first(), Capability.MANAGE)
        try:
            return Response(InviteOut(invite_revoke(invite=invite, actor=person(request))).data)
        except InviteUsed as error:
            raise Conflict("invite_used", "Somebody came in by this link: deactivate the person instead.") from error


INVITE_INVALID = "This link was used, was revoked or has run out: ask for a new one."


class InviteView(APIView):
    """What a person who holds the link may know before using it."""

    permission_classes = [AllowAny]

    class InviteShown(serializers.Serializer):
        project = serializers.CharField(source="project.name")
        invited_by = serializers.CharField(source="created_by.shown_name")
        role = serializers.ChoiceField(choices=Role.choices)
        expires_at = serializers.DateTimeField()

    @extend_schema(responses={200: InviteShown, 409: ErrorBody})
    def get(self, request: Request, token: str) -> Response:
        try:
            return Response(self.InviteShown(invite_find(token)).data)
        except InviteInvalid as error:
            raise Conflict("invite_invalid", INVITE_INVALID) from error


class InviteAcceptView(APIView):
    permission_classes = [AllowAny]

    class AcceptIn(serializers.Serializer):
        token = serializers.CharField(max_length=100)
        username = serializers.CharField(max_length=150, required=False)
        display_name = serializers.CharField(max_length=150, required=False, allow_blank=True)
        password = serializers.CharField(max_length=1000, required=False, trim_whitespace=False)

    @extend_schema(request=AcceptIn, responses={200: Me, 400: ErrorBody, 403: ErrorBody, 409: ErrorBody})
    @method_decorator(csrf_protect)
    def post(self, request: Request) -> Response:
        data = self.AcceptIn(data=request.data)
        data.is_valid(raise_exception=True)
        account = dict(data.validated_data)
        signed_in = request.user if request.user.is_authenticated else None
        try:
            user = invite_accept(token=account.pop("token"), user=signed_in, account=account)
        except InviteInvalid as error:
            raise Conflict("invite_invalid", INVITE_INVALID) from error
        except ProjectError as error:
            raise BadInput(error.errors) from error
        if signed_in is None:
            login(request._request, user, backend=BACKEND)
        return Response(Me(user).data)
