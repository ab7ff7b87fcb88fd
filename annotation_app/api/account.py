"""Serve sign-in and one's own account (name, password, sessions), and links for people who forgot their password."""

from typing import Any
from uuid import UUID

from django.conf import settings
from django.contrib.auth import authenticate, login, logout, update_session_auth_hash
from django.shortcuts import get_object_or_404
from django.utils.decorators import method_decorator
from django.views.decorators.csrf import csrf_protect, ensure_csrf_cookie
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers, status
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation_app.api.access import person
from annotation_app.api.errors import ErrorBody
from annotation_app.api.inputs import checked
from annotation_app.models import Session, User
from annotation_app.projects.accounts import (
    password_change,
    password_link_find,
    password_link_use,
    profile_set,
    sessions_end,
    sessions_live,
)
from annotation_app.projects.first_account import is_awaited
from annotation_app.projects.mails import is_configured
from annotation_app.projects.openid_provider import is_offered
from annotation_app.refusals import Invalid

# Named where somebody is signed in without a password being asked.
WRONG = "The name or the password is wrong."
BACKEND = "django.contrib.auth.backends.ModelBackend"


class Me(serializers.Serializer):
    id = serializers.UUIDField(source="uuid")
    username = serializers.CharField()
    display_name = serializers.CharField(source="shown_name")
    address = serializers.CharField(source="email", help_text="The confirmed mail address. Empty: none.")
    has_password = serializers.BooleanField(source="has_usable_password")
    time_zone = serializers.CharField(help_text="In which pages show times. Empty: in each project's own.")
    can_create_projects = serializers.BooleanField()
    notice_mails = serializers.ChoiceField(
        choices=User.NoticeMails.choices, help_text="How often what waits is mailed to the confirmed address."
    )


class SessionView(APIView):
    permission_classes = [AllowAny]

    class Ready(serializers.Serializer):
        csrf = serializers.BooleanField()
        upload_max_bytes = serializers.IntegerField(help_text="Of one file that is imported.")
        sends_mail = serializers.BooleanField(help_text="Whether this server sends mail.")
        openid_button = serializers.CharField(
            help_text="The text of the button for OpenID Connect. Empty: not offered."
        )
        awaits_first = serializers.BooleanField(help_text="Whether nobody runs this server yet.")

    class Credentials(serializers.Serializer):
        username = serializers.CharField(max_length=150)
        password = serializers.CharField(max_length=1000, trim_whitespace=False)

    @extend_schema(responses=Ready)
    @method_decorator(ensure_csrf_cookie)
    def get(self, request: Request) -> Response:
        """Return the CSRF token's cookie, and what this server can do."""
        can: dict[str, Any] = {"upload_max_bytes": settings.UPLOAD_MAX_BYTES, "sends_mail": is_configured()}
        can["openid_button"] = settings.OPENID_BUTTON if is_offered() else ""
        return Response({"csrf": True, **can, "awaits_first": is_awaited()})

    # DRF exempts views from CSRF and checks it for signed-in sessions only: signing in needs it as well.
    @extend_schema(request=Credentials, responses={200: Me, 400: ErrorBody, 403: ErrorBody, 429: ErrorBody})
    @method_decorator(csrf_protect)
    def post(self, request: Request) -> Response:
        """Sign in."""
        given = checked(self.Credentials, request.data)
        user = authenticate(request._request, username=given["username"], password=given["password"])
        if not isinstance(user, User):
            raise Invalid({"password": [WRONG]}, WRONG)
        login(request._request, user)
        return Response(Me(user).data)

    @extend_schema(responses={204: OpenApiResponse(description="Signed out.")})
    def delete(self, request: Request) -> Response:
        """Sign out."""
        logout(request._request)
        return Response(status=status.HTTP_204_NO_CONTENT)


ENDED = {204: OpenApiResponse(description="Signed out there."), 401: ErrorBody, 404: ErrorBody}


class PasswordField(serializers.CharField):
    def __init__(self) -> None:
        super().__init__(max_length=1000, trim_whitespace=False)


def password_confirm(request: Request, password: str) -> User:
    """Return the signed-in person who gave their password. Raises Invalid; wrong guesses count as at sign-in."""
    user = person(request)
    if authenticate(request._request, username=user.username, password=password) is None:
        raise Invalid({"current": ["This is not your password."]})
    return user


class MeView(APIView):
    class ProfileIn(serializers.Serializer):
        display_name = serializers.CharField(max_length=150, required=False)
        time_zone = serializers.CharField(max_length=64, required=False, allow_blank=True)
        notice_mails = serializers.ChoiceField(choices=User.NoticeMails.choices, required=False)

    @extend_schema(responses={200: Me, 401: ErrorBody})
    def get(self, request: Request) -> Response:
        """Return the signed-in person."""
        return Response(Me(request.user).data)

    @extend_schema(request=ProfileIn, responses={200: Me, 400: ErrorBody, 401: ErrorBody})
    def patch(self, request: Request) -> Response:
        """Change one's own display name, time zone or mails."""
        data = checked(self.ProfileIn, request.data)
        return Response(Me(profile_set(user=person(request), **data)).data)


class MyPasswordView(APIView):
    class PasswordIn(serializers.Serializer):
        current = PasswordField()
        password = PasswordField()

    @extend_schema(request=PasswordIn, responses={200: Me, 400: ErrorBody, 401: ErrorBody, 429: ErrorBody})
    def post(self, request: Request) -> Response:
        """Change one's own password; every other session ends. Wrong guesses of the current one count as at sign-in."""
        given = checked(self.PasswordIn, request.data)
        user = password_confirm(request, given["current"])
        password_change(user=user, password=given["password"], keep=request._request.session.session_key)
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
        """List one's own live sessions."""
        context = {"key": request._request.session.session_key}
        return Response(SessionOut(sessions_live(person(request)), many=True, context=context).data)

    @extend_schema(
        operation_id="me_sessions_destroy_others",
        responses={204: OpenApiResponse(description="Signed out everywhere else."), 401: ErrorBody},
    )
    def delete(self, request: Request) -> Response:
        """End all of one's own sessions but this one."""
        sessions_end(person(request), keep=request._request.session.session_key)
        return Response(status=status.HTTP_204_NO_CONTENT)


class MySessionView(APIView):
    @extend_schema(responses=ENDED)
    def delete(self, request: Request, session_id: UUID) -> Response:
        """End one of one's own sessions."""
        get_object_or_404(person(request).sessions, uuid=session_id).delete()
        return Response(status=status.HTTP_204_NO_CONTENT)


class PasswordLinkView(APIView):
    """Tell whose link it is. It takes POST, so that the token stands in no address."""

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
        data = checked(self.TokenIn, request.data)
        return Response(self.LinkShown(password_link_find(data["token"])).data)


class PasswordLinkUseView(APIView):
    permission_classes = [AllowAny]

    class UseIn(serializers.Serializer):
        token = serializers.CharField(max_length=100)
        password = PasswordField()

    @extend_schema(request=UseIn, responses={200: Me, 400: ErrorBody, 403: ErrorBody, 409: ErrorBody})
    @method_decorator(csrf_protect)
    def post(self, request: Request) -> Response:
        """Set the new password, end every session of the account, and sign in here."""
        data = checked(self.UseIn, request.data)
        user = password_link_use(**data)
        login(request._request, user, backend=BACKEND)
        return Response(Me(user).data)
