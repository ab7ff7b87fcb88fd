"""Say what a filter is. `registry.py` lists the filters there are."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Source:
    """Hold a source document of one sentence or more.

    `lengths` has the tokens of each sentence, its special tokens counted. `targets` have no markers. `scores` has what
    a trained model thinks of keeping each sentence: larger is better.
    """

    sentences: tuple[str, ...]
    lengths: tuple[int, ...]
    targets: tuple[str, ...]
    scores: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Filter:
    """Hold a filter: its function returns the numbers of the sentences to keep, in order, for a budget of tokens.

    `needs_targets` says whether it looks at the source's targets, and `needs_scores` whether a trained model must have
    scored the sentences.
    """

    keep: Callable[[Source, int], list[int]]
    needs_targets: bool
    needs_scores: bool = False
