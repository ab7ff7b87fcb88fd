"""Hold out a test set of labelled items by hash: the same items and number give the same sets. Pure: no I/O."""

from collections.abc import Sequence
from hashlib import sha256

from al_worker.formats.run_directory import Item


def holdout_split(items: Sequence[Item], *, share: float, random_state: int) -> tuple[list[Item], list[Item]]:
    """Return (train, test), each in the given order; about `share` of every label's items are held out.

    Items of the same text stay together, since a text in both sets would flatter every model. Of a label with two or
    more texts, at least one is held out and one is not.
    """
    held = {
        item.id
        for label in dict.fromkeys(str(item.label) for item in items)
        for group in _held_out(_groups(items, label), share, random_state)
        for item in group
    }
    return [item for item in items if item.id not in held], [item for item in items if item.id in held]


def _groups(items: Sequence[Item], label: str) -> list[list[Item]]:
    """Group items by text; a text with several labels goes with its first."""
    groups: dict[str, list[Item]] = {}
    for item in items:
        groups.setdefault(item.text, []).append(item)
    return [group for group in groups.values() if group[0].label == label]


def _held_out(groups: list[list[Item]], share: float, random_state: int) -> list[list[Item]]:
    wanted = round(share * sum(len(group) for group in groups))
    ordered = sorted(groups, key=lambda group: _key(random_state, group[0].id))
    held: list[list[Item]] = []
    for group in ordered[:-1]:
        if held and sum(len(other) for other in held) >= wanted:
            break
        held.append(group)
    return held


def _key(random_state: int, item_id: str) -> str:
    return sha256(f"{random_state}:holdout:{item_id}".encode()).hexdigest()
