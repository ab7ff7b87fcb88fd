"""Have PostgreSQL take its statistics of tables that were just filled; it would do so by itself a minute later."""

from functools import partial

from django.db import connection, transaction
from django.db.models import Model
from psycopg2 import sql


def analyze(*models: type[Model]) -> None:
    """Analyze the models' tables once the transaction is committed, since an analysis locks them until its end."""
    transaction.on_commit(partial(analyze_now, models))


def analyze_now(models: tuple[type[Model], ...]) -> None:
    tables = sql.SQL(", ").join(sql.Identifier(model._meta.db_table) for model in models)
    with connection.cursor() as cursor:
        cursor.execute(sql.SQL("ANALYZE (SKIP_LOCKED) {}").format(tables))
