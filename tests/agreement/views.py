"""One row of the agreement table, as tests ask for it."""

from annotation_app.agreement.selectors import Row, agreement_table
from annotation_app.models import Membership, Project


def view(
    project: Project,
    stage: str = "opinion",
    scope: str = "all",
    round: int | None = None,
    pair: tuple[int, int] | None = None,
) -> Row:
    table = agreement_table(project=project, scope=scope)
    (row,) = [row for row in table.rows if (row.stage, row.round, row.pair) == (stage, round, pair)]
    return row


def pair_of(first: Membership, second: Membership) -> tuple[int, int]:
    return first.number, second.number
