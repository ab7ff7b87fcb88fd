"""Score by maximum entropy (paper E.2, equation 2): -sum_c p_c ln p_c of the model's prediction."""

from collections.abc import Mapping

from al_worker.core.acquisition.inputs import Floats, Inputs, required
from al_worker.core.acquisition.probabilities import log_softmax, row_entropy
from al_worker.formats.strategies import OptionValue


def scores(inputs: Inputs, options: Mapping[str, OptionValue]) -> Floats:
    """Return (n,) entropies in nats, between 0 and ln C.

    Raises PredictionsMismatch where there are no pool logits.
    """
    return row_entropy(log_softmax(required(inputs.pool_logits, "pool_logits")))
