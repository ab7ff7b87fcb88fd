"""Count the outcomes of each batch's items at one stage, in one statement for all batches."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from django.db.backends.utils import CursorWrapper

from annotation_app.aggregation.planner import one_snapshot
from annotation_app.aggregation.rules import Aggregated, aggregate
from annotation_app.agreement.selectors import kept_by_batch
from annotation_app.agreement.services import patterns_refresh
from annotation_app.assignment.selectors import CachedByBatch, cached_by_batch
from annotation_app.cached import Cache
from annotation_app.codebook.conditions import stages_named
from annotation_app.codebook.stages import Codebook
from annotation_app.dashboards.statements import batch_outcomes_statement
from annotation_app.models import Batch, Project

NO_MAJORITY = "no_majority"


@dataclass
class StageOutcomes:
    """Count one batch's items at one stage; `n_annotations` counts answers of one person to one item.

    `labels` holds aggregated labels, and no_majority, of items whose outcome at the stage is final. `first_majority`
    counts the items with a majority at the codebook's first stage, without those that may still get a label at this
    one.
    """

    labels: Counter[str] = field(default_factory=Counter)
    first_majority: int = 0
    n_annotations: int = 0

    def positives(self, positive: Sequence[str]) -> int:
        return sum(self.labels[label] for label in positive)


@dataclass(frozen=True)
class Profile:
    """Hold `n_items` items of a batch with the same outcome at every stage.

    `finished` means that no more answers are due, `begun` that somebody answered or skipped them. `to_come` are stages
    without a label that outstanding answers may still give one.
    """

    batch: int
    codebook: int
    stages: Mapping[str, Aggregated]
    to_come: frozenset[str]
    finished: bool
    begun: bool
    n_items: int
    n_annotations: int

    @property
    def first(self) -> Aggregated:
        """Return the outcome at the codebook's first stage, where it has any."""
        return next(iter(self.stages.values()), Aggregated("not_applicable"))


outcomes_cache: CachedByBatch[list[Any]] = Cache(200)


def batch_profiles(
    *, project: Project, batches: Sequence[Batch], codebooks: Mapping[int, Codebook]
) -> Iterator[Profile]:
    """Return the profiles of the batches' items: a few hundred, whatever the number of items.

    They come from cached counts, and only batches that changed are read again. The number of statements does not grow.
    """
    frozen = [batch for batch in batches if batch.frozen_at is not None]
    live = [batch for batch in batches if batch.frozen_at is None]
    rows = kept_by_batch(
        project=project, view="outcomes", batches=frozen, made_from=[batch_outcomes_statement()], count=outcome_rows
    )
    # The kept counts do not follow who is still there for an item.
    for its_rows in cached_by_batch(outcomes_cache, live, partial(batch_ids_outcomes, project)).values():
        rows += its_rows
    for batch, codebook, majorities, finished, begun, items, answered in rows:
        stages = aggregate(codebooks[codebook], json.loads(majorities), {})
        to_come = frozenset() if finished and begun else stages_to_come(codebooks[codebook], stages)
        yield Profile(batch, codebook, stages, to_come, finished, begun, items, answered)


def stages_to_come(codebook: Codebook, stages: Mapping[str, Aggregated]) -> frozenset[str]:
    """Open stages without a label, and those that one of them may open yet; of an item whose answers are not all in."""
    found: set[str] = set()
    for stage in codebook.stages:
        gates = () if stage.open_when is None else stages_named(stage.open_when)
        state = stages[stage.key].state
        if state == "no_majority" or (state == "not_applicable" and not found.isdisjoint(gates)):
            found.add(stage.key)
    return frozenset(found)


def batch_ids_outcomes(project: Project, ids: list[int]) -> dict[int, list[Any]]:
    # Refresh after the cached state was read, or an answer in between would be missing.
    patterns_refresh(project=project)
    with one_snapshot() as cursor:
        rows = outcome_rows(cursor, ids)
    return {pk: [row for row in rows if row[0] == pk] for pk in ids}


def outcome_rows(cursor: CursorWrapper, ids: list[int]) -> list[Any]:
    cursor.execute(batch_outcomes_statement(), {"batches": ids})
    return [list(row) for row in cursor.fetchall()]


def batch_outcomes(
    *, project: Project, batches: Sequence[Batch], stage: str, codebooks: Mapping[int, Codebook]
) -> dict[int, StageOutcomes]:
    """Return the outcomes by batch id; a batch whose codebook lacks the stage has no labels."""
    return outcomes_of(batch_profiles(project=project, batches=batches, codebooks=codebooks), batches, stage)


def outcomes_of(profiles: Iterable[Profile], batches: Sequence[Batch], stage: str) -> dict[int, StageOutcomes]:
    found = {batch.pk: StageOutcomes() for batch in batches}
    for profile in profiles:
        outcome = found[profile.batch]
        outcome.n_annotations += profile.n_annotations
        outcome.first_majority += profile.n_items * counts_at(profile, stage)
        if (label := aggregated_label(profile.stages.get(stage), profile.finished)) is not None:
            outcome.labels[label] += profile.n_items
    return found


def counts_at(profile: Profile, stage: str) -> bool:
    """Tell whether the profile's items are among those of which a share at the stage is taken (OP-FED Table 2)."""
    return profile.first.state == "majority" and stage not in profile.to_come


def aggregated_label(at_stage: Aggregated | None, finished: bool) -> str | None:
    """Return the label, or no_majority once all answers are in; None while open or not applicable."""
    if at_stage is None or at_stage.state == "not_applicable":
        return None
    return at_stage.label or (NO_MAJORITY if finished else None)
