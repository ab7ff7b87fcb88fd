"""Every statement that is kept in files: printed whole, taken by psql, and no file without a use."""

import os
import subprocess
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

import annotation_app
from annotation_app.db.psql import for_psql
from annotation_app.db.statement import StatementInvalid, output_in, relations_in
from annotation_app.embedded.programs import find_postgres
from annotation_app.management.printed import named_statements, printed

APP = Path(annotation_app.__file__).parent
NAMES = sorted(named_statements())
FILES = sorted(path for path in APP.rglob("*.sql") if path.relative_to(APP).parts[0] not in ("migrations", "db"))


def test_the_command_lists_all_names() -> None:
    output = StringIO()
    call_command("print_sql", stdout=output)

    assert output.getvalue().split() == NAMES
    assert {"agreement.table.all.independent", "export.annotations", "validation.list"} < set(NAMES)


def test_the_command_prints_one_statement_with_its_values() -> None:
    output = StringIO()
    call_command("print_sql", "validation.state_counts", stdout=output)

    lines = output.getvalue().split("\n")
    assert lines[1:5] == [r"\set project 1", r"\set item NULL", r"\set kinds NULL", ""]
    assert "kind = ANY(:kinds::text[])" in output.getvalue()
    assert lines[-2].endswith("GROUP BY state;")


def test_an_unknown_name_is_refused() -> None:
    with pytest.raises(CommandError, match="No statement is called 'nothing'"):
        call_command("print_sql", "nothing")


def psql(text: str) -> str:
    database = connection.settings_dict
    where = {
        "PGHOST": database["HOST"],
        "PGPORT": str(database["PORT"] or ""),
        "PGDATABASE": database["NAME"],
        "PGUSER": database["USER"],
        "PGPASSWORD": database["PASSWORD"],
    }
    command = [find_postgres(None).path("psql"), "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1"]
    done = subprocess.run(command, input=text, capture_output=True, text=True, env=os.environ | where, timeout=60)
    assert done.returncode == 0, f"{done.stderr}\n{text}"
    return done.stdout


@pytest.mark.django_db
@pytest.mark.parametrize("name", NAMES)
def test_psql_plans_each_statement_as_it_is_printed(name: str) -> None:
    assert "cost=" in psql(printed(name, verb="EXPLAIN"))


@pytest.mark.django_db
def test_psql_reads_values_and_percent_signs_as_the_application_binds_them() -> None:
    sql = "SELECT %(words)s, %(list)s::text[], %(none)s::text IS NULL, 'a' LIKE '%%a', %(yes)s, 7 %% %(n)s"
    values = {"words": "it's \\ 100%", "list": ["a", "b"], "none": None, "yes": True, "n": 4}
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
        assert cursor.fetchone() == ("it's \\ 100%", ["a", "b"], True, True, True, 3)

    assert psql(for_psql(sql, values)) == "it's \\ 100%|{a,b}|t|t|t|3\n"


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(APP)))
def test_every_file_and_every_relation_is_part_of_a_statement(path: Path) -> None:
    try:
        parts = [relation.text for relation in relations_in(path)]
    except StatementInvalid:
        output = output_in(path)
        parts = [*(relation.text for relation in output.relations), output.select]

    for part in parts:
        assert any(part in text for text in named_statements().values()), part
