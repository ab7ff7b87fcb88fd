"""Serve one's own account (name, password, sessions), and links for people who forgot their password."""

from uuid import UUID

from django.contrib.auth import authenticate, login, update_session_auth_hash
from django.shortcuts import get_object_or_404
from django.utils.decorators import method_decorator
from django.views.decorators.csrf import csrf_protect
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers, status
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation_app.api.access import person
from annotation_app.api.addresses import public_link
from annotation_app.api.errors import BadInput, Conflict, ErrorBody
from annotation_app.api.members import member_of_my_project
from annotation_app.api.session import BACKEND, Me
from annotation_app.models import PasswordLink, Session
from annotation_app.projects.accounts import (
    LinkInvalid,
    LinkRefused,
    name_set,
    password_change,
    password_link_create,
    password_link_find,
    password_link_use,
    sessions_end,
    sessions_live,
)
from annotation_app.projects.services import ProjectError

ENDED = {204: OpenApiResponse(description="Signed out there."), 401: ErrorBody, 404: ErrorBody}
LINK_INVALID = "This link was used, was replaced by a newer one or has run out: ask for a new one."


class PasswordField(serializers.CharField):
    def __init__(self) -> None:
        super().__init__(max_length=1000, trim_whitespace=False)


class MeView(APIView):
    class NameIn(serializers.Serializer):
        display_name = serializers.CharField(max_length=150)

    @extend_schema(responses={200: Me, 401: ErrorBody})
    def get(self, request: Request) -> Response:
        return Response(Me(request.user).data)

    @extend_schema(request=NameIn, responses={200: Me, 400: ErrorBody, 401: ErrorBody})
    def patch(self, request: Request) -> Response:
        data = self.NameIn(data=request.data)
        data.is_valid(raise_exception=True)
        return Response(Me(name_set(user=person(request), **data.validated_data)).data)


class MyPasswordView(APIView):
    class PasswordIn(serializers.Serializer):
        current = PasswordField()
        password = PasswordField()

    @extend_schema(request=PasswordIn, responses={200: Me, 400: ErrorBody, 401: ErrorBody, 429: ErrorBody})
    def post(self, request: Request) -> Response:
        """Change one's own password; every other session ends. Wrong guesses of the current one count as at sign-in."""
        data = self.PasswordIn(data=request.data)
        data.is_valid(raise_exception=True)
        given, user = data.validated_data, person(request)
        if authenticate(request._request, username=user.username, password=given["current"]) is None:
            raise BadInput({"current": ["This is not your password."]})
        try:
            password_change(user=user, password=given["password"], keep=request._request.session.session_key)
        except ProjectError as error:
            raise BadInput(error.errors) from error
        # The session that stays is signed by the password: it gets a new key.
        update_session_auth_hash(request._request, user)
        return Response(Me(user).data)


class SessionOut(serializers.Serializer):
    id = serializers.UUIDField(source="uuid")
    agent = serializers.CharField(help_text="As the browser names itself.")
    signed_in_at = serializers.DateTimeField()
    seen_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField(source="expire_date", help_text="If it is not used until then.")
    is_this = serializers.SerializerMethodField()

    def get_is_this(self, session: Session) -> bool:
        return bool(session.session_key == self.context["key"])


class MySessionsView(APIView):
    @extend_schema(responses={200: SessionOut(many=True), 401: ErrorBody})
    def get(self, request: Request) -> Response:
        context = {"key": request._request.session.session_key}
        return Response(SessionOut(sessions_live(person(request)), many=True, context=context).data)

    @extend_schema(
        operation_id="me_sessions_destroy_others",
        responses={204: OpenApiResponse(description="Signed out everywhere else."), 401: ErrorBody},
    )
    def delete(self, request: Request) -> Response:
        sessions_end(person(request), keep=request._request.session.session_key)
        return Response(status=status.HTTP_204_NO_CONTENT)


class MySessionView(APIView):
    @extend_schema(responses=ENDED)
    def delete(self, request: Request, session_id: UUID) -> Response:
        get_object_or_404(person(request).sessions, uuid=session_id).delete()
        return Response(status=status.HTTP_204_NO_CONTENT)


class PasswordLinkOut(serializers.Serializer):
    url = serializers.CharField(help_text="Shown once, in the answer that creates it.")
    expires_at = serializers.DateTimeField()


class MemberPasswordLinkView(APIView):
    @extend_schema(
        request=None, responses={201: PasswordLinkOut, 401: ErrorBody, 403: ErrorBody, 404: ErrorBody, 409: ErrorBody}
    )
    def post(self, request: Request, member_id: UUID) -> Response:
        """Make a link with which a member chooses a new password. Its token stands behind `#`: no server logs it."""
        member = member_of_my_project(request, member_id)
        try:
            link, token = password_link_create(user=member.user, actor=person(request))
        except LinkRefused as error:
            raise Conflict("password_link_refused", str(error)) from error
        told = {"url": public_link(request, f"password#{token}"), "expires_at": link.expires_at}
        return Response(PasswordLinkOut(told).data, status=status.HTTP_201_CREATED)


class PasswordLinkView(APIView):
    """Whose link it is. Asked by POST, so that the token stands in no address."""

    permission_classes = [AllowAny]

    class TokenIn(serializers.Serializer):
        token = serializers.CharField(max_length=100)

    class LinkShown(serializers.Serializer):
        username = serializers.CharField(source="user.username")
        display_name = serializers.CharField(source="user.shown_name")
        expires_at = serializers.DateTimeField()

    @extend_schema(request=TokenIn, responses={200: LinkShown, 400: ErrorBody, 403: ErrorBody, 409: ErrorBody})
    @method_decorator(csrf_protect)
    def post(self, request: Request) -> Response:
        data = self.TokenIn(data=request.data)
        data.is_valid(raise_exception=True)
        return Response(self.LinkShown(found(data.validated_data["token"])).data)


def found(token: str) -> PasswordLink:
    try:
        return password_link_find(token)
    except LinkInvalid as error:
        raise Conflict("password_link_invalid", LINK_INVALID) from error


class PasswordLinkUseView(APIView):
    permission_classes = [AllowAny]

    class UseIn(serializers.Serializer):
        token = serializers.CharField(max_length=100)
        password = PasswordField()

    @extend_schema(request=UseIn, responses={200: Me, 400: ErrorBody, 403: ErrorBody, 409: ErrorBody})
    @method_decorator(csrf_protect)
    def post(self, request: Request) -> Response:
        """Set the new password, end every session of the account, and sign in here."""
        data = self.UseIn(data=request.data)
        data.is_valid(raise_exception=True)
        try:
            user = password_link_use(**data.validated_data)
        except LinkInvalid as error:
            raise Conflict("password_link_invalid", LINK_INVALID) from error
        except ProjectError as error:
            raise BadInput(error.errors) from error
        login(request._request, user, backend=BACKEND)
        return Response(Me(user).data)
