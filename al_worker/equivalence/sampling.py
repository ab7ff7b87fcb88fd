"""Draw from groups: first a group, then one of its members."""

import random
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeVar

Group = TypeVar("Group")
Member = TypeVar("Member")


def sampled(
    draw: random.Random, groups: Mapping[Group, Sequence[Member]], wanted: int
) -> Iterator[tuple[Group, Member]]:
    """Yield distinct members: a group that still has one, uniformly, then one of these, uniformly."""
    left = {group: list(members) for group, members in groups.items()}
    for _ in range(wanted):
        left = {group: members for group, members in left.items() if members}
        if not left:
            return
        group = draw.choice(list(left))
        yield group, left[group].pop(draw.randrange(len(left[group])))
