"""Read the operator's allow-list of models, and check which of them this machine can use."""

from dataclasses import dataclass
from pathlib import Path

from django.conf import settings

from al_worker.formats.models import MODELS, learning_rate_for, model_is_local

TO_FETCH = "Not on this machine yet: fetched from the hub when a round asks for it."
NO_FOLDER = "The folder that QUORUM_MODELS names for it is not on this machine."


@dataclass(frozen=True)
class OfferedModel:
    """Hold an offered model.

    `name` is what a round records; `source` is loaded: the name, or the operator's folder. `learning_rate` is the
    model's own, None for one without.
    """

    name: str
    source: str
    title: str
    available: bool
    note: str
    learning_rate: float | None
    rate_reason: str


def offered_models() -> list[OfferedModel]:
    """Return a model for each entry of QUORUM_MODELS: NAME, or NAME=FOLDER."""
    return [offer(*entry.partition("=")[::2]) for entry in settings.MODELS]


def offer(name: str, folder: str) -> OfferedModel:
    source = str(Path(folder).resolve()) if folder else name
    declared = MODELS.get(name)
    available = model_is_local(source)
    note = declared.note if declared else ""
    if not available:
        note = f"{note} {NO_FOLDER if folder else TO_FETCH}".strip()
    rate = learning_rate_for(name)
    return OfferedModel(
        name,
        source,
        declared.title if declared else name,
        available,
        note,
        rate.value if rate else None,
        rate.reason if rate else "",
    )


def offered_model(name: str) -> OfferedModel | None:
    return next((model for model in offered_models() if model.name == name), None)
