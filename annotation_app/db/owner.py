"""Connect as the role that owns the tables, for the few commands that change what is append-only."""

import os

import environ
from django.db import connection

env = environ.Env()
NOT_OWNER = (
    "This needs the database role that owns the tables. Set DATABASE_OWNER_URL to its address, or with containers run "
    "the command in the service `migrate`: docker compose run --rm migrate python manage.py …"
)


class NotOwner(Exception):
    """Signal that no role with the owner's rights is known."""


def owner_connect() -> None:
    """Make this process's connection one of the owner's, where it is not yet. Raises NotOwner."""
    if is_owner():
        return
    if "DATABASE_OWNER_URL" in os.environ:
        connection.close()
        connection.settings_dict.update(env.db_url("DATABASE_OWNER_URL"))
    if not is_owner():
        raise NotOwner(NOT_OWNER)


def is_owner() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT has_table_privilege('annotation_app_event', 'UPDATE')")
        return bool(cursor.fetchone()[0])
