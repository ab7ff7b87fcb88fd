"""Say what a filter is. `registry.py` lists the filters there are."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Source:
    """Hold a source document of one sentence or more.

    `lengths` has the tokens of each sentence, its special tokens counted. `targets` have no markers.
    """

    sentences: tuple[str, ...]
    lengths: tuple[int, ...]
    targets: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Filter:
    """Hold a filter: its function returns the numbers of the sentences to keep, in order, for a budget of tokens.

    `needs_targets` says whether it looks at the source's targets.
    """

    keep: Callable[[Source, int], list[int]]
    needs_targets: bool
