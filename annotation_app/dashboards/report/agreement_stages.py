"""Make the table of agreement by stage: over all items first, then over those with a majority."""

from collections.abc import Sequence

from al_worker.formats.paper_tables import Cell, Column, Table, reasons, whole, words
from annotation_app.agreement.selectors import Row
from annotation_app.agreement.statistics import STATISTICS, Statistic
from annotation_app.dashboards.report.facts import ReportFacts, of_everyone
from annotation_app.dashboards.report.label_table import coefficient_cell, statistic_column

NO_ANSWERS = "No item has two answers yet: agreement begins there."
ALL, MAJORITY = "all items", "with a majority"
# Everyone's, shares first.
SHOWN = sorted((each for each in STATISTICS if not each.is_of_pairs), key=lambda each: not each.share_of)
FREE_TEXT = (
    "Answers in free text have no coefficient: two people hardly ever write the same. Only equal texts are counted."
)
ABOUT = (
    "Between everyone's independent answers, over all rounds. Pairs pooled: the share of equal pairs of answers, so "
    "that items with more answers weigh more. Mean over items: each counts once; it is the observed agreement in AC1. "
    "Fleiss κ is over the items that everyone answered; with any annotators, over those with the usual number of "
    "answers, whoever gave them."
)
CIRCULAR = (
    "Equal by construction: an item with just as many answers as a majority takes (of two answers, both) has a "
    "majority only where all of them are equal. Over such items alone there is no figure; among others they count."
)


def agreement_stages(facts: ReportFacts) -> Table:
    """Make each stage's coefficients over all items, and beside them over items with a majority (OP-FED Table 3)."""
    tables = ((ALL, "all", of_everyone(facts.agreement)), (MAJORITY, "majority", of_everyone(facts.agreement_majority)))
    has_units = any(row.n_units for row in facts.agreement.rows)
    missing = facts.missing_questions or ("" if has_units else NO_ANSWERS)
    measures = {stage.measure for stage in facts.questions}
    statistics = [each for each in SHOWN if each.measure in {None, "ordinal", *measures}]
    shown = (
        []
        if missing
        else [
            stage_row(facts, place, key, words(title, key=scope), row, statistics)
            for key in (stage.key for stage in facts.questions)
            for place, (title, scope, table) in enumerate(tables)
            if (row := table.get(key)) is not None
        ]
    )
    circular = not missing and any(row.n_circular for row in facts.agreement_majority.rows)
    return Table(
        key="agreement_stages",
        title="Agreement by stage",
        source="Table 3",
        about=ABOUT,
        columns=(
            Column("stage", "Stage", has_key=True),
            Column("items", "Items", has_key=True),
            Column("n_items", "n", "number"),
            Column("n_units", "with 2+ answers", "number"),
            Column("n_circular", "equal by construction", "number"),
            *map(statistic_column, statistics),
        ),
        rows=shown,
        notes=[*([CIRCULAR] if circular else []), *([FREE_TEXT] if "none" in measures else []), *reasons(shown)],
        missing=missing,
    )


def stage_row(
    facts: ReportFacts, place: int, key: str, scope: Cell, row: Row, statistics: Sequence[Statistic]
) -> list[Cell]:
    title = next(stage.title for stage in facts.questions if stage.key == key)
    return [
        words(title, key=key, repeats=place > 0),
        scope,
        whole(row.n_items),
        whole(row.n_units),
        whole(row.n_circular),
        *(coefficient_cell(row, each) for each in statistics),
    ]
