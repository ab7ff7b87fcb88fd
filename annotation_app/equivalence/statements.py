"""The statements about settled spans, for one reader or for all."""

from pathlib import Path

from annotation_app.db.statement import statement

SQL = Path(__file__).parent / "sql"
OUTPUTS = ("strings", "hidden_items", "own_items", "places")


def equivalence_statement(output: str) -> str:
    """Return the statement of an output, one of OUTPUTS. `reader` is a membership's row id, null for all."""
    return statement([SQL / "settled_spans.sql"], SQL / f"{output}.sql")


def named_statements() -> dict[str, str]:
    """Return every statement of this package by the name under which `print_sql` knows it."""
    return {f"equivalence.{output}": equivalence_statement(output) for output in OUTPUTS}
