"""Which forward pass scores the texts: that of transformers, or a flat one, as it is or compiled.

`auto` is transformers except for ModernBERT on a GPU. There it is the flat pass, compiled where the scan is long enough
to earn the compilation back and the machine can compile.
"""

import os
import shutil
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import torch
from transformers import PreTrainedModel

from al_worker.core.backends.device import Execution
from al_worker.core.backends.modernbert_scan import FlatModernBert, States, between
from al_worker.core.errors import CompileFailed, ConfigError

TRANSFORMERS, FLAT, COMPILED = "transformers", "flat", "flat_compiled"
# An eager scan of so many tokens takes some seconds on an H100; a first compilation is expected to take tens of them.
# Not measured as yet.
COMPILE_FROM_TOKENS = 2_000_000


def scoring_path(asked: str, model: PreTrainedModel, execution: Execution, n_tokens: int) -> str:
    """What [training] scoring_path means for this model, device and scan. Raises ConfigError."""
    obstacle = _obstacle(model)
    if asked in (FLAT, COMPILED) and obstacle:
        raise ConfigError(
            f'config.toml: [training] scoring_path = "{asked}" takes a plain ModernBERT; this model has {obstacle}. '
            'Use "auto" or "transformers"'
        )
    if asked != "auto":
        return asked
    if execution.device != "cuda" or obstacle:
        return TRANSFORMERS
    return COMPILED if n_tokens >= COMPILE_FROM_TOKENS and _can_compile() else FLAT


def flat_forward(
    path: str, model: PreTrainedModel, execution: Execution, vector: str, longest: int, cache: Path
) -> FlatModernBert:
    """The flat forward pass of the path. Compiled kernels are kept in the cache folder for later processes."""
    step = compiled(between, cache / "inductor") if path == COMPILED else between
    return FlatModernBert(model, execution, vector, longest, step)


def compiled(step: Callable[..., States], cache: Path) -> Callable[..., States]:
    """`step` compiled for one shape; what hinders that is raised as CompileFailed, for nothing takes its place."""
    os.environ.setdefault("TORCHINDUCTOR_CACHE_DIR", str(cache))
    # Kernels chosen by timing would differ between processes in their last bits.
    os.environ.setdefault("TORCHINDUCTOR_DETERMINISTIC", "1")
    # A handful of kernels: a pool of compiler processes costs more than it saves.
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
    """What the flat pass does not know about this model, or ""."""
    config: Any = model.config
    if type(model).__name__ != "ModernBertForSequenceClassification":
        return f"the architecture {type(model).__name__}"
    biases = [name for name in ("attention_bias", "mlp_bias", "norm_bias") if getattr(config, name)]
    if biases:
        return biases[0]
    if config.hidden_activation != "gelu":
        return f'hidden_activation "{config.hidden_activation}"'
    return "" if config.classifier_pooling == "cls" else f'classifier_pooling "{config.classifier_pooling}"'


def _can_compile() -> bool:
    """Whether torch finds what it makes GPU kernels with: triton, and a C compiler for their launchers."""
    compiler = os.environ.get("CC") or shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    return bool(compiler) and find_spec("triton") is not None
