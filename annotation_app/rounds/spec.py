"""Check what an admin asks of a round, and report every fault at once."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Self
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field, model_validator

from al_worker.formats.strategies import COMBINES, STRATEGIES, WITHOUT_MODEL, StrategyOptionError, check_options
from annotation_app.aggregation.statements import Phase
from annotation_app.assignment.practice import not_passed, not_passed_words
from annotation_app.assignment.shares import shares_faults
from annotation_app.codebook.stages import Codebook
from annotation_app.faults import bare_schema, faulty, one_of, worded
from annotation_app.models import Capability, Membership, Project
from annotation_app.refusals import Invalid
from annotation_app.rounds.budget import budget_left
from annotation_app.rounds.check_items import CheckItemsSpec, checks_faults
from annotation_app.rounds.draw import eligible_items
from annotation_app.rounds.models_offered import offered_model
from annotation_app.rounds.training_set import stage_labels

MAX_QUERY_SIZE = 10_000
MAX_LEARNING_RATE = 0.1
MAX_RANDOM_STATE = 2**53 - 1


Size = Annotated[int, Field(ge=1, le=MAX_QUERY_SIZE), worded(f"Choose 1 to {MAX_QUERY_SIZE:,} items.")]
Seed = Annotated[int, Field(ge=0, le=MAX_RANDOM_STATE), worded(f"Choose a whole number from 0 to {MAX_RANDOM_STATE}.")]
Rate = Annotated[
    float,
    Field(gt=0, le=MAX_LEARNING_RATE),
    worded(f"Choose a number above 0, at most {MAX_LEARNING_RATE}, or none for the recipe's."),
]
Share = Annotated[float, Field(ge=0, le=1), worded("Choose a share from 0 to 1.")]
Which = Annotated[Phase, worded("Choose 1 (independent answers) or 2 (after second looks).")]


class RoundSpec(BaseModel):
    """Hold the admin's request. `annotators` are memberships' UUIDs, `learning_stages` keys of the codebook.

    `shares` are parts of the slots by annotator; without them whoever asks first gets a slot.

    `label_phase` says whether the model learns from independent answers (1) or from those after second looks (2). With
    `use_adjudicated`, decisions go before majorities.
    """

    model_config = ConfigDict(frozen=True, json_schema_extra=bare_schema)

    strategy: Annotated[str, one_of(STRATEGIES)]
    query_size: Size
    random_state: Seed
    model: str = ""
    learning_stages: tuple[str, ...] = Field(max_length=100)
    annotators: tuple[UUID, ...] = Field(max_length=1_000)
    annotators_per_item: int
    shares: dict[UUID, int] = {}
    check_items: CheckItemsSpec | None = None
    options: dict[str, Any] = {}
    allowed_alternative: Annotated[str, one_of(["", *WITHOUT_MODEL])] = ""
    combine: Annotated[str, one_of(COMBINES)] = COMBINES[0]
    random_share: Share = 0.0
    no_duplicate_texts: bool = False
    learning_rate: Rate | None = None
    label_phase: Which = 1
    use_adjudicated: bool = False

    @model_validator(mode="after")
    def options_known(self) -> Self:
        try:
            check_options(self.strategy, self.options)
        except StrategyOptionError as error:
            raise faulty([(("options", error.option), str(error))]) from error
        return self


def spec_check(project: Project, spec: RoundSpec, codebook: Codebook) -> list[Membership]:
    """Check the spec against the project and return the annotators. Every fault is reported at once."""
    errors = model_check(spec) | stages_check(spec, codebook)
    chosen = project.memberships.filter(uuid__in=spec.annotators).active_with(Capability.RATE)
    annotators = list(chosen.select_related("user"))
    errors |= annotators_check(spec.annotators, annotators, spec.annotators_per_item, spec.shares)
    errors |= budget_check(project, spec)
    errors |= checks_faults(project, spec.check_items, annotators, spec.query_size)
    if missing := not_passed(project, annotators):
        errors.setdefault("annotators", []).extend(not_passed_words(missing))
    if errors:
        raise Invalid(errors)
    return annotators


def model_check(spec: RoundSpec) -> dict[str, list[str]]:
    """Check the model; a strategy without a model needs none."""
    if (spec.model or STRATEGIES[spec.strategy].needs_model) and offered_model(spec.model) is None:
        return {"model": [f"{spec.model!r} is not on this server's list of models."]}
    return {}


def stages_check(spec: RoundSpec, codebook: Codebook) -> dict[str, list[str]]:
    if codebook.learning is None and not (spec.learning_stages and codebook.learned_stages):
        return labelless_check(spec, codebook)
    if not spec.learning_stages or len(set(spec.learning_stages)) != len(spec.learning_stages):
        return {"learning_stages": ["Name one or more stages of the codebook, each once."]}
    if unknown := [key for key in spec.learning_stages if key not in codebook.by_key]:
        return {"learning_stages": [f"{key!r} is not a stage of the codebook." for key in unknown]}
    if not_learned := [key for key in spec.learning_stages if not codebook.by_key[key].learned_as]:
        return {"learning_stages": [f"{key} is answered with a number or a text, which no model learns here."
                                    for key in not_learned]}  # fmt: skip
    if few := [key for key in spec.learning_stages if len(stage_labels(codebook, key)) < 2]:
        return {"learning_stages": [f"{key} leaves fewer than two labels to learn from." for key in few]}
    return {}


def labelless_check(spec: RoundSpec, codebook: Codebook) -> dict[str, list[str]]:
    """Check that a round without a stage to learn asks for no model, such as one of a codebook of spans alone."""
    if spec.learning_stages:
        return {"learning_stages": ["The codebook has no stage with labels: send an empty list."]}
    if STRATEGIES[spec.strategy].needs_model and codebook.learned_stages:
        return {"learning_stages": [f"{spec.strategy} needs a stage to learn: name one or more."]}
    if STRATEGIES[spec.strategy].needs_model:
        return {"strategy": [f"{spec.strategy} needs a stage to learn, and the codebook has none."]}
    return {}


def annotators_check(
    asked: Sequence[UUID], found: Sequence[Membership], annotators_per_item: int, shares: Mapping[UUID, int]
) -> dict[str, list[str]]:
    if not asked or len(found) != len(set(asked)):
        return {"annotators": ["Name one or more active annotators or admins of this project, each once."]}
    if not 1 <= annotators_per_item <= len(found):
        return {"annotators_per_item": [f"Choose 1 to {len(found)}: as many people annotate this batch."]}
    faults = shares_faults(shares, {each.uuid: each.user.shown_name for each in found}, annotators_per_item)
    return {"shares": faults} if faults else {}


def budget_check(project: Project, spec: RoundSpec) -> dict[str, list[str]]:
    """Check that the pool and the project's budget hold the batch."""
    in_pool = eligible_items(project).count()
    if not in_pool:
        return {"query_size": ["The pool has no items left. Import texts first."]}
    if spec.query_size > in_pool:
        return {"query_size": [f"The pool has {in_pool} items that nobody was given yet: ask for at most as many."]}
    left = budget_left(project)
    if left is not None and spec.query_size > left:
        return {"query_size": [f"The project's budget has {left} of {project.annotation_budget} items left."]}
    return {}
