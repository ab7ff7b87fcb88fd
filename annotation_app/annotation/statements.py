"""The statements about annotations, each a file of `sql`."""

from pathlib import Path

from annotation_app.db.statement import statement, whole_statements

SQL = Path(__file__).parent / "sql"


def annotation_statement(name: str) -> str:
    """Return the statement of sql/NAME.sql."""
    return statement([], SQL / f"{name}.sql")


def named_statements() -> dict[str, str]:
    """Return every statement of this package by the name under which `print_sql` knows it."""
    return whole_statements("annotation", SQL)
