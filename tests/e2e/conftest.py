"""Real servers, a real headless Chromium."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.e2e.browser import FLAGS, chromium_find
from tests.stack import Stack, running_stack


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    return {**browser_type_launch_args, "executable_path": chromium_find(), "args": FLAGS}


@pytest.fixture(scope="session")
def stack() -> Iterator[Stack]:
    with running_stack() as stack:
        yield stack
