"""Make Tables 1 and 9: examples that the admin chose, with their labels and the context that these needed."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from al_worker.formats.paper_tables import Cell, Column, Table, words
from annotation_app.aggregation.rules import Aggregated, aggregate
from annotation_app.codebook.question_types.stage import Stage
from annotation_app.dashboards.report.facts import LEVELS, WAITING, ReportFacts
from annotation_app.dashboards.report.statements import rows_of
from annotation_app.ingest.context import context_for
from annotation_app.ingest.context_levels import Context, Turn
from annotation_app.models import Annotation, Item
from annotation_app.refusals import Invalid

MOST_CANDIDATES = 60
MOST_CHOSEN = 50
NOT_APPLICABLE, NO_MAJORITY, ADJUDICATED = "*", "no majority", "adjudicated"
NONE_CHOSEN = "No examples are chosen yet."
NO_CONTEXT = "n/a"


@dataclass(frozen=True)
class Example:
    """Hold an item with its outcomes:

    `stages` include decisions, `voted` do not. `level` is the widest context that a label of it needed, "" where none
    was asked for or agreed on; `needed` is that context's text. `finished` means that its answers are all in.
    """

    id: str
    text: str
    speaker: str
    document: str
    round: int
    stages: Mapping[str, Aggregated]
    voted: Mapping[str, Aggregated]
    finished: bool
    level: str
    needed: str


@dataclass(frozen=True)
class Examples:
    """Hold `chosen` examples in the order in which they were named; `candidates` do not repeat them."""

    chosen: Sequence[Example]
    candidates: Sequence[Example]


def examples_of(facts: ReportFacts, names: Sequence[str]) -> Examples:
    """Return the examples. `names` are items' own ids. Raises Invalid."""
    rows = found_rows(facts, names) if facts.questions else []
    items = Item.objects.select_related("utterance", "document").in_bulk([row.item for row in rows])
    contexts = context_for(list(items.values())) if items else {}
    made = [(row.named, example(facts, items[row.item], row, contexts[row.item])) for row in rows]
    chosen = {found.id: found for named, found in made if named}
    if unknown := [name for name in names if name not in chosen]:
        named = ", ".join(repr(name) for name in unknown)
        raise Invalid({"example": [f"No round has given out {named}: name items by their id."]})
    return Examples([chosen[name] for name in dict.fromkeys(names)], [found for named, found in made if not named])


class FoundRow(NamedTuple):
    """Hold a row of example_items.sql; `majorities` and `decided` are {stage: label}."""

    item: int
    round: int
    codebook: int
    majorities: Mapping[str, str]
    decided: Mapping[str, str]
    finished: bool
    named: bool


def found_rows(facts: ReportFacts, names: Sequence[str]) -> list[FoundRow]:
    bound = {"named": list(names), "most": MOST_CANDIDATES}
    # From the counts that the facts' table of agreement brought up to date.
    rows = rows_of("example_items", facts.project, bound)
    return [
        FoundRow(item, round_, codebook, json.loads(majorities), json.loads(decided), *rest)
        for item, round_, codebook, majorities, decided, *rest in rows
    ]


def example(facts: ReportFacts, item: Item, row: FoundRow, context: Context) -> Example:
    codebook = facts.codebooks[row.codebook]
    stages = aggregate(codebook, row.majorities, {}, row.decided)
    level = most_needed(facts, stages)
    return Example(
        id=item.external_id,
        text=item.text,
        speaker=item.utterance.speaker,
        document=item.document.name,
        round=row.round,
        stages=stages,
        voted=aggregate(codebook, row.majorities, {}),
        finished=row.finished,
        level=level,
        needed=context_words(item, context, level),
    )


def most_needed(facts: ReportFacts, stages: Mapping[str, Aggregated]) -> str:
    """Return the widest context among the aggregated labels of the stages that ask for it (OP-FED Table 9)."""
    labels = [stages[stage.key].label for stage in facts.context_stages if stage.key in stages]
    found = [label for label in LEVELS if label in labels]
    return found[-1] if found else ""


