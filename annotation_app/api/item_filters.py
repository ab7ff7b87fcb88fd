"""Read the filters of the list of items, from an address or from a body."""

import json
import re
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from annotation_app.dashboards.items.filters import AGGREGATED, REMARKS, STATES, ItemFilters
from annotation_app.dashboards.items.outcomes import OUTCOMES
from annotation_app.models import Membership

MOST_COLUMNS = 5
COLUMN = 'A column must be a JSON list of its path and the value, such as ["party","Labour"].'


@extend_schema_field({"type": "string"})
class ColumnValue(serializers.Field):
    """Read the path of an imported column with a value, as one JSON list of texts."""

    def to_internal_value(self, data: Any) -> tuple[tuple[str, ...], str]:
        try:
            parts = json.loads(data)
        except (TypeError, ValueError, RecursionError):
            raise serializers.ValidationError(COLUMN) from None
        is_path = isinstance(parts, list) and 2 <= len(parts) <= 3 and all(isinstance(part, str) for part in parts)
        # JSON can escape halves of characters, which no text in UTF-8 has.
        if not is_path or any("\0" in part or re.search("[\ud800-\udfff]", part) for part in parts):
            raise serializers.ValidationError(COLUMN)
        return tuple(parts[:-1]), parts[-1]

    def to_representation(self, value: tuple[tuple[str, ...], str]) -> str:
        return json.dumps([*value[0], value[1]], ensure_ascii=False)


class FiltersIn(serializers.Serializer):
    q = serializers.CharField(
        max_length=500,
        default="",
        allow_blank=True,
        help_text='Words that text or id hold, as parts of words; "a phrase"; -without.',
    )
    state = serializers.ChoiceField(choices=STATES, default="all")
    batch = serializers.UUIDField(required=False, default=None, allow_null=True)
    stage = serializers.CharField(max_length=64, default="", allow_blank=True)
    # A field of that name hides the serializer's own `label`, which is for HTML forms.
    label = serializers.CharField(  # type: ignore[assignment]
        max_length=500, default="", allow_blank=True, help_text="At `stage`; of a set, one of its labels."
    )
    by = serializers.CharField(
        max_length=36, default=AGGREGATED, help_text=f"Whose label: {AGGREGATED}, or a member's id."
    )
    outcome = serializers.ChoiceField(
        choices=OUTCOMES, default="", allow_blank=True, help_text="At `stage`, or without one at any."
    )
    remark = serializers.ChoiceField(choices=REMARKS, default="", allow_blank=True)
    column = serializers.ListField(
        child=ColumnValue(), default=list, max_length=MOST_COLUMNS, help_text='Such as ["party","Labour"], repeated.'
    )
    document = serializers.CharField(
        max_length=500, default="", allow_blank=True, help_text="A part of its title or id."
    )
    speaker = serializers.CharField(max_length=500, default="", allow_blank=True)

    def validate_by(self, value: str) -> str:
        return value if value == AGGREGATED else str(serializers.UUIDField().to_internal_value(value))


def filters_of(reader: Membership, asked: dict[str, Any]) -> ItemFilters:
    """Return the filters from the checked fields of FiltersIn; other fields are left out."""
    named = {str(name): asked[str(name)] for name in FiltersIn().fields if name != "column"}
    return ItemFilters(reader, columns=tuple(asked["column"]), **named)
