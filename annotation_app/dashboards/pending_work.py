"""Count what waits in a project for adjudicators and admins, in a constant number of queries."""

from dataclasses import dataclass
from typing import Any

from django.db import connection

from annotation_app.assignment.selectors import log_state
from annotation_app.cached import Cache
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


# By member and the state of the project's log: whoever answers, validates, decides or changes a role writes a line.
pending_work_cache: Cache[tuple[int, Any], PendingWork] = Cache(10_000)


def pending_work(member: Membership) -> PendingWork:
    """Count the pending work of an admin or adjudicator; an adjudicator has no consensus to record.

    The counts are cached until something happens in the project; inside a transaction nothing is cached.
    """
    if connection.in_atomic_block:
        return pending_work_read(member)
    key = (member.pk, log_state(member.project_id))
    return pending_work_cache.read([key], lambda keys: dict.fromkeys(keys, pending_work_read(member)))[key]


def pending_work_read(member: Membership) -> PendingWork:
    project = member.project
    return PendingWork(
        to_validate=state_counts(project)["open"],
        to_decide=open_disagreements_total(project) - hidden_from_reader(member),
        to_agree=open_consensus_total(project) if member.may(Capability.MANAGE) else 0,
    )
