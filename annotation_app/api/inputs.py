"""Read what clients send, and declare the fields that several resources share."""

from typing import Any, TypeVar
from uuid import UUID

import pydantic
from django.http import QueryDict
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from annotation_app.codebook.stages import Codebook
from annotation_app.codebook.texts import shown
from annotation_app.faults import message_of, path_of
from annotation_app.refusals import Invalid

Asked = TypeVar("Asked", bound=pydantic.BaseModel)

# What an integer column and a bigint column hold: the database refuses larger numbers with an error of its own.
MOST = 2**31 - 1
MOST_BIG = 2**63 - 1
MOST_IDS = 100
# Code points of an item's text in a list of items.
BEGINNING = 600
CLIENT_ID = serializers.UUIDField(
    required=False, allow_null=True, help_text="Names this sending: a retry of it does nothing twice."
)
ANSWERS = serializers.DictField(child=serializers.CharField())


def checked(shape: type[serializers.Serializer], sent: Any) -> dict[str, Any]:
    """Return the fields of what a client sent. A client that sent anything else is answered 400, field by field."""
    data = shape(data=sent)
    data.is_valid(raise_exception=True)
    return dict(data.validated_data)


def spec_sent(model: type[Asked], sent: Any) -> Asked:
    """Return what is asked for, read by its model. Raises Invalid with every fault by its field."""
    try:
        return model.model_validate(sent)
    except pydantic.ValidationError as error:
        errors: dict[str, list[str]] = {}
        for each in error.errors(include_url=False):
            errors.setdefault(path_of(each["loc"]) or "non_field_errors", []).append(message_of(each))
        raise Invalid(errors) from error


def given_once(query: QueryDict) -> dict[str, Any]:
    """Return the query as a plain dict, because an empty value in a form would count as none.

    A parameter that is given twice is refused.
    """
    twice = {shown(name): ["Give this parameter only once."] for name, said in query.lists() if len(said) > 1}
    if twice:
        raise serializers.ValidationError(twice)
    return dict(query.items())


class QueryInteger(serializers.IntegerField):
    """Parse an integer query parameter; one out of range is answered with 400 and the field's name."""

    def __init__(self, *, min_value: int, max_value: int = MOST, **given: Any) -> None:
        super().__init__(min_value=min_value, max_value=max_value, **given)


@extend_schema_field(OpenApiTypes.STR)
class TaggedIds(serializers.Field):
    """Parse `id.tag` with commas between, at most MOST_IDS of them, into {id: tag}."""

    default_error_messages = {"ids": f"Give id.tag (the id is a UUID) with commas between, {MOST_IDS} at most."}

    def to_internal_value(self, data: Any) -> dict[UUID, str]:
        parts = [part.partition(".") for part in str(data).split(",") if part]
        try:
            tags = {UUID(identity): tag for identity, _, tag in parts}
        except ValueError:
            self.fail("ids")
        if len(parts) > MOST_IDS:
            self.fail("ids")
        return tags


def one_of(*allowed: str, **given: Any) -> serializers.ChoiceField:
    """Return a field of these values. Its message names them, and does not repeat what was sent."""
    message = f"Choose {' or '.join(allowed)}."
    return serializers.ChoiceField(
        choices=allowed, error_messages={"invalid_choice": message, "required": message}, **given
    )


class TextOrNull(serializers.CharField):
    """Answer null for an empty text."""

    def __init__(self, **given: Any) -> None:
        super().__init__(**{"allow_null": True, **given})

    def to_representation(self, value: str) -> str | None:  # type: ignore[override]
        return value or None


class Beginning(serializers.CharField):
    """Answer the beginning of a long text."""

    def to_representation(self, value: str) -> str:
        return value[:BEGINNING]


# The generator takes pydantic's models; its stubs don't say so.
@extend_schema_field(Codebook)  # type: ignore[arg-type]
class DefinitionField(serializers.JSONField):
    """A codebook, as it is stored."""


@extend_schema_field(ANSWERS)
class Answers(serializers.JSONField):
    """Read {stage: label} as sent: the codebook's own check names what is wrong with it."""


class OwnAnswerIn(serializers.Serializer):
    own = serializers.ChoiceField(
        choices=["locked"],
        required=False,
        default=None,
        allow_null=True,
        help_text="The reader knows that their own answers can't be changed any more once others' are shown.",
        error_messages={"invalid_choice": "Choose locked, or leave it out."},
    )
