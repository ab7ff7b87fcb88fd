"""Find a person's names wherever they stand in the database: in texts of others, corpora, and what projects wrote."""

import re

from django.apps import apps
from django.db import connection
from psycopg2 import sql

from annotation_app.models import User

APPS = ("annotation_app", "axes")


def names_of(user: User) -> list[str]:
    """Return every name and address that the account has, also at a provider of sign-ins."""
    known = [user.username, user.display_name, user.first_name, user.last_name, user.email]
    for identity in user.identities.all():
        known += [identity.name, identity.subject]
    return sorted({each.strip() for each in known if each.strip()})


def traces(names: list[str]) -> dict[str, int]:
    """Return how many rows of each table hold one of the names as a word of its own, in any case."""
    pattern = rf"(^|\W)({'|'.join(re.escape(each) for each in names)})(\W|$)"
    found = {}
    with connection.cursor() as cursor:
        for model in (model for app in APPS for model in apps.get_app_config(app).get_models()):
            table = sql.Identifier(model._meta.db_table)
            cursor.execute(sql.SQL("SELECT count(*) FROM {table} t WHERE t::text ~* %s").format(table=table), [pattern])
            if rows := cursor.fetchone()[0]:
                found[model.__name__] = rows
    return found
