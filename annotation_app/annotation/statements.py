"""The statements about annotations, each a file of `sql`."""

from pathlib import Path

from annotation_app.db.statement import statement, whole_statements

SQL = Path(__file__).parent / "sql"
# The step to the spans that are given as arrays, which annotations and reviews store.
GIVEN_SPANS = SQL / "given_spans.sql"


def annotation_statement(name: str) -> str:
    """Return the statement of sql/NAME.sql."""
    return statement([], SQL / f"{name}.sql")


def store_statement() -> str:
    """Return the statement that stores a revision of an annotation.

    Parameters: the columns of the annotation, stages, labels, those of given_spans.sql, state, slot. One row (id).
    """
    return statement([GIVEN_SPANS], SQL / "store.sql")


def named_statements() -> dict[str, str]:
    """Return every statement of this package by the name under which `print_sql` knows it."""
    whole = whole_statements("annotation", SQL, but=("store", GIVEN_SPANS.stem))
    return whole | {"annotation.store": store_statement()}
