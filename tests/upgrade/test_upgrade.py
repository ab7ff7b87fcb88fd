"""An upgrade of real data: what an earlier version stored is all there, and is answered as before."""

import json
import lzma
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg2
import pytest

from annotation_app.backups.archive import archive_check
from annotation_app.demo.coders import TASTES
from annotation_app.embedded.postgres import OWNER, PostgresServer
from annotation_app.embedded.servers import state_env
from annotation_app.embedded.state import State, without_servers
from tests.loop.annotators import label_all
from tests.loop.client import Person
from tests.stack import PASSWORD, ROOT, Stack, passable_folder
from tests.upgrade.earlier import ANSWERS, DUMP, KEEPER, READER

pytestmark = [pytest.mark.loop, pytest.mark.timeout(300)]

# Where a migration moved data: {"old_table": "new_table", "old_table.old_column": "new_column"}.
RENAMED: dict[str, str] = {
    "annotation_app_answerbag": "annotation_app_labelcombination",
    "annotation_app_foldeditem": "annotation_app_counteditem",
    "annotation_app_foldqueue": "annotation_app_recountqueue",
    "annotation_app_itemmarks": "annotation_app_importedspans",
    "annotation_app_answerpattern.n_bagged": "n_applied",
    "annotation_app_assignment.answers_shown_at": "answers_revealed_at",
}
# What a migration removed on purpose: a table, or "table.column" by its old name, with the reason beside it.
REMOVED: set[str] = {
    # Attempts are counted in `attempts_before`, as of every job.
    "annotation_app_simulation.workers_lost",
}
# Django's own records of its tables, which every migrate writes.
BOOKKEEPING = {"django_migrations", "django_content_type", "auth_permission"}
# Counts are forgotten and made again where a rule changed: the tests of agreement compare what they give.
COUNTED = {
    *("annotation_app_answerpattern", "annotation_app_labelcombination"),
    *("annotation_app_counteditem", "annotation_app_recountqueue", "annotation_app_agreementcache"),
}
# Nobody fills these, or the dump leaves them out.
EMPTY = {
    *("auth_group", "auth_group_permissions", "annotation_app_user_groups", "annotation_app_user_user_permissions"),
    *("axes_accessattempt", "axes_accessattemptexpiration", "axes_accessfailurelog", "axes_accesslog"),
    *("annotation_app_session", "django_session"),
}

Rows = dict[str, list[dict[str, Any]]]


@dataclass(frozen=True)
class Upgraded:
    """A state folder with the migrated database, and the rows of every table before and after the migrations."""

    folder: Path
    before: Rows
    after: Rows


@pytest.fixture(scope="module")
def upgraded() -> Iterator[Upgraded]:
    with passable_folder() as folder:
        state = State(folder / "state")
        state.prepare()
        postgres = PostgresServer(state)
        postgres.start()
        try:
            postgres.sql(lzma.decompress(DUMP.read_bytes()).decode(), role=OWNER)
            before = rows(postgres.url(OWNER))
            env = {**without_servers(os.environ), **state_env(state), "DATABASE_URL": postgres.url(OWNER)}
            subprocess.run([sys.executable, "manage.py", "migrate", "--noinput"], cwd=ROOT, env=env, check=True)
            after = rows(postgres.url(OWNER))
        finally:
            postgres.stop()
        yield Upgraded(state.folder, before, after)


@pytest.fixture(scope="module")
def stack(upgraded: Upgraded) -> Iterator[Stack]:
    """The new version on the migrated data, started as an operator starts it."""
    stack = Stack(upgraded.folder)
    try:
        stack.start()
        yield stack
    finally:
        stack.stop()


def rows(url: str) -> Rows:
    """Read every table's rows as JSON objects."""
    connection = psycopg2.connect(url)
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
            found = {}
            for (table,) in cursor.fetchall():
                cursor.execute(f'SELECT to_jsonb(each) FROM "{table}" AS each')
                found[table] = [row for (row,) in cursor.fetchall()]
            return found
    finally:
        connection.close()


def renamed(table: str, row: dict[str, Any]) -> dict[str, Any]:
    return {
        RENAMED.get(f"{table}.{column}", column): value
        for column, value in row.items()
        if f"{table}.{column}" not in REMOVED
    }


def in_order(found: list[dict[str, Any]]) -> list[str]:
    return sorted(json.dumps(row, sort_keys=True) for row in found)


def test_it_is_about_every_table_that_the_product_fills(upgraded: Upgraded) -> None:
    assert {table for table, found in upgraded.before.items() if not found} == EMPTY


def test_it_loses_no_row_and_no_column(upgraded: Upgraded) -> None:
    for table in upgraded.before.keys() - BOOKKEEPING - EMPTY - REMOVED:
        if RENAMED.get(table, table) in COUNTED:
            continue
        old = [renamed(table, row) for row in upgraded.before[table]]
        new = upgraded.after[RENAMED.get(table, table)]
        columns = old[0].keys()
        assert all(columns <= row.keys() for row in new), f"{table} has lost {columns - new[0].keys()}"
        assert in_order([{column: row[column] for column in columns} for row in new]) == in_order(old), table


def test_it_answers_as_the_earlier_version_did(stack: Stack) -> None:
    keeper = Person(stack.url, KEEPER, PASSWORD)
    recorded: dict[str, str] = json.loads(lzma.decompress(ANSWERS.read_bytes()))
    for path, body in recorded.items():
        response = keeper.send("GET", path)
        assert response.status_code == 200, path
        if "/export/" in path:
            assert response.content.decode() == body, path
        else:
            assert_figures(response.json(), json.loads(body), path)


def assert_figures(now: Any, then: Any, path: str) -> None:
    """Check that all that was said then is said now; something may be added, and reasons may be worded anew.

    Version 0.1.0 computed quantiles of Student's t itself, to nine digits.
    """
    if isinstance(then, dict):
        for key in then.keys() - {"reason"}:
            assert_figures(now[key], then[key], f"{path} {key}")
    elif isinstance(then, list):
        assert len(now) == len(then), path
        for number, (new, old) in enumerate(zip(now, then, strict=True)):
            assert_figures(new, old, f"{path} {number}")
    else:
        assert now == (pytest.approx(then, rel=1e-7) if isinstance(then, float) else then), path


def test_people_go_on_where_they_stopped(stack: Stack) -> None:
    reader = Person(stack.url, READER, PASSWORD)
    (project,) = reader.get("projects/")
    assert (project["my_progress"]["done"], project["my_progress"]["total"]) == (3, 6)
    assert label_all(reader, project["id"], TASTES[0]) == 3


def test_a_start_backs_up_the_data_of_an_earlier_version(tmp_path: Path) -> None:
    with passable_folder() as folder:
        state = State(folder / "state")
        state.prepare()
        postgres = PostgresServer(state)
        postgres.start()
        try:
            postgres.sql(lzma.decompress(DUMP.read_bytes()).decode(), role=OWNER)
            names = postgres.sql("SELECT name FROM django_migrations WHERE app = 'annotation_app' ORDER BY name")
        finally:
            postgres.stop()
        stack = Stack(state.folder)
        try:
            stack.start()
        finally:
            stack.stop()
        (backup,) = (state.folder / "backups").iterdir()
        with backup.open("rb") as file:
            assert archive_check(file, None).migrations == names.split()
