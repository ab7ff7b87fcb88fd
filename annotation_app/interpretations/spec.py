"""Check what an admin asks of an interpretation, and report every fault at once."""

import re
from collections.abc import Iterator
from typing import Annotated, Any, Literal, Self
from uuid import UUID

from django.utils.text import slugify
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from al_worker.equivalence.parts import PAPER, PREFIXES, SOURCES
from al_worker.formats.interpretation import FILTERBERT, FILTERS, KINDS
from annotation_app.codebook.model import text_of
from annotation_app.faults import Fault, bare_schema, fault, faulty, one_of, worded
from annotation_app.starts import StartSpec

MAX_NAME = 200
MAX_TITLE = 60
MAX_SYSTEMS = 8
MAX_EVALUATIONS = 200
BUDGETS = (16, 4_096)
MAX_AUGMENT = 10
MAX_EPOCHS = 100
MAX_SEED = 2**31 - 1
MAX_BEAMS = 10
MAX_TOKENS = 1_000
MAX_LIMIT = 100_000
MAX_BATCH = 64
CURRENT = "current"
RELEASE = re.compile(r"release:([1-9][0-9]{0,8})")
STRICT = ConfigDict(frozen=True, extra="forbid", json_schema_extra=bare_schema)


def whole(least: int, most: int) -> Any:
    """Return the annotations of a whole number, with one message for whatever is wrong with it."""
    return Field(ge=least, le=most, strict=True), worded(f"Give a whole number from {least} to {most:,}.")


def data_checked(value: str) -> str:
    if value != CURRENT and not RELEASE.fullmatch(value):
        raise fault("Choose current, or release: and the number of a release, such as release:2.")
    return value


Title = Annotated[str, text_of(MAX_TITLE), AfterValidator(str.strip)]
Offered = Annotated[str, text_of(200, may_be_blank=True)]


class SystemSpec(BaseModel):
    """Hold one system: a generative model, and the filter that chooses the sentences that it reads.

    `model` names an offered model; `filter_model` is FilterBERT's. `budget` is in tokens of the generative model.
    `augment` is how many targets are made of each training target by equivalence classes, at most. Without `max_epochs`
    it is the paper's of the kind.
    """

    model_config = STRICT

    title: Title
    kind: Annotated[str, one_of(KINDS)]
    model: Offered
    filter: Annotated[str, one_of(FILTERS)] = "lead"
    filter_model: Offered = ""
    budget: Annotated[int, *whole(*BUDGETS)] = 512
    augment: Annotated[int, *whole(0, MAX_AUGMENT)] = 0
    max_epochs: Annotated[int, *whole(1, MAX_EPOCHS)] | None = None

    @property
    def epochs(self) -> int:
        """Return how many epochs its model is trained, at most."""
        return KINDS[self.kind].epochs if self.max_epochs is None else self.max_epochs


class GenerationSpec(BaseModel):
    """Hold how texts are generated. A `limit` of 0 is every test source."""

    model_config = STRICT

    beams: Annotated[int, *whole(1, MAX_BEAMS)] = 5
    min_tokens: Annotated[int, *whole(0, MAX_TOKENS)] = 50
    max_tokens: Annotated[int, *whole(1, MAX_TOKENS)] = 500
    limit: Annotated[int, *whole(0, MAX_LIMIT)] = 0

    @model_validator(mode="after")
    def limits_agree(self) -> Self:
        if self.min_tokens > self.max_tokens:
            raise faulty([(("min_tokens",), f"Give at most the most tokens, {self.max_tokens}.")])
        return self


class TrainingSpec(BaseModel):
    """Hold how all models are trained.

    `learning_rate` is the maximum, and that of the kind where it is left out. `schedule` says to what it falls: as the
    paper says, or as the authors' programs do. Training stops once `patience` epochs did not lower the validation loss.
    """

    model_config = STRICT

    learning_rate: Annotated[float, Field(gt=0, le=1), worded("Give a number above 0, 1 at most.")] | None = None
    schedule: Annotated[str, one_of(SOURCES)] = PAPER
    patience: Annotated[int, *whole(1, MAX_EPOCHS)] = 1
    batch_size: Annotated[int, *whole(1, MAX_BATCH)] = 4


class InterpretationSpec(StartSpec):
    """Hold the admin's request.

    `data` is "current", the settled spans of now, or "release:N". `evaluations` are ids of evaluations by equivalence
    classes; their instances are of `split`, and a prefix begins with the sentence or the target. `rules` makes them as
    the paper says, or as the authors' programs do. With `replace_positive` another member of its class stands in the
    place of a true continuation. `bertscore` names an offered encoder, and is empty for none.
    """

    model_config = STRICT

    name: Annotated[str, text_of(MAX_NAME)]
    data: Annotated[str, AfterValidator(data_checked)] = CURRENT
    systems: Annotated[tuple[SystemSpec, ...], Field(max_length=MAX_SYSTEMS)]
    evaluations: Annotated[tuple[UUID, ...], Field(max_length=MAX_EVALUATIONS)] = ()
    seed: Annotated[int, *whole(0, MAX_SEED)] = 0
    split: Literal["test", "valid"] = "test"
    prefix: Annotated[str, one_of(PREFIXES)] = PREFIXES[0]
    rules: Annotated[str, one_of(SOURCES)] = PAPER
    replace_positive: bool = False
    training: TrainingSpec = TrainingSpec()
    generation: GenerationSpec = GenerationSpec()
    bertscore: Offered = ""

    @property
    def named(self) -> dict[str, SystemSpec]:
        """Return the systems by a name for files and addresses, which is made of the title."""
        found: dict[str, SystemSpec] = {}
        for number, system in enumerate(self.systems, start=1):
            name = slugify(system.title)[:60].strip("-_").replace("_", "-")
            found[name if name and name not in found else f"system-{number}"] = system
        return found

    @model_validator(mode="after")
    def parts_agree(self) -> Self:
        faults = list(self._faults())
        if faults:
            raise faulty(faults)
        return self

    def _faults(self) -> Iterator[Fault]:
        if not self.systems:
            yield ("systems",), "Choose at least one system."
        titles = [system.title.casefold() for system in self.systems]
        for at, system in enumerate(self.systems):
            if titles[at] in titles[:at]:
                yield ("systems", at, "title"), "Another system has this title: tables could not tell them apart."
            if system.filter == FILTERBERT and not system.filter_model:
                yield ("systems", at, "filter_model"), "Name the encoder that FilterBERT is trained from."
            if system.filter != FILTERBERT and system.filter_model:
                yield ("systems", at, "filter_model"), "Only FilterBERT takes a model: leave it empty."
            if system.augment and not self.evaluations:
                yield ("systems", at, "augment"), "Augmentation takes members of classes: choose evaluations, or 0."
        for at, chosen in enumerate(self.evaluations):
            if chosen in self.evaluations[:at]:
                yield ("evaluations", at), "Named twice."
