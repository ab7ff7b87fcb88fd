"""Describe the labels: the questions, when they are asked, and the outcomes; in words and as a table."""

from collections.abc import Iterator, Sequence

from al_worker.formats.plurals import several
from annotation_app.codebook.conditions import AllOf, Answered, Condition, LabelIn
from annotation_app.codebook.question_types.stage import Measure, Stage
from annotation_app.codebook.spans import SpanCategory
from annotation_app.releases.datasheet_facts.facts import DatasheetFacts
from annotation_app.releases.datasheet_facts.size import slots_words
from annotation_app.releases.datasheet_facts.tallies import StageTally
from annotation_app.releases.datasheet_facts.text_parts import bullets, listed, numbers, paragraphs, percent
from annotation_app.releases.markdown import code, inline, unmarked

KINDS: dict[Measure, str] = {
    "nominal": "",
    "ordinal": ", labels in order",
    "interval": ", answered with a number",
    "set": ", answered with several labels",
    "none": ", answered in free text",
}
SETS = (
    "Where several labels may be chosen, more than half must have chosen each label of the set, and more than half "
    "must have left out each other one."
)
NO_CODEBOOK = "No codebook is published yet, so that there are no labels."


def labels(facts: DatasheetFacts) -> str:
    if not facts.versions:
        return NO_CODEBOOK
    return paragraphs([staged(facts), rule(facts), spans(facts), versions(facts)])


def staged(facts: DatasheetFacts) -> str:
    if not facts.has_stages:
        return ""
    stages = {tally.stage.key: tally.stage for tally in facts.tallies}
    return bullets(f"{stage_words(tally, stages)} {outcome_words(tally)}" for tally in facts.tallies)


def stage_words(tally: StageTally, stages: dict[str, Stage]) -> str:
    stage = tally.stage
    when = f"where {condition_words(stage.open_when, stages)}" if stage.open_when else "of every item"
    kind = KINDS[stage.measure]
    return f"**{inline(stage.title)}** ({code(stage.key)}, asked {when}{kind}): {inline(unmarked(stage.prompt))}"


def condition_words(condition: Condition, stages: dict[str, Stage], *, inner: bool = False) -> str:
    if isinstance(condition, Answered):
        stage = stages.get(condition.stage)
        return f"{title(condition.stage, stages)} has {'a label' if stage is None or stage.offered else 'an answer'}"
    if isinstance(condition, LabelIn):
        stage = stages.get(condition.stage)
        either = " or ".join(inline(unmarked(stage.label_name(key) if stage else key)) for key in condition.labels)
        verb = "has" if stage is not None and stage.measure == "set" else "is"
        return f"{title(condition.stage, stages)} {verb} {either}"
    joint = " and " if isinstance(condition, AllOf) else " or "
    said = joint.join(condition_words(part, stages, inner=True) for part in condition.conditions)
    return f"({said})" if inner and len(condition.conditions) > 1 else said


def title(key: str, stages: dict[str, Stage]) -> str:
    return inline(stages[key].title) if key in stages else code(key)


def outcome_words(tally: StageTally) -> str:
    if not tally.labelled and not tally.unlabelled:
        return "No item has come to it."
    parts = [f"{inline(unmarked(tally.name(key)))} {tally.parts[key]:,}" for key in tally.keys]
    if not tally.stage.offered:
        parts = [f"with one answer {tally.labelled:,}{range_words(tally)}"]
    without = f"; without a label {tally.unlabelled:,}" if tally.unlabelled else ""
    return f"Items: {', '.join(parts)}{without}."


