"""Make Table 7: agreement at each stage by batch and pair, over all items and over those with a majority."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from al_worker.formats.paper_tables import Cell, Column, Table, reasons, words
from annotation_app.agreement.selectors import Row
from annotation_app.agreement.selectors import Table as AgreementTable
from annotation_app.agreement.statistics import BY_KEY
from annotation_app.codebook.question_types.label import LabelStage
from annotation_app.dashboards.report.agreement_stages import ALL, CIRCULAR, MAJORITY, NO_ANSWERS
from annotation_app.dashboards.report.facts import ReportFacts, batch_words
from annotation_app.dashboards.report.label_table import coefficient_cell
from annotation_app.refusals import Invalid

Pair = tuple[int, int]
# Their fifteen pairs are as many as a table holds; the agreement page has them all.
MOST_PEOPLE = 6


@dataclass(frozen=True)
class Compared:
    """Hold the people whose pairs the tables show, of everybody who answered in the rounds, by number."""

    people: Sequence[int]
    everyone: Sequence[int]
    chosen: bool

    @property
    def note(self) -> str:
        """Say which pairs are left out, where some are."""
        if len(self.people) == len(self.everyone):
            return ""
        why = "as they were chosen" if self.chosen else "who share the most items with others at the first stage"
        return f"Pairs among annotators {', '.join(map(str, self.people))}, {why}; the agreement page has all pairs."


def compared(facts: ReportFacts, chosen: Sequence[int]) -> Compared:
    """Return the people to compare: those `chosen` by number, or the six who share the most items with others.

    Raises Invalid.
    """
    everyone = sorted({number for row in facts.agreement.rows for number in row.raters})
    if unknown := [number for number in chosen if number not in everyone]:
        raise Invalid({"annotator": [f"Nobody with the number {unknown[0]} answered in the rounds."]})
    if len(set(chosen)) > MOST_PEOPLE:
        raise Invalid({"annotator": [f"Choose up to {MOST_PEOPLE} annotators: a table holds no more pairs."]})
    return Compared(sorted(set(chosen)) or most_shared(facts, everyone), everyone, bool(chosen))


def most_shared(facts: ReportFacts, everyone: Sequence[int]) -> list[int]:
    """Return those with the most items at the first stage that another person answered too."""
    shared = Counter[int]()
    for row in facts.agreement.rows:
        if row.pair is not None and row.round is None and facts.first_stage and row.stage == facts.first_stage.key:
            shared.update(dict.fromkeys(row.pair, row.fleiss_items))
    return sorted(sorted(everyone, key=lambda number: (-shared[number], number))[:MOST_PEOPLE])


def tables_7(facts: ReportFacts, shown: Compared) -> list[Table]:
    """Make a table for each stage; the paper prints the first. Pair columns are Fleiss' kappa over two raters."""
    if facts.missing:
        return [stage_table(facts, None, shown)]
    return [stage_table(facts, stage, shown) for stage in facts.stages]


def stage_table(facts: ReportFacts, stage: LabelStage | None, people: Compared) -> Table:
    scopes = [
        Scoped(words(title, key=scope), by_view(table, stage))
        for title, scope, table in (
            (ALL, "all", facts.agreement),
            (MAJORITY, "majority", facts.agreement_majority),
        )
    ]
    everything = scopes[0].found
    pairs = sorted({pair for _, pair in everything if pair is not None and set(pair) <= set(people.people)})
    has_units = any(row.n_units for row in everything.values())
    missing = facts.missing or ("" if has_units else NO_ANSWERS)
    shown = [] if missing else batch_rows(facts, scopes, pairs)
    circular = any(row.n_circular for row in scopes[1].found.values())
    notes = filter(None, [people.note, not_pooled(everything), CIRCULAR if circular else ""])
    return Table(
        key=f"table_7_{stage.key}" if stage else "table_7",
        title=f"Agreement by batch and pair: {stage.title}" if stage else "Agreement by batch and pair",
        source="Table 7",
        about=about(bool(pairs)),
        columns=(
            Column("batch", "Batch"),
            Column("items", "Items", has_key=True),
            Column("all", "All", "number", has_interval=True, has_n=True, has_reason=True),
            *pair_columns(pairs),
        ),
        rows=shown,
        notes=[*notes, *reasons(shown)] if shown else [],
        missing=missing,
    )


@dataclass(frozen=True)
class Scoped:
    """Hold the rows of one stage in one scope by round and pair, with the scope's name."""

    name: Cell
    found: Mapping[tuple[int | None, Pair | None], Row]


def by_view(table: AgreementTable, stage: LabelStage | None) -> dict[tuple[int | None, Pair | None], Row]:
    return {(row.round, row.pair): row for row in table.rows if stage is not None and row.stage == stage.key}


def about(with_pairs: bool) -> str:
    said = "Fleiss' kappa over the items that everyone in the column answered, n of them: all such items, and below "
    said += "them those with a majority at the stage. A pair's is Fleiss' kappa over its two raters. All: whoever "
    said += (
        "answered at the stage in that round. The total is over all rounds, and its All over the items that everyone "
    )
    said += "of all rounds answered."
    return said + " C: Cohen's kappa of the pair, over the same items." if with_pairs else said


def not_pooled(found: Mapping[tuple[int | None, Pair | None], Row]) -> str:
    """Say how many complete items are in no total because other people answered them; empty where there are none."""
    total = found.get((None, None))
    in_rounds = sum(row.fleiss_items for (number, pair), row in found.items() if number is not None and pair is None)
    left = in_rounds - (total.fleiss_items if total else 0)
    if not left:
        return ""
    which = f"{left:,} of the rounds' {in_rounds:,} items"
    return f"The total of All leaves out {which}: not everyone of all rounds answered them."


def pair_columns(pairs: Sequence[Pair]) -> list[Column]:
    return [
        column
        for a, b in pairs
        for column in (
            Column(f"fleiss_{a}_{b}", f"{a} and {b}", "number", has_interval=True, has_n=True, has_reason=True),
            Column(f"cohen_{a}_{b}", f"C {a}, {b}", "number", has_interval=True, has_reason=True),
        )
    ]


def batch_rows(facts: ReportFacts, scopes: Sequence[Scoped], pairs: Sequence[Pair]) -> list[list[Cell]]:
    named: list[tuple[Cell, int | None]] = [
        (Cell(batch_words(batch), batch.number), batch.number) for batch in facts.rounds
    ]
    named.append((words("Total"), None))
    return [
        [
            replace(name, repeats=place > 0),
            scope.name,
            coefficient_cell(scope.found.get((number, None)), BY_KEY["fleiss_kappa"], 3),
            *(cell for pair in pairs for cell in pair_cells(scope.found.get((number, pair)))),
        ]
        for name, number in named
        for place, scope in enumerate(scopes)
    ]


def pair_cells(row: Row | None) -> list[Cell]:
    return [coefficient_cell(row, BY_KEY[key], 3) for key in ("fleiss_kappa", "cohen_kappa")]
