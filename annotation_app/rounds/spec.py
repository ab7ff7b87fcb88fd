"""Check what an admin asks of a round, and report every fault at once."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from al_worker.formats.strategies import COMBINES, STRATEGIES, WITHOUT_MODEL, StrategyOptionError, check_options
from annotation_app.aggregation.statements import PHASES, Phase
from annotation_app.codebook.definition import Codebook
from annotation_app.models import Capability, Membership, Project
from annotation_app.rounds.budget import budget_spent
from annotation_app.rounds.draw import eligible_items
from annotation_app.rounds.errors import RoundInvalid
from annotation_app.rounds.models_offered import offered_model
from annotation_app.rounds.training_set import stage_labels

MAX_QUERY_SIZE = 10_000
MAX_LEARNING_RATE = 0.1
MAX_RANDOM_STATE = 2**53 - 1


@dataclass(frozen=True)
class RoundSpec:
    """Hold the admin's request. `annotators` are memberships' UUIDs, `learning_stages` keys of the codebook."""

    strategy: str
    query_size: int
    random_state: int
    model: str
    learning_stages: Sequence[str]
    annotators: Sequence[UUID]
    annotators_per_item: int
    options: dict[str, Any] = field(default_factory=dict)
    allowed_alternative: str = ""
    combine: str = COMBINES[0]
    random_share: float = 0.0
    no_duplicate_texts: bool = False
    learning_rate: float | None = None
    label_phase: Phase = 1
    use_adjudicated: bool = False


def spec_check(project: Project, spec: RoundSpec, codebook: Codebook) -> list[Membership]:
    """Check the spec and return the annotators. Every fault is reported at once."""
    errors: dict[str, list[str]] = {}
    if spec.strategy not in STRATEGIES:
        errors["strategy"] = [f"{spec.strategy!r} is not a strategy: choose one of {', '.join(STRATEGIES)}."]
    if spec.allowed_alternative and spec.allowed_alternative not in WITHOUT_MODEL:
        errors["allowed_alternative"] = [
            f"{spec.allowed_alternative!r} can't stand in: choose one that needs no model, {', '.join(WITHOUT_MODEL)}."
        ]
    if "strategy" not in errors:
        try:
            check_options(spec.strategy, spec.options)
        except StrategyOptionError as error:
            errors[f"options.{error.option}"] = [str(error)]
    if not 1 <= spec.query_size <= MAX_QUERY_SIZE:
        errors["query_size"] = [f"Choose 1 to {MAX_QUERY_SIZE:,} items."]
    if not 0 <= spec.random_state <= MAX_RANDOM_STATE:
        errors["random_state"] = [f"Choose a whole number from 0 to {MAX_RANDOM_STATE}."]
    if spec.learning_rate is not None and not 0 < spec.learning_rate <= MAX_LEARNING_RATE:
        errors["learning_rate"] = [f"Choose a number above 0, at most {MAX_LEARNING_RATE}, or none for the recipe's."]
    if spec.label_phase not in PHASES:
        errors["label_phase"] = ["Choose 1 (independent answers) or 2 (after second looks)."]
    if not 0 <= spec.random_share <= 1:
        errors["random_share"] = ["Choose a share from 0 to 1."]
    errors |= model_check(spec) | stages_check(spec, codebook)
    annotators = list(project.memberships.filter(uuid__in=spec.annotators).active_with(Capability.RATE))
    errors |= annotators_check(spec.annotators, annotators, spec.annotators_per_item) | budget_check(project, spec)
    if errors:
        raise RoundInvalid(errors)
    return annotators


def model_check(spec: RoundSpec) -> dict[str, list[str]]:
    """Check the model; a strategy without a model needs none."""
    trains_model = spec.strategy in STRATEGIES and STRATEGIES[spec.strategy].needs_model
    if (spec.model or trains_model) and offered_model(spec.model) is None:
        return {"model": [f"{spec.model!r} is not on this server's list of models."]}
    return {}


def stages_check(spec: RoundSpec, codebook: Codebook) -> dict[str, list[str]]:
    errors: dict[str, list[str]] = {}
    if spec.combine not in COMBINES:
        errors["combine"] = [f"{spec.combine!r} is not one of {', '.join(COMBINES)}."]
    unknown = [key for key in spec.learning_stages if key not in codebook.by_key]
    if not codebook.stages:
        return errors | stageless_check(spec)
    if not spec.learning_stages or len(set(spec.learning_stages)) != len(spec.learning_stages):
        errors["learning_stages"] = ["Name one or more stages of the codebook, each once."]
    elif unknown:
        errors["learning_stages"] = [f"{key!r} is not a stage of the codebook." for key in unknown]
    elif few := [key for key in spec.learning_stages if len(stage_labels(codebook, key)) < 2]:
        errors["learning_stages"] = [f"{key} leaves fewer than two labels to learn from." for key in few]
    return errors


def stageless_check(spec: RoundSpec) -> dict[str, list[str]]:
    """Check that a codebook of spans alone asks for no model: it has no stage to learn."""
    if spec.learning_stages:
        return {"learning_stages": ["The codebook has no stages: send an empty list."]}
    if spec.strategy in STRATEGIES and STRATEGIES[spec.strategy].needs_model:
        return {"strategy": [f"{spec.strategy} needs a stage to learn, and the codebook has none."]}
    return {}


def annotators_check(
    asked: Sequence[UUID], found: Sequence[Membership], annotators_per_item: int
) -> dict[str, list[str]]:
    if not asked or len(found) != len(set(asked)):
        return {"annotators": ["Name one or more active annotators or admins of this project, each once."]}
    if not 1 <= annotators_per_item <= len(found):
        return {"annotators_per_item": [f"Choose 1 to {len(found)}: as many people annotate this batch."]}
    return {}


def budget_check(project: Project, spec: RoundSpec) -> dict[str, list[str]]:
    """Check that the pool and the project's budget hold the batch."""
    in_pool = eligible_items(project).count()
    if not in_pool:
        return {"query_size": ["The pool has no items left. Import texts first."]}
    if spec.query_size > in_pool:
        return {"query_size": [f"The pool has {in_pool} items that nobody was given yet: ask for at most as many."]}
    if project.annotation_budget is None:
        return {}
    left = project.annotation_budget - budget_spent(project)
    if spec.query_size > left:
        return {"query_size": [f"The project's budget has {left} of {project.annotation_budget} items left."]}
    return {}
