"""Table 3: aggregated labels by stage with agreement over the items that have them."""

from dataclasses import replace

from annotation_app.agreement.selectors import Row
from annotation_app.codebook.stages import Stage
from annotation_app.dashboards.outcomes import NO_MAJORITY
from annotation_app.dashboards.report.facts import NO_MAJORITIES, Facts, Pool, label_counts, label_name
from annotation_app.dashboards.report.tables import (
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

NO_LABEL = "Items without a majority have no label and are in no agreement here."
# In this order where the agreement statement gives them.
COEFFICIENTS = (
    ("fleiss_kappa", "Fleiss κ"),
    ("alpha_nominal", "α (nominal)"),
    ("alpha_ordinal", "α (ordinal)"),
    ("ac1", "Gwet AC1"),
)


def table_3(facts: Facts) -> Table:
    """Agreement per stage over the items with a majority there, ambiguous as a category (OP-FED Table 3)."""
    agreement = {row.stage: row for row in facts.agreement.rows if row.round is None and row.pair is None}
    given = [(name, title) for name, title in COEFFICIENTS if any(name in row.values for row in agreement.values())]
    missing = facts.missing or ("" if any(row.n_items for row in agreement.values()) else NO_MAJORITIES)
    rows = [] if missing else pool_rows(facts.pool, len(given))
    rows += [] if missing else [row for stage in facts.stages for row in stage_rows(facts, stage, agreement, given)]
    return Table(
        key="table_3",
        title="Labels by stage, with agreement",
        source="Table 3",
        about="Items by majority label; agreement over the items with a majority at the stage, ambiguous included.",
        columns=(
            Column("stage", "Stage"),
            Column("label", "Label"),
            Column("n", "n", "number"),
            *(Column(name, title, "number", has_interval=True) for name, title in given),
        ),
        rows=rows,
        notes=[NO_LABEL, *reasons(rows)] if rows else [],
        missing=missing,
    )


def pool_rows(pool: Pool, n_coefficients: int) -> list[list[Cell]]:
    """The paper's first rows: what was there to choose from."""
    blank = [Cell("")] * n_coefficients
    return [
        [words("Pool"), Cell("documents", "documents"), whole(pool.n_documents), *blank],
        [words("Pool", repeats=True), Cell("items", "items"), whole(pool.n_items), *blank],
    ]


def stage_rows(facts: Facts, stage: Stage, agreement: dict[str, Row], given: list[tuple[str, str]]) -> list[list[Cell]]:
    counts = label_counts(facts.in_rounds, stage.key)
    labels = list(dict.fromkeys([*stage.label_keys, *(label for label in counts if label != NO_MAJORITY)]))
    figures = [coefficient_cell(agreement.get(stage.key), name) for name, _ in given]
    shown = [
        [words(stage.title, repeats=place > 0), Cell(label_name(stage, label), label), whole(counts[label])]
        for place, label in enumerate(labels)
    ]
    shown.append([words(stage.title, repeats=True), Cell("no majority", NO_MAJORITY), whole(counts[NO_MAJORITY])])
    return [
        row + (figures if place == 0 else [replace(cell, why="", unbounded="", repeats=True) for cell in figures])
        for place, row in enumerate(shown)
    ]


def coefficient_cell(row: Row | None, name: str, digits: int = 2) -> Cell:
    if row is None:
        return nothing("no answers")
    value = row.values.get(name)
    if value is None:
        return nothing(row.reason.get(name, ""))
    low, high = row.ci.get(name, (None, None))
    interval = decimal_bounds(low, high, digits)
    return Cell(decimal_words(value, digits), value, interval=interval, unbounded=row.reason.get(f"ci.{name}", ""))
