"""Compute the outcome of every item of the rounds, stage by stage, and the disagreements among them.

Tens of thousands of items share a few hundred outcomes, which the database counts: the gate rule runs once for each.
"""

import json
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal, get_args

from annotation_app.aggregation.planner import planned
from annotation_app.aggregation.rules import Aggregated, aggregate
from annotation_app.aggregation.selectors import codebooks_of, stages_of
from annotation_app.aggregation.statements import Phase, outcomes_statement
from annotation_app.codebook.stages import Codebook
from annotation_app.models import Batch, Project

# The lists of disagreements. `open`: still to be decided, because of a tie or no majority. `few`: no majority although
# nobody disagrees, since too few answered. `revised`: decided, and an answer is newer than the decision.
Kind = Literal["open", "tie", "no_majority", "few", "any", "decided", "revised"]
KINDS: tuple[Kind, ...] = get_args(Kind)
STATES = ("majority", "adjudicated", "tie", "no_majority", "not_applicable")


@dataclass(frozen=True)
class ItemPosition:
    """Hold an item's position among the rounds' batches, which orders the list."""

    batch_number: int
    rank: int
    batch_item_id: int

    @property
    def order(self) -> tuple[int, int]:
        return self.batch_number, self.rank


@dataclass(frozen=True)
class Outcome:
    """Hold the outcome that several items of a batch share; `stages` include decisions, `voted` do not.

    `revised` means that an answer that counts is newer than the decision.
    """

    batch_number: int
    codebook: Codebook
    majorities: Mapping[str, str]
    votes: Mapping[str, Mapping[str, int]]
    decided: Mapping[str, str]
    finished: bool
    revised: bool
    ranks: Sequence[int]
    batch_item_ids: Sequence[int]

    @cached_property
    def stages(self) -> dict[str, Aggregated]:
        return aggregate(self.codebook, self.majorities, self.votes, self.decided)

    @cached_property
    def voted(self) -> dict[str, Aggregated]:
        return aggregate(self.codebook, self.majorities, self.votes)

    def positions(self) -> Iterator[ItemPosition]:
        return (ItemPosition(self.batch_number, *each) for each in zip(self.ranks, self.batch_item_ids, strict=True))

    def kinds(self, stage: str | None) -> set[Kind]:
        """Return the lists that these items belong to, at one stage or at any."""
        looked_at = self.stages.values() if stage is None else filter(None, [self.stages.get(stage)])
        kinds = {kind for each in looked_at for kind in kinds_of(each)} if self.finished else set()
        return kinds | {"revised"} if self.revised and "decided" in kinds else kinds

    def without(self, batch_item_ids: Container[int]) -> "Outcome":
        kept = [each for each in zip(self.ranks, self.batch_item_ids, strict=True) if each[1] not in batch_item_ids]
        return replace(self, ranks=[rank for rank, _ in kept], batch_item_ids=[pk for _, pk in kept])


def kinds_of(outcome: Aggregated) -> set[Kind]:
    kinds: set[Kind] = {"any"} if outcome.differs and outcome.state != "not_applicable" else set()
    match outcome.state:
        case "tie":
            kinds.update(("open", "tie"))
        case "no_majority":
            kinds.update(("open", "no_majority" if outcome.differs else "few"))
        case "adjudicated":
            kinds.add("decided")
    return kinds


@dataclass(frozen=True)
class Outcomes:
    """Hold the outcomes of a project's items. `stages` are (key, title), the newest codebook's first."""

    outcomes: list[Outcome]
    stages: list[tuple[str, str]]

    def positions(self, kind: Kind, stage: str | None) -> list[ItemPosition]:
        found = (position for each in self.outcomes if kind in each.kinds(stage) for position in each.positions())
        return sorted(found, key=lambda position: position.order)

    def counts(self, stage: str | None) -> Counter[Kind]:
        """Count items by the list that they belong to."""
        counts: Counter[Kind] = Counter()
        for each in self.outcomes:
            counts.update(dict.fromkeys(each.kinds(stage), len(each.batch_item_ids)))
        return counts

    def states(self) -> dict[str, Counter[str]]:
        """Count finished items by stage and state."""
        states: dict[str, Counter[str]] = {key: Counter() for key, _ in self.stages}
        for each in self.outcomes:
            for stage, outcome in each.stages.items() if each.finished else ():
                states[stage][outcome.state] += len(each.batch_item_ids)
        return states

    @property
    def finished(self) -> list[int]:
        """Return the batch item ids of items whose answers are all in."""
        return [pk for each in self.outcomes if each.finished for pk in each.batch_item_ids]

    @property
    def waiting(self) -> int:
        """Count items whose answers are not all in."""
        return sum(len(each.batch_item_ids) for each in self.outcomes if not each.finished)

    def without(self, batch_item_ids: Container[int]) -> "Outcomes":
        """Return the outcomes of the other items."""
        return replace(self, outcomes=[each.without(batch_item_ids) for each in self.outcomes])


def project_outcomes(*, project: Project, batches: Iterable[Batch] | None = None, phase: Phase = 1) -> Outcomes:
    """Compute the outcomes of the rounds' batches, or of the named ones, in one statement."""
    codebooks = codebooks_of(project)
    named = None if batches is None else [batch.pk for batch in batches]
    with planned() as cursor:
        cursor.execute(outcomes_statement(phase), {"project": project.pk, "batches": named, "phase": phase})
        rows = cursor.fetchall()
    return Outcomes([_outcome(codebooks[codebook], *row) for codebook, *row in rows], stages_of(codebooks))


def _outcome(
    codebook: Codebook,
    number: int,
    majorities: str,
    votes: str,
    decided: str,
    finished: bool,
    revised: bool,
    ranks: list[int],
    batch_item_ids: list[int],
) -> Outcome:
    parts = [json.loads(text) for text in (majorities, votes, decided)]
    return Outcome(number, codebook, parts[0], parts[1], parts[2], finished, revised, ranks, batch_item_ids)
