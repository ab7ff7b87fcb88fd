"""Choose the forward pass that scores the texts: that of transformers, or a flat one, as it is or compiled.

`auto` means transformers, except for ModernBERT on a GPU, which takes the flat pass.
The compiled pass must be asked for by name: the first scan takes longer, and it needs a C compiler and triton.
No GPU has measured it yet.
"""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from transformers import PreTrainedModel

from al_worker.core.backends.device import Execution
from al_worker.core.backends.modernbert_scan import FlatModernBert, States, between
from al_worker.core.errors import CompileFailed
from al_worker.core.run.config import COMPILED, FLAT, TRANSFORMERS
from al_worker.formats.tables import ConfigError


def scoring_path(asked: str, model: PreTrainedModel, execution: Execution) -> str:
    """Return what [training] scoring_path means for this model and device. Raises ConfigError."""
    obstacle = _obstacle(model)
    if asked in (FLAT, COMPILED) and obstacle:
        raise ConfigError(
            f'config.toml: [training] scoring_path = "{asked}" takes a plain ModernBERT; this model has {obstacle}. '
            'Use "auto" or "transformers"'
        )
    if asked != "auto":
        return asked
    return TRANSFORMERS if execution.device != "cuda" or obstacle else FLAT


def flat_forward(
    path: str, model: PreTrainedModel, execution: Execution, vector: str, longest: int, cache: Path
) -> FlatModernBert:
    """Return the flat forward pass of the path. `longest` is the longest text in tokens.

    Compiled kernels are kept in the cache folder for later processes.
    """
    step = compiled(between, cache / "inductor") if path == COMPILED else between
    return FlatModernBert(model, execution, vector, longest, step)


def compiled(step: Callable[..., States], cache: Path) -> Callable[..., States]:
    """Return `step` compiled for one shape. Raises CompileFailed if that is not possible; nothing takes its place."""
    os.environ.setdefault("TORCHINDUCTOR_CACHE_DIR", str(cache))
    # Kernels chosen by timing would give results that differ between processes in their last bits.
    os.environ.setdefault("TORCHINDUCTOR_DETERMINISTIC", "1")
    # There are only a few kernels, so a pool of compiler processes costs more than it saves.
    os.environ.setdefault("TORCHINDUCTOR_COMPILE_THREADS", "1")
    from torch._dynamo.exc import FailOnRecompileLimitHit, TorchDynamoException

    fast = torch.compile(step, dynamic=False, fullgraph=True)

    def call(*arguments: Any) -> States:
        try:
            return fast(*arguments)
        except (TorchDynamoException, FailOnRecompileLimitHit) as error:
            cause = str(error).strip().split("\n", 1)[0][:300]
            raise CompileFailed(
                f"the forward pass could not be compiled ({type(error).__name__}: {cause}); "
                'set [training] scoring_path = "flat", or give the machine a C compiler'
            ) from error

    return call


def _obstacle(model: PreTrainedModel) -> str:
    """Return what the flat pass cannot handle in this model, or ""."""
    config: Any = model.config
    if type(model).__name__ != "ModernBertForSequenceClassification":
        return f"the architecture {type(model).__name__}"
    biases = [name for name in ("attention_bias", "mlp_bias", "norm_bias") if getattr(config, name)]
    if biases:
        return biases[0]
    if config.hidden_activation != "gelu":
        return f'hidden_activation "{config.hidden_activation}"'
    return "" if config.classifier_pooling == "cls" else f'classifier_pooling "{config.classifier_pooling}"'
