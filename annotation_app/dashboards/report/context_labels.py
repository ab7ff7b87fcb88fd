"""Make Figure 4: the context that annotators say they needed, and beside it the context that they opened."""

from collections import Counter

from al_worker.formats.paper_tables import Cell, Column, Table, percent_words, whole, words
from annotation_app.codebook.question_types.label import LabelStage
from annotation_app.dashboards.report.facts import LEVELS, ReportFacts
from annotation_app.dashboards.report.figures import Bar, Figure, Part, nothing_drawn
from annotation_app.dashboards.report.statements import rows_of
from annotation_app.models import Annotation

NO_CONTEXT_STAGE = (
    "No stage asks how much context was needed: its labels would be " + ", ".join(Annotation.ContextOpened.values) + "."
)
NO_ANSWERS = "Nobody has answered this stage yet."
# (annotator, stage, declared, opened) and how often.
Answers = list[tuple[int, str, str, str, int]]


def context_answers(facts: ReportFacts) -> Answers:
    stages = [stage.key for stage in facts.context_stages]
    return list(rows_of("context_answers", facts.project, {"stages": stages})) if stages else []


def figures_4(facts: ReportFacts, answers: Answers) -> list[Figure]:
    """Make a figure for each stage that asks for context: shares of each annotator's labels (OP-FED Figure 4)."""
    if facts.missing or not facts.context_stages:
        missing = facts.missing or NO_CONTEXT_STAGE
        return [nothing_drawn("figure_4", "Context needed, by annotator", "Figure 4", missing)]
    return [stage_figure(facts, stage, answers) for stage in facts.context_stages]


def stage_figure(facts: ReportFacts, stage: LabelStage, answers: Answers) -> Figure:
    key, title = f"figure_4_{stage.key}", f"Labels of each annotator: {stage.title}"
    counts = by_annotator(stage, answers)
    if not counts:
        return nothing_drawn(key, title, "Figure 4", NO_ANSWERS)
    about = "Share of each annotator's own labels at the stage, whatever the others said."
    return Figure(
        key=key,
        title=title,
        source="Figure 4",
        about=about,
        table=label_table(key, title, about, stage, counts),
        x_name="annotator",
        y_name="share of the annotator's labels",
        is_share=True,
        parts=[Part(label.key, label.name) for label in stage.labels],
        bars=[Bar(str(number), shares(found)) for number, found in counts.items()],
        alternative="; ".join(bar_words(stage, number, found) for number, found in counts.items()),
    )


def by_annotator(stage: LabelStage, answers: Answers) -> dict[int, Counter[str]]:
    found: dict[int, Counter[str]] = {}
    for number, key, label, _, n in sorted(answers):
        if key == stage.key:
            found.setdefault(number, Counter())[label] += n
    return found


def shares(counts: Counter[str]) -> dict[str, float]:
    return {label: n / counts.total() for label, n in counts.items()}


def bar_words(stage: LabelStage, number: int, counts: Counter[str]) -> str:
    said = ", ".join(f"{label.name} {percent_words(counts[label.key] / counts.total())}" for label in stage.labels)
    return f"Annotator {number}: {said}"


def label_table(key: str, title: str, about: str, stage: LabelStage, counts: dict[int, Counter[str]]) -> Table:
    return Table(
        key=key,
        title=title,
        source="Figure 4",
        about=about,
        columns=(
            Column("annotator", "Annotator"),
            *(Column(label.key, label.name, "number") for label in stage.labels),
            Column("n", "n", "number"),
        ),
        rows=[
            [
                Cell(str(number), number),
                *(share_cell(found[label.key], found.total()) for label in stage.labels),
                whole(found.total()),
            ]
            for number, found in counts.items()
        ],
        notes=["In files the label columns are counts."],
    )


def share_cell(count: int, n: int) -> Cell:
    return Cell(f"{percent_words(count / n)} ({count:,})", count)


def cross_tables(facts: ReportFacts, answers: Answers) -> list[Table]:
    """Make a table for each stage that asks for context: what was declared against what was opened."""
    return [] if facts.missing else [cross_table(facts, stage, answers) for stage in facts.context_stages]


def cross_table(facts: ReportFacts, stage: LabelStage, answers: Answers) -> Table:
    counts = Counter[tuple[str, str]]()
    for _, key, label, opened, n in answers:
        if key == stage.key:
            counts[label, opened] += n
    missing = "" if counts else NO_ANSWERS
    return Table(
        key=f"cross_{stage.key}",
        title=f"Declared against opened: {stage.title}",
        source="beside Figure 4",
        about="Answers by the context that the annotator said was needed (rows) and how far it was opened before "
        "answering (columns).",
        columns=(
            Column("declared", "Declared", has_key=True),
            *(Column(f"opened_{level}", opened_name(stage, level), "number") for level in LEVELS),
            Column("n", "n", "number"),
        ),
        rows=[] if missing else cross_rows(stage, counts),
        notes=[] if missing else [beyond(counts)],
        missing=missing,
    )


def opened_name(stage: LabelStage, level: str) -> str:
    return f"Opened: {stage.name_of(level) if level in stage.label_keys else Annotation.ContextOpened(level).label}"


def cross_rows(stage: LabelStage, counts: Counter[tuple[str, str]]) -> list[list[Cell]]:
    return [
        [
            words(label.name, key=label.key),
            *(whole(counts[label.key, level]) for level in LEVELS),
            whole(sum(counts[label.key, level] for level in LEVELS)),
        ]
        for label in stage.labels
    ]


def beyond(counts: Counter[tuple[str, str]]) -> str:
    """Count declarations of more context than was ever opened, which cannot come from reading it."""
    place = {level: number for number, level in enumerate(LEVELS)}
    more = sum(n for (label, opened), n in counts.items() if label in LEVELS and place[label] > place[opened])
    share = percent_words(more / counts.total())
    return f"{more:,} of {counts.total():,} answers ({share}) declare more context than was opened."
