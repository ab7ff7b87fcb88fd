"""The strategies by name. Adding one is a file beside this one, a line here, and its declaration in the formats."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from al_worker.core.acquisition import breaking_ties, cal, entropy, least_confidence, random_sampling
from al_worker.core.acquisition.inputs import Floats, Inputs
from al_worker.formats.strategies import OptionValue

Options = Mapping[str, OptionValue]
Picks = Callable[[Inputs, Options, frozenset[int]], Iterator[tuple[int, float]]]


@dataclass(frozen=True, slots=True)
class Strategy:
    """`score` gives one float64 an item, higher = ask first; the shared ranking then orders them.

    A greedy strategy, whose scores change with each pick, also gives `picks`: (index, score at the pick) in order,
    as many as are asked for. The frozen set holds indices that are in the batch already.
    """

    score: Callable[[Inputs, Options], Floats]
    picks: Picks | None = None


REGISTRY: dict[str, Strategy] = {
    "random": Strategy(random_sampling.scores),
    "entropy": Strategy(entropy.scores),
    "least_confidence": Strategy(least_confidence.scores),
    "breaking_ties": Strategy(breaking_ties.scores),
    "cal": Strategy(cal.scores),
}
