"""The same people in every test: an admin, three annotators of one project, and an outsider with her own."""

import fcntl
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import hypothesis
import pytest
from django.conf import settings
from rest_framework.test import APIClient

from annotation_app.models import Membership, Project, User
from tests.app_client import AppClient
from tests.factories import make_member, make_project
from tests.language_model import faulty_proxy as faulty_proxy
from tests.language_model import model_server as model_server
from tests.language_model import tiny_causal as tiny_causal
from tests.loop.run import people_create
from tests.stack import running_stack, state_copy

# How long an example takes says something of the machine alone.
hypothesis.settings.register_profile("untimed", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow])
hypothesis.settings.load_profile("untimed")


def pytest_configure() -> None:
    if not os.environ.get("DATABASE_URL"):
        pytest.exit(
            "No DATABASE_URL: run the tests with `make test`, or `python -m annotation_app.embedded run -- pytest`.", 3
        )
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.fixture(scope="session")
def prepared(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """The state folder that a first start and stop leave, with the accounts of `people_create`.

    Whoever needs it first makes it, for all processes of this run. Each stack begins with a copy, which needs no new
    database and no migrations.
    """
    base = tmp_path_factory.getbasetemp()
    shared = base if worker_id == "master" else base.parent
    state = shared / "prepared-state"
    with (shared / "prepared-state.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not state.exists():
            with running_stack() as stack:
                people_create(stack)
                assert stack.stop() == 0
                state_copy(stack.folder, state.with_suffix(".new"))
            state.with_suffix(".new").rename(state)
    return state


@dataclass(frozen=True)
class People:
    project: Project
    admin: Membership
    annotators: list[Membership]
    outsider: Membership

    def users(self) -> list[User]:
        return [member.user for member in (self.admin, *self.annotators, self.outsider)]


@pytest.fixture
def people(db: None) -> People:
    project = make_project("Board")
    elsewhere = make_project("Elsewhere")
    return People(
        project=project,
        admin=make_member(project, "ada", "admin"),
        annotators=[make_member(project, name, "annotator") for name in ("alice", "bob", "charlie")],
        outsider=make_member(elsewhere, "olga", "admin"),
    )


@pytest.fixture
def client_of() -> Callable[[Membership | User], APIClient]:
    """A signed-in client, answered with the application's rights. CSRF is enforced only where a test asks for it."""

    def signed_in(person: Membership | User) -> APIClient:
        client = AppClient()
        client.force_login(person.user if isinstance(person, Membership) else person)
        return client

    return signed_in
