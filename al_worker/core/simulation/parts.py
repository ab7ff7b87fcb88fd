"""Hold the test items and the parts of them that are reported separately, and compute references without learning.

All functions are pure, except that test files are read.
Two references need no training: the pool's most frequent label for everything, and a string test.
Where a strategy does no better than these, its study says nothing about learning.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

import numpy as np
from numpy.typing import NDArray

from al_worker.core.evaluation.figures import classification_figures
from al_worker.core.simulation.config import SimulationSettings, StringTest
from al_worker.formats.run_directory import Item, read_rows
from al_worker.formats.tables import ConfigError

MAJORITY, STRING_TEST = "majority", "string test"


@dataclass(frozen=True, slots=True)
class TestSet:
    """Hold the items that models are measured on.

    `true` are (n,) columns of `labels`; `parts` has an (n,) mask for each part by name.
    """

    items: list[Item]
    labels: tuple[str, ...]
    true: NDArray[np.int_]
    parts: dict[str, NDArray[np.bool_]]

    def figures(self, predicted: NDArray[np.int_], part: str = "") -> dict[str, Any]:
        """Return the figures of (n,) predicted columns over a part, or over all items."""
        mask = self.parts[part] if part else np.ones(len(self.true), dtype=np.bool_)
        return classification_figures(self.true[mask], predicted[mask], self.labels)


def test_set(settings: SimulationSettings, items: list[Item], labels: tuple[str, ...]) -> TestSet:
    """Return the test set with its parts. Raises ConfigError for a part without an item."""
    column = {label: at for at, label in enumerate(labels)}
    true = np.array([column[str(item.label)] for item in items], dtype=np.int_)
    return TestSet(items, labels, true, _parts(settings, items))


def _parts(settings: SimulationSettings, items: Sequence[Item]) -> dict[str, NDArray[np.bool_]]:
    if not settings.parts:
        return {}
    rows = {str(row["id"]): row for _, row in read_rows(settings.test_file)}
    masks = {
        name: np.array([rows[item.id].get(part.field) == part.value for item in items], dtype=np.bool_)
        for name, part in settings.parts.items()
    }
    for name, mask in masks.items():
        if not mask.any():
            part = settings.parts[name]
            raise ConfigError(
                f"{settings.path.name}: [parts.{name}] is empty: no line of the test file has "
                f'"{part.field}" = {part.value!r}'
            )
    return masks


def held_back(items: Sequence[Item], share: float) -> set[str]:
    """Return the ids of a share, from 0 to 1, of each label's items.

    Items are chosen by the hash of their texts, so equal texts stand next to each other in the order.
    """
    chosen: set[str] = set()
    for label in sorted({str(item.label) for item in items}):
        own = [item for item in items if item.label == label]
        own.sort(key=lambda item: (sha256(f"validation:{item.text}".encode()).hexdigest(), item.id))
        chosen |= {item.id for item in own[: round(share * len(own))]}
    return chosen


def references(settings: SimulationSettings, test: TestSet, pool_counts: Mapping[str, int]) -> dict[str, Any]:
    """Return {reference: {part: macro-F1}}; the part "" is the whole test set."""
    most = max(test.labels, key=lambda label: pool_counts.get(label, 0))
    predicted = {MAJORITY: [most] * len(test.items)}
    if settings.string_test is not None:
        predicted[STRING_TEST] = [string_label(settings.string_test, item.text) for item in test.items]
    found = {}
    for name, labels in predicted.items():
        columns = np.array([test.labels.index(label) for label in labels], dtype=np.int_)
        found[name] = {part: test.figures(columns, part)["macro_f1"] for part in ("", *test.parts)}
    return found


def string_label(test: StringTest, text: str) -> str:
    """Return the test's label where the text holds one of the phrases, ignoring case, else the other label."""
    folded = text.casefold()
    return test.label if any(phrase.casefold() in folded for phrase in test.phrases) else test.otherwise
