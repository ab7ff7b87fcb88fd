"""Read the database as it stood at one moment, as a stream."""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connections

from annotation_app.aggregation.planner import HASHED
from annotation_app.codebook.definition import codebook_of
from annotation_app.codebook.stages import Codebook
from annotation_app.db.statement import statement
from annotation_app.export.statements import SQL
from annotation_app.models import CodebookVersion, Project

FETCHED_AT_ONCE = 200


class Snapshot:
    """Open a read-only REPEATABLE READ transaction on a connection of its own, so that requests go on beside it.

    Rows come through server-side cursors, a few hundred at a time. It must be closed in any case. `name` is what
    pg_export_snapshot returned in another open transaction; this one then sees what that one sees.
    """

    def __init__(self, name: str | None = None) -> None:
        self.connection = connections.create_connection(DEFAULT_DB_ALIAS)
        # A web server may close the response from another thread than the one that made it.
        self.connection.inc_thread_sharing()
        with ExitStack() as undo:
            undo.callback(self.close)
            self.connection.set_autocommit(False)
            with self.connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
                if name is not None:
                    cursor.execute("SET TRANSACTION SNAPSHOT %s", [name])
                cursor.execute(HASHED)
            undo.pop_all()

    def rows(
        self, sql: str, parameters: Mapping[str, Any] | Sequence[Any], *, at_once: int = FETCHED_AT_ONCE
    ) -> Iterator[tuple[Any, ...]]:
        """Yield rows; `at_once` is how many are in memory at a time."""
        with self.connection.chunked_cursor() as cursor:
            cursor.execute(sql, parameters)
            while fetched := cursor.fetchmany(at_once):
                yield from fetched

    def value(self, sql: str, parameters: Mapping[str, Any] | Sequence[Any]) -> Any:
        return next(self.rows(sql, parameters))[0]

    def codebooks(self, project: Project) -> dict[int, tuple[int, Codebook]]:
        """Return (version, codebook) by row id."""
        rows = self.rows(statement([], SQL / "codebooks.sql"), {"project": project.pk})
        versions = [CodebookVersion(pk=pk, version=version, definition=json.loads(text)) for pk, version, text in rows]
        return {row.pk: (row.version, codebook_of(row)) for row in versions}

    def close(self) -> None:
        self.connection.close()
