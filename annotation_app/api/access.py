"""Who may see what. Every queryset starts from the signed-in person; what is none of theirs does not exist (404)."""

from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.http import Http404
from rest_framework.authentication import SessionAuthentication
from rest_framework.exceptions import NotAuthenticated, PermissionDenied
from rest_framework.request import Request

from annotation_app.models import Membership, Role, User


class Session(SessionAuthentication):
    """Session cookies with CSRF; anonymous callers are answered 401, not 403."""

    def authenticate_header(self, request: Request) -> str:
        return "Session"


def person(request: Request) -> User:
    """The signed-in person; routes for anonymous callers do not ask."""
    if not isinstance(request.user, User):
        raise NotAuthenticated
    return request.user


def memberships(request: Request) -> QuerySet[Membership]:
    """The signed-in person's live memberships: the start of every other queryset."""
    return Membership.objects.filter(user=person(request), is_active=True).select_related("project")


def member_or_404(request: Request, project_uuid: UUID, *roles: Role) -> Membership:
    """The person's membership in the project. 404 for strangers; 403 where they belong but the role may not do this."""
    membership = memberships(request).filter(project__uuid=project_uuid).first()
    return allowed(membership, *roles)


def allowed(membership: Membership | None, *roles: Role) -> Membership:
    if membership is None:
        raise Http404
    if roles and membership.role not in roles:
        raise PermissionDenied("Your role in this project does not allow this.")
    return membership


def admin_projects(request: Request) -> QuerySet[Any]:
    """Ids of the projects where the signed-in person is an admin, for filters on what belongs to a project."""
    return memberships(request).filter(role=Role.ADMIN).values("project_id")
