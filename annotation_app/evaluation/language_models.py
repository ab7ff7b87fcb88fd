"""Offer the language models of the operator's file, and keep which of them a project's texts may go to.

A key is looked for, to say whether a model can be used, and never kept.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.db import transaction

from al_worker.formats.evaluation import MAJORITY, PEOPLE
from al_worker.formats.providers import LanguageModel, read_models
from al_worker.formats.tables import ConfigError
from annotation_app.evaluation.pausing import paused
from annotation_app.models import Evaluation, LanguageModelApproval, Project, User, event_write
from annotation_app.projects.writable import writable_lock
from annotation_app.refusals import NotYours, Refused
from annotation_app.rounds.models_offered import offered_models


@dataclass(frozen=True)
class OfferedLanguageModel:
    """Hold a model of the operator's file. `problem` says why it cannot be used here; empty where it can.

    `approval` is of its present destination. A model on the model worker sends texts nowhere and needs none.
    """

    model: LanguageModel
    problem: str
    approval: LanguageModelApproval | None

    @property
    def may_get_texts(self) -> bool:
        return not self.model.is_remote or self.approval is not None


@dataclass(frozen=True)
class LanguageModels:
    """Hold the models of the operator's file by name. `problem` says what is wrong with the file."""

    offered: Mapping[str, OfferedLanguageModel]
    problem: str = ""


def language_models(project: Project) -> LanguageModels:
    """Return the language models with the project's approvals; none where the operator named no file."""
    if not settings.LANGUAGE_MODELS:
        return LanguageModels({})
    try:
        models = read_models(Path(settings.LANGUAGE_MODELS))
    except ConfigError as error:
        return LanguageModels({}, str(error))
    rows = project.language_model_approvals.select_related("approved_by")
    approvals = {(row.model, row.destination): row for row in rows}
    taken = {MAJORITY, PEOPLE, *(model.name for model in offered_models())}
    return LanguageModels(
        {
            name: OfferedLanguageModel(model, problem_of(model, taken), approvals.get((name, model.destination)))
            for name, model in models.items()
        }
    )


def problem_of(model: LanguageModel, taken: Iterable[str]) -> str:
    if model.name in taken:
        return f"Another system is called {model.name}: give the model another name in the operator's file."
    try:
        model.key()
    except ConfigError as error:
        return str(error)
    return ""


def models_usable(project: Project, names: Iterable[str]) -> dict[str, LanguageModel]:
    """Return the named language models. Raises Refused where one may not get the project's texts now."""
    known = language_models(project)
    if known.problem:
        raise Refused("no_model", known.problem)
    usable: dict[str, LanguageModel] = {}
    for name in names:
        offered = known.offered.get(name)
        if offered is None:
            raise Refused("no_model", f"{name} is no longer in the operator's file of language models.")
        if offered.problem:
            raise Refused("no_model", offered.problem)
        if not offered.may_get_texts:
            model = offered.model
            detail = f"{model.called} sends texts to {model.destination}: an admin has to approve that first."
            raise Refused("not_approved", detail, model=name, destination=model.destination)
        usable[name] = offered.model
    return usable


@transaction.atomic
def approval_give(*, project: Project, model: str, destination: str, actor: User) -> OfferedLanguageModel:
    """Let the project's texts go to the model. Doing it twice changes nothing.

    Raises NotYours where there is no such model, and Refused where its texts go elsewhere.
    """
    writable_lock(project.pk)
    offered = offered_or_nothing(project, model)
    if offered.model.destination != destination or not offered.model.is_remote:
        present = offered.model.destination or "no server"
        detail = f"{offered.model.called} sends texts to {present} now. Look at it again, then approve that."
        raise Refused("destination_changed", detail, destination=offered.model.destination)
    if offered.approval is None:
        LanguageModelApproval.objects.create(project=project, model=model, destination=destination, approved_by=actor)
        event_write(
            verb="language_model_approved", project=project, actor_id=actor.pk, model=model, destination=destination
        )
    return offered_or_nothing(project, model)


@transaction.atomic
def approval_take(*, project: Project, model: str, actor: User) -> OfferedLanguageModel:
    """Take the approval of the model back, whatever its destination, and pause the evaluations that ask it.

    Doing it twice changes nothing.
    """
    writable_lock(project.pk)
    offered_or_nothing(project, model)
    asking = project.evaluations.filter(
        state__in=Evaluation.WORKING_STATES, spec__language_models__has_key=model
    ).select_for_update()
    for evaluation in asking:
        paused(evaluation, actor)
    for row in project.language_model_approvals.filter(model=model):
        event_write(
            verb="language_model_approval_taken",
            project=project,
            actor_id=actor.pk,
            model=model,
            destination=row.destination,
        )
        row.delete()
    return offered_or_nothing(project, model)


def offered_or_nothing(project: Project, model: str) -> OfferedLanguageModel:
    offered = language_models(project).offered.get(model)
    if offered is None:
        raise NotYours
    return offered
