"""Uniform random sampling: equal scores, so that the hash of state, round and id alone decides (paper 4.2)."""

from collections.abc import Mapping

import numpy as np

from al_worker.core.acquisition.inputs import Floats, Inputs
from al_worker.formats.strategies import OptionValue


def scores(inputs: Inputs, options: Mapping[str, OptionValue]) -> Floats:
    """(n,) zeros."""
    return np.zeros(len(inputs.pool_keys))
