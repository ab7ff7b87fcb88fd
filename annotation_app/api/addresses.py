"""Serve one's own mail address, links that confirm it, and mails with password links."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.utils.decorators import method_decorator
from django.views.decorators.csrf import csrf_protect
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers, status
from rest_framework.exceptions import Throttled
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation_app.api.access import public_link
from annotation_app.api.account import Me, PasswordField, password_confirm
from annotation_app.api.errors import ErrorBody
from annotation_app.api.guesses import client_address
from annotation_app.api.inputs import checked
from annotation_app.projects.addresses import (
    address_ask,
    address_confirm,
    address_link_find,
    address_remove,
    password_mail_ask,
)
from annotation_app.projects.mails import TooManyMails

SENT = {202: OpenApiResponse(description="Mail follows, if there is somebody to send it to.")}
TOO_MANY = "Too many mails were asked for. Look for those that were sent, or try again in an hour."


@contextmanager
def mails_limited() -> Iterator[None]:
    """Answer 429 over the limit of mails, whether or not anybody has the address."""
    try:
        yield
    except TooManyMails as error:
        raise Throttled(detail=TOO_MANY) from error


class PasswordMailView(APIView):
    permission_classes = [AllowAny]

    class AddressIn(serializers.Serializer):
        address = serializers.EmailField()

    @extend_schema(
        request=AddressIn, responses={**SENT, 400: ErrorBody, 403: ErrorBody, 409: ErrorBody, 429: ErrorBody}
    )
    @method_decorator(csrf_protect)
    def post(self, request: Request) -> Response:
        """Ask for a mail with a password link. The answer is the same whether or not an account has the address."""
        address = checked(self.AddressIn, request.data)["address"]
        client = client_address(request._request)
        with mails_limited():
            password_mail_ask(address=address, origin=public_link(request, ""), asked_from=client)
        return Response(status=status.HTTP_202_ACCEPTED)


class MyAddressView(APIView):
    class MyAddressIn(serializers.Serializer):
        address = serializers.EmailField()
        current = PasswordField()

    @extend_schema(
        request=MyAddressIn, responses={**SENT, 400: ErrorBody, 401: ErrorBody, 409: ErrorBody, 429: ErrorBody}
    )
    def post(self, request: Request) -> Response:
        """Ask for a mail that confirms one's new address. It counts once its link is used."""
        data = checked(self.MyAddressIn, request.data)
        user = password_confirm(request, data["current"])
        client = client_address(request._request)
        with mails_limited():
            address_ask(user=user, address=data["address"], origin=public_link(request, ""), asked_from=client)
        return Response(status=status.HTTP_202_ACCEPTED)


class MyAddressRemoveView(APIView):
    class CurrentIn(serializers.Serializer):
        current = PasswordField()

    @extend_schema(request=CurrentIn, responses={200: Me, 400: ErrorBody, 401: ErrorBody, 429: ErrorBody})
    def post(self, request: Request) -> Response:
        """Take one's address off the account."""
        user = password_confirm(request, checked(self.CurrentIn, request.data)["current"])
        return Response(Me(address_remove(user=user)).data)


class AddressLinkView(APIView):
    """Tell whose link it is, and which address it confirms. It takes POST, so that the token stands in no address."""

    permission_classes = [AllowAny]

    class AddressTokenIn(serializers.Serializer):
        token = serializers.CharField(max_length=100)

    class AddressLinkShown(serializers.Serializer):
        username = serializers.CharField(source="user.username")
        display_name = serializers.CharField(source="user.shown_name")
        address = serializers.CharField()

    @extend_schema(
        request=AddressTokenIn, responses={200: AddressLinkShown, 400: ErrorBody, 403: ErrorBody, 409: ErrorBody}
    )
    @method_decorator(csrf_protect)
    def post(self, request: Request) -> Response:
        data = checked(self.AddressTokenIn, request.data)
        return Response(self.AddressLinkShown(address_link_find(data["token"])).data)


class AddressLinkUseView(APIView):
    permission_classes = [AllowAny]

    class AddressUseIn(serializers.Serializer):
        token = serializers.CharField(max_length=100)

    @extend_schema(
        request=AddressUseIn,
        responses={
            204: OpenApiResponse(description="Confirmed."),
            400: ErrorBody,
            403: ErrorBody,
            409: ErrorBody,
        },
    )
    @method_decorator(csrf_protect)
    def post(self, request: Request) -> Response:
        """Confirm the address. Nobody is signed in by it."""
        address_confirm(**checked(self.AddressUseIn, request.data))
        return Response(status=status.HTTP_204_NO_CONTENT)
