"""Every route for API tokens of each scope. What a token may follows from the tables of roles and of scopes."""

import re
import uuid

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from annotation_app.api.urls import urlpatterns
from annotation_app.models import CAPABILITIES, SCOPES, Membership, Role, Scope
from annotation_app.projects.api_tokens import token_create
from tests.api.routes import TABLE, filled
from tests.api.routes import ids as ids
from tests.app_client import AppClient
from tests.conftest import People

Ids = dict[str, uuid.UUID]
SAFE = ("GET",)
# They hand items out, or show others' answers, which is written down.
RECORDED = {("GET", "projects/<uuid:project_id>/next/"): 409}
WRITES = re.compile(r'^\s*(INSERT INTO|UPDATE|DELETE FROM) "?(\w+)', re.IGNORECASE)
# The log, and when the token was used.
LOGGED = {"annotation_app_event", "annotation_app_apitoken"}
# Counts that whoever reads first brings up to date.
DERIVED = {f"annotation_app_{name}" for name in ("agreementcache", "agreementstate", "answerpattern", "counteditem")}
OPEN = ("health/", "metrics/", "schema/", "projects/")
SESSION_ONLY = {
    str(pattern.pattern) for pattern in urlpatterns if getattr(pattern.callback.view_class, "session_only", False)
}


def holder(member: Membership, scope: Scope) -> AppClient:
    """A script of this member: it has a token, no cookies, and no CSRF token."""
    _, text = token_create(member=member, name=f"A {scope} script", scope=scope, days=1)
    client = AppClient(enforce_csrf_checks=True)
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {text}")
    return client


def is_closed(method: str, path: str) -> bool:
    if method in SAFE and path in OPEN:
        return False
    return "<uuid:" not in path or path.startswith("me/") or path in SESSION_ONLY


def expected(method: str, path: str, member: Membership, scope: Scope, *, owns: bool) -> int:
    door = TABLE[method, path]
    if is_closed(method, path) or (scope == Scope.READ and method not in SAFE):
        return 403
    if door.lets_in == "owner":
        return door.status if owns else 404
    if door.needs and door.needs not in CAPABILITIES[Role(member.role)] & SCOPES[scope]:
        return 403
    return RECORDED.get((method, path), door.status) if scope == Scope.READ else door.status


@pytest.mark.parametrize(("method", "path"), TABLE)
def test_a_token_does_what_its_scope_and_its_person_may_in_its_project(
    method: str, path: str, ids: Ids, people: People
) -> None:
    def status(member: Membership, scope: Scope) -> int:
        with transaction.atomic():
            client = holder(member, scope)
            with CaptureQueriesContext(
                connection,
            ) as queries:
                answer = client.generic(method, filled(path, ids), "{}", "application/json")
                b"".join(getattr(answer, "streaming_content", []))
            if scope == Scope.READ:
                written = {found[2] for query in queries if (found := WRITES.match(query["sql"]))}
                assert written <= LOGGED | DERIVED, f"a token that reads wrote to {written - LOGGED - DERIVED}"
            transaction.set_rollback(True)
        return int(answer.status_code)

    owner = people.annotators[0]
    callers = [(people.admin, scope) for scope in Scope] + [(owner, Scope.READ), (owner, Scope.LABEL)]
    got = {(member.user.username, str(scope)): status(member, scope) for member, scope in callers}
    assert got == {
        (member.user.username, str(scope)): expected(method, path, member, scope, owns=member == owner)
        for member, scope in callers
    }
    elsewhere = status(people.outsider, Scope.MANAGE)
    assert elsewhere == (403 if is_closed(method, path) else 404 if "<uuid:" in path else TABLE[method, path].status)


def test_what_lets_people_in_or_outlives_the_token_is_for_browsers_alone() -> None:
    assert {
        "members/<uuid:member_id>/",
        "members/<uuid:member_id>/activate/",
        "members/<uuid:member_id>/password-link/",
        "projects/<uuid:project_id>/invites/",
        "projects/<uuid:project_id>/copy/",
        "projects/<uuid:project_id>/webhooks/",
        "projects/<uuid:project_id>/transfer/",
        "projects/<uuid:project_id>/delete/",
        "projects/<uuid:project_id>/tokens/",
        "tokens/<uuid:token_id>/revoke/",
    } == SESSION_ONLY
