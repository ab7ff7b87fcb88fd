"""Every route x every role. A new route means a new row here: the last test sees to it.

Statuses are those of a well-formed but empty request: 400 and 409 mean that the door was open. A stranger is told the
same as for an id that does not exist.
"""

import uuid
from collections.abc import Callable

import pytest
from rest_framework.test import APIClient

from annotation_app.api.urls import urlpatterns
from annotation_app.models import (
    Membership,
)
from tests.api.routes import TABLE, filled
from tests.api.routes import ids as ids
from tests.conftest import People


@pytest.fixture
def callers(people: People, ids: dict[str, uuid.UUID], client_of: Callable[[Membership], APIClient]) -> list[APIClient]:
    judge = Membership.objects.get(user__username="judge")
    members = [people.annotators[0], judge, people.admin, people.outsider]
    return [APIClient(), *map(client_of, members)]


@pytest.mark.parametrize(("method", "path"), TABLE)
def test_it_lets_in_whom_it_should(method: str, path: str, ids: dict[str, uuid.UUID], callers: list[APIClient]) -> None:
    got = tuple(caller.generic(method, filled(path, ids), "{}", "application/json").status_code for caller in callers)
    assert got == TABLE[method, path]


@pytest.mark.parametrize(("method", "path"), [key for key in TABLE if "<uuid" in key[1]])
def test_it_tells_a_stranger_no_more_than_of_nothing(
    method: str, path: str, ids: dict[str, uuid.UUID], callers: list[APIClient]
) -> None:
    stranger = callers[-1]
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
