"""Find what the signed-in person may see.

Every queryset starts from that person; what is not theirs does not exist for them (404).
"""

from typing import Any, TypeVar
from uuid import UUID

from django.conf import settings
from django.db.models import Model, QuerySet, Value
from django.http import Http404
from django.shortcuts import get_object_or_404
from rest_framework.authentication import BaseAuthentication, SessionAuthentication
from rest_framework.exceptions import AuthenticationFailed, NotAuthenticated, PermissionDenied
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request

from annotation_app.models import ApiToken, Capability, Membership, Scope, User
from annotation_app.projects.api_tokens import token_find
from annotation_app.projects.writable import ProjectArchived

Row = TypeVar("Row", bound=Model)


class Session(SessionAuthentication):
    """Authenticate by session cookies with CSRF; anonymous callers get 401, not 403."""

    def authenticate_header(self, request: Request) -> str:
        return "Session"

    def enforce_csrf(self, request: Request) -> None:
        """Check the token in the header.

        For the framework's own request the check would read the whole form to find it.
        """
        super().enforce_csrf(request._request)  # type: ignore[arg-type]


TOKEN_UNKNOWN = "This token is unknown, has expired or was revoked. Make a new one on the page Your account."
SESSION_ONLY = "An API token does not reach this. Sign in with a browser to do it."
READ_ONLY = "This API token has the scope “read”, which changes nothing."


class Token(BaseAuthentication):
    """Authenticate a person's script by `Authorization: Bearer TOKEN`. It sends no cookies, so it needs no CSRF token.

    A token reaches the routes of its project (`memberships`) and nothing that is the person's own or lets people in.
    """

    def authenticate(self, request: Request) -> tuple[User, ApiToken] | None:
        kind, _, text = request.headers.get("Authorization", "").partition(" ")
        if kind.lower() != "bearer":
            return None
        token = token_find(text.strip())
        if token is None:
            raise AuthenticationFailed(TOKEN_UNKNOWN)
        if not is_open_to_tokens(request):
            raise PermissionDenied(SESSION_ONLY)
        if token.scope == Scope.READ and request.method not in SAFE_METHODS:
            raise PermissionDenied(READ_ONLY)
        return token.membership.user, token

    def authenticate_header(self, request: Request) -> str:
        return "Bearer"


def is_open_to_tokens(request: Request) -> bool:
    """Return whether the route is of a project, and not for browsers alone. The list of projects is open too."""
    route, view = request._request.resolver_match.route, request.parser_context["view"]  # type: ignore[union-attr]
    if route == "api/projects/":
        return request.method in SAFE_METHODS
    return "<uuid:" in route and not route.startswith("api/me/") and not getattr(view, "session_only", False)


def token_of(request: Request) -> ApiToken | None:
    """Return the API token that the request came with, if it did not come from a browser."""
    return request.auth if isinstance(request.auth, ApiToken) else None


def person(request: Request) -> User:
    """Return the signed-in person; routes for anonymous callers must not call this."""
    if not isinstance(request.user, User):
        raise NotAuthenticated
    return request.user


def memberships(request: Request) -> QuerySet[Membership]:
    """Return the signed-in person's active memberships, where every other queryset starts: with a token, its own.

    Each of them knows whether the request writes, and the scope of its token.
    """
    mine = Membership.objects.filter(user=person(request), is_active=True).select_related("project")
    if (token := token_of(request)) is not None:
        mine = mine.filter(pk=token.membership_id).annotate(token_scope=Value(token.scope))
    return mine.annotate(writes=Value(request.method not in SAFE_METHODS))


def member_or_404(
    request: Request, project_uuid: UUID, needs: Capability | None = None, *, though_archived: bool = False
) -> Membership:
    """Return the person's membership in the project.

    It answers 404 to strangers, and 403 where the role lacks `needs`. A change of an archived project is answered with
    409, unless an archived one may be changed so.
    """
    membership = memberships(request).filter(project__uuid=project_uuid).first()
    if membership is not None and though_archived:
        membership.writes = False  # type: ignore[attr-defined]
    return allowed(membership, needs)


def found_or_404(request: Request, rows: QuerySet[Row], uuid: UUID) -> Row:
    """Return a row of a project that the person manages, with its project loaded.

    It answers as `member_or_404` does.
    """
    mine = rows.filter(project__in=memberships(request).values("project_id"))
    row: Any = get_object_or_404(mine.select_related("project"), uuid=uuid)
    allowed(memberships(request).filter(project=row.project_id).first(), Capability.MANAGE)
    return row


def allowed(membership: Membership | None, needs: Capability | None = None) -> Membership:
    if membership is None:
        raise Http404
    if needs is not None and not membership.may(needs):
        raise PermissionDenied("Your role in this project does not allow this. Ask an admin for another role.")
    if getattr(membership, "writes", False) and membership.project.archived_at is not None:
        raise ProjectArchived
    return membership


def public_link(request: Request, path: str) -> str:
    """Return the whole address of a page: by QUORUM_URL where it is set, else by the name in the request.

    `path` has no slash in front: "invite/TOKEN".
    """
    return settings.PUBLIC_URL + path if settings.PUBLIC_URL else request.build_absolute_uri(f"/{path}")
