"""Collect what rounds tell their admin: yield, learning curve and agreement by batch, and the stopping signals."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import F, Func, IntegerField

from al_worker.formats.intervals import wilson
from al_worker.formats.models import NO_MODEL
from annotation_app.aggregation.selectors import codebooks_of, unknown_stage
from annotation_app.agreement.trend import TrendPoint, agreement_trend
from annotation_app.assignment.selectors import BatchProgress, batches_progress
from annotation_app.codebook.question_types.label import LabelStage
from annotation_app.codebook.question_types.stage import Stage
from annotation_app.codebook.stages import Codebook
from annotation_app.dashboards.intervals import Interval, share_ratio
from annotation_app.dashboards.outcomes import NO_MAJORITY, StageOutcomes, batch_outcomes
from annotation_app.dashboards.signals import RoundFigures, Signal, stopping_signals
from annotation_app.models import Batch, Project, Round
from annotation_app.refusals import Refused
from annotation_app.rounds.budget import budget_spent
from annotation_app.rounds.figures import doubts, figures_of

RANDOM = "random"


@dataclass(frozen=True)
class Budget:
    """Count items of round batches; `total` and `left` are None without a budget."""

    total: int | None
    spent: int
    left: int | None


@dataclass(frozen=True)
class Baseline:
    """Hold the share of positives in a uniform random sample. `source` is prototype or first_random."""

    source: str
    batch: int
    positives: int
    n: int
    share: float
    low: float | None
    high: float | None


@dataclass(frozen=True)
class Positives:
    """Count positives among `n` items with a first-stage majority; `lift` is relative to the baseline's share."""

    count: int
    n: int
    n_annotations: int
    share: Interval | None
    lift: Interval | None

    @property
    def per_100_annotations(self) -> float | None:
        return 100 * self.count / self.n_annotations if self.n_annotations else None


@dataclass(frozen=True)
class BatchInsight:
    """Hold one batch's insights; `figures` are those of the model that chose it, empty where none learned the stage.

    `class_counts` count labels: an item whose answer is a set counts for each of its labels.
    """

    row: Batch
    progress: BatchProgress
    n_labeled: int
    class_counts: dict[str, int]
    positives: Positives
    agreement: TrendPoint
    figures: dict[str, Any]

    @property
    def round(self) -> Round | None:
        return self.row.round

    @property
    def round_id(self) -> UUID | None:
        return self.row.round.uuid if self.row.round else None

    @property
    def is_random(self) -> bool:
        """Tell whether the batch was drawn uniformly from the pool."""
        return self.row.kind == Batch.Kind.PROTOTYPE or self.strategy_used == RANDOM

    @property
    def strategy_used(self) -> str:
        if self.row.round is not None:
            return self.row.round.strategy_used
        return RANDOM if self.row.kind == Batch.Kind.PROTOTYPE else ""

    @property
    def notices(self) -> list[str]:
        return self.row.round.notices if self.row.round else []

    @property
    def model(self) -> str:
        return self.row.round.model if self.row.round else NO_MODEL

    @property
    def class_shares(self) -> dict[str, float]:
        return {label: count / self.n_labeled if self.n_labeled else 0.0 for label, count in self.class_counts.items()}

    @property
    def n_training(self) -> int:
        return getattr(self.row, "n_training", None) or 0

    @property
    def informative(self) -> bool | None:
        return not self.doubts if self.figures else None

    @property
    def doubts(self) -> list[dict[str, str]]:
        """Return why the model is not informative, as {"kind", "words"}."""
        return doubts(self.figures) if self.figures else []


@dataclass(frozen=True)
class Insights:
    stage: str
    positive: tuple[str, ...]
    stages: list[tuple[str, str]]
    budget: Budget
    baseline: Baseline | None
    batches: list[BatchInsight]
    signals: list[Signal]


