"""Derive the review state of each item from the rows, in one statement whatever the number of items."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID

from annotation_app.aggregation.planner import TUNED, planned
from annotation_app.annotation.statements import GIVEN_SPANS
from annotation_app.db.statement import statement
from annotation_app.models import Membership, Project

SQL = Path(__file__).parent / "sql"
# The final SELECTs of the statements about `standing`.
OUTPUTS = ("list", "state_counts", "one", "neighbours")

RESOLVED = ("accepted", "edited", "rejected")
STATES = ("waiting", "open", *RESOLVED)
FILTERS = {"waiting": ("waiting",), "open": ("open",), "resolved": RESOLVED, "all": STATES}
PAGE_SIZE = 50


@dataclass(frozen=True)
class ListedItem:
    """Hold one item of a list. `revised` means that an annotation changed after the decision."""

    uuid: UUID
    external_id: str
    title: str
    batch_kind: str
    batch_number: int
    n_submitted: int
    n_needed: int
    state: str
    revised: bool


@dataclass(frozen=True)
class Listing:
    """Hold one page of the items in a state, and how many are in each state."""

    items: list[ListedItem]
    counts: dict[str, int]
    page: int
    n_pages: int


@dataclass(frozen=True)
class ReviewState:
    """Hold the review state of one item in the batch in which it is validated."""

    batch_item_id: int
    item_id: int
    codebook_id: int
    batch_kind: str
    batch_number: int
    n_submitted: int
    n_needed: int
    state: str


@dataclass(frozen=True)
class Neighbours:
    """Hold an item's neighbours in the list; the search for `next_open` wraps around at the end."""

    previous: UUID | None
    next: UUID | None
    next_open: UUID | None


def items_listed(*, project: Project, which: str, page: int) -> Listing:
    """Return one page of items. `which` is a key of FILTERS; pages count from 1, and one past the end is empty."""
    wanted = {"states": list(FILTERS[which]), "limit": PAGE_SIZE, "offset": (page - 1) * PAGE_SIZE}
    rows = _rows("list", project, **wanted)
    counts = dict.fromkeys(STATES, 0) | json.loads(rows[0][0])
    size = sum(counts[state] for state in FILTERS[which])
    items = [ListedItem(*shown) for _, *shown in rows if shown[0] is not None]
    return Listing(items, counts, page, max(1, -(-size // PAGE_SIZE)))


def state_counts(project: Project, *, kinds: Sequence[str] | None = None) -> dict[str, int]:
    """Count the items in each of STATES, over all batches or over those of these kinds."""
    named = None if kinds is None else list(kinds)
    return dict.fromkeys(STATES, 0) | dict(_rows("state_counts", project, kinds=named))


def review_state(membership: Membership, item_uuid: UUID) -> ReviewState | None:
    """Return the item's review state; None where the project has no such item with spans to mark."""
    rows = _rows("one", membership.project, item=item_uuid)
    return ReviewState(*rows[0]) if rows else None


def neighbours_of(membership: Membership, item_uuid: UUID) -> Neighbours:
    [row] = _rows("neighbours", membership.project, uuid=item_uuid)
    return Neighbours(*row)


def _rows(output: str, project: Project, **values: Any) -> list[tuple[Any, ...]]:
    with planned(TUNED) as cursor:
        cursor.execute(standing_statement(output), {"project": project.pk, "item": None, **values})
        return list(cursor.fetchall())


def standing_statement(output: str) -> str:
    """Return the statement of an output, one of OUTPUTS, with its own parameters and project and item (null: all)."""
    return statement([SQL / "standing.sql"], SQL / f"{output}.sql")


def store_spans_statement() -> str:
    """Return the statement that stores the spans of a reviewer's own version.

    Parameters: validation, and those of given_spans.sql. One row (number of spans).
    """
    return statement([GIVEN_SPANS], SQL / "store_spans.sql")


def named_statements() -> dict[str, str]:
    """Return every statement of this package by the name under which `print_sql` knows it."""
    standing = {f"validation.{output}": standing_statement(output) for output in OUTPUTS}
    return standing | {"validation.store_spans": store_spans_statement()}
