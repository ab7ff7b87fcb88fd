"""Make Table 3: aggregated labels by stage, with agreement over all items."""

from dataclasses import replace

from annotation_app.agreement.selectors import Row
from annotation_app.codebook.stages import Stage
from annotation_app.dashboards.outcomes import NO_MAJORITY
from annotation_app.dashboards.report.facts import (
    NO_MAJORITIES,
    WAITING,
    Pool,
    ReportFacts,
    label_counts,
    label_name,
    unlabelled_counts,
)
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

NO_LABEL = "Items without a majority have no label; they are in the agreement."
STILL_OPEN = "Items wait for answers where those that are still out can give them a majority."
# It stands on complete items, which may be few.
ON_COMPLETE = "fleiss_kappa"
# In this order where the agreement statement gives them.
COEFFICIENTS = (
    ("fleiss_kappa", "Fleiss κ"),
    ("alpha_nominal", "α (nominal)"),
    ("alpha_ordinal", "α (ordinal)"),
    ("ac1", "Gwet AC1"),
)


def table_3(facts: ReportFacts) -> Table:
    """Make labels per stage, and agreement over all its items, ambiguous as a category (after OP-FED Table 3)."""
    agreement = {row.stage: row for row in facts.agreement.rows if row.round is None and row.pair is None}
    given = [(name, title) for name, title in COEFFICIENTS if any(name in row.values for row in agreement.values())]
    has_majorities = any(row.n_items for row in facts.agreement_majority.rows)
    missing = facts.missing or ("" if has_majorities else NO_MAJORITIES)
    rows = [] if missing else pool_rows(facts.pool, len(given))
    rows += [] if missing else [row for stage in facts.stages for row in stage_rows(facts, stage, agreement, given)]
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
            *(
                Column(name, title, "number", has_interval=True, has_n=name == ON_COMPLETE, has_reason=True)
                for name, title in given
            ),
        ),
        rows=rows,
        notes=notes if rows else [],
        missing=missing,
    )


def pool_rows(pool: Pool, n_coefficients: int) -> list[list[Cell]]:
    """Say what was there to choose from."""
    blank = [Cell("")] * n_coefficients
    return [
        [words("Pool", key="pool"), words("documents", key="documents"), whole(pool.n_documents), *blank],
        [words("Pool", key="pool", repeats=True), words("items", key="items"), whole(pool.n_items), *blank],
    ]


def stage_rows(
    facts: ReportFacts, stage: Stage, agreement: dict[str, Row], given: list[tuple[str, str]]
) -> list[list[Cell]]:
    counts = label_counts(facts.in_rounds, stage.key)
    without, waiting = unlabelled_counts(facts.in_rounds, stage.key)
    labels = dict.fromkeys([*stage.label_keys, *counts])
    shown = [(words(label_name(stage, label), key=label), counts[label]) for label in labels]
    shown.append((words("no majority", key=NO_MAJORITY), without))
    if waiting:
        shown.append((words(WAITING, key="waiting"), waiting))
    figures = [coefficient_cell(agreement.get(stage.key), name) for name, _ in given]
    again = [replace(cell, unbounded="", repeats=True) for cell in figures]
    return [
        [words(stage.title, key=stage.key, repeats=place > 0), label, whole(n), *(again if place else figures)]
        for place, (label, n) in enumerate(shown)
    ]


def coefficient_cell(row: Row | None, name: str, digits: int = 2) -> Cell:
    if row is None:
        return nothing("no answers")
    counted = {ON_COMPLETE: row.fleiss_items, "fleiss_kappa_general": row.general_items}
    value, n = row.values.get(name), counted.get(name)
    if value is None:
        return replace(nothing(row.reason.get(name, "")), n=n)
    low, high = row.ci.get(name, (None, None))
    interval, unbounded = decimal_bounds(low, high, digits), row.reason.get(f"ci.{name}", "")
    return Cell(decimal_words(value, digits), value, interval=interval, unbounded=unbounded, n=n)
