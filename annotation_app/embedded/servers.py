"""Provide the embedded servers, and the environment that tells Django where they are."""

import os

from annotation_app.embedded.postgres import APP, OWNER, PostgresServer
from annotation_app.embedded.state import State, temporary_state
from annotation_app.embedded.valkey import ValkeyServer

__all__ = ["PostgresServer", "State", "ValkeyServer", "postgres_env", "state_env", "temporary_state"]


def postgres_env(server: PostgresServer) -> dict[str, str]:
    """Return the database's part of the environment.

    The web server and the workers connect as the application's role, and migrations as the owner.
    """
    return {
        "DATABASE_URL": server.url(APP),
        "DATABASE_OWNER_URL": server.url(OWNER),
        "DATABASE_APP_URL": server.url(APP),
        "DATABASE_APP_ROLE": APP,
        "QUORUM_EMBEDDED": "1",
    }


def state_env(state: State) -> dict[str, str]:
    """Return the state folder's part of the environment, with the secret key."""
    return {
        "SECRET_KEY": os.environ.get("SECRET_KEY") or state.secret("secret-key"),
        "QUORUM_STATE_DIR": str(state.folder),
        "QUORUM_MEDIA_DIR": str(state.media),
    }
