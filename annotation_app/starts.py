"""Tell a retry of a start from another start, so that an answer that was lost on its way starts nothing twice."""

import hashlib
from typing import TypeVar
from uuid import UUID

from django.db.models import QuerySet
from pydantic import BaseModel

from annotation_app.models import StartedModel
from annotation_app.refusals import Refused

REUSED = "This client_id was already used for another start. Send a new one."

Row = TypeVar("Row", bound=StartedModel)


class StartSpec(BaseModel):
    """Hold what a request to start a job has beside the job's own fields. `client_id` names this sending."""

    client_id: UUID | None = None

    def body_hash(self, *more: str) -> str:
        """Return the SHA-256 of all that was sent but the client_id; `more` are hashes of files that came with it."""
        sent = self.model_dump_json(exclude={"client_id"})
        return hashlib.sha256("\n".join([sent, *more]).encode()).hexdigest()


def started_before(rows: QuerySet[Row], client_id: UUID | None, body_hash: str) -> Row | None:
    """Return the job that the same sending started before; None where there is none, or no client_id.

    Whoever writes a row holds the project, and asks again then. Raises Refused where the sending said something else.
    """
    row = None if client_id is None else rows.filter(client_id=client_id).first()
    if row is not None and row.body_hash != body_hash:
        raise Refused("client_id_reused", REUSED)
    return row
