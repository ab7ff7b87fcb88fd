"""Pause an evaluation: an admin does, and so does an approval that is taken back while its model is asked."""

from annotation_app.models import Evaluation, User, event_write


def paused(row: Evaluation, actor: User) -> None:
    """Pause a locked evaluation that waits or runs: its worker loses the lease, and stores what is under way."""
    row.state, row.lease_owner, row.lease_until = Evaluation.State.PAUSED, "", None
    row.save()
    event_write(verb="evaluation_paused", project=row.project, actor_id=actor.pk, subject=row.uuid)
