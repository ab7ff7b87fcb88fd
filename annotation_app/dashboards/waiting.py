"""What waits in a project for those who settle: counts only, in a constant number of queries."""

from dataclasses import dataclass

from annotation_app.dashboards.undecided import hidden_from, to_agree, to_decide
from annotation_app.models import Capability, Membership
from annotation_app.validation.standing import state_counts


@dataclass(frozen=True)
class Waiting:
    """Items to validate, disagreements to decide, and those that a second look left: an admin records what was agreed.

    One item may wait for more than one of these.
    """

    to_validate: int
    to_decide: int
    to_agree: int


def waiting_for(member: Membership) -> Waiting:
    """Of an admin or adjudicator; an adjudicator has nothing to agree on."""
    project = member.project
    return Waiting(
        to_validate=state_counts(project)["open"],
        to_decide=to_decide(project) - hidden_from(member),
        to_agree=to_agree(project) if member.may(Capability.MANAGE) else 0,
    )
