"""Bound integers in the address of a request: the database refuses larger ones with an error of its own."""

from typing import Any

from rest_framework import serializers

# What an integer column holds.
MOST = 2**31 - 1
# What a bigint column holds.
MOST_BIG = 2**63 - 1


class QueryInteger(serializers.IntegerField):
    """Parse an integer query parameter; one out of range is answered with 400 and the field's name."""

    def __init__(self, *, min_value: int, max_value: int = MOST, **given: Any) -> None:
        super().__init__(min_value=min_value, max_value=max_value, **given)
