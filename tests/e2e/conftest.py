"""Real servers, a real headless Chromium, one study shared by the tests of a module."""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from annotation_app.demo.paths import CORPUS
from tests.e2e.browser import FLAGS, chromium_find
from tests.e2e.marking import Begin, Marking, marking_project
from tests.e2e.people import opened, signed_in
from tests.loop.client import Person
from tests.loop.run import import_corpus, join, people_sign_in
from tests.mail_server import Kept, mail_server
from tests.stack import Stack, running_stack

# A slow machine that does other things beside may take this long for a page; only a failing test waits it out.
expect.set_options(timeout=30_000)


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    return {**browser_type_launch_args, "executable_path": chromium_find(), "args": FLAGS}


@pytest.fixture(autouse=True)
def pages_closed(browser: Browser) -> Iterator[None]:
    """A page left open goes on asking the server, and slows every test after it."""
    yield
    for context in browser.contexts:
        context.close()


@pytest.fixture(scope="session")
def mail() -> Iterator[tuple[Kept, int]]:
    """What the servers send, and the port to which they send it."""
    with mail_server() as server:
        yield server


@pytest.fixture(scope="session")
def stack(prepared: Path, mail: tuple[Kept, int]) -> Iterator[Stack]:
    server = {"EMAIL_URL": f"smtp://127.0.0.1:{mail[1]}", "QUORUM_EMAIL_FROM": "Quorum <quorum@example.org>"}
    with running_stack(prepared, **server) as stack:
        yield stack


@pytest.fixture(scope="session")
def people(stack: Stack) -> tuple[Person, list[Person]]:
    """An admin who may make projects, and three annotators, as signed in over HTTP."""
    return people_sign_in(stack)


@dataclass(frozen=True)
class Study:
    """A project of its own, with the demo text; `admin` and `annotators` act over HTTP where no browser is needed."""

    stack: Stack
    name: str
    id: str
    admin: Person
    annotators: list[Person]


@pytest.fixture
def study(stack: Stack, people: tuple[Person, list[Person]], request: pytest.FixtureRequest) -> Study:
    admin, annotators = people
    name = request.node.name.removeprefix("test_it_").split("[")[0].replace("_", " ")
    project = admin.post("projects/", {"name": name})["id"]
    join(admin, annotators, project)
    import_corpus(admin, project, CORPUS, say=lambda line: None)
    return Study(stack, name, project, admin, annotators)


@pytest.fixture
def begin(browser: Browser, stack: Stack, people: tuple[Person, list[Person]], request: pytest.FixtureRequest) -> Begin:
    """Opens a text of its own for Ann, on the page on which she marks it."""
    admin, (ann, *_) = people

    def start(text: str, categories: list[dict[str, Any]], row: dict[str, Any] | None = None, **window: Any) -> Marking:
        name = f"{request.node.name} {time.monotonic()}"
        project = marking_project(admin, ann, name, text, categories, row or {})
        context = browser.new_context(**{"viewport": {"width": 1280, "height": 860}, **window})
        page = signed_in(browser, stack, "ann", context)
        opened(page, name)
        # Once it is there, the page goes to its top and puts the caret.
        expect(page.get_by_test_id("span-text")).to_be_focused()
        return Marking(page, ann, project)

    return start