def insights(*, project: Project, stage: str | None = None) -> Insights:
    """Return all batches of rounds and prototypes at one stage, in the order of their opening.

    The number of queries does not grow with the batches. Raises Refused and Invalid.
    """
    codebooks = codebooks_of(project)
    stages = learned_stages(codebooks)
    key = stage or default_stage(project, codebooks)
    if key not in stages:
        raise unknown_stage(key)
    shown = stages[key]
    batches = insight_batches(project)
    progress = batches_progress(batches)
    outcomes = batch_outcomes(project=project, batches=batches, stage=key, codebooks=codebooks)
    baseline = baseline_of(batches, progress, outcomes, shown.positive_labels)
    agreement = agreement_trend(project=project, stage=key, batches=batches, codebooks=codebooks)
    told = [
        batch_insight(batch, progress[batch.pk], outcomes[batch.pk], shown, baseline, agreement[batch.pk])
        for batch in batches
    ]
    spent, total = budget_spent(project), project.annotation_budget
    return Insights(
        stage=key,
        positive=shown.positive_labels,
        stages=[(each.key, each.title) for each in stages.values()],
        budget=Budget(total, spent, None if total is None else max(total - spent, 0)),
        baseline=baseline,
        batches=told,
        signals=signals(told, baseline, total),
    )


def default_stage(project: Project, codebooks: Mapping[int, Codebook]) -> str:
    """Return the stage that the latest round learns, else the codebook's learning stage."""
    if not codebooks:
        raise Refused("no_codebook", "This project has no published codebook: publish one first.")
    found = followed_stage(project, codebooks)
    if found is None:
        raise Refused(
            "no_stages", "This project's codebook has no stage with labels, so there is nothing to show here."
        )
    return found


def followed_stage(project: Project, codebooks: Mapping[int, Codebook]) -> str | None:
    """Return the stage that the latest round learns, else the newest codebook's learning stage; None without one.

    Rounds whose items an admin chose learn nothing, so they do not count.
    """
    learning = project.rounds.exclude(strategy_used=Round.CHOSEN)
    latest = learning.order_by("-number").values_list("learning_stages", flat=True).first()
    newest = next(iter(list(codebooks.values())[::-1]), None)
    if latest:
        return str(latest[0])
    return newest.learning.stage if newest and newest.learning else None


def label_stages(codebooks: Mapping[int, Codebook]) -> dict[str, LabelStage]:
    """Return the stages that are answered with labels by key, as the newest codebook that has each defines it."""
    found: dict[str, LabelStage] = {}
    for codebook in list(codebooks.values())[::-1]:
        for stage in codebook.label_stages:
            found.setdefault(stage.key, stage)
    return found


def learned_stages(codebooks: Mapping[int, Codebook]) -> dict[str, Stage]:
    """Return the stages that a model can learn by key, as the newest codebook that has each defines it."""
    found: dict[str, Stage] = {}
    for codebook in list(codebooks.values())[::-1]:
        for stage in codebook.learned_stages:
            found.setdefault(stage.key, stage)
    return found


def insight_batches(project: Project) -> list[Batch]:
    """Return batches of rounds and prototypes with their rounds; `n_training` is the size of the training set."""
    rows = project.batches.filter(kind__in=(Batch.Kind.ROUND, Batch.Kind.PROTOTYPE)).select_related("round")
    n_training = Func(F("round__training_set"), function="jsonb_array_length", output_field=IntegerField())
    heavy = ("round__record", "round__training_set", "round__progress", "round__timings")
    return list(rows.annotate(n_training=n_training).defer(*heavy).order_by("opened_at", "pk"))


def baseline_of(
    batches: Sequence[Batch],
    progress: Mapping[int, BatchProgress],
    outcomes: Mapping[int, StageOutcomes],
    positive: Sequence[str],
) -> Baseline | None:
    """Return the share of positives in the baseline's batch."""
    n_first = {batch: outcome.first_majority for batch, outcome in outcomes.items()}
    source, batch = baseline_batch(batches, progress, n_first)
    if batch is None:
        return None
    count, n = outcomes[batch.pk].positives(positive), n_first[batch.pk]
    share = wilson(count, n)
    return Baseline(source, batch.number, count, n, share.value, share.low, share.high) if share else None


