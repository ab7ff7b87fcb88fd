"""The standing result of every item of the rounds, stage by stage, and the disagreements among them.

Items by the ten thousand share a few hundred outcomes, which the database counts: the gate rule runs once for each.
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
from annotation_app.aggregation.statements import BY_UNIT, DECIDED, FINISHED, REVISED, SQL, Phase, in_phase, statement
from annotation_app.codebook.stages import Codebook
from annotation_app.models import Batch, Project

# What a list of disagreements may hold. `open`: still to decide, a tie or no majority. `few`: no majority, and nobody
# disagrees; too few answered. `revised`: decided, and an answer is newer than the decision.
Kind = Literal["open", "tie", "no_majority", "few", "any", "decided", "revised"]
KINDS: tuple[Kind, ...] = get_args(Kind)
STATES = ("majority", "adjudicated", "tie", "no_majority", "not_applicable")


@dataclass(frozen=True)
class Place:
    """An item in a round's batch; places are ordered as the list is."""

    batch_number: int
    rank: int
    unit: int

    @property
    def order(self) -> tuple[int, int]:
        return self.batch_number, self.rank


@dataclass(frozen=True)
class Outcome:
    """What several items of a batch came to; `stages` with what was decided, `voted` without it.

    `revised`: an answer that counts is newer than what was decided.
    """

    batch_number: int
    codebook: Codebook
    majorities: Mapping[str, str]
    votes: Mapping[str, Mapping[str, int]]
    decided: Mapping[str, str]
    finished: bool
    revised: bool
    ranks: Sequence[int]
    units: Sequence[int]

    @cached_property
    def stages(self) -> dict[str, Aggregated]:
        return aggregate(self.codebook, self.majorities, self.votes, self.decided)

    @cached_property
    def voted(self) -> dict[str, Aggregated]:
        return aggregate(self.codebook, self.majorities, self.votes)

    def places(self) -> Iterator[Place]:
        return (Place(self.batch_number, *each) for each in zip(self.ranks, self.units, strict=True))

    def kinds(self, stage: str | None) -> set[Kind]:
        """The lists that these items stand in, at one stage or at whichever."""
        looked_at = self.stages.values() if stage is None else filter(None, [self.stages.get(stage)])
        kinds = {kind for each in looked_at for kind in kinds_of(each)} if self.finished else set()
        return kinds | {"revised"} if self.revised and "decided" in kinds else kinds

    def without(self, units: Container[int]) -> "Outcome":
        kept = [each for each in zip(self.ranks, self.units, strict=True) if each[1] not in units]
        return replace(self, ranks=[rank for rank, _ in kept], units=[unit for _, unit in kept])


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
class Standing:
    """`stages` are (key, title), the newest codebook's first."""

    outcomes: list[Outcome]
    stages: list[tuple[str, str]]

    def places(self, kind: Kind, stage: str | None) -> list[Place]:
        found = (place for each in self.outcomes if kind in each.kinds(stage) for place in each.places())
        return sorted(found, key=lambda place: place.order)

    def counts(self, stage: str | None) -> Counter[Kind]:
        """Items by the list that they stand in."""
        counts: Counter[Kind] = Counter()
        for each in self.outcomes:
            counts.update(dict.fromkeys(each.kinds(stage), len(each.units)))
        return counts

    def states(self) -> dict[str, Counter[str]]:
        """Finished items by stage and state."""
        states: dict[str, Counter[str]] = {key: Counter() for key, _ in self.stages}
        for each in self.outcomes:
            for stage, outcome in each.stages.items() if each.finished else ():
                states[stage][outcome.state] += len(each.units)
        return states

    @property
    def finished(self) -> list[int]:
        """Items whose answers are all in."""
        return [unit for each in self.outcomes if each.finished for unit in each.units]

    @property
    def waiting(self) -> int:
        """Items whose answers are not all in."""
        return sum(len(each.units) for each in self.outcomes if not each.finished)

    def without(self, units: Container[int]) -> "Standing":
        """Of the other items."""
        return replace(self, outcomes=[each.without(units) for each in self.outcomes])

    def outcome_of(self, unit: int) -> Outcome:
        return next(each for each in self.outcomes if unit in each.units)


def standing(*, project: Project, batches: Iterable[Batch] | None = None, phase: Phase = 1) -> Standing:
    """Of the rounds' batches, or of those of them that are named. One statement, however many items."""
    codebooks = codebooks_of(project)
    named = None if batches is None else [batch.pk for batch in batches]
    with planned() as cursor:
        cursor.execute(
            statement(in_phase(BY_UNIT, phase) | DECIDED | REVISED | FINISHED, SQL / "standing.sql"),
            {"project": project.pk, "batches": named, "phase": phase},
        )
        rows = cursor.fetchall()
    return Standing([_outcome(codebooks[codebook], *row) for codebook, *row in rows], stages_of(codebooks))


def _outcome(
    codebook: Codebook,
    number: int,
    majorities: str,
    votes: str,
    decided: str,
    finished: bool,
    revised: bool,
    ranks: list[int],
    units: list[int],
) -> Outcome:
    parts = [json.loads(text) for text in (majorities, votes, decided)]
    return Outcome(number, codebook, parts[0], parts[1], parts[2], finished, revised, ranks, units)
