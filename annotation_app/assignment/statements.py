"""The statements about who gets what, each a file of `sql`. Claims of slots stand in `slots.py`, put together there."""

from pathlib import Path

from annotation_app.db.statement import statement

SQL = Path(__file__).parent / "sql"
# A step of the statements about what people still have to answer.
TO_ANSWER = SQL / "to_answer.sql"


def assignment_statement(name: str) -> str:
    """Return the statement of sql/NAME.sql."""
    return statement([TO_ANSWER], SQL / f"{name}.sql")


def named_statements() -> dict[str, str]:
    """Return every statement of this package by the name under which `print_sql` knows it."""
    names = (path.stem for path in sorted(SQL.glob("*.sql")) if path != TO_ANSWER)
    return {f"assignment.{name}": assignment_statement(name) for name in names}
