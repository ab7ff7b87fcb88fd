"""Serve members: roles, invites by link, deactivation. People cannot be looked up by name."""

from collections.abc import Callable, Sequence
from typing import Any
from uuid import UUID

from django.contrib.auth import login
from django.utils.decorators import method_decorator
from django.views.decorators.csrf import csrf_protect
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation_app.api.access import found_or_404, member_or_404, person, public_link
from annotation_app.api.account import BACKEND, Me
from annotation_app.api.addresses import mails_limited
from annotation_app.api.errors import ADMIN_ERRORS, ErrorBody
from annotation_app.api.inputs import CLIENT_ID, checked
from annotation_app.assignment.members import member_activate, member_deactivate
from annotation_app.dashboards.projects import member_overviews
from annotation_app.models import Capability, Invite, Membership, Role
from annotation_app.projects.accounts import password_link_create
from annotation_app.projects.mails import invitation_problems
from annotation_app.projects.services import (
    invite_accept,
    invite_create,
    invite_find,
    invite_revoke,
    member_role_set,
)


class MemberOut(serializers.Serializer):
    id = serializers.UUIDField()
    display_name = serializers.CharField()
    username = serializers.CharField()
    role = serializers.ChoiceField(choices=Role.choices)
    may = serializers.ListField(
        child=serializers.ChoiceField(choices=list(Capability)), help_text="What the member's role allows."
    )
    number = serializers.IntegerField()
    is_owner = serializers.BooleanField(help_text="The person answers for the project.")
    is_active = serializers.BooleanField()
    done = serializers.IntegerField()
    total = serializers.IntegerField()


class MembersView(APIView):
    @extend_schema(responses={200: MemberOut(many=True), **ADMIN_ERRORS})
    def get(self, request: Request, project_id: UUID) -> Response:
        """List the members, also those who were deactivated."""
        member = member_or_404(request, project_id, Capability.MANAGE)
        return Response(MemberOut(member_overviews(member.project), many=True).data)


def member_of_my_project(request: Request, member_id: UUID) -> Membership:
    return found_or_404(request, Membership.objects.select_related("user"), member_id)


def serialize_member(member: Membership) -> Response:
    return Response(MemberOut(next(row for row in member_overviews(member.project) if row.id == member.uuid)).data)


class MemberView(APIView):
    session_only = True

    class RoleIn(serializers.Serializer):
        role = serializers.ChoiceField(choices=Role.choices)

    @extend_schema(request=RoleIn, responses={200: MemberOut, 400: ErrorBody, **ADMIN_ERRORS})
    def patch(self, request: Request, member_id: UUID) -> Response:
        """Change a member's role."""
        member = member_of_my_project(request, member_id)
        data = checked(self.RoleIn, request.data)
        return serialize_member(member_role_set(member=member, role=data["role"], actor=person(request)))


class MemberActivityView(APIView):
    """Deactivate or activate a member; the path says which."""

    service: Callable[..., Membership]

    @extend_schema(request=None, responses={200: MemberOut, 400: ErrorBody, **ADMIN_ERRORS})
    def post(self, request: Request, member_id: UUID) -> Response:
        member = member_of_my_project(request, member_id)
        return serialize_member(type(self).service(member=member, actor=person(request)))


class MemberDeactivateView(MemberActivityView):
    """Deactivate a member. Their unanswered items are taken back."""

    service = staticmethod(member_deactivate)


class MemberActivateView(MemberActivityView):
    """Activate a member again, and give withdrawn items back."""

    session_only = True
    service = staticmethod(member_activate)


class PasswordLinkOut(serializers.Serializer):
    url = serializers.CharField(help_text="Shown once, in the answer that creates it.")
    expires_at = serializers.DateTimeField()


class MemberPasswordLinkView(APIView):
    session_only = True

    @extend_schema(request=None, responses={201: PasswordLinkOut, **ADMIN_ERRORS, 409: ErrorBody})
    def post(self, request: Request, member_id: UUID) -> Response:
        """Make a link with which a member chooses a new password. Its token stands behind `#`: no server logs it."""
        member = member_of_my_project(request, member_id)
        link, token = password_link_create(user=member.user, actor=person(request))
        told = {"url": public_link(request, f"password#{token}"), "expires_at": link.expires_at}
        return Response(PasswordLinkOut(told).data, status=status.HTTP_201_CREATED)


