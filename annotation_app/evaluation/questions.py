"""Say what an evaluation asks at each stage of a codebook: its labels, and what its prompt is made of."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from al_worker.formats.prompts import (
    CONTEXT_LABELS,
    PromptLabel,
    PromptStage,
    default_template,
    definition_list,
    labels_of,
)
from annotation_app.codebook.conditions import stages_named
from annotation_app.codebook.definition import codebook_of
from annotation_app.codebook.question_types.label import LabelStage
from annotation_app.codebook.stages import Codebook
from annotation_app.models import Annotation, CodebookVersion, Project
from annotation_app.projects.services import published_codebook
from annotation_app.refusals import Refused
from annotation_app.rounds.training_set import stage_labels

YES, NO = CONTEXT_LABELS
QUOTED = re.compile(r"“([^”]+)”|\"([^\"]+)\"|„([^“]+)“|«([^»]+)»")


@dataclass(frozen=True)
class Question:
    """Hold what is asked at one stage.

    A stage that asks how much context another took is asked as "was more than the sentence needed?".
    """

    stage: LabelStage
    learnt: tuple[str, ...]
    needs_context: bool
    context_of: LabelStage | None

    @property
    def key(self) -> str:
        return self.stage.key

    @property
    def title(self) -> str:
        return self.stage.title

    @property
    def is_context(self) -> bool:
        return self.context_of is not None

    @property
    def has_gate(self) -> bool:
        """Tell whether the stage is open for some items only, so that the pool says nothing of its labels' shares."""
        return self.stage.open_when is not None

    @cached_property
    def prompt_stage(self) -> PromptStage:
        return PromptStage(
            prompt=self.stage.prompt,
            help=self.stage.help,
            labels=[
                PromptLabel(each.key, each.name, each.help) for each in self.stage.labels if each.key in self.learnt
            ],
            needs_context=self.needs_context,
            context_of=None if self.context_of is None else self.context_of.prompt,
        )

    @property
    def prompt_labels(self) -> list[PromptLabel]:
        return list(labels_of(self.prompt_stage))

    @property
    def labels(self) -> list[str]:
        """Return the labels to choose from, without those that the codebook keeps out of learning."""
        return [label.key for label in self.prompt_labels]

    @property
    def default_template(self) -> str:
        return default_template(self.prompt_stage)

    @property
    def definitions(self) -> str:
        return definition_list(self.prompt_labels)

    @property
    def hypothesis(self) -> str:
        """Return the statement that the question quotes; empty where it quotes none."""
        found = QUOTED.search(self.stage.prompt)
        return next(filter(None, found.groups())) if found else ""

    def asked(self, label: str) -> str:
        """Return the label of people as the question has it."""
        if not self.is_context:
            return label
        return NO if label == Annotation.ContextOpened.SENTENCE else YES


def evaluated_codebook(project: Project) -> CodebookVersion:
    """Return the published codebook. Raises Refused where no stage is answered with one label."""
    version = published_codebook(project)
    if version is None:
        raise Refused("no_codebook", "This project has no published codebook: publish one first.")
    definition = codebook_of(version)
    if not definition.stages:
        raise Refused("spans", "The codebook has only spans: evaluations compare the labels of stages.")
    if not definition.label_stages:
        detail = "No stage of the codebook is answered with one label of several: only such stages can be evaluated."
        raise Refused("no_label_stages", detail)
    return version


def questions_of(codebook: Codebook) -> dict[str, Question]:
    """Return the stages that can be evaluated, by key: those with two labels or more to choose from."""
    asked_about = {stage.key: subject_of(codebook, stage) for stage in codebook.label_stages if stage.asks_for_context}
    with_context = {subject.key for subject in asked_about.values()}
    questions = (
        Question(stage, stage_labels(codebook, stage.key), stage.key in with_context, asked_about.get(stage.key))
        for stage in codebook.label_stages
    )
    return {question.key: question for question in questions if len(question.labels) > 1}


def not_evaluated(codebook: Codebook, key: str) -> str:
    """Return why a stage that is none of `questions_of` cannot be evaluated, and which stages can."""
    stage = codebook.by_key.get(key)
    is_other_type = stage is not None and not isinstance(stage, LabelStage)
    why = "is not answered with one label of several" if is_other_type else "is no stage with two labels or more"
    return f"{key!r} {why}: there are {', '.join(questions_of(codebook))}."


def subject_of(codebook: Codebook, stage: LabelStage) -> LabelStage:
    """Return the stage whose context a stage asks for: the last one that opens it, else the one before it."""
    return next(subjects(codebook, stage), stage)


def subjects(codebook: Codebook, stage: LabelStage) -> Iterator[LabelStage]:
    named = set(stages_named(stage.open_when)) if stage.open_when else set()
    place = codebook.label_stages.index(stage)
    before = [each for each in codebook.label_stages[:place][::-1] if not each.asks_for_context]
    yield from (each for each in before if each.key in named)
    yield from before
