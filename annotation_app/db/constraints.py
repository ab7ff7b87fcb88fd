"""Name the constraint that refused a write."""

from django.db import IntegrityError


def constraint_of(error: IntegrityError) -> str | None:
    """Return the constraint's name, where the database told it. The message would repeat the values of the row."""
    diagnostics = getattr(error.__cause__, "diag", None)
    return getattr(diagnostics, "constraint_name", None)
