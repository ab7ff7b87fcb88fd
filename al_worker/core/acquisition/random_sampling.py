"""Sample uniformly at random (paper 4.2).

All scores are equal, so the hash of random state, round and id alone decides the order.
"""

from collections.abc import Mapping

import numpy as np

from al_worker.core.acquisition.inputs import Floats, Inputs
from al_worker.formats.strategies import OptionValue


def scores(inputs: Inputs, options: Mapping[str, OptionValue]) -> Floats:
    """Return (n,) zeros."""
    return np.zeros(len(inputs.pool_keys))
