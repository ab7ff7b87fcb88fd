"""Compose the statements about factoids from the steps in `sql`, and from those of agreement on labels."""

from pathlib import Path

from annotation_app.agreement import statements as agreement
from annotation_app.db.statement import statement

SQL = Path(__file__).parent / "sql"
ANSWERS = SQL / "answers.sql"


def figures_statement() -> str:
    """Return the statement of agreement on factoids.

    Parameters: text_set, stages; and `rounds`, `of`, `pair`, `names`, `measures` of
    `agreement.statements.rows_statement`.
    Rows (stage, raters, items, P(A), P(E), kappa, its reason, Cohen's kappa, its reason, standard error, its items, its
    reason). A stage is "phase ID", "pairing ID" or "pairing ID RELATION".
    """
    steps = (
        *(ANSWERS, SQL / "patterns.sql", agreement.SQL / "expand.sql", agreement.SQL / "totals.sql"),
        *agreement.estimates_of("fleiss_kappa", "cohen_kappa"),
        agreement.SQL / "standard_errors.sql",
    )
    return statement(steps, SQL / "figures.sql")


def disagreements_statement() -> str:
    """Return the statement of the items on which people differ.

    Parameters: text_set, factoid_phase, pairing. Rows (text, its position, key, key of B, raters, answers).
    """
    return statement([ANSWERS], SQL / "disagreements.sql")


def named_statements() -> dict[str, str]:
    """Return every statement of this package by the name under which `print_sql` knows it."""
    return {"factoids.agreement": figures_statement(), "factoids.disagreements": disagreements_statement()}
