"""Read the orders of labels that are given with a file.

`a,b,c` is for the stages that it fits, and `stage=a,b,c` for one stage.
"""

import csv
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass


class OrderInvalid(Exception):
    """An order that does not fit the file. The message says which, and the remedy."""


@dataclass(frozen=True)
class Orders:
    """Hold `by_stage`, {stage: labels in order}. `notices` name labels of an order that nobody gave."""

    by_stage: dict[str, list[str]]
    notices: list[str]


def orders_read(given: Sequence[str], labels: Mapping[str, Mapping[str, int]]) -> Orders:
    """Return the orders by stage. `labels` is {stage: {label: line where it first stands}}.

    A label of a scale that nobody used keeps its place: it changes no midrank and no figure. Raises OrderInvalid.
    """
    orders: dict[str, list[str]] = {}
    unused: dict[str, list[str]] = {}
    for text in given:
        stage, listed = stage_and_labels(text, labels)
        order = labels_of(text, listed)
        order_check(text, order)
        for each in stages_fitting(text, order, labels) if stage is None else [stage]:
            if each in orders:
                raise OrderInvalid(f"--order {text}: the stage {each} has two orders. Give one.")
            labels_check(text, each, order, labels[each])
            orders[each] = order
            unused[each] = [label for label in order if label not in labels[each]]
    return Orders(orders, [unused_words(stage, found, labels[stage]) for stage, found in unused.items() if found])


def unused_words(stage: str, unused: Sequence[str], labels: Collection[str]) -> str:
    """Return a notice that names the labels of an order that nobody used."""
    named = ", ".join(unused)
    return (
        f"Nobody used {named} of the order at the stage {stage}, which has {', '.join(labels)}. "
        "That changes no figure; check the spelling if you expected it."
    )


def stage_and_labels(text: str, stages: Collection[str]) -> tuple[str | None, str]:
    """Split an order at an equals sign into a stage and the labels.

    The text before the sign is a stage if the file has it; the longest such text is taken.
    Otherwise it is part of a label, and the stage is None.
    """
    for sign in reversed([place for place, letter in enumerate(text) if letter == "="]):
        if (stage := text[:sign].strip()) in stages:
            return stage, text[sign + 1 :]
    return None, text


def labels_of(text: str, listed: str) -> list[str]:
    """Return the labels of a list. A label that holds a comma stands in quotation marks, as in the file.

    Raises OrderInvalid.
    """
    try:
        return [label.strip() for cells in csv.reader([listed], skipinitialspace=True) for label in cells] or [""]
    except csv.Error:
        raise OrderInvalid(f"--order {text}: give one line of labels with commas between them.") from None


def labels_named(given: Sequence[str]) -> set[str]:
    """Return every label that an order may name.

    It does not matter whether the text before an equals sign turns out to be a stage.
    """
    parts = [text.split("=", signs)[-1] for text in given for signs in range(text.count("=") + 1)]
    return {label for part in parts for label in labels_of(part, part)}


def order_check(text: str, order: Sequence[str]) -> None:
    """Raise OrderInvalid unless the order names two labels or more, each of them once."""
    if "" in order or len(order) < 2:
        raise OrderInvalid(f"--order {text}: name two labels or more, with commas between them.")
    if len(set(order)) < len(order):
        raise OrderInvalid(f"--order {text}: name each label once.")


def stages_fitting(text: str, order: Sequence[str], labels: Mapping[str, Mapping[str, int]]) -> list[str]:
    """Return the stages that have a label of the order. Stages that share no label with it get no order.

    Raises OrderInvalid where there is no such stage.
    """
    stage, named, _ = order[0].partition("=")
    if named and not any(order[0] in labels[each] for each in labels):
        raise OrderInvalid(
            f"--order {text}: there is no stage {stage!r}, and no label {order[0]!r}; the file has the stages "
            f"{', '.join(labels)}."
        )
    if found := [stage for stage in labels if set(order) & set(labels[stage])]:
        return found
    raise OrderInvalid(f"--order {text}: no stage has one of these labels. Check their spelling.")


def labels_check(text: str, stage: str, order: Sequence[str], labels: Mapping[str, int]) -> None:
    """Raise OrderInvalid where the stage has a label that the order lacks, or has none of the order's labels."""
    if lacking := [label for label in labels if label not in order]:
        raise OrderInvalid(
            f"--order {text}: line {labels[lacking[0]]} of the file has the label {lacking[0]!r} at the stage {stage}, "
            f"which has no place in it. Name all labels of the stage, or give --order {stage}=... for each stage."
        )
    if not set(order) & set(labels):
        raise OrderInvalid(
            f"--order {text}: the stage {stage} has none of these labels; it has {', '.join(labels)}. "
            "Check their spelling."
        )
