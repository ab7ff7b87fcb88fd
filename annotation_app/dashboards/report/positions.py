"""Make Figure 3: where in their documents the items with each label stand, in tenths."""

import json
from collections import Counter, defaultdict

from al_worker.formats.intervals import wilson
from al_worker.formats.paper_tables import Cell, Column, Table, share_cell, whole
from al_worker.formats.plurals import several
from annotation_app.aggregation.rules import aggregated_labels
from annotation_app.codebook.question_types.label import LabelStage
from annotation_app.dashboards.report.facts import NO_MAJORITIES, NO_POSITIVE, ReportFacts
from annotation_app.dashboards.report.figures import Bar, Figure, Part, nothing_drawn
from annotation_app.dashboards.report.statements import rows_of

SHORT = "Every document has fewer than ten sentences: there are no tenths to count in."
TENTHS = range(10)
OTHER = "other"
# {tenth, None for short documents: {label: items}} by stage.
Tenths = dict[int | None, Counter[str]]


def figures_3(facts: ReportFacts) -> list[Figure]:
    """Make a figure for each stage with positive labels; the paper prints the first. Tenths are of sentences."""
    if facts.missing or not facts.positive_stages:
        missing = facts.missing or NO_POSITIVE
        return [nothing_drawn("figure_3", "Positive labels by place in the document", "Figure 3", missing)]
    placed = labels_by_tenth(facts)
    return [stage_figure(stage, placed[stage.key]) for stage in facts.positive_stages]


def labels_by_tenth(facts: ReportFacts) -> dict[str, Tenths]:
    """Count labels by tenth, from the counts that the table of agreement brought up to date."""
    found: dict[str, Tenths] = defaultdict(lambda: defaultdict(Counter))
    for codebook, majorities, tenth, n in rows_of("positions", facts.project):
        for stage, label in aggregated_labels(facts.codebooks[codebook], json.loads(majorities)).items():
            found[stage][None if tenth is None else int(tenth)][label] += n
    return found


def stage_figure(stage: LabelStage, placed: Tenths) -> Figure:
    key, title = f"figure_3_{stage.key}", f"Place in the document: {stage.title}"
    if not any(placed.values()):
        return nothing_drawn(key, title, "Figure 3", NO_MAJORITIES)
    if not any(placed[tenth] for tenth in TENTHS):
        return nothing_drawn(key, title, "Figure 3", SHORT)
    about = "Items by their majority label and the tenth of their document's sentences in which they stand."
    short = placed[None].total()
    notes = [f"Left out: {several(short, 'item')} of documents with fewer than ten sentences."] if short else []
    positive = ", ".join(stage.name_of(label) for label in stage.positive)
    return Figure(
        key=key,
        title=title,
        source="Figure 3",
        about=about,
        table=tenths_table(key, title, about, stage, placed, notes),
        x_name="tenth of the document",
        y_name="items",
        parts=[*(Part(label, stage.name_of(label)) for label in stage.positive), Part(OTHER, "Other labels", True)],
        bars=[Bar(tenth_words(tenth), bar_values(stage, placed[tenth])) for tenth in TENTHS],
        alternative=f"Positive ({positive}), of items with a majority: "
        + "; ".join(f"{tenth_words(tenth)} {positive_of(stage, placed[tenth])}" for tenth in TENTHS),
        notes=notes,
    )


def tenth_words(tenth: int) -> str:
    return f"{10 * tenth}–{10 * (tenth + 1)}%"


def bar_values(stage: LabelStage, counts: Counter[str]) -> dict[str, float]:
    values: dict[str, float] = {label: counts[label] for label in stage.positive}
    return values | {OTHER: counts.total() - sum(values.values())}


def positive_of(stage: LabelStage, counts: Counter[str]) -> str:
    return f"{sum(counts[label] for label in stage.positive)} of {counts.total()}"


def tenths_table(key: str, title: str, about: str, stage: LabelStage, placed: Tenths, notes: list[str]) -> Table:
    return Table(
        key=key,
        title=title,
        source="Figure 3",
        about=about,
        columns=(
            Column("tenth", "Tenth"),
            *(Column(label.key, label.name, "number") for label in stage.labels),
            Column("n", "n", "number"),
            Column("positive_share", "Positive", "number", has_interval=True),
        ),
        rows=[tenth_row(stage, tenth, placed[tenth]) for tenth in TENTHS],
        notes=notes,
    )


def tenth_row(stage: LabelStage, tenth: int, counts: Counter[str]) -> list[Cell]:
    return [
        Cell(tenth_words(tenth), tenth + 1),
        *(whole(counts[label.key]) for label in stage.labels),
        whole(counts.total()),
        share_cell(wilson(sum(counts[label] for label in stage.positive), counts.total())),
    ]
