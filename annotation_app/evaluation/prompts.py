"""Fill prompts with items, preview them, and save their versions."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import Max

from al_worker.formats.prompts import (
    TemplateFault,
    balanced_examples,
    example_list,
    label_list,
    render,
    sentence_shown,
    template_faults,
    template_warnings,
)
from annotation_app.evaluation.questions import Question
from annotation_app.ingest.context import context_for
from annotation_app.ingest.context_levels import Context, Turn
from annotation_app.models import Item, Project, PromptVersion, User, event_write
from annotation_app.projects.writable import writable_lock
from annotation_app.refusals import Invalid, NotYours, Refused

MAX_TEMPLATE = 20_000
READ_AT_ONCE = 500


@dataclass(frozen=True)
class ItemTexts:
    """Hold what a prompt may say of an item. `context` is the 200 words before its utterance, and the utterance."""

    item_id: int
    external_id: str
    text: str
    speaker: str
    context: str


def texts_of(items: Sequence[int]) -> Iterator[ItemTexts]:
    """Yield the texts of items, in the order of their ids, a few hundred at a time."""
    for start in range(0, len(items), READ_AT_ONCE):
        rows = list(
            Item.objects.filter(pk__in=items[start : start + READ_AT_ONCE]).select_related("utterance").order_by("pk")
        )
        contexts = context_for(rows)
        for row in rows:
            yield item_texts(row, contexts[row.pk])


def item_texts(item: Item, context: Context) -> ItemTexts:
    speaker = item.utterance.speaker
    turns = [*context.minus_200_tokens, Turn(speaker, item.utterance.text)]
    return ItemTexts(item.pk, item.external_id, item.text, speaker, "\n".join(map(turn_line, turns)))


def turn_line(turn: Turn) -> str:
    return f"{turn.speaker}: {turn.text}" if turn.speaker else turn.text


def prompt_of(question: Question, template: str, item: ItemTexts, examples: Sequence[tuple[str, str]] = ()) -> str:
    """Return the prompt of an item by a template without faults."""
    values = {
        "sentence": sentence_shown(template, item.text, item.speaker),
        "speaker": item.speaker,
        "context": item.context,
        "labels": label_list(question.prompt_labels),
        "definitions": question.definitions,
        "hypothesis": question.hypothesis,
        "examples": example_list(examples),
    }
    return render(template, values)


@dataclass(frozen=True)
class Preview:
    item: Item | None
    prompt: str | None
    faults: list[TemplateFault]
    warnings: list[str]


def prompt_preview(
    *, question: Question, template: str, item: Item | None, labelled: Sequence[tuple[str, str, str]], examples: int
) -> Preview:
    """Return the prompt of an item. `labelled` are (id, text, label) that examples may come from."""
    faults = template_faults(template)
    warnings = [] if faults else template_warnings(template, needs_context=question.needs_context)
    if faults or item is None:
        return Preview(item, None, faults, warnings)
    [texts] = texts_of([item.pk])
    others = [each for each in labelled if each[0] != item.external_id]
    return Preview(item, prompt_of(question, template, texts, balanced_examples(others, examples, 0)), [], warnings)


def template_hash(template: str) -> str:
    return hashlib.sha256(template.encode()).hexdigest()


def prompt_numbered(project: Project, question: Question, number: int | None) -> tuple[int, str]:
    """Return number and template of a version: the newest where none is named. Raises NotYours where it is not there.

    Number 0 is the default, which stands for the newest where nobody has saved one.
    """
    rows = project.prompt_versions.filter(stage=question.key)
    row = rows.order_by("-number").first() if number is None else rows.filter(number=number).first()
    if row is not None:
        return row.number, row.template
    if number:
        raise NotYours
    return 0, question.default_template


def prompts_asked(
    project: Project, questions: Mapping[str, Question], numbers: Mapping[str, int]
) -> dict[str, tuple[int, str]]:
    """Return (number, template) for each stage. Raises Invalid for a version that is not there."""
    found: dict[str, tuple[int, str]] = {}
    errors: dict[str, list[str]] = {}
    for stage, question in questions.items():
        try:
            found[stage] = prompt_numbered(project, question, numbers.get(stage))
        except NotYours:
            errors[f"prompts.{stage}"] = [f"There is no version {numbers[stage]} of this prompt."]
    if errors:
        raise Invalid(errors)
    return found


@transaction.atomic
def prompt_save(*, project: Project, question: Question, template: str, base_number: int, actor: User) -> PromptVersion:
    """Save a template as the next version of a stage's prompt.

    Raises Invalid for its faults, Refused (stale) where it was written from an older version.
    """
    if faults := template_faults(template):
        raise Invalid({"template": [fault_words(fault) for fault in faults]})
    writable_lock(project.pk)
    newest = project.prompt_versions.filter(stage=question.key).aggregate(newest=Max("number"))["newest"] or 0
    if base_number != newest:
        detail = f"Version {newest} of this prompt was saved meanwhile: look at it, then save yours again."
        raise Refused("stale", detail, number=newest)
    row = PromptVersion.objects.create(
        project=project, stage=question.key, number=newest + 1, template=template, created_by=actor
    )
    event_write(
        verb="prompt_saved",
        project=project,
        actor_id=actor.pk,
        stage=question.key,
        number=row.number,
        sha256=template_hash(template),
    )
    return row


def fault_words(fault: TemplateFault) -> str:
    return f"line {fault.line}, column {fault.column}: {fault.message}"


def prompt_views(project: Project, questions: Mapping[str, Question]) -> list[dict[str, Any]]:
    """Return the newest prompt of each stage, its default, and its versions, newest first."""
    versions: dict[str, list[PromptVersion]] = {}
    for row in project.prompt_versions.select_related("created_by").order_by("stage", "-number"):
        versions.setdefault(row.stage, []).append(row)
    return [prompt_view(question, versions.get(stage, [])) for stage, question in questions.items()]


def prompt_view(question: Question, versions: Sequence[PromptVersion]) -> dict[str, Any]:
    return {
        "stage": question.key,
        "number": versions[0].number if versions else 0,
        "template": versions[0].template if versions else question.default_template,
        "default_template": question.default_template,
        "versions": versions,
    }