def range_words(tally: StageTally) -> str:
    """Describe answers that people wrote: numbers by their least, middle and largest, texts by how many differ."""
    answers = tally.stage.in_order(tally.labels)
    if not answers:
        return ""
    if tally.stage.measure != "interval":
        return f" ({several(len(answers), 'text')})"
    in_order = [answer for answer in answers for _ in range(tally.labels[answer])]
    ends = (in_order[0], in_order[(len(in_order) - 1) // 2], in_order[-1])
    least, half, most = (inline(tally.stage.name_of(each)) for each in ends)
    return f" (from {least} to {most}, median {half})"


def rule(facts: DatasheetFacts) -> str:
    """Describe how one label comes out of several answers."""
    if not facts.has_stages or not facts.rounds:
        return ""
    people = slots_words(facts)
    said = (
        f"Each item was given to {people}. Its label at a stage is the one that more than half of them gave it; where "
        "there is none, the state is `no_majority`, and the votes stand beside it. A stage counts only where the "
        "labels before it say that it is asked; elsewhere its state is `not_applicable`."
    )
    if any_sets(facts):
        said += f" {SETS}"
    return f"{said} {decided(facts)}".strip()


def any_sets(facts: DatasheetFacts) -> bool:
    return any(tally.stage.measure == "set" for tally in facts.tallies)


def decided(facts: DatasheetFacts) -> str:
    n = sum(tally.adjudicated for tally in facts.tallies)
    if not n:
        return "No label was adjudicated."
    sources = [
        f"{several(facts.decisions[kind][0], 'item')} {words}"
        for kind, words in (("adjudication", "by an adjudicator"), ("consensus", "by consensus after a second look"))
        if kind in facts.decisions
    ]
    return (
        f"{several(n, 'label')} ({listed(sources)}) {'was' if n == 1 else 'were'} decided afterwards, with the state "
        "`adjudicated`; agreement figures do not see this."
    )


def spans(facts: DatasheetFacts) -> str:
    if not facts.has_spans:
        return ""
    head = "Annotators mark spans of the text, half-open and in code points, which may overlap. The categories:"
    names = {category.key: category.name for category in facts.categories}
    return paragraphs([head, bullets(category_words(each, names, facts) for each in facts.categories)])


def category_words(category: SpanCategory, names: dict[str, str], facts: DatasheetFacts) -> str:
    where = f"in each {inline(names.get(category.within, category.within))}" if category.within else "in each item"
    least, most = category.at_least, category.at_most
    often = "any number" if not least and most is None else amount(least, most)
    comment = {"none": "", "optional": ", comment allowed", "required": ", with a comment"}[category.comment]
    n = facts.marked.get(category.key, (0, 0))[0]
    return f"**{inline(category.name)}** ({code(category.key)}, {often} {where}{comment}): {several(n, 'span')}."


def amount(least: int, most: int | None) -> str:
    if most is None:
        return f"at least {least}"
    return f"exactly {least}" if least == most else f"{least} to {most}" if least else f"at most {most}"


def versions(facts: DatasheetFacts) -> str:
    used = [each.version for each in facts.versions if each.is_used]
    if len(used) > 1:
        return (
            f"The rounds used versions {numbers(used)} of the codebook; each record says which. Counts are over all of "
            "them, with names as the newest has them."
        )
    return f"The rounds used version {used[0]} of the codebook." if used else ""


def labels_table(facts: DatasheetFacts) -> str:
    """Return items by stage and label, and spans by category; empty where there is nothing to count."""
    rows = [row for tally in facts.tallies for row in stage_rows(tally)]
    parts = []
    if rows and facts.rounds:
        parts.append("\n".join(["| Stage | Label | Items | Share |", "|---|---|---:|---:|", *rows]))
        more = " Where an item has several labels, they add up to more than 100%." if any_sets(facts) else ""
        parts.append(f"Shares are of the items with a label at the stage.{more}")
    if facts.has_spans and facts.marked:
        parts.append("\n".join(["| Category | Spans | Annotations with one |", "|---|---:|---:|", *span_rows(facts)]))
    return paragraphs(parts)


def stage_rows(tally: StageTally) -> Iterator[str]:
    head = f"{inline(tally.stage.title)} ({code(tally.stage.key)})"
    if not tally.labelled and not tally.unlabelled:
        yield f"| {head} | *no item came to it* | 0 |  |"
        return
    if not tally.stage.offered:
        yield f"| {head} | *an answer* | {tally.labelled:,} |  |"
    for place, key in enumerate(tally.keys if tally.stage.offered else ()):
        n = tally.parts[key]
        share = percent(n, tally.labelled) if tally.labelled else "–"
        yield f"| {'' if place else head} | {inline(unmarked(tally.name(key)))} ({code(key)}) | {n:,} | {share} |"
    yield f"|  | *no label* | {tally.unlabelled:,} |  |"
    if tally.closed:
        yield f"|  | *not applicable* | {tally.closed:,} |  |"


def span_rows(facts: DatasheetFacts) -> Sequence[str]:
    names = {category.key: category.name for category in facts.categories}
    keys = list(dict.fromkeys([*names, *sorted(facts.marked)]))
    cells = [(key, *facts.marked.get(key, (0, 0))) for key in keys]
    return [f"| {inline(names.get(key, key))} ({code(key)}) | {n:,} | {items:,} |" for key, n, items in cells]
