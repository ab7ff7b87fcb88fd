"""Integers in the address of a request, with an end: the database refuses what is larger with an error of its own."""

from typing import Any

from rest_framework import serializers

# What an integer column holds.
MOST = 2**31 - 1
# What a bigint column holds.
MOST_BIG = 2**63 - 1


class QueryInteger(serializers.IntegerField):
    """Every integer query parameter is one: 400 with the field named for what is out of range."""

    def __init__(self, *, min_value: int, max_value: int = MOST, **given: Any) -> None:
        super().__init__(min_value=min_value, max_value=max_value, **given)
