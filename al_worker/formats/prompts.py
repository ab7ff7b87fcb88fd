"""Write prompts that ask a language model for one stage's label: templates, their faults, and defaults (OP-FED, G).

A template is text with variables in braces; `{{` and `}}` are braces. The model is asked for a JSON object with
`label`, `explanation` and `confidence`.
"""

import json
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from string import Formatter

VARIABLES = {
    "sentence": "the sentence to label; with the speaker's name where context is shown",
    "speaker": "the speaker's name",
    "context": "the 200 tokens before the utterance, completed to a sentence, and the whole utterance",
    "labels": "the keys of the labels to choose from",
    "definitions": "a line for each label with its name and help",
    "hypothesis": "the statement whose stance is asked for",
    "examples": "examples with their labels, where some are asked for",
}
NEEDED = "labels"
CONTEXT_LABELS = ("yes", "no")
WARNINGS = {
    "sentence": "{sentence} is missing: the model is not shown what it is to label.",
    "context": "{context} is missing: people could open the context of the sentence, and the model is not shown it.",
}


@dataclass(frozen=True, slots=True)
class TemplateFault:
    """Hold one fault of a template and where it stands; line and column count from 1."""

    line: int
    column: int
    message: str


@dataclass(frozen=True, slots=True)
class PromptLabel:
    """Hold one label of a stage as the model reads it."""

    key: str
    name: str
    help: str = ""


@dataclass(frozen=True, slots=True)
class PromptStage:
    """Hold what a default prompt is made from.

    `needs_context` tells that people may open context for this question. `context_of` is the question of another stage
    where this one asks how much context that took. Such a stage is asked as "is more than the sentence needed?".
    """

    prompt: str
    help: str
    labels: Sequence[PromptLabel]
    needs_context: bool = False
    context_of: str | None = None


def template_faults(template: str) -> list[TemplateFault]:
    """Return the faults of a template: braces that do not close, unknown variables, and no {labels}."""
    faults: list[TemplateFault] = []
    found: set[str] = set()
    at = 0
    while (at := _brace(template, at)) < len(template):
        end = template.find("}", at)
        name = template[at + 1 : end] if template[at] == "{" and end >= 0 else None
        if name is None:
            faults.append(_fault(template, at, f"{template[at]} stands alone: write {template[at] * 2} for a brace"))
            at += 1
            continue
        if name not in VARIABLES:
            known = ", ".join(f"{{{variable}}}" for variable in VARIABLES)
            faults.append(_fault(template, at, f"{{{name}}} is no variable: there are {known}"))
        found.add(name)
        at = end + 1
    if NEEDED not in found:
        faults.append(
            _fault(template, len(template), "{labels} is missing: the model must be told what to choose from")
        )
    return faults


def template_warnings(template: str, *, needs_context: bool) -> list[str]:
    """Return what a template without faults does not show the model, though it may be meant so."""
    missing = {"sentence", *(["context"] if needs_context else [])} - variables_of(template)
    return [WARNINGS[name] for name in WARNINGS if name in missing]


def variables_of(template: str) -> set[str]:
    """Return the variables that a template without faults uses."""
    return {name for _, name, _, _ in Formatter().parse(template) if name}


def render(template: str, values: Mapping[str, str]) -> str:
    """Return a template without faults with its variables replaced. Values are taken as they are, braces included."""
    return template.format_map(values)


def sentence_shown(template: str, text: str, speaker: str) -> str:
    """Return {sentence}: it names its speaker where the template shows context, whose other sentences do so too."""
    return f"{speaker}: {text}" if speaker and "context" in variables_of(template) else text


def label_list(labels: Sequence[PromptLabel]) -> str:
    """Return {labels}: the keys as a JSON array."""
    return json.dumps([label.key for label in labels], ensure_ascii=False)


def definition_list(labels: Sequence[PromptLabel]) -> str:
    """Return {definitions}: a line for each label."""
    return "\n".join(f"- {label.key}: {label.name}. {label.help}".rstrip() for label in labels)


def example_list(examples: Sequence[tuple[str, str]]) -> str:
    """Return {examples}: (sentence, label) pairs as the model is to answer them; an empty text without examples."""
    lines = (f"Sentence: {sentence}\nLabel: {json.dumps(label, ensure_ascii=False)}" for sentence, label in examples)
    return "".join(f"{line}\n\n" for line in lines)


def balanced_examples(labelled: Sequence[tuple[str, str, str]], k: int, seed: int) -> list[tuple[str, str]]:
    """Return up to `k` (text, label) pairs from (id, text, label): seeded, and one of each label in turn."""
    shuffled = sorted(labelled)
    random.Random(seed).shuffle(shuffled)
    by_label: dict[str, list[str]] = {}
    for _, text, label in shuffled:
        by_label.setdefault(label, []).append(text)
    turns = sorted((turn, label) for label, own in by_label.items() for turn in range(len(own)))
    return [(by_label[label][turn], label) for turn, label in turns[:k]]


def labels_of(stage: PromptStage) -> Sequence[PromptLabel]:
    """Return what the model chooses from: the stage's labels, or yes and no where it asks for context."""
    return stage.labels if stage.context_of is None else [PromptLabel(key, key.capitalize()) for key in CONTEXT_LABELS]


def default_template(stage: PromptStage) -> str:
    """Return the template that a stage starts with."""
    question = _escaped(stage.prompt)
    if stage.context_of is not None:
        question = (
            "Read the sentence alone. Would you need more context than the sentence to answer this question? "
            f'"{_escaped(stage.context_of)}"'
        )
    parts = [question, _escaped(stage.help)]
    if stage.context_of is None:
        parts.append("What the labels mean:\n{definitions}")
    parts += [
        "Choose exactly one of these labels: {labels}",
        "Answer with a JSON object of three keys. label: one of the labels, unchanged. explanation: one short "
        "sentence. confidence: how sure you are of the label, a number from 0 to 1.",
        "{examples}" + ("Context: {context}\n\n" if stage.needs_context else "") + "Sentence: {sentence}",
    ]
    return "\n\n".join(part for part in parts if part)


def _escaped(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")


def _brace(template: str, at: int) -> int:
    """Return where the next single brace stands from `at` on, or the end."""
    while at < len(template):
        if template[at : at + 2] in ("{{", "}}"):
            at += 2
        elif template[at] in "{}":
            return at
        else:
            at += 1
    return at


def _fault(template: str, at: int, message: str) -> TemplateFault:
    before = template[:at]
    return TemplateFault(before.count("\n") + 1, at - before.rfind("\n"), message)
