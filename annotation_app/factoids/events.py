"""Say what lines of the audit log about factoids have in common."""

from typing import Any

from annotation_app.models import TextSet, User


def event_of(text_set: TextSet, actor: User) -> dict[str, Any]:
    """Return the project, the actor and the subject of a line about a text set."""
    return {"project": text_set.project, "actor_id": actor.pk, "subject": text_set.uuid}
