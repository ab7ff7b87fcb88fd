"""Name the systems that an evaluation may have, and check those that are asked for."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from al_worker.formats.evaluation import MAJORITY, PEOPLE
from annotation_app.evaluation.language_models import LanguageModels
from annotation_app.refusals import Invalid
from annotation_app.rounds.models_offered import offered_models

Kind = Literal["majority", "trained", "people", "language_model", "imported"]


@dataclass(frozen=True)
class System:
    """Hold a system. `note` says what to know before it is chosen, or why it is not `available`."""

    name: str
    kind: Kind
    title: str
    available: bool = True
    note: str = ""


def systems_offered(models: LanguageModels) -> list[System]:
    """Return the systems that a project may choose."""
    return [
        System(MAJORITY, "majority", "Majority class", note="The most frequent gold label, for every item."),
        *(System(model.name, "trained", model.title, note=model.note) for model in offered_models()),
        System(
            PEOPLE,
            "people",
            "Annotators",
            note="Each annotator against the majorities of independent answers, as in the report.",
        ),
        *(
            System(name, "language_model", offered.model.called, not offered.problem, offered.problem)
            for name, offered in models.offered.items()
        ),
    ]


def kinds_of(names: Iterable[str], models: LanguageModels, imported: Iterable[str]) -> dict[str, Kind]:
    """Return the kind of each system, those of the file last. Raises Invalid for one that is not there."""
    offered: Mapping[str, System] = {system.name: system for system in systems_offered(models)}
    errors = {
        f"systems[{at}]": [f"{name!r} is no system of this server: there are {', '.join(offered)}."]
        for at, name in enumerate(names)
        if name not in offered
    }
    kinds: dict[str, Kind] = {name: offered[name].kind for name in names if name in offered}
    kinds |= dict.fromkeys(imported, "imported")
    if not kinds and not errors:
        errors["systems"] = ["Choose at least one system, or send a file of predictions."]
    if errors:
        raise Invalid(errors)
    return kinds
