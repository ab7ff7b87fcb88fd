"""Set learning rates, their course and Adam as the paper's generative models have them (Marfurt et al. 2022, 4.4)."""

from collections.abc import Mapping

import torch
from torch.optim.lr_scheduler import LambdaLR

from al_worker.core.interpretation.models.generator import Generator

PAPER, CODE = "paper", "code"
LEAST = 1 / 100


def rate_factor(step: int, steps: int, warmup: float, schedule: str) -> float:
    """Return what the maximum learning rate is multiplied with at a step, counted from 0.

    It rises linearly from 1/100 to 1 over the share `warmup` of all steps. Then it falls linearly, to reach 1/100
    after the last step (`paper`), or 1/100 of the start, so 1/10,000 (`code`).
    """
    rising = warmup * steps
    if step < rising:
        return LEAST + (1 - LEAST) * step / rising
    last = LEAST if schedule == PAPER else LEAST * LEAST
    return 1 + (last - 1) * min(1.0, (step - rising) / max(1e-9, steps - rising))


def make_adam(generator: Generator, rates: Mapping[str, float], *, fused: bool) -> torch.optim.Adam:
    """Return Adam with a parameter group for each group of the generator that has parameters. `rates` are maxima."""
    groups = [
        {"params": [parameter for _, parameter in named], "lr": rates[name], "initial_lr": rates[name]}
        for name, named in generator.groups().items()
        if named
    ]
    # None, not False, leaves the choice for the device to torch.
    return torch.optim.Adam(groups, fused=fused or None)


def make_schedule(
    optimizer: torch.optim.Optimizer, steps: int, warmup: float, schedule: str, done: int = 0
) -> LambdaLR:
    """Return the course of the rates over `steps`, after `done` of them."""
    return LambdaLR(optimizer, lambda step: rate_factor(step, steps, warmup, schedule), last_epoch=done - 1)
