"""Start, restart and cancel a round: what an admin does."""

from datetime import datetime

from django.db import IntegrityError, transaction
from django.db.models import Max
from django.utils import timezone

from al_worker.formats.models import NO_MODEL
from al_worker.formats.strategies import STRATEGIES, check_options
from annotation_app.assignment.selectors import batch_progress, batches_progress
from annotation_app.assignment.services import batch_take_back
from annotation_app.codebook.definition import codebook_of
from annotation_app.codebook.stages import Codebook
from annotation_app.models import (
    Batch,
    Project,
    Round,
    TestSet,
    User,
    WorkerBeat,
    event_write,
)
from annotation_app.projects.services import published_codebook
from annotation_app.projects.writable import writable_lock
from annotation_app.refusals import Invalid, Refused
from annotation_app.rounds.batches import usable_batches
from annotation_app.rounds.check_items import check_fields
from annotation_app.rounds.held_out import held_out_for_round
from annotation_app.rounds.readiness import readiness
from annotation_app.rounds.record import round_facts, round_record
from annotation_app.rounds.results import NOTHING
from annotation_app.rounds.spec import RoundSpec, spec_check
from annotation_app.rounds.stopping_set import stopping_set_ensure
from annotation_app.rounds.training_set import Example, training_set, training_set_hash, training_set_rows


def round_start(*, project: Project, spec: RoundSpec, actor: User) -> Round:
    """Start a round in `draft` with a frozen training set; the worker is notified after the commit.

    Raises Invalid for bad input and Refused where the project or the worker is not ready for it.
    """
    if down := WorkerBeat.down_text(Round.QUEUE, "start the round"):
        raise Refused("worker_down", down)
    try:
        with transaction.atomic():
            # Two admins at once: the second waits here, then sees the first one's round.
            writable_lock(project.pk)
            return round_open(project=project, spec=spec, actor=actor)
    except IntegrityError as error:
        raise Refused("round_active", "Somebody else has just started another round of this project.") from error


def round_open(*, project: Project, spec: RoundSpec, actor: User) -> Round:
    """Open the round within the project's lock.

    Labels are frozen before they are read, so that no revision slips in.
    """
    now = timezone.now()
    batches_freeze(project, now)
    if spec.label_phase == 2:
        second_looks_check(project)
    previous_round_close(project)
    codebook = published_codebook(project)
    if codebook is None:
        raise Refused("no_codebook", "This project has no published codebook: publish one first.")
    batches = usable_batches(project, codebook)
    definition = codebook_of(codebook)
    annotators = spec_check(project, spec, definition)
    stages = [key for key in definition.stage_keys if key in spec.learning_stages]
    examples = training_set(
        project=project,
        stages=stages,
        codebook=definition,
        batches=batches,
        phase=spec.label_phase,
        adjudicated=spec.use_adjudicated,
    )
    rows = training_set_rows(examples)
    number = (project.rounds.aggregate(last=Max("number"))["last"] or 0) + 1
    retired = project.batches.filter(kind=Batch.Kind.ROUND).count() - len(batches)
    strategy_used, notices = strategy_resolve(spec, examples, first=not strategies_began(project), retired=retired)
    trains_model = STRATEGIES[strategy_used].needs_model
    if trains_model:
        ready = readiness(project=project, stages=stages, codebook=definition, batches=batches, examples=examples)
        notices += [warning for stage in ready for warning in stage.warnings]
    test_set, more = measured_on(project, spec, definition) if trains_model else (None, [])
    row = Round.objects.create(
        project=project,
        number=number,
        strategy_asked=spec.strategy,
        strategy_used=strategy_used,
        allowed_alternative=spec.allowed_alternative,
        options=check_options(strategy_used, spec.options if strategy_used == spec.strategy else {}),
        query_size=spec.query_size,
        random_state=spec.random_state,
        model=spec.model if trains_model else NO_MODEL,
        learning_stages=stages,
        combine=spec.combine,
        random_share=spec.random_share,
        no_duplicate_texts=spec.no_duplicate_texts,
        learning_rate=spec.learning_rate if trains_model else None,
        annotators_per_item=spec.annotators_per_item,
        shares={str(person): parts for person, parts in spec.shares.items()},
        **check_fields(project, spec.check_items),
        codebook=codebook,
        training_set=rows,
        training_set_hash=training_set_hash(rows),
        label_phase=spec.label_phase,
        use_adjudicated=spec.use_adjudicated,
        test_set=test_set,
        notices=notices + label_notices(spec, examples) + more,
        created_by=actor,
        created_at=now,
    )
    row.annotators.set(annotators)
    event_write(
        verb="round_started",
        project=project,
        actor_id=actor.pk,
        subject=row.uuid,
        number=number,
        strategy=spec.strategy,
    )
    row.enqueue()
    return row


def measured_on(project: Project, spec: RoundSpec, codebook: Codebook) -> tuple[TestSet | None, list[str]]:
    """Return the test set that the round's model is measured on, and the notices for the round."""
    stopping_set_ensure(project=project)
    return held_out_for_round(project, stages=spec.learning_stages, codebook=codebook)


def batches_freeze(project: Project, now: datetime) -> None:
    """Freeze the rounds' batches, whose labels are trained on next.

    Prototypes, chosen batches and second looks go on until they are complete. A practice ends with the person's last
    answer.
    """
    live = Batch.objects.filter(project=project, frozen_at__isnull=True).exclude(kind=Batch.Kind.PRACTICE)
    outside = (Batch.Kind.PROTOTYPE, Batch.Kind.CHOSEN, Batch.Kind.SECOND_LOOK)
    progress = batches_progress(live.filter(kind__in=outside))
    open_ones = [batch for batch, its in progress.items() if not its.complete]
    live.exclude(pk__in=open_ones).update(frozen_at=now)


