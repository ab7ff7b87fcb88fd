"""Set PostgreSQL's planner for statements of many named parts, whose row counts it cannot estimate."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction
from django.db.backends.utils import CursorWrapper

# Compiling a statement of so many parts takes longer than running it, and merge joins would sort every answer for a
# handful of rows.
TUNED = "SET LOCAL jit = off; SET LOCAL enable_mergejoin = off; SET LOCAL work_mem = '64MB'"

# Before statements whose parts are joined with each other. Parts have no indexes and no statistics, even where those
# of the tables are fresh: the planner takes each for a row or two, and would compare all rows of one with all of
# another for minutes (docs/operate/performance.md). Joined by hashing, each is read once, whatever it believes. What is
# to be looked up by index stands in a subselect, or in a lateral one with OFFSET 0.
HASHED = f"{TUNED}; SET LOCAL enable_nestloop = off"

# Before statements about few items. Looked up by index in the order that is written, they take time for what is asked
# and not for what there is, whatever the planner believes.
INDEXED = (
    "SET LOCAL jit = off; SET LOCAL work_mem = '64MB'; SET LOCAL join_collapse_limit = 1; "
    "SET LOCAL enable_hashjoin = off; SET LOCAL enable_mergejoin = off; SET LOCAL enable_seqscan = off"
)

# After any of them, since the caller may go on in the same transaction.
UNSET = "; ".join(
    f"SET LOCAL {name} TO DEFAULT"
    for name in (
        "jit",
        "work_mem",
        "join_collapse_limit",
        "enable_hashjoin",
        "enable_mergejoin",
        "enable_nestloop",
        "enable_seqscan",
    )
)


@contextmanager
def planned(settings: str = HASHED) -> Iterator[CursorWrapper]:
    """Yield a cursor in a transaction with these settings, which end with the block."""
    with transaction.atomic(savepoint=False), connection.cursor() as cursor:
        cursor.execute(settings)
        yield cursor
        cursor.execute(UNSET)


@contextmanager
def one_snapshot() -> Iterator[CursorWrapper]:
    """Yield a cursor whose statements all see the same rows, unless the caller's transaction has its own isolation."""
    chosen = connection.in_atomic_block
    with transaction.atomic():
        if not chosen:
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        with planned() as cursor:
            yield cursor
