"""Every route for every role. A new route means a new row in `routes.py`: the last test sees to it.

What a role gets follows from the table of capabilities, so that a new role is tested without a change here. A stranger
is told the same as for an id that does not exist.
"""

import uuid
from collections.abc import Callable

import pytest
from django.db import transaction
from rest_framework.test import APIClient

from annotation_app.api.urls import urlpatterns
from annotation_app.models import Membership, Role
from tests.api.routes import TABLE, filled
from tests.api.routes import ids as ids
from tests.conftest import People
from tests.factories import make_member

ClientOf = Callable[[Membership], APIClient]
Ids = dict[str, uuid.UUID]


@pytest.fixture
def of_each_role(people: People) -> dict[Role, Membership]:
    return {role: make_member(people.project, f"one-{role}", role) for role in Role}


@pytest.mark.parametrize(("method", "path"), TABLE)
def test_it_lets_in_whom_it_should(
    method: str, path: str, ids: Ids, people: People, of_each_role: dict[Role, Membership], client_of: ClientOf
) -> None:
    def status(caller: APIClient) -> int:
        """Each caller finds everything as it was."""
        with transaction.atomic():
            answer = caller.generic(method, filled(path, ids), "{}", "application/json")
            transaction.set_rollback(True)
        return int(answer.status_code)

    door = TABLE[method, path]
    got = {
        "anonymous": status(APIClient()),
        "stranger": status(client_of(people.outsider)),
        "owner": status(client_of(people.annotators[0])),
        **{str(role): status(client_of(member)) for role, member in of_each_role.items()},
    }
    assert got == {
        "anonymous": door.anonymous(),
        "stranger": door.stranger(),
        "owner": door.owner(),
        **{str(role): door.role(role) for role in Role},
    }


@pytest.mark.parametrize(("method", "path"), [key for key in TABLE if "<uuid" in key[1]])
def test_it_tells_a_stranger_no_more_than_of_nothing(
    method: str, path: str, ids: Ids, people: People, client_of: ClientOf
) -> None:
    stranger = client_of(people.outsider)
    nothing = filled(path, dict.fromkeys(ids, uuid.uuid4()))
    answers = [stranger.generic(method, url, "{}", "application/json") for url in (filled(path, ids), nothing)]
    assert answers[0].status_code == answers[1].status_code == 404
    assert answers[0].json() == answers[1].json()


def test_it_knows_every_route() -> None:
    methods = {
        (method.upper(), str(pattern.pattern))
        for pattern in urlpatterns
        for method in ("get", "post", "put", "patch", "delete")
        if hasattr(pattern.callback.view_class, method)
    }
    assert methods == set(TABLE)
