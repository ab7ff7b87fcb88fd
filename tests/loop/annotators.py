"""Simulated annotators: simple rules on words, each with a taste of their own, so that they disagree as people do."""

import hashlib
import re
import uuid
from dataclasses import dataclass
from typing import Any

from tests.loop.client import Person

OPINION = r"\b(I think|I believe|we believe|I would|should|in my view|appropriate|important|hope|prefer|worried)\b"
POLICY = r"\b(rate|rates|policy|inflation|tighten|ease|easing|purchases|funds|accommodat\w+|liquidity|taper\w*)\b"
TIGHTEN = r"\b(tighten\w*|raise|raising|increase|hike|higher|restrictive|firm\w*)\b"
EASE = r"\b(ease|easing|lower|cut|cuts|patient|accommodat\w+|support\w*|hold)\b"


@dataclass(frozen=True)
class Taste:
    """`extra`: words that this annotator alone takes for an opinion. `doubt`: how many answers in a hundred waver."""

    name: str
    extra: str
    doubt: int


TASTES = (
    Taste("ann", r"\b(expect|likely)\b", 4),
    Taste("ben", r"\b(good|well|strong|very)\b", 6),
    Taste("cleo", r"\b(concern\w*|risk\w*)\b", 8),
)


def dice(taste: Taste, item: str, stage: str) -> int:
    """0..99, the same for the same person, item and stage."""
    return int(hashlib.sha256(f"{taste.name}:{item}:{stage}".encode()).hexdigest(), 16) % 100


def answers(taste: Taste, item: dict[str, Any]) -> dict[str, str]:
    """Answers to the five stages by rule, closed stages left out."""
    text, name = item["text"], item["external_id"]
    found = {"opinion": opinion(taste, text, name)}
    if found["opinion"] != "yes":
        return found
    found["mp"] = wavering(taste, name, "mp", "yes" if has(POLICY, text) else "no", "no", "ambiguous")
    if found["mp"] != "yes":
        return found
    found["mp_context"] = context_needed(taste, item, "mp_context")
    found["stance_nli"] = stance(taste, text, name)
    found["stance_nli_context"] = context_needed(taste, item, "stance_nli_context")
    return found


def has(pattern: str, text: str) -> bool:
    return re.search(pattern, text, re.IGNORECASE) is not None


def opinion(taste: Taste, text: str, name: str) -> str:
    return wavering(
        taste, name, "opinion", "yes" if has(OPINION, text) or has(taste.extra, text) else "no", "ambiguous"
    )


def stance(taste: Taste, text: str, name: str) -> str:
    up, down = has(TIGHTEN, text), has(EASE, text)
    rule = "neutral" if up == down else "entailment" if up else "contradiction"
    return wavering(taste, name, "stance_nli", rule, "neutral", "ambiguous")


def context_needed(taste: Taste, item: dict[str, Any], stage: str) -> str:
    short = len(item["text"].split()) < 12
    return wavering(taste, item["external_id"], stage, "utterance" if short else "sentence", "minus_5_sentences")


def wavering(taste: Taste, name: str, stage: str, rule: str, *others: str) -> str:
    roll = dice(taste, name, stage)
    return others[roll % len(others)] if roll < taste.doubt else rule


def label_all(person: Person, project: str, taste: Taste) -> int:
    """Labels until the window is empty, one request an item. Returns how many items were submitted."""
    window = person.get(f"projects/{project}/next/?ahead=3")
    done = 0
    while window["assignments"]:
        assignment = window["assignments"][0]
        body = {
            "client_id": str(uuid.uuid4()),
            "base_revision": 0,
            "answers": answers(taste, assignment["item"]),
            "spans": [],
            "comment": "",
            "context_opened": "utterance",
            "active_ms": 4000,
            "wall_ms": 5000,
        }
        window = person.post(f"assignments/{assignment['id']}/annotations/", body)["refill"]
        done += 1
    assert window["state"] in ("waiting", "finished"), window
    return done