def context_words(item: Item, context: Context, level: str) -> str:
    """Return the text at a context level; empty for the sentence itself."""
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
    """Return one turn a line, and say where the document starts."""
    lines = [f"{turn.speaker}: {turn.text}" if turn.speaker else turn.text for turn in turns]
    return "\n".join(lines) or "(the document starts here)"


def table_1(facts: ReportFacts, examples: Examples) -> Table:
    return Table(
        key="table_1",
        title="Chosen examples and their labels",
        source="Table 1",
        about=f"Majority labels; where a label was adjudicated that one, named as such, and what the votes came to. "
        f"{NOT_APPLICABLE} the stage does not apply, by the codebook's conditions.",
        columns=(
            Column("id", "Id"),
            Column("text", "Sentence", "long"),
            *(Column(stage.key, stage.title, has_key=True) for stage in facts.questions),
        ),
        rows=[
            [
                Cell(shown.id, shown.id),
                Cell(f"“{shown.text}”", shown.text),
                *(label_cell(facts, shown, stage.key) for stage in facts.questions),
            ]
            for shown in examples.chosen
        ],
        missing=missing_of(facts, examples),
    )


def label_cell(facts: ReportFacts, shown: Example, stage: str) -> Cell:
    at_stage = shown.stages.get(stage, Aggregated("not_applicable"))
    waits = at_stage.state == "no_majority" and not shown.finished
    key = at_stage.label or ("waiting" if waits else at_stage.state)
    return words(label_words(facts, shown, stage), key=key)


def label_words(facts: ReportFacts, shown: Example, stage: str) -> str:
    """Return the label's name and whether it was adjudicated, or why there is no label."""
    at_stage = shown.stages.get(stage)
    if at_stage is None or at_stage.state == "not_applicable":
        return NOT_APPLICABLE
    if at_stage.label is None:
        return no_label_words(shown)
    named = next(each for each in facts.questions if each.key == stage)
    name = named.name_of(at_stage.label)
    return f"{name} ({adjudicated_words(named, shown)})" if at_stage.state == "adjudicated" else name


def no_label_words(shown: Example) -> str:
    return NO_MAJORITY if shown.finished else WAITING


def adjudicated_words(stage: Stage, shown: Example) -> str:
    """Name the outcome of the votes beside a decision that differs from it."""
    voted = shown.voted[stage.key]
    if voted.state == "not_applicable" or voted.label == shown.stages[stage.key].label:
        return ADJUDICATED
    votes = f"majority {stage.name_of(voted.label)}" if voted.label else NO_MAJORITY
    return f"{ADJUDICATED}; {votes}"


def table_9(facts: ReportFacts, examples: Examples) -> Table:
    return Table(
        key="table_9",
        title="Chosen examples with the context that they needed",
        source="Table 9",
        about="The most context that any label of the item needed, by its majority labels and, where one was "
        f"adjudicated, that one; {NO_CONTEXT} where no label asks for context.",
        columns=(
            Column("id", "Id"),
            Column("text", "Sentence", "long"),
            Column("needed", "Needed", has_key=True),
            Column("context", "Context", "long"),
        ),
        rows=[
            [
                Cell(shown.id, shown.id),
                Cell(f"“{shown.text}”", shown.text),
                words(level_words(facts, shown), key=shown.level),
                Cell(shown.needed, shown.needed),
            ]
            for shown in examples.chosen
        ],
        missing=missing_of(facts, examples),
    )


def level_words(facts: ReportFacts, shown: Example) -> str:
    """Return the codebook's name of the context level, or that people could not agree on one."""
    results = [shown.stages[stage.key] for stage in facts.context_stages if stage.key in shown.stages]
    if shown.level:
        asked = next(stage for stage in facts.context_stages if shown.level in stage.label_keys)
        alone = all(each.state == ADJUDICATED for each in results if each.label == shown.level)
        return asked.name_of(shown.level) + (f" ({ADJUDICATED})" if alone else "")
    states = {each.state for each in results}
    return no_label_words(shown) if "no_majority" in states else NO_CONTEXT


def missing_of(facts: ReportFacts, examples: Examples) -> str:
    return facts.missing_questions or ("" if examples.chosen else NONE_CHOSEN)
