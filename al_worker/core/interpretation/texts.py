"""Take a text form apart for the metrics: its sentences, with markers as one token each or without them."""

import re
from collections.abc import Callable, Sequence

from al_worker.equivalence.evaluations import same_category
from al_worker.formats.text_form import OUTER, replace_markers

_APART = re.compile(r"[^\w#]|_")


def sentences_without_markers(linear: str, style: str = "spaces", outer: Sequence[str] = OUTER) -> list[str]:
    """Return the standardized sentences without any marker. Comments stay; runs of white space become one space."""
    return _sentences(linear, style, outer, lambda category, end: "")


def sentences_with_markers(linear: str, style: str = "spaces", outer: Sequence[str] = OUTER) -> list[str]:
    """Return the standardized sentences with each marker as one word, so that ROUGE counts it as one token."""
    return _sentences(linear, style, outer, lambda category, end: f"[{_APART.sub('', category)}{end}]")


def without_markers(linear: str, style: str = "spaces") -> str:
    """Return the text without markers, on one line."""
    return " ".join(replace_markers(linear, lambda category, end: " ", style).split())


def _sentences(linear: str, style: str, outer: Sequence[str], marker: Callable[[str, str], str]) -> list[str]:
    holding = {same_category(name) for name in outer}

    def put(category: str, end: str) -> str:
        written = f" {marker(category, end)} "
        if same_category(category) not in holding:
            return written
        return f"\n{written}" if end == "START" else f"{written}\n"

    pieces = replace_markers(" ".join(linear.split()), put, style).split("\n")
    return [" ".join(piece.split()) for piece in pieces if piece.strip()]
