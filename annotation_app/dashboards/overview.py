"""Summarise a project for its admins: what is open, who works on it, what waits, what came of it so far.

The page asks again every few seconds. The number of statements does not grow with items, people or rounds, and what did
not change is not counted again.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from django.utils import timezone

from al_worker.formats.intervals import wilson
from al_worker.formats.paper_tables import Interval
from al_worker.formats.strategies import STRATEGIES
from annotation_app.aggregation.selectors import codebooks_of, stages_of
from annotation_app.agreement.trend import TrendPoint, agreement_trend
from annotation_app.assignment.selectors import BatchProgress, PersonProgress, batches_progress, people_progress
from annotation_app.codebook.stages import Codebook
from annotation_app.dashboards.insights import Baseline, baseline_of, followed_stage, learned_stages
from annotation_app.dashboards.open_disagreements import hidden_from_reader, open_of_profiles
from annotation_app.dashboards.outcomes import Profile, StageOutcomes, batch_profiles, outcomes_of
from annotation_app.dashboards.people import Person, people_of
from annotation_app.dashboards.projects import ProjectOverview, project_overviews
from annotation_app.models import Batch, BatchItem, Membership, Project, Round, usual_raters
from annotation_app.rounds.chosen import strategy_title
from annotation_app.rounds.selectors import elapsed, is_by_strategy, suggested_strategy
from annotation_app.validation.review_state import state_counts

TOLD = (Batch.Kind.ROUND, Batch.Kind.PROTOTYPE)


@dataclass(frozen=True)
class RoundBrief:
    row: Round
    state: str
    seconds: float

    @property
    def strategy(self) -> str:
        """Return the title of the strategy that chose, or is to choose."""
        return strategy_title(self.row.strategy_used or self.row.strategy_asked)

    @property
    def asked(self) -> str | None:
        """Return the title of the strategy that was asked for, if another one chose."""
        title = strategy_title(self.row.strategy_asked)
        return None if title == self.strategy else title


@dataclass(frozen=True)
class OpenBatch:
    """Hold a batch whose answers can still change, with its progress; `people` by membership id."""

    row: Batch
    progress: BatchProgress
    people: Mapping[int, PersonProgress]


@dataclass(frozen=True)
class BatchLine:
    """Hold one batch of the trend: agreement at the stage, and `positives` of `n` items with a first majority."""

    row: Batch
    complete: bool
    agreement: TrendPoint
    positives: int
    n: int

    @property
    def share(self) -> Interval | None:
        return wilson(self.positives, self.n)


@dataclass(frozen=True)
class Trend:
    """Hold rounds and prototypes at one stage, in the order of their opening."""

    stage: str
    title: str
    positive: list[str]
    baseline: Baseline | None
    batches: list[BatchLine]


@dataclass(frozen=True)
class Overview:
    """Hold the overview.

    `given_out` counts items of the pool in a batch; `trains_model` is about the next round. `disagreements` counts
    items of the rounds that are to be decided, None where no codebook has a stage. `validations` counts items that wait
    for a validator, None where none has a span layer.
    """

    project: ProjectOverview
    given_out: int
    n_annotators: int
    rounds: list[RoundBrief]
    next_number: int
    trains_model: bool
    batches: list[OpenBatch]
    people: list[Person]
    disagreements: int | None
    validations: int | None
    trend: Trend | None


def overview(*, membership: Membership) -> Overview:
    return Reader(membership).overview()


class Reader:
    """Read once what several parts of the overview need."""

    def __init__(self, membership: Membership) -> None:
        self.membership = membership
        self.project: Project = membership.project
        self.now = timezone.now()

    def overview(self) -> Overview:
        rounds = self.rounds()
        live = [self.open_batch(batch) for batch in self.batches if batch.frozen_at is None]
        return Overview(
            project=project_overviews(Membership.objects.filter(pk=self.membership.pk).select_related("project"))[0],
            given_out=BatchItem.objects.filter(batch__project=self.project).values("item").distinct().count(),
            n_annotators=sum(member.is_active and member.role in usual_raters() for member in self.members),
            rounds=rounds,
            next_number=max((brief.row.number for brief in rounds), default=0) + 1,
            trains_model=STRATEGIES[self.suggested].needs_model,
            batches=live,
            people=people_of(self.members, live, now=self.now),
            disagreements=self.disagreements() if self.stages else None,
            validations=state_counts(self.project)["open"] if self.has_spans else None,
            trend=self.trend(self.followed) if self.followed and self.told else None,
        )

    @cached_property
    def members(self) -> list[Membership]:
        return list(self.project.memberships.select_related("user").order_by("number"))

    @cached_property
    def codebooks(self) -> dict[int, Codebook]:
        return codebooks_of(self.project)

    @cached_property
    def stages(self) -> list[tuple[str, str]]:
        return stages_of(self.codebooks)

    @cached_property
    def followed(self) -> str | None:
        """Return the stage whose trend is shown: there is none where rounds learn nothing."""
        return followed_stage(self.project, self.codebooks)

    @property
    def has_spans(self) -> bool:
        return any(codebook.span_layer is not None for codebook in self.codebooks.values())

    @cached_property
    def batches(self) -> list[Batch]:
        heavy = ("round__record", "round__training_set", "round__progress", "round__timings", "round__metrics")
        rows = self.project.batches.exclude(kind=Batch.Kind.PRACTICE).select_related("round").defer(*heavy)
        return list(rows.order_by("opened_at", "pk"))

    @cached_property
    def told(self) -> list[Batch]:
        return [batch for batch in self.batches if batch.kind in TOLD]

    @cached_property
    def progress(self) -> dict[int, BatchProgress]:
        return batches_progress(self.batches)

    @cached_property
    def people(self) -> dict[int, dict[int, PersonProgress]]:
        return people_progress([batch for batch in self.batches if batch.frozen_at is None])

    @property
    def suggested(self) -> str:
        return suggested_strategy(
            self.project, first=not any(is_by_strategy(batch.round, batch) for batch in self.batches)
        )

    def open_batch(self, batch: Batch) -> OpenBatch:
        return OpenBatch(batch, self.progress[batch.pk], self.people.get(batch.pk, {}))

    def rounds(self) -> list[RoundBrief]:
        """Return the rounds, newest first."""
        complete = {batch.round_id for batch in self.batches if self.progress[batch.pk].complete}
        rows = self.project.rounds.defer("record", "training_set", "metrics", "timings").order_by("-number")
        return [
            RoundBrief(
                row,
                Round.State.COMPLETE if row.state == Round.State.ANNOTATING and row.pk in complete else row.state,
                elapsed(row),
            )
            for row in rows
        ]

    @cached_property
    def profiles(self) -> list[Profile]:
        return list(batch_profiles(project=self.project, batches=self.told, codebooks=self.codebooks))

    def trend(self, key: str) -> Trend:
        stage = learned_stages(self.codebooks)[key]
        positive = stage.positive_labels
        agreement = agreement_trend(project=self.project, stage=key, batches=self.told, codebooks=self.codebooks)
        outcomes = outcomes_of(self.profiles, self.told, key)
        return Trend(
            stage=key,
            title=stage.title,
            positive=[stage.label_name(key) for key in stage.offered if key in positive],
            baseline=baseline_of(self.told, self.progress, outcomes, positive),
            batches=[self.line(batch, agreement[batch.pk], outcomes[batch.pk], positive) for batch in self.told],
        )

    def line(self, batch: Batch, agreement: TrendPoint, outcomes: StageOutcomes, positive: Sequence[str]) -> BatchLine:
        complete = self.progress[batch.pk].complete
        return BatchLine(batch, complete, agreement, outcomes.positives(positive), outcomes.first_majority)

    def disagreements(self) -> int:
        rounds = {batch.pk for batch in self.told if batch.kind == Batch.Kind.ROUND}
        of_rounds = (each for each in self.profiles if each.batch in rounds)
        return open_of_profiles(self.project, self.codebooks, of_rounds) - hidden_from_reader(self.membership)
