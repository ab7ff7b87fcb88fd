"""Check the decision that a validator sends, as far as no row is needed for it. Pure: no I/O."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any
from uuid import UUID

from annotation_app.annotation.submission import REASON_LENGTH
from annotation_app.codebook.texts import words_fault
from annotation_app.models import Validation

DecisionKind = Validation.Decision


@dataclass(frozen=True)
class ValidationBody:
    """Hold one decision as sent. `base_revision` is the latest decision's revision, 0 where there is none.

    `annotation` is the one that is accepted, or that an edit was made from. `spans` is decoded JSON, of an edit only.
    """

    client_id: UUID
    base_revision: int
    decision: str
    annotation: UUID | None = None
    spans: Sequence[Any] = ()
    reason: str = ""

    @property
    def body_hash(self) -> str:
        """Return the sha256 of everything sent: the same UUID with the same hash is a retry."""
        sent = asdict(self) | {"spans": list(self.spans)}
        return hashlib.sha256(json.dumps(sent, sort_keys=True, default=str).encode()).hexdigest()


def decision_errors(body: ValidationBody) -> dict[str, list[str]]:
    """Return every fault by field path that can be found without a row."""
    errors: dict[str, list[str]] = {}
    if body.decision == DecisionKind.ACCEPTED and body.annotation is None:
        errors["annotation"] = ["Name the annotation that is accepted."]
    if body.decision in (DecisionKind.REJECTED, DecisionKind.REOPENED) and body.annotation is not None:
        errors["annotation"] = ["This decision names no annotation. Send null."]
    if body.decision != DecisionKind.EDITED and body.spans:
        errors["spans"] = ["Only an edit has spans of its own: send an empty list."]
    fault = words_fault(body.reason, REASON_LENGTH)
    if body.decision == DecisionKind.REJECTED and not body.reason.strip():
        fault = "Say why none of the annotations can be used."
    if fault:
        errors["reason"] = [fault]
    return errors
