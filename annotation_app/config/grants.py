"""Grant the application's database role everything but changing or deleting what people and models said."""

from typing import Any

from django.conf import settings
from django.db import connections
from django.db.migrations.executor import MigrationExecutor
from psycopg2 import sql

APPEND_ONLY = (
    "annotation_app_annotation",
    "annotation_app_answer",
    "annotation_app_span",
    "annotation_app_validation",
    "annotation_app_validatedspan",
    "annotation_app_adjudication",
    "annotation_app_adjudicatedlabel",
    "annotation_app_event",
    "annotation_app_flag",
    "annotation_app_flagmessage",
    "annotation_app_resolution",
    "annotation_app_promptversion",
    "annotation_app_goldlabel",
    "annotation_app_prediction",
    "annotation_app_errormark",
    "annotation_app_suggestionsetting",
    "annotation_app_factoidrevision",
    "annotation_app_factoidrelation",
    "annotation_app_equivalencerevision",
    "annotation_app_equivalencereview",
    "annotation_app_itemact",
)
# Rows may be added or deleted, never changed: the database itself keeps the time between request and deletion.
NEVER_CHANGED = ("annotation_app_projectdeletion",)
# Rows may be added, and only these columns change: what was published can be withdrawn, and stays as it was.
CHANGED_IN_PART = {"annotation_app_codebooknote": "withdrawn_at"}


def is_migrated(using: str) -> bool:
    """Tell whether every migration is applied: an earlier state lacks tables that grants and rules name."""
    executor = MigrationExecutor(connections[using])
    return not executor.migration_plan(executor.loader.graph.leaf_nodes())


def role_grant(*, using: str, **_: Any) -> None:
    """Grant the rights after every migrate to the newest state, as the owner.

    Do nothing where no separate application role is named.
    """
    role = settings.DATABASE_APP_ROLE
    if not role or not is_migrated(using):
        return
    name = sql.Identifier(role)
    with connections[using].cursor() as cursor:
        for statement in (
            "GRANT USAGE ON SCHEMA public TO {role}",
            "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO {role}",
            "GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO {role}",
            # To analyze tables that it has filled.
            "GRANT MAINTAIN ON ALL TABLES IN SCHEMA public TO {role}",
        ):
            cursor.execute(sql.SQL(statement).format(role=name))
        for table in APPEND_ONLY:
            cursor.execute(
                sql.SQL("REVOKE UPDATE, DELETE, TRUNCATE ON {table} FROM {role}").format(
                    table=sql.Identifier(table), role=name
                )
            )
        for table in NEVER_CHANGED:
            cursor.execute(
                sql.SQL("REVOKE UPDATE, TRUNCATE ON {table} FROM {role}").format(table=sql.Identifier(table), role=name)
            )
        for table, column in CHANGED_IN_PART.items():
            names = {"table": sql.Identifier(table), "column": sql.Identifier(column), "role": name}
            cursor.execute(sql.SQL("REVOKE UPDATE, DELETE, TRUNCATE ON {table} FROM {role}").format(**names))
            cursor.execute(sql.SQL("GRANT UPDATE ({column}) ON {table} TO {role}").format(**names))
