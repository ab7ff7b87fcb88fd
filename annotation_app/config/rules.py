"""Create the database's rules after every migrate: views and functions of the schema `rules`, each a file of db/rules.

A changed rule needs no migration. Counts that are stored by a rule are forgotten when it changes, and made again. The
functions and triggers that stand in db/functions are created in the same way, and stay in place during migrations.
"""

import hashlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import connections, transaction
from django.db.backends.utils import CursorWrapper
from psycopg2 import sql

from annotation_app.agreement.statements import recount_all_statement
from annotation_app.config.grants import is_migrated
from annotation_app.models import AnswerPattern, Capability, RecountQueue, roles_with

DB = Path(__file__).parent.parent / "db"
SQL, FUNCTIONS = DB / "rules", DB / "functions"
# A rule may read those before it.
RULES = (
    "majority_takes",
    "set_labels",
    "set_stage",
    "majority_set",
    "verdict",
    "number_stage",
    "median",
    "round_batch",
    "data_item",
    "practised_item",
    "is_selected",
    "rated_annotation",
    "rated_answer",
    "handed_item",
    "item_progress",
    "latest_decision",
    "latest_validation",
    "settled_item",
    "changeable_answer",
    "flag_thread",
    "unread_messages",
    "graded_answer",
)
# The rules by which agreement's stored counts are made.
COUNTED_BY = ("majority_takes", "set_labels", "set_stage", "majority_set", "verdict", "rated_annotation")
GRANT = "GRANT USAGE ON SCHEMA rules TO {role}; GRANT SELECT ON ALL TABLES IN SCHEMA rules TO {role}"
DROP = "DROP SCHEMA IF EXISTS rules CASCADE"


def rules_drop(*, using: str, plan: list[Any], **_: Any) -> None:
    """Drop the rules before migrations, since no column that a view reads can change its type."""
    if plan:
        with connections[using].cursor() as cursor:
            cursor.execute(DROP)


def rules_create(*, using: str, plan: list[Any] | None = None, **_: Any) -> None:
    """Create the rules anew once all migrations are applied. Emptying the tables (`flush`) leaves them as they are."""
    if plan is None or not is_migrated(using):
        return
    with transaction.atomic(using), connections[using].cursor() as cursor:
        cursor.execute(f"{DROP}; CREATE SCHEMA rules")
        for name in RULES:
            cursor.execute(rule_text(cursor, name))
        for file in sorted(FUNCTIONS.glob("*.sql")):
            cursor.execute(file.read_text(encoding="utf-8"))
        if role := settings.DATABASE_APP_ROLE:
            cursor.execute(sql.SQL(GRANT).format(role=sql.Identifier(role)))
        recount_all_where_changed(cursor)


def rule_text(cursor: CursorWrapper, name: str) -> str:
    """Return the statement that creates a rule, with the roles from the table of capabilities in it."""
    text = (SQL / f"{name}.sql").read_text(encoding="utf-8")
    return str(cursor.mogrify(text, {"rating_roles": [str(role) for role in roles_with(Capability.RATE)]}).decode())


def recount_all_where_changed(cursor: CursorWrapper) -> None:
    """Queue every item for a recount unless the stored counts were made by the rules of now.

    A comment on the table of patterns is the hash of the rules by which they were counted.
    """
    patterns = AnswerPattern._meta.db_table
    made_by = rules_hash([rule_text(cursor, name) for name in COUNTED_BY])
    cursor.execute("SELECT obj_description(%s::regclass)", [patterns])
    if cursor.fetchone() != (made_by,):
        # Recounts under way end first.
        cursor.execute(f"LOCK TABLE {RecountQueue._meta.db_table} IN ACCESS EXCLUSIVE MODE")
        cursor.execute(recount_all_statement())
        cursor.execute(f"COMMENT ON TABLE {patterns} IS %s", [made_by])


def rules_hash(texts: Iterable[str]) -> str:
    """Return the SHA-256 of the statements without their comments and line breaks."""
    lines = [line for text in texts for line in text.splitlines() if not line.startswith("--")]
    return hashlib.sha256(" ".join(" ".join(lines).split()).encode()).hexdigest()
