"""Answer the five stages by rules on words. Each simulated coder has its own taste, so they disagree as people do.

The coders answer the demo's first round, and the tests use them as simulated annotators. The functions are pure.
"""

import hashlib
import re
from dataclasses import dataclass
from typing import Any

OPINION = r"\b(I think|I believe|we believe|I would|should|in my view|appropriate|important|hope|prefer|worried)\b"
POLICY = r"\b(rate|rates|policy|inflation|tighten|ease|easing|purchases|funds|accommodat\w+|liquidity|taper\w*)\b"
TIGHTEN = r"\b(tighten\w*|raise|raising|increase|hike|higher|restrictive|firm\w*)\b"
EASE = r"\b(ease|easing|lower|cut|cuts|patient|accommodat\w+|support\w*|hold)\b"


@dataclass(frozen=True)
class Taste:
    """Hold what is particular to a coder.

    `extra` matches words that this coder alone takes for an opinion. `doubt` is how many answers in 100 waver.
    """

    name: str
    extra: str
    doubt: int


TASTES = (
    Taste("ann", r"\b(expect|likely)\b", 4),
    Taste("ben", r"\b(good|well|strong|very)\b", 6),
    Taste("cleo", r"\b(concern\w*|risk\w*)\b", 8),
)


def dice(taste: Taste, item: str, stage: str) -> int:
    """Return a number from 0 to 99, the same for the same coder, item and stage."""
    return int(hashlib.sha256(f"{taste.name}:{item}:{stage}".encode()).hexdigest(), 16) % 100


def answers(taste: Taste, item: dict[str, Any]) -> dict[str, str]:
    """Return {stage: label} for the open ones of the five stages, by rule. `item` has `text` and `external_id`."""
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
    """Return whether the pattern occurs in the text, in upper or lower case."""
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
    """Return the answer `rule`, or in `taste.doubt` of 100 items one of `others` instead."""
    roll = dice(taste, name, stage)
    return others[roll % len(others)] if roll < taste.doubt else rule
