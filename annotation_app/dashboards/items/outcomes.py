"""Find what every item came to, stage by stage, in batches of any kind that label it independently."""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

from django.db import connection

from annotation_app.aggregation.planner import planned
from annotation_app.aggregation.rules import Aggregated, aggregate
from annotation_app.aggregation.selectors import codebooks_of
from annotation_app.assignment.selectors import log_state
from annotation_app.cached import Cache
from annotation_app.codebook.stages import Codebook
from annotation_app.dashboards.statements import item_outcomes_statement
from annotation_app.models import Batch, Project

# A second look repeats its batch, and practice labels nothing.
NOT_INDEPENDENT = (Batch.Kind.SECOND_LOOK, Batch.Kind.PRACTICE)
# What people's answers to a stage came to. Of an item whose answers are not all in, only what is final counts.
OUTCOMES = ("disagreement", "no_majority", "agreed", "adjudicated")


@dataclass(frozen=True)
class ItemOutcome:
    """Hold the outcome that several items share; `items` are ids of items."""

    codebook: Codebook
    stages: dict[str, Aggregated]
    finished: bool
    items: Sequence[int]

    def has_label(self, stage: str, label: str) -> bool:
        """Tell whether the aggregated label at the stage is this one, or a set that holds it."""
        found = self.stages.get(stage)
        if found is None or found.label is None:
            return False
        return label in self.codebook.by_key[stage].labels_of(found.label)

    def is_any(self, outcome: str, stage: str | None) -> bool:
        """Tell whether the outcome, one of OUTCOMES, is that of the stage, or with None of any stage."""
        looked_at = self.stages.values() if stage is None else filter(None, [self.stages.get(stage)])
        return any(outcome in self.named(each) for each in looked_at)

    def named(self, stage: Aggregated) -> Iterator[str]:
        if stage.differs:
            yield "disagreement"
        if stage.state == "adjudicated":
            yield "adjudicated"
        if not self.finished:
            return
        if stage.state in ("tie", "no_majority"):
            yield "no_majority"
        if stage.state == "majority" and not stage.differs:
            yield "agreed"


@dataclass(frozen=True)
class ItemOutcomes:
    outcomes: Sequence[ItemOutcome]

    def labelled(self, stage: str, label: str) -> list[int]:
        """Return the ids of the items with this aggregated label."""
        return items_of(each for each in self.outcomes if each.has_label(stage, label))

    def came_to(self, outcome: str, stage: str | None) -> list[int]:
        return items_of(each for each in self.outcomes if each.is_any(outcome, stage))

    @cached_property
    def by_item(self) -> dict[int, ItemOutcome]:
        return {item: each for each in self.outcomes for item in each.items}


def items_of(outcomes: Iterable[ItemOutcome]) -> list[int]:
    return [item for each in outcomes for item in each.items]


# By project and the state of its log: whoever changes an assignment or decides writes a line in the same transaction.
outcomes_cache: Cache[tuple[int, Any], ItemOutcomes] = Cache(
    2_000_000, lambda kept: 1 + sum(len(each.items) for each in kept.outcomes)
)


def item_outcomes(project: Project) -> ItemOutcomes:
    """Return the outcomes of all items that people were given, from independent answers and decisions.

    They are cached until something happens in the project; inside a transaction nothing is cached.
    """
    if connection.in_atomic_block:
        return outcomes_read(project)
    key = (project.pk, log_state(project.pk))
    return outcomes_cache.read([key], partial(outcomes_load, project))[key]


def outcomes_load(project: Project, keys: list[tuple[int, Any]]) -> dict[tuple[int, Any], ItemOutcomes]:
    return dict.fromkeys(keys, outcomes_read(project))


def outcomes_read(project: Project) -> ItemOutcomes:
    codebooks = codebooks_of(project)
    batches = list(project.batches.exclude(kind__in=NOT_INDEPENDENT).values_list("pk", flat=True))
    with planned() as cursor:
        cursor.execute(item_outcomes_statement(), {"project": project.pk, "batches": batches, "phase": 1})
        rows = cursor.fetchall()
    return ItemOutcomes([outcome_of(codebooks[codebook], *row) for _, codebook, *row in rows])


def outcome_of(
    codebook: Codebook, majorities: str, votes: str, decided: str, finished: bool, items: list[int]
) -> ItemOutcome:
    said, given, kept = (json.loads(text) for text in (majorities, votes, decided))
    return ItemOutcome(codebook, aggregate(codebook, said, given, kept), finished, items)
