"""The registry of strategies by name.

To add one, write a file beside this one, a line here, and its declaration in the formats.
"""

from collections.abc import Callable, Mapping

from al_worker.core.acquisition import breaking_ties, cal, entropy, least_confidence, ngram_density, random_sampling
from al_worker.core.acquisition.inputs import Floats, Greedy, Inputs
from al_worker.formats.strategies import OptionValue

# One float64 per item, higher means sooner, for the shared ranking to order; or Greedy.
Strategy = Callable[[Inputs, Mapping[str, OptionValue]], Floats | Greedy]

REGISTRY: dict[str, Strategy] = {
    "random": random_sampling.scores,
    "ngram_density": ngram_density.scores,
    "entropy": entropy.scores,
    "least_confidence": least_confidence.scores,
    "breaking_ties": breaking_ties.scores,
    "cal": cal.scores,
}

# What a strategy has to say of how many labelled items it compares with; None where that is nothing.
NOTICES: dict[str, Callable[[Mapping[str, OptionValue], int], str | None]] = {"cal": cal.notice}
