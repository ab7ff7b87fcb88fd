"""The base of the codebook's models: decoded JSON is read whole, and every fault is named with its place and mend."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Annotated, Any, Literal, Self

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    ModelWrapValidatorHandler,
    StringConstraints,
    ValidationError,
    model_validator,
)
from pydantic_core import ErrorDetails

from annotation_app.codebook.texts import shown, text_fault
from annotation_app.faults import Fault, bare_schema, fault, faulty, kind_of, message_of, worded

NAME_LENGTH = 200

Json = dict[str, Any]


class Model(BaseModel):
    """Read an object of the codebook. Faults between its parts are named even where parts are faulty themselves."""

    model_config = ConfigDict(extra="forbid", frozen=True, serialize_by_alias=True, json_schema_extra=bare_schema)

    @classmethod
    def completed(cls, raw: Json) -> Json:
        """Return the object with the defaults that depend on its other parts."""
        return raw

    @classmethod
    def faults(cls, raw: Json) -> Iterable[Fault]:
        """Return the faults between the parts. Any part may be missing or of a wrong type, which is named elsewhere."""
        return ()

    @model_validator(mode="wrap")
    @classmethod
    def read(cls, value: Any, handler: ModelWrapValidatorHandler[Self]) -> Self:
        if isinstance(value, cls):
            return value
        if not isinstance(value, dict):
            raise fault(f"must be an object, not {kind_of(value)}")
        raw = cls.completed(value)
        keys = [field.alias or name for name, field in cls.model_fields.items()]
        allowed = f"unknown key; allowed here: {', '.join(keys)}"
        found: list[Fault] = [((shown(key),), allowed) for key in raw if key not in keys]
        try:
            model = handler({key: raw[key] for key in keys if key in raw})
        except ValidationError as error:
            found += [(each["loc"], message_of(each)) for each in error.errors(include_url=False) if not is_echo(each)]
        found += cls.faults(raw)
        if found:
            raise faulty(found)
        return model


def is_echo(error: ErrorDetails) -> bool:
    """Tell whether a list seems too short only because its elements have faults, which are named anyway."""
    return error["type"] == "too_short" and bool(error["input"])


def text_of(limit: int, *, may_be_blank: bool = False) -> BeforeValidator:
    """Check a text of at most `limit` code points."""

    def checked(value: Any) -> Any:
        wrong = "must not be null" if value is None else text_fault(value, limit, may_be_blank)
        if wrong:
            raise fault(wrong)
        return value

    return BeforeValidator(checked)


def _shortcut(value: Any) -> Any:
    if value is not None and not (isinstance(value, str) and len(value) == 1 and value.isalnum()):
        raise fault("must be one letter or digit")
    return value


Key = Annotated[
    str,
    StringConstraints(pattern=r"^[a-z][a-z0-9_]*$", max_length=50),
    worded("must be a key: a small letter, then small letters, digits or _, at most 50 characters"),
]
StageKey = Annotated[str, worded("must be a stage key")]
LabelKey = Annotated[str, worded("must be a label key")]
Name = Annotated[str, text_of(NAME_LENGTH)]
Prompt = Annotated[str, text_of(1_000)]
Help = Annotated[str, text_of(5_000, may_be_blank=True)]
# The browser gives each name of the palette a light and a dark value.
Color = Literal["blue", "orange", "green", "purple", "ochre", "teal", "red", "pink", "brown", "grey", "indigo", "lime"]
# A key on the keyboard.
Shortcut = Annotated[str | None, BeforeValidator(_shortcut)]


# These look into JSON that may be faulty, and pass over what has a wrong type.


def objects(raw: Json, key: str) -> list[tuple[int, Json]]:
    """Return the objects of a list with their places in it."""
    listed = raw.get(key)
    return [(i, each) for i, each in enumerate(listed) if isinstance(each, dict)] if isinstance(listed, list) else []


def strings(raw: Json, key: str) -> list[tuple[int, str]]:
    """Return the texts of a list with their places in it."""
    listed = raw.get(key)
    return [(i, each) for i, each in enumerate(listed) if isinstance(each, str)] if isinstance(listed, list) else []


def keys_of(raw: Json, key: str) -> list[str]:
    return [each["key"] for _, each in objects(raw, key) if isinstance(each.get("key"), str)]


def repeated(raw: Json, key: str, names: dict[str, str]) -> Iterator[Fault]:
    """Yield a fault for each value that an earlier object of the list has; shortcuts are compared without their case.

    `names` are the parts to compare, each with the word for it.
    """
    for name, word in names.items():
        first: dict[str, int] = {}
        for place, each in objects(raw, key):
            if isinstance(value := each.get(name), str) and value:
                value = value.casefold() if name == "shortcut" else value
                if (before := first.setdefault(value, place)) != place:
                    yield (key, place, name), f'the {word} "{shown(value)}" is already used at {key}[{before}].{name}'


def listed_faults(raw: Json, key: str, allowed: Sequence[str] | None = None, whose: str = "") -> Iterator[Fault]:
    """Yield a fault for each text of a list that is not allowed, or that the list has before."""
    listed = strings(raw, key)
    for i, (place, each) in enumerate(listed):
        if allowed is not None and each not in allowed:
            yield (key, place), f'{whose} has no label "{shown(each)}"'
        elif any(each == other for _, other in listed[:i]):
            yield (key, place), "is in the list twice"
