"""The heads of a model: one for each stage that it learns, on one encoder. Most models have one, without a name."""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from al_worker.core.errors import NotEnoughLabels
from al_worker.core.run.config import HeadSettings, ModelSettings
from al_worker.formats.run_directory import LABELED, Item
from al_worker.formats.tables import ConfigError

# The column of an item without a label at a head. torch's cross entropy ignores this value by default.
MISSING = -100


def resolve_heads(
    model: ModelSettings, named: Sequence[HeadSettings], items: Sequence[Item]
) -> tuple[HeadSettings, ...]:
    """Return the heads in the order of the logits' columns, checked against the training items.

    Without [[heads]] there is one head, without a name.
    Raises ConfigError for a label that no head knows, including a positive one.
    Raises NotEnoughLabels for a head that no item has a label for.
    """
    if not named:
        check_labels((), items, LABELED)
        labels = label_order(model, items)
        if strange := [label for label in model.positive_labels if label not in labels]:
            raise ConfigError(
                f'config.toml: [model] positive_labels holds "{strange[0]}"; the labels are {", ".join(labels)}. '
                "Declare all labels in [model] labels, also those that no training item has yet"
            )
        return (HeadSettings(name="", labels=labels, positive_labels=model.positive_labels),)
    check_labels(named, items, LABELED)
    for head in named:
        if all(label_at(head, item) is None for item in items):
            raise NotEnoughLabels(f'{LABELED} holds no label for the head "{head.name}"; take it out of [[heads]]')
    return tuple(named)


def label_order(model: ModelSettings, items: Sequence[Item]) -> tuple[str, ...]:
    """Return the labels in the order of the logits' columns: as declared, else those found, sorted.

    Raises ConfigError for a label that is not declared.
    """
    found = {item.label or "" for item in items}
    if not model.labels:
        return tuple(sorted(found))
    unknown = sorted(found - set(model.labels))
    if unknown:
        raise ConfigError(f'config.toml: [model] labels lacks "{unknown[0]}", which stands in {LABELED}')
    return model.labels


def check_labels(named: Sequence[HeadSettings], items: Sequence[Item], file: str) -> None:
    """Raise ConfigError where an item's labels are not those of the heads. `named` is empty for the one head."""
    heads = {head.name: head for head in named}
    for item in items:
        if heads and item.label is not None:
            raise ConfigError(f'{file}: "{item.id}" has a "label"; where config.toml has [[heads]], write "labels"')
        if not heads and item.labels is not None:
            raise ConfigError(f'{file}: "{item.id}" has "labels", but config.toml has no [[heads]] that name them')
        for name, label in (item.labels or {}).items():
            if name not in heads:
                raise ConfigError(f'{file}: "{item.id}" has a label for "{name}", which [[heads]] does not name')
            if label not in heads[name].labels:
                raise ConfigError(f'{file}: "{item.id}" has "{label}", which is no label of the head "{name}"')


def label_at(head: HeadSettings, item: Item) -> str | None:
    """Return the item's label at the head, or None."""
    return (item.labels or {}).get(head.name) if head.name else item.label


def columns_at(head: HeadSettings, items: Sequence[Item], file: str) -> NDArray[np.int_]:
    """Return (n,) columns within the head's block, MISSING where an item has no label. Raises ConfigError."""
    column_of: dict[str | None, int] = {label: column for column, label in enumerate(head.labels)}
    found = [label_at(head, item) for item in items]
    for item, label in zip(items, found, strict=True):
        if label is not None and label not in column_of:
            raise ConfigError(f'{file}: label "{label}" of "{item.id}" is not among those the model knows; '
                              "declare all labels in [model] labels")  # fmt: skip
    return np.array([MISSING if label is None else column_of[label] for label in found], dtype=np.int_)


def blocks(heads: Sequence[HeadSettings]) -> Iterator[tuple[HeadSettings, slice]]:
    """Yield each head with the slice of its columns in the logits."""
    start = 0
    for head in heads:
        yield head, slice(start, start + len(head.labels))
        start += len(head.labels)


def column_names(heads: Sequence[HeadSettings]) -> list[str]:
    """Return a name for each column of the logits: the label, with its head where heads have names."""
    return [f"{head.name}: {label}" if head.name else label for head in heads for label in head.labels]


def said_of(head: HeadSettings, notice: str) -> str:
    """Return a notice about one head. It names the head where the head has a name."""
    return f'head "{head.name}": {notice}' if head.name else notice
