"""The heads of a model: one for each stage that it learns, on one encoder. Most models have one, without a name.

A head consists of units, each with columns of its own in what a model computes:

- kind "one": one unit with a column a label (softmax);
- kind "several": a unit a label, each with one column (sigmoid);
- kind "ordered": one unit with a column for each label but the last (CORN; Shi, Cao and Raschka 2023). Column j says
  how likely the label lies above label j where it is label j or a later one.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from al_worker.core.errors import NotEnoughLabels
from al_worker.core.run.config import HeadSettings, ModelSettings
from al_worker.formats.heads import ORDERED, SEVERAL, set_labels, set_text
from al_worker.formats.run_directory import LABELED, Item
from al_worker.formats.tables import ConfigError

# The column of an item without a label at a head. torch's cross entropy ignores this value by default.
MISSING = -100


@dataclass(frozen=True, slots=True)
class Unit:
    """Hold a part of a head that is learned by a loss of its own. The shares of a head's units sum to 1.

    `labels` are what its targets count: those of the head, or the absence and the presence of one label.
    """

    kind: str
    labels: tuple[str, ...]
    width: int
    share: float


def units_of(head: HeadSettings) -> list[Unit]:
    """Return the units of a head, in the order of their columns."""
    if head.kind == SEVERAL:
        n = len(head.labels)
        return [Unit(SEVERAL, (f"not {label}", label), 1, 1 / n) for label in head.labels]
    return [Unit(head.kind, head.labels, len(head.labels) - (head.kind == ORDERED), 1.0)]


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
        return (HeadSettings(name="", labels=labels, positive_labels=model.positive_labels, kind=model.kind),)
    check_labels(named, items, LABELED)
    for head in named:
        if all(label_at(head, item) is None for item in items):
            raise NotEnoughLabels(f'{LABELED} holds no label for the head "{head.name}"; take it out of [[heads]]')
    return tuple(named)


def label_order(model: ModelSettings, items: Sequence[Item]) -> tuple[str, ...]:
    """Return the labels in the order of the logits' columns: as declared, else those found, sorted.

    Raises ConfigError for a label that is not declared.
    """
    found = {label for item in items for label in labels_in(model.kind, item.label or "", LABELED, item)}
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
            for each in labels_in(heads[name].kind, label, file, item):
                if each not in heads[name].labels:
                    raise ConfigError(f'{file}: "{item.id}" has "{each}", which is no label of the head "{name}"')


def labels_in(kind: str, label: str, file: str, item: Item) -> tuple[str, ...]:
    """Return the labels that an item's label consists of. Raises ConfigError where a set is not written as one."""
    if kind != SEVERAL:
        return (label,)
    keys = set_labels(label)
    if keys is None or set_text(keys) != label:
        raise ConfigError(
            f'{file}: "{item.id}" has "{label}", and a set is the text of a JSON list in alphabetical order, '
            'without spaces, such as ["a","b"]'
        )
    return keys


def label_at(head: HeadSettings, item: Item) -> str | None:
    """Return the item's label at the head, or None."""
    return (item.labels or {}).get(head.name) if head.name else item.label


def targets_at(head: HeadSettings, items: Sequence[Item], file: str) -> NDArray[np.int_]:
    """Return (n, units) targets, MISSING where an item has no label. Raises ConfigError.

    A target is the column of the label among the unit's labels: of a set, 1 where it has the unit's label, else 0.
    """
    column_of = {label: column for column, label in enumerate(head.labels)}
    targets = np.full((len(items), len(units_of(head))), MISSING, dtype=np.int_)
    for row, item in enumerate(items):
        if (label := label_at(head, item)) is None:
            continue
        columns = []
        for each in labels_in(head.kind, label, file, item):
            if each not in column_of:
                raise ConfigError(f'{file}: label "{each}" of "{item.id}" is not among those the model knows; '
                                  "declare all labels in [model] labels")  # fmt: skip
            columns.append(column_of[each])
        if head.kind == SEVERAL:
            targets[row] = 0
            targets[row, columns] = 1
        else:
            targets[row] = columns[0]
    return targets


def blocks(heads: Sequence[HeadSettings]) -> Iterator[tuple[HeadSettings, slice]]:
    """Yield each head with the slice of its columns in the logits, which have one a label."""
    start = 0
    for head in heads:
        yield head, slice(start, start + len(head.labels))
        start += len(head.labels)


def column_names(heads: Sequence[HeadSettings]) -> list[str]:
    """Return a name for each column that a model computes: the label, with its head where heads have names."""
    named = [(head, name) for head in heads for name in _computed(head)]
    return [f"{head.name}: {name}" if head.name else name for head, name in named]


def _computed(head: HeadSettings) -> list[str]:
    return [f"above {label}" for label in head.labels[:-1]] if head.kind == ORDERED else list(head.labels)


def label_logits(heads: Sequence[HeadSettings], computed: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return logits with one column a label, from the columns that a model computes.

    Those of an ordered head become the logarithms of its labels' probabilities, which are logits too.
    """
    if all(head.kind != ORDERED for head in heads):
        return computed
    parts, start = [], 0
    for head in heads:
        width = sum(unit.width for unit in units_of(head))
        block = computed[:, start : start + width]
        parts.append(ordered_log_p(block.astype(np.float64)) if head.kind == ORDERED else block)
        start += width
    return np.concatenate(parts, axis=1).astype(np.float32)


def ordered_log_p(above: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return (n, K) log-probabilities of the labels, from the (n, K - 1) columns of an ordered head.

    Label k takes that the label lies above each one before it, and not above k.
    """
    none = np.zeros((len(above), 1))
    passed = np.cumsum(-np.logaddexp(0.0, -above), axis=1)
    return np.hstack([none, passed]) + np.hstack([-np.logaddexp(0.0, above), none])


def said_of(head: HeadSettings, notice: str) -> str:
    """Return a notice about one head. It names the head where the head has a name."""
    return f'head "{head.name}": {notice}' if head.name else notice
