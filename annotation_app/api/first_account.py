"""Serve the link by which the first account of an installation is made in the browser."""

from django.contrib.auth import login
from django.utils.decorators import method_decorator
from django.views.decorators.csrf import csrf_protect
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation_app.api.access import public_link
from annotation_app.api.account import BACKEND, Me, PasswordField
from annotation_app.api.addresses import mails_limited
from annotation_app.api.errors import ErrorBody
from annotation_app.api.guesses import client_address
from annotation_app.api.inputs import checked
from annotation_app.projects.first_account import first_account_create, first_link_find


class FirstLinkView(APIView):
    """Tell whether the link still works. It takes POST, so that the token stands in no address."""

    permission_classes = [AllowAny]

    class FirstTokenIn(serializers.Serializer):
        token = serializers.CharField(max_length=100)

    class FirstLinkShown(serializers.Serializer):
        expires_at = serializers.DateTimeField()

    @extend_schema(
        request=FirstTokenIn, responses={200: FirstLinkShown, 400: ErrorBody, 403: ErrorBody, 409: ErrorBody}
    )
    @method_decorator(csrf_protect)
    def post(self, request: Request) -> Response:
        data = checked(self.FirstTokenIn, request.data)
        return Response(self.FirstLinkShown(first_link_find(data["token"])).data)


class FirstAccountView(APIView):
    permission_classes = [AllowAny]

    class FirstAccountIn(serializers.Serializer):
        token = serializers.CharField(max_length=100)
        username = serializers.CharField(max_length=150)
        display_name = serializers.CharField(max_length=150)
        password = PasswordField()
        address = serializers.EmailField(
            required=False, allow_blank=True, default="", help_text="It counts once it is confirmed by a mailed link."
        )

    @extend_schema(
        request=FirstAccountIn, responses={200: Me, 400: ErrorBody, 403: ErrorBody, 409: ErrorBody, 429: ErrorBody}
    )
    @method_decorator(csrf_protect)
    def post(self, request: Request) -> Response:
        """Make the first account, which may create projects, and sign in here."""
        data = checked(self.FirstAccountIn, request.data)
        client = client_address(request._request)
        with mails_limited():
            user = first_account_create(**data, origin=public_link(request, ""), asked_from=client)
        login(request._request, user, backend=BACKEND)
        return Response(Me(user).data)
