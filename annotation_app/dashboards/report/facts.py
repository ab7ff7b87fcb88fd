"""Read the facts that every table of the report starts from, once."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from annotation_app.aggregation.selectors import codebooks_of, newest_stages
from annotation_app.agreement.selectors import Row, agreement_table
from annotation_app.agreement.selectors import Table as AgreementTable
from annotation_app.assignment.selectors import BatchProgress, batches_progress
from annotation_app.codebook.conditions import stages_named
from annotation_app.codebook.question_types.label import LabelStage
from annotation_app.codebook.question_types.stage import Stage
from annotation_app.codebook.stages import Codebook
from annotation_app.dashboards.insights import RANDOM, baseline_batch, insight_batches, label_stages
from annotation_app.dashboards.outcomes import Profile, batch_profiles
from annotation_app.models import Annotation, Batch, Project

NO_CODEBOOK = "No codebook is published yet: the tables begin with its stages."
NO_STAGES = "The codebook has no stages, only spans: these tables are of stages."
NO_LABELS = "No stage of the codebook is answered with one label: these tables are of labels."
NO_ROUNDS = "No round has opened a batch yet: start the first round, and label it."
NO_MAJORITIES = "No item has a majority yet: it takes more than half of the answers that an item is to get."
NO_POSITIVE = "The codebook names no positive label at any stage: say in it which labels count as positive."
WAITING = "waiting for answers"
# From the item alone to the widest context.
LEVELS = tuple(Annotation.ContextOpened.values)


@dataclass(frozen=True)
class Pool:
    """Count imported documents, and items that may be given out."""

    n_documents: int
    n_items: int


@dataclass(frozen=True)
class ReportFacts:
    """Hold the facts.

    `questions` are the stages, each as the newest codebook that has it defines it; `stages` are those of them that are
    answered with one label. `agreement` is over all items, `agreement_majority` over those with a majority (OP-FED 5).
    """

    project: Project
    codebooks: Mapping[int, Codebook]
    questions: Sequence[Stage]
    stages: Sequence[LabelStage]
    batches: Sequence[Batch]
    progress: Mapping[int, BatchProgress]
    profiles: Sequence[Profile]
    agreement: AgreementTable
    agreement_majority: AgreementTable
    pool: Pool

    @cached_property
    def rounds(self) -> list[Batch]:
        """Return the rounds' batches in the order of their numbers."""
        return sorted((b for b in self.batches if b.kind == Batch.Kind.ROUND), key=lambda batch: batch.number)

    @property
    def missing(self) -> str:
        """Return why no table of labels can have a row; empty where there is something to count."""
        return self.missing_questions or ("" if self.stages else NO_LABELS)

    @property
    def missing_questions(self) -> str:
        """Return why no table of all stages can have a row; empty where there is something to count."""
        if not self.codebooks:
            return NO_CODEBOOK
        if not self.questions:
            return NO_STAGES
        return "" if self.rounds else NO_ROUNDS

    @cached_property
    def in_rounds(self) -> list[Profile]:
        rounds = {batch.pk for batch in self.rounds}
        return [profile for profile in self.profiles if profile.batch in rounds]

    @cached_property
    def baseline(self) -> tuple[str, Batch | None]:
        """Return ("prototype" or "first_random", its batch), or ("", None)."""
        n_first = Counter[int]()
        for profile in self.profiles:
            n_first[profile.batch] += profile.n_items * (profile.first.state == "majority")
        return baseline_batch(self.batches, self.progress, n_first)

    @property
    def first_stage(self) -> LabelStage | None:
        return self.stages[0] if self.stages else None

    @property
    def positive_stages(self) -> list[LabelStage]:
        return [stage for stage in self.stages if stage.positive]

    @property
    def context_stages(self) -> list[LabelStage]:
        return [stage for stage in self.stages if stage.asks_for_context]

    @cached_property
    def never_learned(self) -> frozenset[str]:
        """Return labels such as ambiguous, which are no class of a task (OP-FED 6)."""
        newest = list(self.codebooks.values())[-1:]
        return frozenset(label for codebook in newest for label in codebook.never_learned)

    def depth(self, stage: LabelStage) -> int:
        """Count the stages with positive labels above it: the arrows of Table 2."""
        if stage.open_when is None:
            return 0
        above = {other.key: other for other in self.positive_stages}
        return max((1 + self.depth(above[key]) for key in stages_named(stage.open_when) if key in above), default=0)


def report_facts(project: Project) -> ReportFacts:
    """Read the facts in a constant number of queries."""
    codebooks = codebooks_of(project)
    batches = insight_batches(project)
    staged = any(codebook.stages for codebook in codebooks.values())
    return ReportFacts(
        project=project,
        codebooks=codebooks,
        questions=list(newest_stages(codebooks).values()),
        stages=list(label_stages(codebooks).values()),
        batches=batches,
        progress=batches_progress(batches),
        profiles=list(batch_profiles(project=project, batches=batches, codebooks=codebooks)) if staged else [],
        agreement=agreement_table(project=project, scope="all"),
        agreement_majority=agreement_table(project=project, scope="majority"),
        pool=Pool(project.documents.count(), project.items.filter(left_out="").count()),
    )


def of_everyone(table: AgreementTable) -> dict[str, Row]:
    """Return the rows of everyone over all rounds, by stage."""
    return {row.stage: row for row in table.rows if row.round is None and row.pair is None}


def label_counts(profiles: Sequence[Profile], stage: str) -> Counter[str]:
    """Count items by aggregated label."""
    counts = Counter[str]()
    for profile in profiles:
        at_stage = profile.stages.get(stage)
        if at_stage is not None and at_stage.label is not None:
            counts[at_stage.label] += profile.n_items
    return counts


def unlabelled_counts(profiles: Sequence[Profile], stage: str) -> tuple[int, int]:
    """Count items at the stage without a label: (those whose answers are all in, those that wait for answers)."""
    without, waiting = 0, 0
    for profile in profiles:
        at_stage = profile.stages.get(stage)
        if at_stage is not None and at_stage.state == "no_majority":
            waits = stage in profile.to_come
            without, waiting = without + profile.n_items * (not waits), waiting + profile.n_items * waits
    return without, waiting


def batch_words(batch: Batch) -> str:
    drawn = " (random)" if batch.round and batch.round.strategy_used == RANDOM else ""
    return f"{batch.number}{drawn}"


def open_batch_notices(facts: ReportFacts) -> Iterator[str]:
    """Say what is still open, so that nobody takes half a table for a whole one."""
    for batch in facts.batches:
        progress = facts.progress[batch.pk]
        if not progress.complete:
            name = "Prototype batch" if batch.kind == Batch.Kind.PROTOTYPE else "Round"
            yield f"{name} {batch.number} is open: {progress.done:,} of {progress.total:,} assignments are done."
