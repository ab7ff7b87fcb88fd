"""Table 7: agreement at each stage by batch and pair of annotators."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from annotation_app.agreement.selectors import Row
from annotation_app.codebook.stages import Stage
from annotation_app.dashboards.report.facts import NO_MAJORITIES, Facts, batch_words
from annotation_app.dashboards.report.label_table import coefficient_cell
from annotation_app.dashboards.report.tables import Cell, Column, Table, reasons, words

Pair = tuple[int, int]
# Their fifteen pairs are as many as a table holds; the agreement page has them all.
MOST_PEOPLE = 6


class UnknownAnnotators(ValueError):
    """Numbers of nobody who answered in the rounds, or too many to compare in one table."""


@dataclass(frozen=True)
class Compared:
    """Whose pairs the tables show, of everybody who answered in the rounds; by number, in order."""

    people: Sequence[int]
    everyone: Sequence[int]
    chosen: bool

    @property
    def note(self) -> str:
        """Says which pairs are left out, where some are."""
        if len(self.people) == len(self.everyone):
            return ""
        why = "as they were chosen" if self.chosen else "who share the most items with others at the first stage"
        return f"Pairs among annotators {', '.join(map(str, self.people))}, {why}; the agreement page has all pairs."


def compared(facts: Facts, chosen: Sequence[int]) -> Compared:
    """`chosen` by number; otherwise the six who share the most items with others. Raises UnknownAnnotators."""
    everyone = sorted({number for row in facts.agreement.rows for number in row.raters})
    if unknown := [number for number in chosen if number not in everyone]:
        raise UnknownAnnotators(f"Nobody with the number {unknown[0]} answered in the rounds.")
    if len(set(chosen)) > MOST_PEOPLE:
        raise UnknownAnnotators(f"Choose up to {MOST_PEOPLE} annotators: a table holds no more pairs.")
    return Compared(sorted(set(chosen)) or most_shared(facts, everyone), everyone, bool(chosen))


def most_shared(facts: Facts, everyone: Sequence[int]) -> list[int]:
    """Who has the most items at the first stage that another person answered too, an item counted once for each."""
    shared = Counter[int]()
    for row in facts.agreement.rows:
        if row.pair is not None and row.round is None and facts.first_stage and row.stage == facts.first_stage.key:
            shared.update(dict.fromkeys(row.pair, row.fleiss_items))
    return sorted(sorted(everyone, key=lambda number: (-shared[number], number))[:MOST_PEOPLE])


def tables_7(facts: Facts, shown: Compared) -> list[Table]:
    """One for each stage; the paper prints the first. Pair columns are Fleiss' kappa over two raters."""
    if facts.missing:
        return [stage_table(facts, None, shown)]
    return [stage_table(facts, stage, shown) for stage in facts.stages]


def stage_table(facts: Facts, stage: Stage | None, people: Compared) -> Table:
    rows = [row for row in facts.agreement.rows if stage is not None and row.stage == stage.key]
    found = {(row.round, row.pair): row for row in rows}
    pairs = sorted({row.pair for row in rows if row.pair is not None and set(row.pair) <= set(people.people)})
    with_cohen = any("cohen_kappa" in row.values for row in rows)
    missing = facts.missing or ("" if any(row.n_items for row in rows) else NO_MAJORITIES)
    shown = [] if missing else batch_rows(facts, found, pairs, with_cohen)
    return Table(
        key=f"table_7_{stage.key}" if stage else "table_7",
        title=f"Agreement by batch and pair: {stage.title}" if stage else "Agreement by batch and pair",
        source="Table 7",
        about=about(with_cohen and bool(pairs)),
        columns=(
            Column("batch", "Batch"),
            Column("all", "All", "number", has_interval=True, has_n=True),
            *pair_columns(pairs, with_cohen),
        ),
        rows=shown,
        notes=[*filter(None, [people.note, not_pooled(found)]), *reasons(shown)] if shown else [],
        missing=missing,
    )


def about(with_cohen: bool) -> str:
    said = "Fleiss' kappa over the items with a majority at the stage that everyone in the column answered, n of them; "
    said += "a pair's is Fleiss' kappa over its two raters. All: whoever answered at the stage in that round. The "
    said += "total is over all rounds, and its All over the items that everyone of all rounds answered."
    return said + " C: Cohen's kappa of the pair, over the same items." if with_cohen else said


def not_pooled(found: Mapping[tuple[int | None, Pair | None], Row]) -> str:
    """How many complete items of the rounds are in no total, as other people answered them; empty where all are."""
    total = found.get((None, None))
    in_rounds = sum(row.fleiss_items for (number, pair), row in found.items() if number is not None and pair is None)
    left = in_rounds - (total.fleiss_items if total else 0)
    if not left:
        return ""
    which = f"{left:,} of the rounds' {in_rounds:,} items"
    return f"The total of All leaves out {which}: not everyone of all rounds answered them."


def pair_columns(pairs: Sequence[Pair], with_cohen: bool) -> list[Column]:
    return [
        column
        for a, b in pairs
        for column in (
            Column(f"fleiss_{a}_{b}", f"{a} and {b}", "number", has_interval=True, has_n=True),
            *([Column(f"cohen_{a}_{b}", f"C {a}, {b}", "number", has_interval=True)] if with_cohen else []),
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
