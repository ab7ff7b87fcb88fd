"""Sign in, sign out, who am I."""

from django.conf import settings
from django.contrib.auth import authenticate, login, logout
from django.utils.decorators import method_decorator
from django.views.decorators.csrf import csrf_protect, ensure_csrf_cookie
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers, status
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation_app.api.errors import BadInput, ErrorBody
from annotation_app.models import User

# Named where somebody is signed in without a password being asked.
BACKEND = "django.contrib.auth.backends.ModelBackend"


class Me(serializers.Serializer):
    id = serializers.UUIDField(source="uuid")
    username = serializers.CharField()
    display_name = serializers.CharField(source="shown_name")
    can_create_projects = serializers.BooleanField()


class SessionView(APIView):
    permission_classes = [AllowAny]

    class Ready(serializers.Serializer):
        csrf = serializers.BooleanField()
        upload_max_bytes = serializers.IntegerField(help_text="Of one file that is imported.")

    class Credentials(serializers.Serializer):
        username = serializers.CharField(max_length=150)
        password = serializers.CharField(max_length=1000, trim_whitespace=False)

    @extend_schema(responses=Ready)
    @method_decorator(ensure_csrf_cookie)
    def get(self, request: Request) -> Response:
        return Response({"csrf": True, "upload_max_bytes": settings.UPLOAD_MAX_BYTES})

    # DRF exempts views from CSRF and checks it for signed-in sessions only: signing in needs it as well.
    @extend_schema(request=Credentials, responses={200: Me, 400: ErrorBody, 403: ErrorBody, 429: ErrorBody})
    @method_decorator(csrf_protect)
    def post(self, request: Request) -> Response:
        data = self.Credentials(data=request.data)
        data.is_valid(raise_exception=True)
        given = data.validated_data
        user = authenticate(request._request, username=given["username"], password=given["password"])
        if not isinstance(user, User):
            raise BadInput({"password": ["The name or the password is wrong."]}, "The name or the password is wrong.")
        login(request._request, user)
        return Response(Me(user).data)

    @extend_schema(responses={204: OpenApiResponse(description="Signed out.")})
    def delete(self, request: Request) -> Response:
        logout(request._request)
        return Response(status=status.HTTP_204_NO_CONTENT)
