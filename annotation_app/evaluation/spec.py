"""Check what an admin asks of an evaluation, and report every fault at once."""

from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from annotation_app.aggregation.statements import Phase
from annotation_app.codebook.model import text_of
from annotation_app.faults import Fault, bare_schema, faulty, worded
from annotation_app.starts import StartSpec

MAX_NAME = 200
MAX_SYSTEMS = 12
MAX_STAGES = 20
FOLDS = (2, 20)
MAX_EXAMPLES = 20
MAX_SEED = 2**31 - 1
MAX_LIMIT = 100_000
MAX_POOL = 10_000
# Of an expert, a trained annotator and a crowd worker (Calderon et al. 2025).
EPSILONS = (0.2, 0.15, 0.1)


def whole(least: int, most: int) -> Any:
    """Return the annotations of a whole number, with one message for whatever is wrong with it."""
    return Field(ge=least, le=most, strict=True), worded(f"Give a whole number from {least} to {most:,}.")


class GoldSource(BaseModel):
    """Choose the gold labels: the project's aggregated labels, as a round takes them, or those of release `number`."""

    model_config = ConfigDict(frozen=True, extra="forbid", json_schema_extra=bare_schema)

    kind: Literal["labels", "release"]
    phase: Annotated[Phase, worded("Choose 1 (independent answers) or 2 (after second looks).")] = 1
    adjudicated: bool = False
    number: Annotated[int, *whole(1, 2**31 - 1)] | None = None

    @model_validator(mode="after")
    def number_named(self) -> Self:
        if self.kind == "release" and self.number is None:
            raise faulty([(("number",), "Give the number of the release.")])
        if self.kind == "labels" and self.number is not None:
            raise faulty([(("number",), "Only gold of the kind release takes a number.")])
        return self

    @property
    def release(self) -> int:
        """Return the number of the release that it comes from."""
        if self.number is None:
            raise ValueError("Gold of the kind labels comes from no release.")
        return self.number


class EvaluationSpec(StartSpec):
    """Hold the admin's request.

    `prompts` are numbers of saved versions by stage: 0 is the default, and no number the newest. `limit` is the most
    items of a stage that language models are asked about, and `pool` how many unlabelled items they are asked about
    besides. `batch` is the number of a round whose batch they are asked about too, so that its annotators can have
    suggestions.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", json_schema_extra=bare_schema)

    name: Annotated[str, text_of(MAX_NAME)]
    gold: GoldSource
    stages: Annotated[tuple[str, ...], Field(max_length=MAX_STAGES)]
    systems: Annotated[tuple[str, ...], Field(max_length=MAX_SYSTEMS)]
    folds: Annotated[int, *whole(*FOLDS)] = 4
    examples: Annotated[int, *whole(0, MAX_EXAMPLES)] = 0
    seed: Annotated[int, *whole(0, MAX_SEED)] = 0
    prompts: dict[str, Annotated[int, *whole(0, 2**31 - 1)]] = {}
    epsilon: float = EPSILONS[0]
    limit: Annotated[int, *whole(1, MAX_LIMIT)] | None = None
    pool: Annotated[int, *whole(0, MAX_POOL)] = 0
    batch: Annotated[int, *whole(1, 2**31 - 1)] | None = None

    @model_validator(mode="after")
    def parts_agree(self) -> Self:
        faults: list[Fault] = []
        if not self.stages:
            faults.append((("stages",), "Choose at least one stage."))
        for field, named in (("stages", self.stages), ("systems", self.systems)):
            faults += [((field, at), "Named twice.") for at, one in enumerate(named) if one in named[:at]]
        faults += [(("prompts", key), "This stage is not evaluated.") for key in self.prompts if key not in self.stages]
        if self.epsilon not in EPSILONS:
            faults.append((("epsilon",), f"Choose one of {', '.join(map(str, EPSILONS))}."))
        if faults:
            raise faulty(faults)
        return self
