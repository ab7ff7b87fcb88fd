"""Describe how a model does on instances (Marfurt et al. 2022, 3.3, 4.1 and 5).

A model is right where it gives the true continuation a larger probability than the false one. Chance is right in half.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from math import isfinite
from pathlib import Path
from statistics import fmean
from typing import Any

from al_worker.equivalence.instances import Instance
from al_worker.formats.intervals import wilson
from al_worker.formats.paper_tables import Interval
from al_worker.formats.run_directory import RunDirectoryError, read_rows


@dataclass(frozen=True, slots=True)
class Scored:
    """Hold an instance with the log-probabilities of its continuations."""

    instance: Instance
    positive: float
    negative: float

    @property
    def right(self) -> bool:
        """Return whether the true continuation is likelier. A tie is a mistake."""
        return self.positive > self.negative


@dataclass(frozen=True, slots=True)
class Accuracy:
    """Hold the share of instances of one evaluation that are right, with its interval of 95 %.

    `targets` is from how many targets they are. `ties` are mistakes in which both continuations are equally likely.
    """

    annotation: str
    evaluation: str
    in_depth: bool
    n: int
    right: int
    targets: int
    ties: int
    accuracy: Interval


@dataclass(frozen=True, slots=True)
class Cell:
    """Count the instances with one pair of classes and the mistakes; `instances` are their numbers, from 0."""

    positive_class: int
    negative_class: int
    n: int
    mistakes: int
    instances: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Results:
    """Hold the accuracies of all evaluations, and their unweighted means, None where there is no evaluation.

    The main mean is of the evaluations that are not in depth.
    """

    evaluations: tuple[Accuracy, ...]
    main_mean: float | None
    in_depth_mean: float | None

    def written(self) -> dict[str, Any]:
        """Return the results as a JSON object."""
        return asdict(self)


def results(scored: Sequence[Scored], in_depth: Mapping[tuple[str, str], bool]) -> Results:
    """Return accuracies by evaluation, in the order of their first instances.

    `in_depth` says for each (annotation, evaluation) whether it is kept out of the main mean.
    """
    groups: dict[tuple[str, str], list[Scored]] = defaultdict(list)
    for each in scored:
        groups[each.instance.annotation, each.instance.evaluation].append(each)
    found = tuple(_accuracy(key, group, in_depth[key]) for key, group in groups.items())
    return Results(found, _mean(found, in_depth=False), _mean(found, in_depth=True))


def results_written(scored: Sequence[Scored], in_depth: Mapping[tuple[str, str], bool]) -> dict[str, Any]:
    """Return the results as a JSON object, with the confusion of each evaluation that has an instance."""
    keys = dict.fromkeys((each.instance.annotation, each.instance.evaluation) for each in scored)
    cells = [
        {"annotation": key[0], "evaluation": key[1], "cells": [asdict(cell) for cell in confusion(scored, *key)]}
        for key in keys
    ]
    return {**results(scored, in_depth).written(), "confusion": cells}


def confusion(scored: Sequence[Scored], annotation: str, evaluation: str) -> list[Cell]:
    """Return the cells of one evaluation that have an instance, by positive and negative class (paper, Figure 5)."""
    groups: dict[tuple[int, int], list[int]] = defaultdict(list)
    for number, each in enumerate(scored):
        instance = each.instance
        if (instance.annotation, instance.evaluation) == (annotation, evaluation):
            groups[instance.positive_class, instance.negative_class].append(number)
    return [
        Cell(*classes, len(numbers), sum(not scored[number].right for number in numbers), tuple(numbers))
        for classes, numbers in sorted(groups.items())
    ]


def read_scored(path: Path, known: Collection[tuple[str, str]]) -> list[Scored]:
    """Read a JSONL file of instances, each with "log_p_positive" and "log_p_negative".

    `known` are the (annotation, evaluation) that there are. Raises RunDirectoryError, which names the line.
    """
    if not path.is_file():
        raise RunDirectoryError(path.name, f"missing in {path.parent}; check the path")
    found = []
    for number, row in read_rows(path):
        values = {each.name: row.get(each.name) for each in fields(Instance)}
        for name, value in values.items():
            if type(value) is not (int if name.endswith("_class") else str):
                message = f'"{name}" is missing or of another kind; a line is an instance with both log_p'
                raise RunDirectoryError(path.name, message, line=number)
        instance = Instance(**values)  # type: ignore[arg-type]
        if (instance.annotation, instance.evaluation) not in known:
            message = f"{instance.evaluation!r} of {instance.annotation!r} is none of the evaluations"
            raise RunDirectoryError(path.name, message, line=number)
        found.append(Scored(instance, *(_log(path, number, row, f"log_p_{side}") for side in ("positive", "negative"))))
    return found


def _log(path: Path, line: int, row: Mapping[str, Any], name: str) -> float:
    value = row.get(name)
    if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value) or value > 0:
        message = f'"{name}" must be a logarithm of a probability: a number of 0 or less, not {value!r}'
        raise RunDirectoryError(path.name, message, line=line)
    return float(value)


def clustered_interval(right: Sequence[int], n: Sequence[int]) -> Interval:
    """Return the share of all that are right, of one target or more, with an interval that knows they come in targets.

    `right` and `n` are counts for each target, n above 0. Wilson's interval is taken of n divided by the design effect.
    That is the variance of the share over targets, divided by that of independent instances, and 1 or more (Kish 1965,
    5.4). Where all or none are right the variance tells nothing, and each target counts as one observation.
    """
    total = sum(n)
    share = sum(right) / total
    if len(n) == 1 or share in (0, 1):
        effective: float = len(n)
    else:
        spread = sum((hits - share * each) ** 2 for hits, each in zip(right, n, strict=True))
        effective = total / max(1.0, spread / (total * share * (1 - share)))
    found = wilson(share * effective, effective)
    assert found is not None, "there is a target or more"
    return found


def _accuracy(key: tuple[str, str], group: Sequence[Scored], in_depth: bool) -> Accuracy:
    counts: dict[str, list[bool]] = defaultdict(list)
    for each in group:
        counts[each.instance.target].append(each.right)
    return Accuracy(
        *key,
        in_depth=in_depth,
        n=len(group),
        right=sum(each.right for each in group),
        targets=len(counts),
        ties=sum(each.positive == each.negative for each in group),
        accuracy=clustered_interval([sum(each) for each in counts.values()], [len(each) for each in counts.values()]),
    )


def _mean(found: Sequence[Accuracy], in_depth: bool) -> float | None:
    values = [each.accuracy.value for each in found if each.in_depth == in_depth]
    return fmean(values) if values else None
