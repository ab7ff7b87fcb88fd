"""Name the faults of decoded JSON that pydantic reads: each has a place, and a message in the words of JSON."""

from collections.abc import Callable, Collection, Iterable
from typing import Any

from pydantic import AfterValidator, ValidationError, WrapValidator
from pydantic_core import ErrorDetails, InitErrorDetails, PydanticCustomError

# Where a fault lies, from the object at hand, and what it says.
Place = tuple[str | int, ...]
Fault = tuple[Place, str]


def fault(message: str) -> PydanticCustomError:
    return PydanticCustomError("fault", message)


def faulty(found: Iterable[Fault]) -> ValidationError:
    """Return the error that names several faults below the value at hand."""
    lines = [InitErrorDetails(type=fault(message), loc=place, input=None) for place, message in found]
    return ValidationError.from_exception_data("codebook", lines)


def message_of(error: ErrorDetails) -> str:
    """Return pydantic's error in the words of JSON."""
    given, limits = error["input"], error.get("ctx", {})
    match error["type"]:
        case "missing":
            return "is missing"
        case "bool_type":
            return f"must be true or false, not {kind_of(given)}"
        case "tuple_type":
            return f"must be a list, not {kind_of(given)}"
        case "too_short":
            return "must not be empty"
        case "too_long":
            return f"has {len(given)} elements, at most {limits['max_length']} are allowed"
        case "literal_error":
            return f"must be one of {limits['expected'].replace(' or ', ', ').replace(chr(39), '')}"
    return error["msg"]


def kind_of(value: Any) -> str:
    """Return JSON's word for the type of a decoded value."""
    names = {dict: "an object", list: "a list", str: "a text", bool: "true or false", type(None): "null"}
    return names.get(type(value), "a number")


def path_of(place: Place) -> str:
    """Return a place as people read it: stages[0].labels[1].key."""
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in place).removeprefix(".")


def worded(message: str) -> WrapValidator:
    """Give one message for whatever is wrong with a value."""

    def check(value: Any, handler: Callable[[Any], Any]) -> Any:
        try:
            return handler(value)
        except ValidationError as error:
            raise fault(message) from error

    return WrapValidator(check)


def one_of(choices: Collection[str]) -> AfterValidator:
    """Check that a text is one of the choices."""

    def check(value: str) -> str:
        if value not in choices:
            raise fault(f"{value!r} is not one of {', '.join(choices)}.")
        return value

    return AfterValidator(check)


def bare_schema(schema: dict[str, Any]) -> None:
    """Leave out what would make the browser take an optional key for one that is always there."""
    for each in schema["properties"].values():
        each.pop("title", None)
        each.pop("default", None)
