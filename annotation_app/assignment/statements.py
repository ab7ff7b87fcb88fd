"""The statements about who gets what, composed from the files of `sql`."""

from pathlib import Path

from annotation_app.db.statement import statement

SQL = Path(__file__).parent / "sql"
# What people still have to answer, who could take it over from them, and who could be added for it.
STEPS = (SQL / "to_answer.sql", SQL / "raters.sql", SQL / "takeable.sql", SQL / "addable.sql")
CLAIMS = SQL / "claims"
# The steps to `slots`: which slot each picked assignment has, where everybody answers every item, and with k of n.
SEATS, FREE_SLOTS = CLAIMS / "seats.sql", CLAIMS / "free_slots.sql"
GIVEN = CLAIMS / "given.sql"


def assignment_statement(name: str) -> str:
    """Return the statement of sql/NAME.sql."""
    return statement(STEPS, SQL / f"{name}.sql")


def pick_statement(*, wait: bool) -> str:
    """Return the statement that picks what a person may claim with k of n, and locks its items.

    Parameters: member, batch, k, need. Rows (assignment id).
    """
    return statement([CLAIMS / "my_open.sql"], CLAIMS / ("pick_waiting.sql" if wait else "pick.sql"))


def claim_seats_statement() -> str:
    """Return the statement that claims a person's next assignments, where everybody answers every item.

    Parameters: member, batch, need, now. Rows (item id, columns of the assignment) of all that is in hand then.
    """
    steps = [CLAIMS / "my_open.sql", CLAIMS / "next.sql", SEATS, CLAIMS / "new.sql"]
    return statement(steps, CLAIMS / "in_hand.sql")


def claim_free_statement() -> str:
    """Return the statement that claims the picked assignments whose item has a free slot.

    Parameters: member, batch, k, picked, now. Rows as those of claim_seats_statement.
    """
    return statement([GIVEN, FREE_SLOTS, CLAIMS / "new.sql"], CLAIMS / "in_hand.sql")


def in_hand_statement() -> str:
    """Return the statement that reads what a person has in hand.

    Parameters: member, batch. Rows as those of claim_seats_statement.
    """
    return statement([CLAIMS / "nothing_new.sql"], CLAIMS / "in_hand.sql")


def slot_statement(*, k_of_n: bool) -> str:
    """Return the statement that finds the slot of one assignment: the lowest free one with k of n, else the fixed one.

    Parameters: picked, and k with k of n. One row (slot or None).
    """
    return statement([GIVEN, FREE_SLOTS if k_of_n else SEATS], CLAIMS / "slot.sql")


def named_statements() -> dict[str, str]:
    """Return every statement of this package by the name under which `print_sql` knows it."""
    names = (path.stem for path in sorted(SQL.glob("*.sql")) if path not in STEPS)
    return {f"assignment.{name}": assignment_statement(name) for name in names} | {
        "assignment.claims.pick": pick_statement(wait=False),
        "assignment.claims.pick_waiting": pick_statement(wait=True),
        "assignment.claims.seats": claim_seats_statement(),
        "assignment.claims.free": claim_free_statement(),
        "assignment.claims.in_hand": in_hand_statement(),
        "assignment.claims.seat": slot_statement(k_of_n=False),
        "assignment.claims.free_slot": slot_statement(k_of_n=True),
    }