def baseline_batch(
    batches: Sequence[Batch], progress: Mapping[int, BatchProgress], n_first: Mapping[int, int]
) -> tuple[str, Batch | None]:
    """Return the first complete prototype batch, else the first complete batch drawn at random.

    Later random batches come from a pool that selection has changed. `n_first` counts items with a first-stage majority
    by batch.
    """
    usable = [batch for batch in batches if progress[batch.pk].complete and n_first.get(batch.pk)]
    prototypes = [("prototype", batch) for batch in usable if batch.kind == Batch.Kind.PROTOTYPE]
    drawn = [("first_random", batch) for batch in usable if batch.round and batch.round.strategy_used == RANDOM]
    return next(iter(prototypes + drawn), ("", None))


def batch_insight(
    batch: Batch,
    progress: BatchProgress,
    outcomes: StageOutcomes,
    stage: Stage,
    baseline: Baseline | None,
    agreement: TrendPoint,
) -> BatchInsight:
    counts: Counter[str] = Counter()
    for answer, n_items in outcomes.labels.items():
        counts.update(dict.fromkeys(stage.labels_of(answer), n_items))
    labels = list(dict.fromkeys([*stage.offered, *counts, NO_MAJORITY]))
    count, n = outcomes.positives(stage.positive_labels), outcomes.first_majority
    compared = baseline if baseline and not is_baseline(batch, baseline) else None
    lift = share_ratio(count, n, compared.positives, compared.n) if compared else None
    return BatchInsight(
        row=batch,
        progress=progress,
        n_labeled=sum(outcomes.labels.values()),
        class_counts={label: counts[label] for label in sorted(labels, key=lambda key: key == NO_MAJORITY)},
        positives=Positives(count, n, outcomes.n_annotations, wilson(count, n), lift),
        agreement=agreement,
        figures=figures_of(batch.round).get(stage.key, {}) if batch.round else {},
    )


def is_baseline(batch: Batch, baseline: Baseline) -> bool:
    prototype = baseline.source == "prototype"
    return batch.number == baseline.batch and (batch.kind == Batch.Kind.PROTOTYPE) == prototype


def signals(told: Sequence[BatchInsight], baseline: Baseline | None, budget: int | None) -> list[Signal]:
    left, rounds = budget, []
    for each in told:
        if each.row.kind == Batch.Kind.ROUND:
            left = None if left is None else max(left - each.progress.size, 0)
            rounds.append(round_figures(each, left))
    name = {"prototype": "prototype batch", "first_random": "first random batch"}[baseline.source] if baseline else ""
    return stopping_signals(rounds, base_share=baseline.share if baseline else None, base_name=name, budget=budget)


def round_figures(told: BatchInsight, left: int | None) -> RoundFigures:
    pool = told.figures.get("pool") or {}
    stopping = told.figures.get("stopping") or {}
    selected = told.figures.get("selected") or {}
    return RoundFigures(
        number=told.row.number,
        complete=told.progress.complete,
        random=told.is_random,
        by_admin=told.strategy_used == Round.CHOSEN,
        uncertainty=pool.get("entropy_over_ln_c", {}).get("mean"),
        selected_uncertainty=selected.get("entropy_over_ln_c"),
        changed_share=stopping.get("changed_share"),
        kappa=stopping.get("kappa"),
        delta_f=stopping.get("delta_f"),
        n_compared=stopping.get("n_compared"),
        doubt="; ".join(doubt["words"] for doubt in told.doubts),
        positives=told.positives.count,
        n=told.positives.n,
        alpha=told.agreement.alpha,
        n_units=told.agreement.n_units,
        left=left,
    )
