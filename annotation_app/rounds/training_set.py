"""Compute a round's training set (OP-FED 5): majority labels, without ambiguous and no-majority items.

Of sets of labels the majority is found label by label, and of scales the label is the median.
"""

import hashlib
import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from annotation_app.aggregation.selectors import Majority, majority_labels
from annotation_app.aggregation.statements import Phase
from annotation_app.codebook.question_types.stage import Stage
from annotation_app.codebook.stages import Codebook
from annotation_app.models import Batch, Item, Project


class Unusable(StrEnum):
    """Say why an item's open stage has no label to learn from, or to compare with."""

    LEFT_OUT = "left out by an admin"
    NO_ANSWER = "not answered by anybody yet"
    NO_MAJORITY = "no majority among the answers"
    NEVER_LEARNED = "a label that the codebook keeps out of learning"


@dataclass(frozen=True)
class Example:
    """Hold an item's external id and its usable labels by stage: at least one, since not every stage is open.

    `adjudicated` are the stages whose label was decided by an adjudicator.
    """

    item: str
    labels: Mapping[str, str]
    adjudicated: frozenset[str] = frozenset()


def training_set(
    *,
    project: Project,
    stages: Sequence[str],
    codebook: Codebook,
    batches: Sequence[Batch],
    phase: Phase = 1,
    adjudicated: bool = False,
) -> list[Example]:
    """Return the examples sorted by item id, so that the same labels give the same hash.

    Labels are majorities of independent answers, unless `phase` 2 or decisions are chosen. Items that an admin left out
    are not included.
    """
    left_out = items_left_out(project)
    found: dict[str, dict[str, str]] = defaultdict(dict)
    decided: dict[str, set[str]] = defaultdict(set)
    for stage in stages:
        asked, learnt = codebook.by_key[stage], stage_labels(codebook, stage)
        rows = majority_labels(project=project, stage=stage, batches=batches, phase=phase, adjudicated=adjudicated)
        for row, label, unusable in open_outcomes(asked, rows, learnt, left_out):
            if unusable is None:
                found[row.external_id][stage] = label
                if row.state == "adjudicated":
                    decided[row.external_id].add(stage)
    return [Example(item, labels, frozenset(decided[item])) for item, labels in sorted(found.items())]


def items_left_out(project: Project) -> set[int]:
    """Return the ids of the items that an admin left out."""
    return set(project.items.filter(left_out=Item.LeftOut.BY_ADMIN).values_list("pk", flat=True))


def open_outcomes(
    asked: Stage, rows: Iterable[Majority], learnt: Collection[str], left_out: Collection[int]
) -> Iterator[tuple[Majority, str, Unusable | None]]:
    """Yield the outcomes of items at which the stage is open, each with its label and the reason for not using it.

    A decision goes before what people answered. A set is not used where one of its labels is kept out of learning.
    """
    for row in rows:
        if row.state == "not_applicable":
            continue
        label = row.label if row.state == "adjudicated" else asked.learned_label(row.label, row.votes, row.takes)
        if row.item_id in left_out:
            yield row, "", Unusable.LEFT_OUT
        elif label is None:
            yield row, "", Unusable.NO_MAJORITY if row.votes else Unusable.NO_ANSWER
        else:
            usable = all(each in learnt for each in asked.labels_of(label))
            yield row, label, None if usable else Unusable.NEVER_LEARNED


def stage_labels(codebook: Codebook, stage: str) -> tuple[str, ...]:
    """Return the labels that a model may learn at the stage; `learning.exclude` applies to every stage."""
    asked = codebook.by_key[stage]
    return tuple(label for label in asked.offered if asked.learned_as and label not in codebook.never_learned)


def training_set_rows(examples: Sequence[Example]) -> list[list[Any]]:
    """Return the training set as a round stores it: [[item, {stage: label}], ...]."""
    return [[example.item, dict(example.labels)] for example in examples]


def training_set_hash(rows: Sequence[Sequence[Any]]) -> str:
    """Return the sha256 of the JSON list of the stored rows, keys sorted."""
    return hashlib.sha256(json.dumps(rows, ensure_ascii=False, sort_keys=True).encode()).hexdigest()
