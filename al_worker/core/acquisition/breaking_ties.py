"""Score by breaking ties (Luo et al. 2005): one minus the gap between the two most likely labels' probabilities."""

from collections.abc import Mapping

import numpy as np

from al_worker.core.acquisition.inputs import Floats, Inputs, required
from al_worker.core.acquisition.probabilities import log_softmax
from al_worker.formats.strategies import OptionValue


def scores(inputs: Inputs, options: Mapping[str, OptionValue]) -> Floats:
    """Return (n,) values between 0 and 1. For two labels their order is that of the entropy.

    Raises PredictionsMismatch where there are no pool logits.
    """
    p = np.sort(np.exp(log_softmax(required(inputs.pool_logits, "pool_logits"))), axis=1)
    runner_up = p[:, -2] if p.shape[1] > 1 else np.zeros(len(p))
    return 1.0 - (p[:, -1] - runner_up)
