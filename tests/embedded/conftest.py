"""Servers of these tests' own: what is killed here is nobody else's."""

from collections.abc import Iterator

import pytest

from annotation_app.embedded.servers import PostgresServer, State, ValkeyServer, temporary_state


@pytest.fixture(scope="module")
def state() -> Iterator[State]:
    with temporary_state() as folder:
        yield folder


@pytest.fixture(scope="module")
def postgres(state: State) -> Iterator[PostgresServer]:
    server = PostgresServer(state)
    server.start()
    yield server
    server.stop()


@pytest.fixture(scope="module")
def valkey(state: State) -> Iterator[ValkeyServer]:
    server = ValkeyServer(state)
    server.start()
    yield server
    server.stop()
