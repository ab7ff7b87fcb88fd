"""Define the conditions of `open_when`. They may name only stages that come before."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import BeforeValidator, Field, WrapValidator

from annotation_app.codebook.model import LabelKey, Model, StageKey, listed_faults, objects
from annotation_app.codebook.texts import shown
from annotation_app.faults import Fault, Place, fault, faulty, kind_of

DEPTH = 5
PARTS = 20
# A condition may list as many labels as a stage may have.
VALUES = 300
WRITE = 'write {"stage", "in"}, {"stage", "answered": true}, {"all": [...]} or {"any": [...]}'


def _only_true(value: Any) -> Any:
    if value is not True:
        raise fault("must be true")
    return value


class LabelIn(Model):
    """Require that the stage `stage` is open, and answered with one of `labels`, or with a set that has one of them."""

    stage: StageKey
    labels: tuple[LabelKey, ...] = Field(alias="in", min_length=1, max_length=VALUES)


class Answered(Model):
    """Require that the stage `stage` is open, and answered with anything."""

    stage: StageKey
    answered: Annotated[Literal[True], BeforeValidator(_only_true)]


class AllOf(Model):
    """Require that all parts hold."""

    conditions: tuple["Condition", ...] = Field(alias="all", min_length=1, max_length=PARTS)


class AnyOf(Model):
    """Require that at least one part holds."""

    conditions: tuple["Condition", ...] = Field(alias="any", min_length=1, max_length=PARTS)


FORMS: dict[str, type[Model]] = {"all": AllOf, "any": AnyOf, "in": LabelIn, "answered": Answered}


def _of_its_form(value: Any, _: Any) -> Any:
    if isinstance(value, Model):
        return value
    if not isinstance(value, dict):
        raise fault(f"must be an object, not {kind_of(value)}")
    found = [key for key in FORMS if key in value]
    if len(found) != 1:
        raise fault(WRITE)
    return FORMS[found[0]].model_validate(value)


def _shallow(value: Any) -> Any:
    """Refuse what is nested too deep before anything else looks into it."""
    if too_deep := list(_below(value, (), DEPTH)):
        raise faulty((place, f"conditions are nested more than {DEPTH} deep") for place in too_deep)
    return value


def _below(value: Any, place: Place, depth: int) -> Iterator[Place]:
    if depth == 0:
        yield place
    elif isinstance(value, dict):
        for key in ("all", "any"):
            for i, part in objects(value, key):
                yield from _below(part, (*place, key, i), depth - 1)


if TYPE_CHECKING:
    Condition = LabelIn | Answered | AllOf | AnyOf
else:
    Condition = Annotated[LabelIn | Answered | AllOf | AnyOf, WrapValidator(_of_its_form)]
OpenWhen = Annotated[Condition | None, BeforeValidator(_shallow)]
AllOf.model_rebuild()
AnyOf.model_rebuild()


def condition_faults(
    raw: Any, place: Place, earlier: Mapping[str, Sequence[str]], known: Sequence[str], depth: int = DEPTH
) -> Iterator[Fault]:
    """Yield the faults of stages and labels that a condition names.

    `earlier` holds the labels of each stage that comes before, `known` the keys of all stages.
    """
    if depth == 0 or not isinstance(raw, dict):
        return
    for key in ("all", "any"):
        for i, part in objects(raw, key):
            yield from condition_faults(part, (*place, key, i), earlier, known, depth - 1)
    stage = raw.get("stage")
    if isinstance(stage, str) and stage not in earlier:
        later = f'stage "{stage}" does not come before this one; conditions look back only'
        yield (*place, "stage"), later if stage in known else f'unknown stage "{shown(stage)}"'
    labels = earlier.get(stage) if isinstance(stage, str) else None
    for at, message in listed_faults(raw, "in", labels, f'stage "{stage}"'):
        yield (*place, *at), message


def stages_named(condition: Condition) -> Iterator[str]:
    """Yield the keys of the stages that a condition refers to, in its order, repeats included."""
    if isinstance(condition, LabelIn | Answered):
        yield condition.stage
        return
    for part in condition.conditions:
        yield from stages_named(part)
