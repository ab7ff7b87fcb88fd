"""Start, pause, resume and cancel an evaluation, and mark its errors: what an admin does."""

import hashlib
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, BinaryIO

from django.db import connection, transaction
from django.db.models import Max

from al_worker.formats.providers import LanguageModel
from annotation_app.db.statistics import analyze
from annotation_app.evaluation.gold import StageGold, gold_labels, is_random_sample
from annotation_app.evaluation.imported import NO_LABEL, ImportedPrediction, models_in, predictions_read
from annotation_app.evaluation.language_models import language_models, models_usable
from annotation_app.evaluation.pausing import paused
from annotation_app.evaluation.prompts import prompts_asked, template_hash
from annotation_app.evaluation.questions import Question, evaluated_codebook
from annotation_app.evaluation.spec import EvaluationSpec
from annotation_app.evaluation.systems import Kind, kinds_of, systems_offered
from annotation_app.models import (
    Batch,
    CodebookVersion,
    ErrorCause,
    ErrorMark,
    Evaluation,
    GoldLabel,
    Item,
    Membership,
    Prediction,
    Project,
    User,
    WorkerBeat,
    event_write,
)
from annotation_app.projects.writable import writable_lock
from annotation_app.refusals import Invalid, NotYours, Refused
from annotation_app.rounds.draw import uniform_draw
from annotation_app.starts import started_before

MAX_UNFINISHED = 3
WRITE_AT_ONCE = 2_000
READ_AT_ONCE = 2**20
RECORDED = ("kind", "model", "destination", "structured", "max_tokens", "price_in", "price_out", "currency")


@dataclass(frozen=True)
class PredictionsFile:
    """Hold a file of predictions that were made elsewhere, as it was sent."""

    name: str
    file: BinaryIO

    def sha256(self) -> str:
        """Return the hash of the file, which is then read from its beginning again."""
        digest = hashlib.sha256()
        while some := self.file.read(READ_AT_ONCE):
            digest.update(some)
        self.file.seek(0)
        return digest.hexdigest()


@dataclass(frozen=True)
class Request:
    """Hold a request that was checked against the project."""

    project: Project
    spec: EvaluationSpec
    version: CodebookVersion
    gold: Mapping[str, StageGold]
    kinds: Mapping[str, Kind]
    models: Mapping[str, LanguageModel]
    prompts: Mapping[str, tuple[int, str]]
    imported: Sequence[ImportedPrediction] = ()

    @property
    def questions(self) -> dict[str, Question]:
        return {key: stage.question for key, stage in self.gold.items()}


def evaluation_create(
    *, project: Project, spec: EvaluationSpec, actor: User, predictions: PredictionsFile | None = None
) -> Evaluation:
    """Create an evaluation that waits for the worker, with its gold labels and its prompts.

    Return the one that the same client_id created before. Raises Invalid for bad input and Refused where the worker or
    the project is not ready for it.
    """
    body_hash = spec.body_hash(*([] if predictions is None else [predictions.sha256()]))
    if (before := started_before(project.evaluations.all(), spec.client_id, body_hash)) is not None:
        return before
    ready_check(project)
    request = request_check(project, spec, predictions)
    return evaluation_write(request=request, actor=actor, body_hash=body_hash)


def ready_check(project: Project) -> None:
    """Raise Refused. Within a transaction, two admins at once are counted one after the other."""
    if down := WorkerBeat.down_text(Evaluation.QUEUE, "start the evaluation"):
        raise Refused("worker_down", down)
    if connection.in_atomic_block:
        writable_lock(project.pk)
    unfinished = project.evaluations.filter(state__in=Evaluation.WORKING_STATES).count()
    if unfinished >= MAX_UNFINISHED:
        detail = f"{unfinished} evaluations of this project wait or run: pause one, or let one finish."
        raise Refused("too_many", detail)


def request_check(project: Project, spec: EvaluationSpec, predictions: PredictionsFile | None = None) -> Request:
    """Check a request against the project. Raises Invalid, and Refused without labelled stages."""
    version = evaluated_codebook(project)
    gold = gold_labels(project=project, source=spec.gold, version=version, stages=spec.stages)
    questions = {key: stage.question for key, stage in gold.items()}
    known = language_models(project)
    taken = {system.name for system in systems_offered(known)}
    imported = [] if predictions is None else file_read(project, predictions, questions, taken)
    kinds = kinds_of(spec.systems, known, models_in(imported))
    return Request(
        project=project,
        spec=spec,
        version=version,
        gold=gold,
        kinds=kinds,
        models={name: known.offered[name].model for name, kind in kinds.items() if kind == "language_model"},
        prompts=prompts_asked(project, questions, spec.prompts),
        imported=imported,
    )


def file_read(
    project: Project, predictions: PredictionsFile, questions: Mapping[str, Question], taken: Collection[str]
) -> list[ImportedPrediction]:
    return predictions_read(
        project=project, file=predictions.file, name=predictions.name, questions=questions, taken=taken
    )


