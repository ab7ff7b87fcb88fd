"""The order of labels that is given with a file: `a,b,c` for the stages it fits, or `stage=a,b,c` for one."""

import csv
from collections.abc import Mapping, Sequence


class OrderInvalid(Exception):
    """An order that does not fit the file; the message says which, and the mend."""


def orders_read(given: Sequence[str], labels: Mapping[str, Mapping[str, int]]) -> dict[str, list[str]]:
    """{stage: labels in order}. `labels` is {stage: {label: line where it first stands}}. Raises OrderInvalid."""
    orders: dict[str, list[str]] = {}
    for text in given:
        stage, named, rest = text.partition("=")
        order = labels_of(rest if named else text)
        order_check(text, order)
        stages = [stage.strip()] if named else stages_fitting(text, order, labels)
        for each in stages:
            if each not in labels:
                raise OrderInvalid(f"--order {text}: there is no stage {each!r}; the file has {', '.join(labels)}.")
            if each in orders:
                raise OrderInvalid(f"--order {text}: the stage {each} has two orders. Give one.")
            labels_check(text, each, order, labels[each])
            orders[each] = order
    return orders


def labels_of(text: str) -> list[str]:
    """A label that holds a comma stands in quotation marks, as in the file."""
    return [label.strip() for cells in csv.reader([text], skipinitialspace=True) for label in cells] or [""]


def order_check(text: str, order: Sequence[str]) -> None:
    if "" in order or len(order) < 2:
        raise OrderInvalid(f"--order {text}: name two labels or more, with commas between them.")
    if len(set(order)) < len(order):
        raise OrderInvalid(f"--order {text}: name each label once.")


def stages_fitting(text: str, order: Sequence[str], labels: Mapping[str, Mapping[str, int]]) -> list[str]:
    """The stages that have a label of the order; those that share none with it are left without one."""
    if found := [stage for stage in labels if set(order) & set(labels[stage])]:
        return found
    raise OrderInvalid(f"--order {text}: no stage has one of these labels. Check their spelling.")


def labels_check(text: str, stage: str, order: Sequence[str], labels: Mapping[str, int]) -> None:
    if lacking := [label for label in labels if label not in order]:
        raise OrderInvalid(
            f"--order {text}: line {labels[lacking[0]]} of the file has the label {lacking[0]!r} at the stage {stage}, "
            f"which has no place in it. Name all labels of the stage, or give --order {stage}=... for each stage."
        )
    if unknown := [label for label in order if label not in labels]:
        raise OrderInvalid(
            f"--order {text}: the label {unknown[0]!r} is on no line of the stage {stage}, which has "
            f"{', '.join(labels)}. Check its spelling, or leave it out: that changes no figure."
        )
