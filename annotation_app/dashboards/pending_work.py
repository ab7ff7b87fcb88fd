"""Count what waits in a project for adjudicators and admins, in a constant number of queries."""

from dataclasses import dataclass

from annotation_app.dashboards.open_disagreements import (
    hidden_from_reader,
    open_consensus_total,
    open_disagreements_total,
)
from annotation_app.models import Capability, Membership
from annotation_app.validation.review_state import state_counts


@dataclass(frozen=True)
class PendingWork:
    """Count items to validate, disagreements to decide, and those that a second look left.

    Of the latter an admin records the consensus. One item may wait for more than one of these.
    """

    to_validate: int
    to_decide: int
    to_agree: int


def pending_work(member: Membership) -> PendingWork:
    """Count the pending work of an admin or adjudicator; an adjudicator has no consensus to record."""
    project = member.project
    return PendingWork(
        to_validate=state_counts(project)["open"],
        to_decide=open_disagreements_total(project) - hidden_from_reader(member),
        to_agree=open_consensus_total(project) if member.may(Capability.MANAGE) else 0,
    )