@transaction.atomic
def evaluation_write(*, request: Request, actor: User, body_hash: str) -> Evaluation:
    """Write the evaluation with its gold labels and imported predictions, and send it to the worker."""
    project, spec = request.project, request.spec
    writable_lock(project.pk)
    if (before := started_before(project.evaluations.all(), spec.client_id, body_hash)) is not None:
        return before
    ready_check(project)
    models_usable(project, request.models)
    empty = {
        f"stages[{at}]": ["No item has a gold label at this stage: label some, or leave the stage out."]
        for at, stage in enumerate(spec.stages)
        if not request.gold[stage].labels
    }
    if empty:
        raise Invalid(empty)
    row = Evaluation.objects.create(
        project=project,
        number=(project.evaluations.aggregate(last=Max("number"))["last"] or 0) + 1,
        name=spec.name.strip(),
        codebook=request.version,
        spec=spec_stored(request),
        left_out={stage: dict(gold.left_out) for stage, gold in request.gold.items()},
        client_id=spec.client_id,
        body_hash=body_hash,
        created_by=actor,
    )
    GoldLabel.objects.bulk_create(
        (
            GoldLabel(
                evaluation=row, item_id=gold.item_id, stage=stage, label=gold.label, is_unanimous=gold.is_unanimous
            )
            for stage, of_stage in request.gold.items()
            for gold in of_stage.labels
        ),
        batch_size=WRITE_AT_ONCE,
    )
    Prediction.objects.bulk_create(
        (
            Prediction(
                evaluation=row,
                system=each.model,
                item_id=each.item_id,
                stage=each.stage,
                label=each.label,
                confidence=each.confidence,
                problem="" if each.label is not None else NO_LABEL,
                explanation=each.explanation,
            )
            for each in request.imported
        ),
        batch_size=WRITE_AT_ONCE,
    )
    analyze(GoldLabel, Prediction)
    event_write(
        verb="evaluation_created",
        project=project,
        actor_id=actor.pk,
        subject=row.uuid,
        name=row.name,
        number=row.number,
        systems=list(request.kinds),
        stages=list(request.gold),
    )
    row.enqueue()
    return row


def spec_stored(request: Request) -> dict[str, Any]:
    """Return the request as the evaluation keeps it: with all that its figures depend on, and without any key."""
    spec = request.spec
    return {
        "gold": spec.gold.model_dump(),
        "is_random_sample": is_random_sample(request.project, spec.gold, request.version),
        "stages": list(request.gold),
        "stages_asked": stages_asked(request),
        "systems": list(request.kinds),
        "kinds": dict(request.kinds),
        "titles": titles_of(request),
        "folds": spec.folds,
        "examples": spec.examples,
        "seed": spec.seed,
        "epsilon": spec.epsilon,
        "limit": spec.limit,
        "pool": spec.pool,
        "pool_items": pool_items(request),
        "batch": spec.batch,
        "batch_items": batch_items(request),
        "questions": {stage: question_stored(request, stage) for stage in request.gold},
        "language_models": {
            name: {key: getattr(model, key) for key in RECORDED} | {"parameters": dict(model.parameters)}
            for name, model in request.models.items()
        },
    }


def titles_of(request: Request) -> dict[str, str]:
    """Return what tables call stages and systems; stages that share a title have their key too."""
    stages = {stage: gold.question.title for stage, gold in request.gold.items()}
    shared = Counter(stages.values())
    titles = {stage: title if shared[title] == 1 else f"{title} ({stage})" for stage, title in stages.items()}
    offered = systems_offered(language_models(request.project))
    return titles | {system.name: system.title for system in offered if system.name in request.kinds}


def question_stored(request: Request, stage: str) -> dict[str, Any]:
    question, (number, template) = request.gold[stage].question, request.prompts[stage]
    return {
        "title": question.title,
        "labels": question.labels,
        "is_context": question.is_context,
        "needs_context": question.needs_context,
        "has_gate": question.has_gate,
        "definitions": question.definitions,
        "hypothesis": question.hypothesis,
        "prompt": {"number": number, "template": template, "sha256": template_hash(template)},
    }


def stages_asked(request: Request) -> list[str]:
    """Return the stages that language models are asked about. Examples in prompts come from other folds."""
    spec = request.spec
    return [stage for stage, gold in request.gold.items() if not spec.examples or gold.has_folds(spec.folds)]


def pool_items(request: Request) -> list[str]:
    """Return the ids of the unlabelled items that language models are asked about, drawn by the seed."""
    if not request.spec.pool:
        return []
    key = f"evaluation:{request.spec.seed}"
    drawn = uniform_draw(project=request.project, key=key, size=request.spec.pool)
    return sorted(Item.objects.filter(pk__in=drawn).values_list("external_id", flat=True))


def batch_items(request: Request) -> list[str]:
    """Return the ids of the batch's items without a gold label. Raises Invalid where there is no batch."""
    if request.spec.batch is None:
        return []
    batch = request.project.batches.filter(kind=Batch.Kind.ROUND, number=request.spec.batch).first()
    if batch is None:
        raise Invalid({"batch": [f"Round {request.spec.batch} has no batch."]})
    labelled = {gold.item_id for of_stage in request.gold.values() for gold in of_stage.labels}
    rows = Item.objects.filter(batch_items__batch=batch).order_by("external_id").values_list("pk", "external_id")
    return [name for pk, name in rows if pk not in labelled]


