"""Tell which models of the operator's list can interpret sources, and in which kind of system."""

from dataclasses import dataclass

from al_worker.formats.interpretation import BART, BERT, FILTERBERT, KINDS, TRANSFORMER
from al_worker.formats.json_files import read_json_file
from al_worker.formats.models import BACKENDS, backend_name, model_folder
from annotation_app.rounds.models_offered import OfferedModel, offered_models

OF_ENCODERS = (TRANSFORMER, BERT, FILTERBERT)
OF_ENCODER_DECODERS = (BART,)
NONE_OF_KIND = "No model on this machine that the operator offers (QUORUM_MODELS) is of this kind."


@dataclass(frozen=True)
class Usable:
    """Hold an offered model with the kinds that it serves: those of KINDS, and filterbert.

    One whose files are not on this machine serves any kind as far as is known; then it is not `available`.
    """

    name: str
    title: str
    kinds: tuple[str, ...]
    available: bool
    note: str


@dataclass(frozen=True)
class OfferedKind:
    """Hold a kind of model; `reason` says why it is not `available`."""

    name: str
    title: str
    needs: str
    epochs: int
    available: bool
    reason: str


class _Unreadable(Exception):
    """Signal a model's config.json that cannot be read."""

    def __init__(self, file: str, place: str, message: str) -> None:
        super().__init__(f"Its config.json is unusable: {message}.")


def models_usable() -> dict[str, Usable]:
    """Return the offered models with pretrained files, by name, in the operator's order."""
    found = (usable_of(model) for model in offered_models() if BACKENDS[backend_name(model.name)].needs_files)
    return {model.name: model for model in found}


def usable_of(model: OfferedModel) -> Usable:
    folder = model_folder(model.source)
    if folder is None:
        every = (*OF_ENCODERS, *OF_ENCODER_DECODERS)
        return Usable(model.name, model.title, every, False, model.note)
    try:
        config = read_json_file(folder / "config.json", _Unreadable)
    except _Unreadable as error:
        return Usable(model.name, model.title, (), False, str(error))
    is_pair = isinstance(config, dict) and config.get("is_encoder_decoder") is True
    return Usable(model.name, model.title, OF_ENCODER_DECODERS if is_pair else OF_ENCODERS, True, model.note)


def kinds_offered() -> list[OfferedKind]:
    """Return every kind, and whether some model that is here serves it."""
    here = {kind for model in models_usable().values() if model.available for kind in model.kinds}
    found = []
    for kind in KINDS.values():
        reason = "" if kind.name in here else NONE_OF_KIND
        found.append(OfferedKind(kind.name, kind.title, kind.needs, kind.epochs, not reason, reason))
    return found


def encoders_offered() -> list[Usable]:
    """Return the models that BERTScore can compare words with."""
    return [model for model in models_usable().values() if BERT in model.kinds]