class InviteOut(serializers.Serializer):
    id = serializers.UUIDField(source="uuid")
    role = serializers.ChoiceField(choices=Role.choices)
    note = serializers.CharField(allow_blank=True)
    address = serializers.CharField(help_text="Whose confirmed address may accept it. Empty: whoever has the link.")
    mailed_at = serializers.DateTimeField(allow_null=True, help_text="When the link was sent to the address.")
    mail_problem = serializers.SerializerMethodField(
        help_text="Why the mail was given up. Empty: it was sent, is on its way, or there is none."
    )
    url = serializers.SerializerMethodField(help_text="Shown once, in the answer that creates it.")
    created_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField()
    used_at = serializers.DateTimeField(allow_null=True)
    revoked_at = serializers.DateTimeField(allow_null=True)

    def get_url(self, invite: Invite) -> str | None:
        url: str | None = self.context.get("url")
        return url

    def get_mail_problem(self, invite: Invite) -> str:
        problem: str = self.context["problems"].get(invite.pk, "")
        return problem


def serialize_invites(invites: Sequence[Invite], url: str | None = None) -> Any:
    context = {"problems": invitation_problems(invites), "url": url}
    return InviteOut(invites, many=True, context=context).data


class InvitesView(APIView):
    session_only = True

    class InviteIn(serializers.Serializer):
        role = serializers.ChoiceField(choices=Role.choices)
        note = serializers.CharField(max_length=200, required=False, default="", allow_blank=True)
        address = serializers.EmailField(required=False, default="", allow_blank=True)
        client_id = CLIENT_ID

    @extend_schema(responses={200: InviteOut(many=True), **ADMIN_ERRORS})
    def get(self, request: Request, project_id: UUID) -> Response:
        """List the project's invites, the newest first."""
        member = member_or_404(request, project_id, Capability.MANAGE)
        return Response(serialize_invites(list(member.project.invites.order_by("-pk"))))

    @extend_schema(
        request=InviteIn,
        responses={201: InviteOut, 400: ErrorBody, 409: ErrorBody, 429: ErrorBody, **ADMIN_ERRORS},
    )
    def post(self, request: Request, project_id: UUID) -> Response:
        """Make a link with which one person joins the project, answered only once; a retry answers a new link.

        With a mail address it is sent there instead, and only an account with that confirmed address may use it.
        """
        member = member_or_404(request, project_id, Capability.MANAGE)
        data = checked(self.InviteIn, request.data)
        origin = public_link(request, "")
        with mails_limited():
            invite, token = invite_create(project=member.project, actor=person(request), origin=origin, **data)
        url = public_link(request, f"invite/{token}") if token else None
        [told] = serialize_invites([invite], url)
        return Response(told, status=status.HTTP_201_CREATED)


class InviteRevokeView(APIView):
    @extend_schema(request=None, responses={200: InviteOut, 409: ErrorBody, **ADMIN_ERRORS})
    def post(self, request: Request, invite_id: UUID) -> Response:
        """Revoke an open link, so that it lets nobody in."""
        invite = found_or_404(request, Invite.objects.all(), invite_id)
        [told] = serialize_invites([invite_revoke(invite=invite, actor=person(request))])
        return Response(told)


class InviteView(APIView):
    """Show what a person who holds the link may know before using it."""

    permission_classes = [AllowAny]

    class InviteShown(serializers.Serializer):
        project = serializers.CharField(source="project.name")
        invited_by = serializers.CharField(source="created_by.shown_name")
        role = serializers.ChoiceField(choices=Role.choices)
        expires_at = serializers.DateTimeField()

    @extend_schema(responses={200: InviteShown, 409: ErrorBody})
    def get(self, request: Request, token: str) -> Response:
        return Response(self.InviteShown(invite_find(token)).data)


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
        """Join the project, with a new account where nobody is signed in."""
        account = checked(self.AcceptIn, request.data)
        signed_in = request.user if request.user.is_authenticated else None
        user = invite_accept(token=account.pop("token"), user=signed_in, account=account)
        if signed_in is None:
            login(request._request, user, backend=BACKEND)
        return Response(Me(user).data)