@transaction.atomic
def evaluation_pause(*, row: Evaluation, actor: User) -> Evaluation:
    """Pause the evaluation: its worker loses the lease, and stores the answers that are under way."""
    row = locked(row)
    if row.state not in Evaluation.WORKING_STATES:
        raise wrong_state(row, "Only one that waits or runs can be paused")
    paused(row, actor)
    return row


@transaction.atomic
def evaluation_resume(*, row: Evaluation, actor: User) -> Evaluation:
    """Let a stopped evaluation go on. What was answered is not asked for again."""
    ready_check(row.project)
    row = locked(row)
    if row.state not in Evaluation.STOPPED_STATES and not n_unanswered(row):
        raise wrong_state(row, "Only one that was stopped, or that lacks answers, can go on")
    models_usable(row.project, row.spec["language_models"])
    # What stands in them lacks the answers that are asked for now.
    row.files.all().delete()
    row.failure = ""
    row.start_anew(Evaluation.State.WAITING)
    row.save()
    event_write(verb="evaluation_resumed", project=row.project, actor_id=actor.pk, subject=row.uuid)
    row.enqueue()
    return row


def n_unanswered(row: Evaluation) -> int:
    """Return how many requests of an evaluation that is done failed each time, and were never answered."""
    return int(row.progress.get("n_unanswered", 0)) if row.state == Evaluation.State.DONE else 0


@transaction.atomic
def evaluation_cancel(*, row: Evaluation, actor: User) -> Evaluation:
    """Cancel the evaluation. Answers that came before are kept."""
    row = locked(row)
    if row.state not in (*Evaluation.WORKING_STATES, Evaluation.State.PAUSED):
        raise wrong_state(row, "There is nothing to cancel")
    row.end(Evaluation.State.CANCELLED)
    row.save()
    event_write(verb="evaluation_cancelled", project=row.project, actor_id=actor.pk, subject=row.uuid)
    return row


def locked(row: Evaluation) -> Evaluation:
    return Evaluation.objects.select_for_update(of=("self",)).select_related("project", "created_by").get(pk=row.pk)


def wrong_state(row: Evaluation, what: str) -> Refused:
    return Refused("wrong_state", f"{what}; this evaluation is {row.state}.")


@transaction.atomic
def evaluation_shown_set(*, row: Evaluation, systems: Sequence[str], actor: User) -> Evaluation:
    """Choose the systems whose predictions adjudicators see beside the votes.

    Raises Invalid for a system that is not there, and Refused for any before the evaluation is done.
    """
    row = locked(row)
    if systems and row.state != Evaluation.State.DONE:
        raise wrong_state(row, "Adjudicators see predictions of an evaluation that is done")
    errors = {
        f"systems[{at}]": [f"{name!r} is no system of this evaluation."]
        for at, name in enumerate(systems)
        if name not in row.spec["systems"]
    }
    if errors:
        raise Invalid(errors)
    shown = [name for name in row.spec["systems"] if name in systems]
    if shown != row.shown_to_adjudicators:
        row.shown_to_adjudicators = shown
        row.save(update_fields=["shown_to_adjudicators"])
        event_write(verb="evaluation_shown", project=row.project, actor_id=actor.pk, subject=row.uuid, systems=shown)
    return row


@transaction.atomic
def error_cause_take(*, project: Project, name: str, actor: User) -> tuple[ErrorCause, bool]:
    """Return the cause of that name from the project's list, and whether it was added now.

    Names that differ only in case or in blanks around them are one.
    """
    writable_lock(project.pk)
    name = name.strip()
    if there := project.error_causes.filter(name__iexact=name).order_by("pk").first():
        return there, False
    row = ErrorCause.objects.create(project=project, name=name)
    event_write(verb="error_cause_created", project=project, actor_id=actor.pk, subject=row.uuid, name=name)
    return row, True


@transaction.atomic
def cause_mark(*, prediction: Prediction, cause: ErrorCause | None, member: Membership) -> ErrorMark:
    """Name the cause of a wrong prediction, or take it away. Raises NotYours for a cause of another project."""
    evaluation = prediction.evaluation
    writable_lock(evaluation.project_id)
    if cause is not None and cause.project_id != evaluation.project_id:
        raise NotYours
    gold = evaluation.gold.filter(item=prediction.item_id, stage=prediction.stage).first()
    if gold is None or gold.label == prediction.label:
        raise Refused("not_wrong", "Only a prediction that differs from its gold label has a cause.")
    mark = ErrorMark.objects.create(prediction=prediction, cause=cause, marked_by=member)
    event_write(
        verb="error_marked",
        project=evaluation.project,
        actor_id=member.user_id,
        subject=prediction.item.uuid,
        system=prediction.system,
        stage=prediction.stage,
        cause=cause.name if cause else None,
    )
    return mark
