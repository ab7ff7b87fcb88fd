"""Serve API tokens: one's own, and those of a project to its admins. No token reaches these routes."""

from uuid import UUID

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation_app.api.access import member_or_404, memberships, person
from annotation_app.api.account import PasswordField, password_confirm
from annotation_app.api.errors import ADMIN_ERRORS, ErrorBody
from annotation_app.api.inputs import checked
from annotation_app.models import ApiToken, Capability, Scope
from annotation_app.projects.api_tokens import MOST_DAYS, token_create, token_revoke, tokens_live


class ApiTokenOut(serializers.Serializer):
    id = serializers.UUIDField(source="uuid")
    project = serializers.UUIDField(source="membership.project.uuid")
    project_name = serializers.CharField(source="membership.project.name")
    person = serializers.CharField(source="membership.user.shown_name")
    name = serializers.CharField()
    scope = serializers.ChoiceField(choices=Scope.choices)
    created_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField()
    last_used_at = serializers.DateTimeField(allow_null=True, help_text="To the minute.")


class ApiTokenMade(ApiTokenOut):
    token = serializers.SerializerMethodField(help_text="Shown once, in the answer that creates it.")

    def get_token(self, token: ApiToken) -> str:
        return str(self.context["token"])


class MyTokensView(APIView):
    class ApiTokenIn(serializers.Serializer):
        project = serializers.UUIDField()
        name = serializers.CharField(max_length=100)
        scope = serializers.ChoiceField(choices=Scope.choices)
        days = serializers.IntegerField(min_value=1, max_value=MOST_DAYS)
        current = PasswordField()

    @extend_schema(responses={200: ApiTokenOut(many=True), 401: ErrorBody})
    def get(self, request: Request) -> Response:
        """List one's own live tokens, of all projects, the newest first."""
        return Response(ApiTokenOut(tokens_live(own_tokens(request)), many=True).data)

    @extend_schema(
        request=ApiTokenIn,
        responses={201: ApiTokenMade, 400: ErrorBody, 409: ErrorBody, 429: ErrorBody, **ADMIN_ERRORS},
    )
    def post(self, request: Request) -> Response:
        """Make a token for one project. It takes one's password: wrong ones count as at sign-in."""
        data = checked(self.ApiTokenIn, request.data)
        password_confirm(request, data["current"])
        member = member_or_404(request, data["project"])
        given = {"name": data["name"], "scope": Scope(data["scope"]), "days": data["days"]}
        token, text = token_create(member=member, **given)
        return Response(ApiTokenMade(token, context={"token": text}).data, status=status.HTTP_201_CREATED)


def own_tokens(request: Request) -> QuerySet[ApiToken]:
    return ApiToken.objects.filter(membership__in=memberships(request).values("pk"))


class MyTokenView(APIView):
    @extend_schema(responses={204: OpenApiResponse(description="It works no more."), 401: ErrorBody, 404: ErrorBody})
    def delete(self, request: Request, token_id: UUID) -> Response:
        """Revoke one of one's own tokens."""
        token_revoke(token=get_object_or_404(own_tokens(request), uuid=token_id), actor=person(request))
        return Response(status=status.HTTP_204_NO_CONTENT)


class TokensView(APIView):
    session_only = True

    @extend_schema(responses={200: ApiTokenOut(many=True), **ADMIN_ERRORS})
    def get(self, request: Request, project_id: UUID) -> Response:
        """List all members' live tokens for the project, the newest first."""
        member = member_or_404(request, project_id, Capability.MANAGE)
        tokens = ApiToken.objects.filter(membership__project=member.project)
        return Response(ApiTokenOut(tokens_live(tokens), many=True).data)


class TokenRevokeView(APIView):
    session_only = True

    @extend_schema(
        request=None, responses={204: OpenApiResponse(description="It works no more."), 409: ErrorBody, **ADMIN_ERRORS}
    )
    def post(self, request: Request, token_id: UUID) -> Response:
        """Revoke a member's token. It is possible in an archived project too."""
        mine = ApiToken.objects.filter(membership__project__in=memberships(request).values("project_id"))
        token = get_object_or_404(mine.select_related("membership__project"), uuid=token_id)
        member_or_404(request, token.membership.project.uuid, Capability.MANAGE, though_archived=True)
        token_revoke(token=token, actor=person(request))
        return Response(status=status.HTTP_204_NO_CONTENT)
