"""Score by least confidence (Lewis and Gale 1994): one minus the probability of the most likely label."""

from collections.abc import Mapping

import numpy as np

from al_worker.core.acquisition.inputs import Floats, Inputs, required
from al_worker.core.acquisition.probabilities import log_softmax
from al_worker.formats.strategies import OptionValue


def scores(inputs: Inputs, options: Mapping[str, OptionValue]) -> Floats:
    """Return (n,) values between 0 and 1 - 1/C.

    Raises PredictionsMismatch where there are no pool logits.
    """
    # expm1 keeps the digits of 1 - p where p is close to 1. Adding 0 turns -0.0 into 0.0.
    return -np.expm1(log_softmax(required(inputs.pool_logits, "pool_logits")).max(axis=1)) + 0.0
