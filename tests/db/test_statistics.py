"""The planner's statistics of tables that were just filled: taken after the commit, by the role that fills them."""

import os
from pathlib import Path

import psycopg2
import pytest
from django.db import connection, transaction

from annotation_app.agreement import services
from annotation_app.ingest.options import ImportOptions
from annotation_app.ingest.services import import_from_path
from annotation_app.models import Membership
from tests.assignment.batches import open_batch
from tests.conftest import People
from tests.labels import YES, label_batch

pytestmark = pytest.mark.django_db(transaction=True)


def rows_known(table: str) -> int:
    """How many rows the planner knows of; -1 where the table was never analyzed."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT reltuples FROM pg_class WHERE relname = %s", [f"annotation_app_{table}"])
        return int(cursor.fetchone()[0])


def test_the_role_of_the_application_may_analyze(people: People) -> None:
    app = psycopg2.connect(os.environ["DATABASE_APP_URL"], dbname=connection.settings_dict["NAME"])
    try:
        app.autocommit = True
        with app.cursor() as cursor:
            cursor.execute("ANALYZE annotation_app_membership, annotation_app_answer")
        assert app.notices == [], "PostgreSQL only warns where it skips a table"
    finally:
        app.close()
    assert rows_known("membership") == Membership.objects.count()


def test_an_opened_batch_is_known_once_it_is_committed(people: People) -> None:
    with transaction.atomic():
        open_batch(people.project, people.annotators[:2], size=5)
        assert rows_known("assignment") != 10
    assert (rows_known("batchitem"), rows_known("assignment")) == (5, 10)


def test_imported_texts_are_known(people: People, tmp_path: Path) -> None:
    (tmp_path / "rows.jsonl").write_text("".join(f'{{"id": "r{n}", "text": "A row."}}\n' for n in range(7)))
    import_from_path(
        project=people.project, actor=None, path=tmp_path / "rows.jsonl", options=ImportOptions(unit="utterance")
    )
    assert (rows_known("item"), rows_known("utterance")) == (7, 7)


def test_answers_that_came_in_bulk_are_known_once_they_are_counted(
    people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services, "MANY", 5)
    batch = open_batch(people.project, people.annotators[:2], size=5)
    label_batch(batch, lambda member, item: YES)
    services.patterns_refresh(project=people.project)
    assert (rows_known("annotation"), rows_known("counteditem")) == (10, 5)
