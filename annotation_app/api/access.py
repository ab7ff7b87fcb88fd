"""Who may see what. Every queryset starts from the signed-in person; what is none of theirs does not exist (404)."""

from uuid import UUID

from django.db.models import QuerySet, Value
from django.http import Http404
from rest_framework.authentication import SessionAuthentication
from rest_framework.exceptions import NotAuthenticated, PermissionDenied
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request

from annotation_app.api.refusals import Conflict
from annotation_app.models import Capability, Membership, User
from annotation_app.projects.writable import ARCHIVED


class Session(SessionAuthentication):
    """Session cookies with CSRF; anonymous callers are answered 401, not 403."""

    def authenticate_header(self, request: Request) -> str:
        return "Session"

    def enforce_csrf(self, request: Request) -> None:
        """The token comes in a header. Of the framework's own request the check would read the whole form for it."""
        super().enforce_csrf(request._request)  # type: ignore[arg-type]


def person(request: Request) -> User:
    """The signed-in person; routes for anonymous callers do not ask."""
    if not isinstance(request.user, User):
        raise NotAuthenticated
    return request.user


def memberships(request: Request) -> QuerySet[Membership]:
    """The signed-in person's live memberships: the start of every other queryset. Each knows if the request writes."""
    mine = Membership.objects.filter(user=person(request), is_active=True).select_related("project")
    return mine.annotate(writes=Value(request.method not in SAFE_METHODS))


def member_or_404(
    request: Request, project_uuid: UUID, needs: Capability | None = None, *, though_archived: bool = False
) -> Membership:
    """The person's membership in the project. 404 for strangers; 403 where they belong but their role lacks `needs`.

    409 for a change of an archived project, unless it is what an archived one may do.
    """
    membership = memberships(request).filter(project__uuid=project_uuid).first()
    if membership is not None and though_archived:
        membership.writes = False  # type: ignore[attr-defined]
    return allowed(membership, needs)


def allowed(membership: Membership | None, needs: Capability | None = None) -> Membership:
    if membership is None:
        raise Http404
    if needs is not None and not membership.may(needs):
        raise PermissionDenied("Your role in this project does not allow this.")
    if getattr(membership, "writes", False) and membership.project.archived_at is not None:
        raise Conflict("archived", ARCHIVED)
    return membership
