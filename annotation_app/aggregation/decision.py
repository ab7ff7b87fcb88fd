"""Check the decision that an adjudicator sends. Pure: no I/O."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any
from uuid import UUID

from annotation_app.annotation.submission import REASON_LENGTH
from annotation_app.codebook.answers import answer_faults
from annotation_app.codebook.stages import Codebook
from annotation_app.codebook.texts import words_fault


@dataclass(frozen=True)
class AdjudicationBody:
    """Hold one decision as sent. `base_revision` is the latest decision's revision, 0 where there is none.

    `labels` is decoded JSON, {stage: label} of the stages that are decided; a decision that withdraws has none.
    """

    client_id: UUID
    base_revision: int
    labels: Mapping[str, Any]
    reason: str = ""
    source: str = "adjudication"
    withdraw: bool = False

    @property
    def body_hash(self) -> str:
        """Return the sha256 of everything sent: the same UUID with the same hash is a retry."""
        return hashlib.sha256(json.dumps(asdict(self), sort_keys=True, default=str).encode()).hexdigest()


def decision_errors(codebook: Codebook, majorities: Mapping[str, str], body: AdjudicationBody) -> dict[str, list[str]]:
    """Return every fault by field path. Decided labels and majorities together must fit the codebook's gates."""
    faults = answer_faults(codebook, body.labels, beside={**majorities, **body.labels})
    errors = {f"labels.{key}": [fault] for key, fault in faults.items()}
    if body.withdraw and body.labels:
        errors = {"labels": ["A withdrawal decides nothing. Send an empty object."]}
    if not body.withdraw and not body.labels:
        errors["labels"] = ["Choose a label for one stage or more."]
    fault = words_fault(body.reason, REASON_LENGTH)
    if not body.withdraw and not body.reason.strip():
        fault = "Give a short reason."
    if fault:
        errors["reason"] = [fault]
    return errors
