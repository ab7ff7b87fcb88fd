"""Serve sign-in by OpenID Connect: the way to the provider, the way back, and the link with one's own account."""

from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.contrib.auth import login
from django.http import Http404, HttpResponse, HttpResponseRedirect
from django.utils.decorators import method_decorator
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.csrf import csrf_protect
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import serializers, status
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation_app.api.access import person, public_link
from annotation_app.api.account import BACKEND, PasswordField, password_confirm
from annotation_app.api.errors import ErrorBody
from annotation_app.api.inputs import checked
from annotation_app.models import User
from annotation_app.projects.openid import UNKNOWN, identity_link, identity_unlink, invited_join, person_of
from annotation_app.projects.openid_provider import (
    LAPSED,
    Claims,
    flow_of,
    is_offered,
    issuer_stored,
    sign_in_begin,
    sign_in_end,
)
from annotation_app.projects.services import invite_find
from annotation_app.refusals import Invalid, Refused


class BegunOut(serializers.Serializer):
    url = serializers.CharField(help_text="The provider's address, to which the browser goes.")


def offered_or_404() -> None:
    if not is_offered():
        raise Http404


def begun(request: Request, **flow: Any) -> Response:
    """Send the browser to the provider. `flow` is what it is for, and waits in the session."""
    back = public_link(request, "api/openid/back/")
    return Response(BegunOut({"url": sign_in_begin(request._request, back=back, **flow)}).data)


def next_checked(path: str) -> str:
    """Return the path where it is one of this site, else the page of projects."""
    is_own = path.startswith("/") and url_has_allowed_host_and_scheme(path, allowed_hosts=None)
    return path if is_own else "/"


def page(**words: str) -> HttpResponse:
    """Send the browser to the page that ends a sign-in."""
    return HttpResponseRedirect(f"{settings.ADDRESS.path}/openid?{urlencode(words)}")


class OpenIdView(APIView):
    permission_classes = [AllowAny]

    class BeginIn(serializers.Serializer):
        next = serializers.CharField(max_length=2000, required=False, default="/", help_text="The page to go on to.")
        invite = serializers.CharField(
            max_length=100, required=False, help_text="The token of an invitation to accept."
        )

    @extend_schema(request=BeginIn, responses={200: BegunOut, 400: ErrorBody, 403: ErrorBody, 409: ErrorBody})
    @method_decorator(csrf_protect)
    def post(self, request: Request) -> Response:
        """Begin a sign-in by OpenID Connect. An invitation is accepted with it, and may make an account."""
        offered_or_404()
        given = checked(self.BeginIn, request.data)
        # The session lies in the database, which keeps no token of a link.
        invite = invite_find(given["invite"]).token_hash if "invite" in given else ""
        return begun(request, kind="sign_in", next=next_checked(given["next"]), invite=invite)


class OpenIdBackView(APIView):
    permission_classes = [AllowAny]

    @extend_schema(
        parameters=[OpenApiParameter(name, str) for name in ("code", "state", "error")],
        responses={302: OpenApiResponse(description="To the page that says how it went."), 404: ErrorBody},
    )
    def get(self, request: Request) -> HttpResponse:
        """Take the person who comes back from the provider, and sign them in or link their account."""
        offered_or_404()
        try:
            flow = flow_of(request._request)
            claims = sign_in_end(request._request)
            if flow["kind"] == "link":
                return linked(request, claims, flow)
            return signed_in(request, claims, flow)
        except Refused as refusal:
            return page(why=refusal.code)
        except Invalid:
            return page(why="not_joined")


def linked(request: Request, claims: Claims, flow: dict[str, Any]) -> HttpResponse:
    if not isinstance(request.user, User) or request.user.pk != flow["person"]:
        raise Refused("lapsed", LAPSED)
    identity_link(user=request.user, claims=claims)
    return page(next="/account")


def signed_in(request: Request, claims: Claims, flow: dict[str, Any]) -> HttpResponse:
    user = person_of(claims)
    if flow["invite"]:
        user = invited_join(claims=claims, person=user, hashed=flow["invite"])
    if user is None:
        raise Refused("not_linked", UNKNOWN)
    login(request._request, user, backend=BACKEND)
    return page(next=flow["next"])


class MyOpenIdView(APIView):
    class LinkedOut(serializers.Serializer):
        linked = serializers.BooleanField()
        name = serializers.CharField(help_text="As the provider called the person when it was linked.")

    class LinkIn(serializers.Serializer):
        current = PasswordField()

    @extend_schema(responses={200: LinkedOut, 401: ErrorBody, 404: ErrorBody})
    def get(self, request: Request) -> Response:
        """Tell whether one's own account is linked with the provider."""
        offered_or_404()
        mine = person(request).identities.filter(issuer=issuer_stored()).first()
        return Response(self.LinkedOut({"linked": mine is not None, "name": mine.name if mine else ""}).data)

    @extend_schema(
        request=LinkIn,
        responses={200: BegunOut, 400: ErrorBody, 401: ErrorBody, 404: ErrorBody, 409: ErrorBody, 429: ErrorBody},
    )
    def post(self, request: Request) -> Response:
        """Begin to link one's own account. It takes the password, as other ways into the account do."""
        offered_or_404()
        given = checked(self.LinkIn, request.data)
        return begun(request, kind="link", person=password_confirm(request, given["current"]).pk)


class MyOpenIdUnlinkView(APIView):
    @extend_schema(
        request=MyOpenIdView.LinkIn,
        responses={
            204: OpenApiResponse(description="Unlinked."),
            400: ErrorBody,
            401: ErrorBody,
            404: ErrorBody,
            409: ErrorBody,
            429: ErrorBody,
        },
    )
    def post(self, request: Request) -> Response:
        """Unlink one's own account. It takes the password, without which nobody could sign in any more."""
        offered_or_404()
        given = checked(MyOpenIdView.LinkIn, request.data)
        user = person(request)
        if user.has_usable_password():
            password_confirm(request, given["current"])
        identity_unlink(user=user, issuer=issuer_stored())
        return Response(status=status.HTTP_204_NO_CONTENT)
