"""Table 7: agreement at each stage by batch and pair of annotators."""

from collections.abc import Sequence
from math import comb

from annotation_app.agreement.selectors import Row
from annotation_app.codebook.stages import Stage
from annotation_app.dashboards.report.facts import MOST_PAIRS, NO_MAJORITIES, Facts, batch_words
from annotation_app.dashboards.report.label_table import coefficient_cell
from annotation_app.dashboards.report.tables import Cell, Column, Table, reasons, words

Pair = tuple[int, int]


def tables_7(facts: Facts) -> list[Table]:
    """One for each stage; the paper prints the first. Pair columns are Fleiss' kappa over two raters."""
    return [stage_table(facts, None)] if facts.missing else [stage_table(facts, stage) for stage in facts.stages]


def stage_table(facts: Facts, stage: Stage | None) -> Table:
    rows = [row for row in facts.agreement.rows if stage is not None and row.stage == stage.key]
    found = {(row.round, row.pair): row for row in rows}
    pairs = sorted({row.pair for row in rows if row.pair is not None})
    n_pairs = comb(len(facts.agreement.annotators), 2)
    with_cohen = any("cohen_kappa" in row.values for row in rows)
    missing = facts.missing or ("" if any(row.n_items for row in rows) else NO_MAJORITIES)
    shown = [] if missing else batch_rows(facts, found, pairs, with_cohen)
    too_many = f"{n_pairs} pairs are too many for a table: the agreement page has them."
    left_out = [too_many] if n_pairs > MOST_PAIRS else []
    return Table(
        key=f"table_7_{stage.key}" if stage else "table_7",
        title=f"Agreement by batch and pair: {stage.title}" if stage else "Agreement by batch and pair",
        source="Table 7",
        about=about(with_cohen and bool(pairs)),
        columns=(Column("batch", "Batch"), Column("all", "All", "number"), *pair_columns(pairs, with_cohen)),
        rows=shown,
        notes=[*left_out, *reasons(shown)],
        missing=missing,
    )


def about(with_cohen: bool) -> str:
    said = "Fleiss' kappa over the items with a majority at the stage that everyone in the column answered; a pair's "
    said += "is Fleiss' kappa over its two raters. The total pools the items of all rounds."
    return said + " C: Cohen's kappa of the pair." if with_cohen else said


def pair_columns(pairs: Sequence[Pair], with_cohen: bool) -> list[Column]:
    return [
        column
        for a, b in pairs
        for column in (
            Column(f"fleiss_{a}_{b}", f"{a} and {b}", "number"),
            *([Column(f"cohen_{a}_{b}", f"C {a}, {b}", "number")] if with_cohen else []),
        )
    ]


def batch_rows(
    facts: Facts, found: dict[tuple[int | None, Pair | None], Row], pairs: Sequence[Pair], with_cohen: bool
) -> list[list[Cell]]:
    named: list[tuple[Cell, int | None]] = [
        (Cell(batch_words(batch), batch.number), batch.number) for batch in facts.rounds
    ]
    named.append((words("Total"), None))
    return [
        [
            name,
            coefficient_cell(found.get((number, None)), "fleiss_kappa", 3),
            *(cell for pair in pairs for cell in pair_cells(found.get((number, pair)), with_cohen)),
        ]
        for name, number in named
    ]


def pair_cells(row: Row | None, with_cohen: bool) -> list[Cell]:
    names = ["fleiss_kappa", *(["cohen_kappa"] if with_cohen else [])]
    return [coefficient_cell(row, name, 3) for name in names]
