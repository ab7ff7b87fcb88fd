"""Keep the state of a training in safetensors files, so that one that was killed goes on as if it had not been."""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file

from al_worker.core.errors import CheckpointMismatch
from al_worker.formats.run_directory import replace_durably

STATE, BEST = "checkpoint.safetensors", "best.safetensors"
SAID = "state"


def write_weights(path: Path, model: torch.nn.Module) -> None:
    """Write the parameters, all or nothing."""
    _write(path, _parameters(model), {})


def read_weights(path: Path, model: torch.nn.Module) -> None:
    """Put the parameters of the file into the model."""
    with safe_open(path, "pt") as file:
        _put(file, model)


def write_checkpoint(
    path: Path, model: torch.nn.Module, optimizer: torch.optim.Optimizer, state: Mapping[str, Any]
) -> None:
    """Write parameters, the optimizer's tensors and `state` (JSON) into one file, all or nothing."""
    tensors = _parameters(model)
    for number, values in optimizer.state_dict()["state"].items():
        tensors |= {f"optimizer.{number}.{name}": value.cpu().contiguous() for name, value in values.items()}
    _write(path, tensors, state)


def read_checkpoint(
    path: Path, model: torch.nn.Module, optimizer: torch.optim.Optimizer, identity: Mapping[str, Any]
) -> dict[str, Any] | None:
    """Put a checkpoint into model and optimizer, and return its state; None where there is none.

    Raises CheckpointMismatch where its "identity" is another one, or it cannot be read.
    """
    for left in path.parent.glob(".*.safetensors.*.tmp"):
        left.unlink()
    if not path.is_file():
        return None
    mend = f"delete the folder {path.parent} to train anew"
    try:
        with safe_open(path, "pt") as file:
            state = json.loads(file.metadata()[SAID])
            theirs = state["identity"]
            if differing := [name for name in identity if theirs.get(name) != identity[name]]:
                raise CheckpointMismatch(f"{path.name}: it is of a training with other {', '.join(differing)}; {mend}")
            _put(file, model)
            found: dict[int, dict[str, torch.Tensor]] = {}
            for key in file.keys():  # noqa: SIM118, the file is no mapping
                if key.startswith("optimizer."):
                    _, number, name = key.split(".")
                    found.setdefault(int(number), {})[name] = file.get_tensor(key)
    except (SafetensorError, KeyError, TypeError, ValueError) as error:
        raise CheckpointMismatch(f"{path.name} cannot be read ({error}); {mend}") from error
    optimizer.load_state_dict(optimizer.state_dict() | {"state": found})
    return dict(state)


def _parameters(model: torch.nn.Module) -> dict[str, torch.Tensor]:
    return {f"model.{name}": parameter.detach().cpu().contiguous() for name, parameter in model.named_parameters()}


def _put(file: Any, model: torch.nn.Module) -> None:
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            parameter.copy_(file.get_tensor(f"model.{name}"))


def _write(path: Path, tensors: Mapping[str, torch.Tensor], state: Mapping[str, Any]) -> None:
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    save_file(dict(tensors), temporary, metadata={SAID: json.dumps(dict(state), allow_nan=False)})
    with temporary.open("rb") as file:
        os.fsync(file.fileno())
    replace_durably(temporary, path)
