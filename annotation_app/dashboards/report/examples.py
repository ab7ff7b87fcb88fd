"""Tables 1 and 9: examples that the admin chose, with their labels and the context that these needed."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from annotation_app.aggregation.rules import Aggregated, aggregate
from annotation_app.agreement.statements import KEPT_BY_UNIT
from annotation_app.codebook.stages import Codebook
from annotation_app.dashboards.report.facts import Facts, label_name
from annotation_app.dashboards.report.statements import rows_of
from annotation_app.dashboards.report.tables import Cell, Column, Table
from annotation_app.ingest.context import context_for
from annotation_app.ingest.ladder import Context, Turn
from annotation_app.models import Annotation, Item

MOST_CANDIDATES = 60
MOST_CHOSEN = 50
NOT_APPLICABLE, NO_MAJORITY = "*", "no majority"
NONE_CHOSEN = "No examples are chosen yet."
NO_CONTEXT = "n/a"
LADDER = tuple(Annotation.ContextOpened.values)


class UnknownExamples(ValueError):
    """Named items that no round of the project has given out."""

    def __init__(self, names: Sequence[str]) -> None:
        super().__init__(f"No round has given out {', '.join(repr(name) for name in names)}: name items by their id.")


@dataclass(frozen=True)
class Example:
    """An item with the states of its stages. `level` is the most context that a label of it needed, "" where none was
    asked for or agreed on; `needed` is that context's text.
    """

    id: str
    text: str
    speaker: str
    document: str
    round: int
    stages: Mapping[str, Aggregated]
    level: str
    needed: str


@dataclass(frozen=True)
class Examples:
    """`chosen` in the order in which they were named; `candidates` do not repeat them."""

    chosen: Sequence[Example]
    candidates: Sequence[Example]


def examples_of(facts: Facts, names: Sequence[str]) -> Examples:
    """`names` are items' own ids. Raises UnknownExamples."""
    staged = bool(facts.stages)
    asked = {"named": list(names), "most": MOST_CANDIDATES}
    # From the counts that the facts' table of agreement brought up to date.
    rows = rows_of("example_items", facts.project, asked, parts=KEPT_BY_UNIT) if staged else []
    items = Item.objects.select_related("utterance", "document").in_bulk([row[0] for row in rows])
    contexts = context_for(list(items.values())) if items else {}
    made = [
        (named, example(facts, items[item], round_, facts.codebooks[codebook], majorities, contexts[item]))
        for item, round_, codebook, majorities, named in rows
    ]
    chosen = {found.id: found for named, found in made if named}
    if unknown := [name for name in names if name not in chosen]:
        raise UnknownExamples(unknown)
    return Examples([chosen[name] for name in dict.fromkeys(names)], [found for named, found in made if not named])


def example(facts: Facts, item: Item, round_: int, codebook: Codebook, majorities: str, context: Context) -> Example:
    stages = aggregate(codebook, json.loads(majorities), {})
    level = most_needed(facts, stages)
    return Example(
        id=item.external_id,
        text=item.text,
        speaker=item.utterance.speaker,
        document=item.document.title or item.document.external_id,
        round=round_,
        stages=stages,
        level=level,
        needed=context_words(item, context, level),
    )


def most_needed(facts: Facts, stages: Mapping[str, Aggregated]) -> str:
    """The widest context among the aggregated labels of the stages that ask for it (OP-FED Table 9)."""
    labels = [stages[stage.key].label for stage in facts.context_stages if stage.key in stages]
    found = [label for label in LADDER if label in labels]
    return found[-1] if found else ""


def context_words(item: Item, context: Context, level: str) -> str:
    """The text at a rung of the ladder; empty for the sentence itself."""
    match level:
        case Annotation.ContextOpened.UTTERANCE:
            around = context.utterance
            return f"{around.before}{item.text}{around.after}" if around else item.text
        case Annotation.ContextOpened.MINUS_5_SENTENCES:
            return turns_words(context.minus_5_sentences)
        case Annotation.ContextOpened.MINUS_200_TOKENS:
            return turns_words(context.minus_200_tokens)
    return ""


def turns_words(turns: Sequence[Turn]) -> str:
    """One turn a line; where the document starts there, that is said."""
    lines = [f"{turn.speaker}: {turn.text}" if turn.speaker else turn.text for turn in turns]
    return "\n".join(lines) or "(the document starts here)"


def table_1(facts: Facts, examples: Examples) -> Table:
    return Table(
        key="table_1",
        title="Chosen examples and their labels",
        source="Table 1",
        about=f"{NOT_APPLICABLE} the stage does not apply, by the codebook's conditions.",
        columns=(
            Column("id", "Id"),
            Column("text", "Sentence", "long"),
            *(Column(stage.key, stage.title) for stage in facts.stages),
        ),
        rows=[
            [
                Cell(shown.id, shown.id),
                Cell(f"“{shown.text}”", shown.text),
                *(label_cell(facts, shown, stage.key) for stage in facts.stages),
            ]
            for shown in examples.chosen
        ],
        missing=missing_of(facts, examples),
    )


def label_cell(facts: Facts, shown: Example, stage: str) -> Cell:
    text = label_words(facts, shown, stage)
    return Cell(text, shown.stages[stage].label or text if stage in shown.stages else text)


def label_words(facts: Facts, shown: Example, stage: str) -> str:
    """The label's name, the mark of what does not apply, or that there is no majority."""
    at_stage = shown.stages.get(stage)
    if at_stage is None or at_stage.state == "not_applicable":
        return NOT_APPLICABLE
    named = next(each for each in facts.stages if each.key == stage)
    return NO_MAJORITY if at_stage.label is None else label_name(named, at_stage.label)


def table_9(facts: Facts, examples: Examples) -> Table:
    return Table(
        key="table_9",
        title="Chosen examples with the context that they needed",
        source="Table 9",
        about=f"The most context that any label of the item needed; {NO_CONTEXT} where no label asks for context.",
        columns=(
            Column("id", "Id"),
            Column("text", "Sentence", "long"),
            Column("needed", "Needed"),
            Column("context", "Context", "long"),
        ),
        rows=[
            [
                Cell(shown.id, shown.id),
                Cell(f"“{shown.text}”", shown.text),
                Cell(level_words(facts, shown), shown.level or NO_CONTEXT),
                Cell(shown.needed, shown.needed),
            ]
            for shown in examples.chosen
        ],
        missing=missing_of(facts, examples),
    )


def level_words(facts: Facts, shown: Example) -> str:
    """As the codebook names the rung; that people could not agree on it, where that is so."""
    if shown.level:
        asked = next(stage for stage in facts.context_stages if shown.level in stage.label_keys)
        return label_name(asked, shown.level)
    states = {shown.stages[stage.key].state for stage in facts.context_stages if stage.key in shown.stages}
    return NO_MAJORITY if "no_majority" in states else NO_CONTEXT


def missing_of(facts: Facts, examples: Examples) -> str:
    return facts.missing or ("" if examples.chosen else NONE_CHOSEN)