def second_looks_check(project: Project) -> None:
    """Check, after the freeze, that requested second looks exist and can no longer change."""
    looks = project.batches.filter(kind=Batch.Kind.SECOND_LOOK)
    unfinished = looks.filter(frozen_at__isnull=True).first()
    if unfinished is not None:
        raise Refused(
            "second_look_open",
            f"The second look at batch {unfinished.number} is not complete: wait for it, close it, "
            "or learn from the independent answers.",
        )
    if not looks.exists():
        raise Invalid({"label_phase": ["No batch has had a second look: choose 1, the independent answers."]})


def label_notices(spec: RoundSpec, examples: list[Example]) -> list[str]:
    """Return notices of training labels that are no majorities of independent answers."""
    notices = ["The labels are those after the second looks."] if spec.label_phase == 2 else []
    if spec.use_adjudicated:
        n = sum(len(example.adjudicated) for example in examples)
        notices.append(f"Of the labels of the training set {n:,} {'was' if n == 1 else 'were'} adjudicated.")
    return notices


def previous_round_close(project: Project) -> None:
    """Mark an annotated round complete. Refuse while one is at work, open or failed."""
    active = project.rounds.filter(state__in=Round.ACTIVE_STATES).first()
    if active is None:
        return
    if active.state == Round.State.FAILED:
        raise Refused("round_active", f"Round {active.number} has failed: restart it or cancel it first.")
    if active.state != Round.State.ANNOTATING:
        raise Refused("round_active", f"Round {active.number} is at work ({active.state}): wait for it, or cancel it.")
    progress = batch_progress(active.batch)
    if not progress.complete:
        raise Refused(
            "batch_open",
            f"The batch of round {active.number} is not complete: "
            f"{progress.done} of {progress.total} assignments are done.",
        )
    active.state = Round.State.COMPLETE
    active.finished_at = timezone.now()
    active.save(update_fields=["state", "finished_at"])


def strategies_began(project: Project) -> bool:
    """Tell whether a round has opened a batch that no admin chose: the first of those is drawn at random."""
    return project.batches.filter(round__isnull=False).exclude(round__strategy_used=Round.CHOSEN).exists()


def strategy_resolve(spec: RoundSpec, examples: list[Example], *, first: bool, retired: int) -> tuple[str, list[str]]:
    """Return the strategy that will run: the requested one, or else the alternative that the admin allowed.

    `retired` counts batches whose labels a breaking change of the codebook took out of training.
    """
    reason = ""
    if first and spec.strategy != "random":
        reason = "the first batch is drawn uniformly at random"
    elif STRATEGIES[spec.strategy].needs_model and (empty := stages_without(spec, examples)):
        reason = f"no item has a usable majority label at stage {' or '.join(empty)}"
        if retired:
            reason += f" (a breaking change of the codebook took the labels of {retired} batches out of training)"
    if not reason:
        return spec.strategy, []
    if spec.allowed_alternative != "random":
        raise Invalid(
            {"strategy": [f"{spec.strategy} cannot run: {reason}. Choose random, or allow it as the alternative."]}
        )
    return "random", [f"Asked for {spec.strategy}, used random: {reason}."]


def stages_without(spec: RoundSpec, examples: list[Example]) -> list[str]:
    """Return the stages to learn that no item has a usable label for."""
    return [stage for stage in spec.learning_stages if not any(stage in example.labels for example in examples)]


@transaction.atomic
def round_restart(*, row: Round, actor: User) -> Round:
    """Return a failed round to the worker, which goes on after the last finished step."""
    if down := WorkerBeat.down_text(Round.QUEUE, "start the round"):
        raise Refused("worker_down", down)
    writable_lock(row.project_id)
    row = Round.objects.select_for_update().get(pk=row.pk)
    if row.state != Round.State.FAILED:
        raise Refused("wrong_state", f"Only a failed round can be restarted; round {row.number} is {row.state}.")
    row.failure, row.failed_step = "", ""
    row.start_anew(Round.State.DRAFT)
    row.save()
    event_write(verb="round_restarted", project=row.project, actor_id=actor.pk, subject=row.uuid)
    row.enqueue()
    return row


@transaction.atomic
def round_cancel(*, row: Round, actor: User) -> Round:
    """End a round that nobody has answered yet; an open batch goes back into the pool.

    A worker that is at it notices within seconds, since its lease is gone.
    """
    row = Round.objects.select_for_update().get(pk=row.pk)
    if row.state == Round.State.ANNOTATING:
        if not batch_take_back(row.batch):
            raise Refused("answered", f"Round {row.number} has answers: it can't be cancelled any more.")
        row.refresh_from_db()
    elif row.state not in (*Round.WORKING_STATES, Round.State.FAILED):
        raise Refused("wrong_state", f"Round {row.number} is {row.state}: it can't be cancelled any more.")
    row.end(Round.State.CANCELLED)
    row.save()
    # Nothing was trained on for good: what this start froze may be revised again, but for what was looked at since.
    Batch.objects.filter(project=row.project, frozen_at=row.created_at, second_look__isnull=True).update(frozen_at=None)
    event_write(verb="round_cancelled", project=row.project, actor_id=actor.pk, subject=row.uuid)
    # A batch that was taken back stays on the record: what the machine chose, and that nobody saw it.
    row.record = row.record | {"round": round_facts(row)} if row.record else round_record(row, NOTHING)
    row.save(update_fields=["record"])
    return row
