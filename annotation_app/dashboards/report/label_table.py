"""Make Table 3: aggregated labels by stage, with agreement over all items."""

from dataclasses import replace

from al_worker.formats.paper_tables import (
    Cell,
    Column,
    Table,
    decimal_bounds,
    decimal_words,
    nothing,
    reasons,
    whole,
    words,
)
from annotation_app.agreement.selectors import Row
from annotation_app.agreement.statistics import STATISTICS, Statistic
from annotation_app.codebook.question_types.label import LabelStage
from annotation_app.dashboards.outcomes import NO_MAJORITY
from annotation_app.dashboards.report.facts import (
    NO_MAJORITIES,
    WAITING,
    Pool,
    ReportFacts,
    label_counts,
    of_everyone,
    unlabelled_counts,
)

NO_LABEL = "Items without a majority have no label; they are in the agreement."
STILL_OPEN = "Items wait for answers where those that are still out can give them a majority."
# Those of questions that are answered with one label.
COEFFICIENTS = [
    each
    for each in STATISTICS
    if not (each.is_of_pairs or each.share_of or each.variant_of) and each.measure in (None, "ordinal")
]


def table_3(facts: ReportFacts) -> Table:
    """Make labels per stage, and agreement over all its items, ambiguous as a category (after OP-FED Table 3)."""
    agreement = of_everyone(facts.agreement)
    has_majorities = any(row.n_items for row in facts.agreement_majority.rows)
    missing = facts.missing or ("" if has_majorities else NO_MAJORITIES)
    rows = [] if missing else pool_rows(facts.pool)
    rows += [] if missing else [row for stage in facts.stages for row in stage_rows(facts, stage, agreement)]
    notes = [NO_LABEL, *([STILL_OPEN] if any(row[1].text == WAITING for row in rows) else []), *reasons(rows)]
    return Table(
        key="table_3",
        title="Labels by stage, with agreement",
        source="Table 3",
        about="Items by majority label; agreement over all items of the stage, those without a majority too. "
        "Fleiss' kappa is over those of them that everyone of all rounds answered: n beside it.",
        columns=(
            Column("stage", "Stage", has_key=True),
            Column("label", "Label", has_key=True),
            Column("n", "n", "number"),
            *map(statistic_column, COEFFICIENTS),
        ),
        rows=rows,
        notes=notes if rows else [],
        missing=missing,
    )


def pool_rows(pool: Pool) -> list[list[Cell]]:
    """Say what was there to choose from."""
    blank = [Cell("")] * len(COEFFICIENTS)
    return [
        [words("Pool", key="pool"), words("documents", key="documents"), whole(pool.n_documents), *blank],
        [words("Pool", key="pool", repeats=True), words("items", key="items"), whole(pool.n_items), *blank],
    ]


def stage_rows(facts: ReportFacts, stage: LabelStage, agreement: dict[str, Row]) -> list[list[Cell]]:
    counts = label_counts(facts.in_rounds, stage.key)
    without, waiting = unlabelled_counts(facts.in_rounds, stage.key)
    labels = dict.fromkeys([*stage.label_keys, *counts])
    shown = [(words(stage.name_of(label), key=label), counts[label]) for label in labels]
    shown.append((words("no majority", key=NO_MAJORITY), without))
    if waiting:
        shown.append((words(WAITING, key="waiting"), waiting))
    figures = [coefficient_cell(agreement.get(stage.key), each) for each in COEFFICIENTS]
    again = [replace(cell, unbounded="", repeats=True) for cell in figures]
    return [
        [words(stage.title, key=stage.key, repeats=place > 0), label, whole(n), *(again if place else figures)]
        for place, (label, n) in enumerate(shown)
    ]


def statistic_column(statistic: Statistic) -> Column:
    """Return the column of a statistic. It has n where the statistic stands on some of the items."""
    on_some = statistic.basis != "n_units"
    return Column(statistic.key, statistic.column, "number", has_interval=True, has_n=on_some, has_reason=True)


def coefficient_cell(row: Row | None, statistic: Statistic, digits: int = 2) -> Cell:
    if row is None:
        return nothing("no answers")
    value, n = row.values[statistic.key], None if statistic.basis == "n_units" else getattr(row, statistic.basis)
    if value is None:
        return replace(nothing(row.reason[statistic.key]), n=n)
    low, high = row.ci.get(statistic.key, (None, None))
    interval, unbounded = decimal_bounds(low, high, digits), row.reason.get(f"ci.{statistic.key}", "")
    return Cell(decimal_words(value, digits), value, interval=interval, unbounded=unbounded, n=n)
