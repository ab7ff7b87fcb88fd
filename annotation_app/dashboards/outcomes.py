"""What the items of each batch came to at one stage: counts, in one statement for all batches."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from annotation_app.aggregation.planner import planned
from annotation_app.aggregation.rules import Aggregated, aggregate
from annotation_app.aggregation.statements import BY_UNIT, statement
from annotation_app.codebook.stages import Codebook
from annotation_app.models import Batch, Project

OUTCOMES = Path(__file__).parent / "sql" / "outcomes.sql"
NO_MAJORITY = "no_majority"


@dataclass
class Outcomes:
    """One batch at one stage, in items, but `n_annotations` in answers of one person to one item.

    `labels` holds aggregated labels and no_majority of items that are settled at the stage; `first_majority` counts the
    items with a majority at the codebook's first stage.
    """

    labels: Counter[str] = field(default_factory=Counter)
    first_majority: int = 0
    n_annotations: int = 0

    def positives(self, positive: Sequence[str]) -> int:
        return sum(self.labels[label] for label in positive)


@dataclass(frozen=True)
class Profile:
    """`n_items` items of a batch that came to the same at every stage. `finished`: no answer is to come any more."""

    batch: int
    codebook: int
    stages: Mapping[str, Aggregated]
    finished: bool
    n_items: int
    n_annotations: int

    @property
    def first(self) -> Aggregated:
        """At the codebook's first stage."""
        return next(iter(self.stages.values()))


def batch_profiles(
    *, project: Project, batches: Sequence[Batch], codebooks: Mapping[int, Codebook]
) -> Iterator[Profile]:
    """What the batches' items came to, in one statement: a few hundred profiles whatever the number of items."""
    with planned() as cursor:
        cursor.execute(
            statement(BY_UNIT, OUTCOMES), {"project": project.pk, "batches": [batch.pk for batch in batches]}
        )
        rows = cursor.fetchall()
    for batch, codebook, majorities, finished, items, answered in rows:
        stages = aggregate(codebooks[codebook], json.loads(majorities), {})
        yield Profile(batch, codebook, stages, finished, items, answered)


def batch_outcomes(
    *, project: Project, batches: Sequence[Batch], stage: str, codebooks: Mapping[int, Codebook]
) -> dict[int, Outcomes]:
    """By batch id; a batch whose codebook lacks the stage has no labels."""
    found = {batch.pk: Outcomes() for batch in batches}
    for profile in batch_profiles(project=project, batches=batches, codebooks=codebooks):
        outcome = found[profile.batch]
        outcome.n_annotations += profile.n_annotations
        outcome.first_majority += profile.n_items * (profile.first.state == "majority")
        if (label := settled_label(profile.stages.get(stage), profile.finished)) is not None:
            outcome.labels[label] += profile.n_items
    return found


def settled_label(at_stage: Aggregated | None, finished: bool) -> str | None:
    """The label, or no_majority once all who were to answer have; None while open or not applicable."""
    if at_stage is None or at_stage.state == "not_applicable":
        return None
    return at_stage.label or (NO_MAJORITY if finished else None)
