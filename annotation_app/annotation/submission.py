"""Check what an annotator sends. Pure: no I/O."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any
from uuid import UUID

from annotation_app.codebook.answers import AnswerError, check_answers
from annotation_app.codebook.spans import COMMENT_LENGTH
from annotation_app.codebook.stages import Codebook
from annotation_app.codebook.texts import words_fault

REASON_LENGTH = 1_000
DAY_MS = 24 * 60 * 60 * 1000
# The browser rounds the two durations on their own.
SLACK_MS = 1_000


@dataclass(frozen=True)
class Submission:
    """Hold one annotation as sent. `base_revision` 0 means that it is the first; durations are the browser's own.

    `spans` is decoded JSON, which `span_rules` checks against the item's text.
    """

    client_id: UUID
    base_revision: int
    answers: Mapping[str, str]
    context_opened: str
    active_ms: int
    wall_ms: int
    spans: Sequence[Any] = ()
    comment: str = ""
    skip_reason: str = ""
    # The setting of suggestions that were on the screen; None where none were.
    suggestions: UUID | None = None

    @property
    def skipped(self) -> bool:
        return bool(self.skip_reason)

    @property
    def body_hash(self) -> str:
        """Return the sha256 of everything sent: the same UUID with the same hash is a retry."""
        sent = asdict(self) | {"client_id": str(self.client_id), "spans": list(self.spans)}
        # A body that was hashed before there were suggestions has the same hash when it is sent again.
        shown = sent.pop("suggestions")
        if shown is not None:
            sent["suggestions"] = str(shown)
        return hashlib.sha256(json.dumps(sent, sort_keys=True).encode()).hexdigest()


def submission_errors(codebook: Codebook, body: Submission) -> dict[str, list[str]]:
    """Return every fault by field path, without those of spans in a span layer; empty where it can be stored."""
    return answer_errors(codebook, body) | no_span_errors(codebook, body) | text_errors(body) | time_errors(body)


def answer_errors(codebook: Codebook, body: Submission) -> dict[str, list[str]]:
    if body.skipped:
        return {"answers": ["A skipped item has no answers: send an empty object."]} if body.answers else {}
    try:
        check_answers(codebook, body.answers)
    except AnswerError as error:
        return error.errors
    return {}


def no_span_errors(codebook: Codebook, body: Submission) -> dict[str, list[str]]:
    if body.spans and body.skipped:
        return {"spans": ["A skipped item has no spans: send an empty list."]}
    if body.spans and codebook.span_layer is None:
        return {"spans": ["The codebook of this batch has no span layer: send an empty list."]}
    return {}


def text_errors(body: Submission) -> dict[str, list[str]]:
    errors = {}
    for name, text, limit in (
        ("comment", body.comment, COMMENT_LENGTH),
        ("skip_reason", body.skip_reason, REASON_LENGTH),
    ):
        fault = words_fault(text, limit)
        if fault:
            errors[name] = [fault]
    if body.skipped and not body.skip_reason.strip():
        errors["skip_reason"] = ["Give a short reason for skipping this item."]
    return errors


def time_errors(body: Submission) -> dict[str, list[str]]:
    errors = {name: ["Must not be negative."] for name in ("active_ms", "wall_ms") if getattr(body, name) < 0}
    if body.active_ms > body.wall_ms + SLACK_MS:
        errors["active_ms"] = ["Active time cannot be longer than wall time."]
    return errors


def capped_ms(sent: int) -> int:
    """Cap a duration at one day: a page left open over a weekend says nothing about the item."""
    return min(sent, DAY_MS)
