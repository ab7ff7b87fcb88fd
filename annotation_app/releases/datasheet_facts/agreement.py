"""Describe how far annotators agree, in words and as tables."""

from collections.abc import Iterable, Sequence

from al_worker.formats.paper_tables import DASH, decimal_words
from al_worker.formats.plurals import several
from annotation_app.agreement.selectors import Row
from annotation_app.agreement.span_selectors import SpanRow
from annotation_app.agreement.statistics import COEFFICIENT_OF, SPAN_STATISTICS, STATISTICS, Statistic
from annotation_app.releases.datasheet_facts.facts import DatasheetFacts
from annotation_app.releases.datasheet_facts.size import nothing_yet, skipped_lines
from annotation_app.releases.datasheet_facts.text_parts import bullets, paragraphs
from annotation_app.releases.markdown import inline

COLUMNS = [each for each in STATISTICS if not (each.is_of_pairs or each.variant_of)]
SPAN_COLUMNS = [each for each in SPAN_STATISTICS if each.about == "spans" and not (each.beside or each.variant_of)]
ABOUT = (
    "Over all items of the rounds, between the annotators' independent answers, before second looks and adjudication. "
    "In brackets 95% intervals, by the jackknife over items. An item counts once it has two answers at the stage; "
    "Fleiss' κ takes those that everyone answered."
)
FREE_TEXT = "Answers in free text have no coefficient: only equal texts are counted."
ABOUT_SPANS = (
    "Spans: the mean of the pairs of annotators, over the items that both marked. F1 is over spans that are equal, or "
    "that overlap at all; token κ is Cohen's over the words; αᵤ is Krippendorff's α for units."
)


def agreement_tables(facts: DatasheetFacts) -> str:
    """Return the tables by stage and by category; empty where no item has two answers."""
    stages = [(tally.stage.title, facts.agreement.get(tally.stage.key)) for tally in facts.tallies]
    shown = [(title, row) for title, row in stages if row is not None and row.n_units]
    measures = {None, "ordinal", *(tally.stage.measure for tally in facts.tallies)}
    columns = [each for each in COLUMNS if each.measure in measures]
    parts = [ABOUT, *([FREE_TEXT] if "none" in measures else []), stage_table(shown, columns)] if shown else []
    if rows := span_rows(facts):
        parts += [ABOUT_SPANS, span_table(rows, facts)]
    return paragraphs(parts)


def stage_table(shown: Sequence[tuple[str, Row]], columns: Sequence[Statistic]) -> str:
    lines = [(inline(title), row.n_units, [value_words(row, each.key) for each in columns]) for title, row in shown]
    return table_of("Stage", [each.column for each in columns], lines)


def table_of(first: str, titles: Sequence[str], lines: Iterable[tuple[str, int, Sequence[str]]]) -> str:
    head = [f"| {first} | Items | {' | '.join(titles)} |", "|---|---:|" + "---:|" * len(titles)]
    return "\n".join([*head, *(f"| {name} | {n:,} | {' | '.join(values)} |" for name, n, values in lines)])


def value_words(row: Row, name: str) -> str:
    """Return a value such as "0.57 (0.53 to 0.61)"; a dash where there is none.

    An interval without width is left out, since it would pass for certainty.
    """
    value, (low, high) = row.values.get(name), row.ci.get(name, (0, 0))
    if value is None:
        return DASH
    return f"{rounded(value)} ({rounded(low)} to {rounded(high)})" if low < high else rounded(value)


def rounded(value: float) -> str:
    """Return two decimals, without a negative zero: the database's last digits differ between two readings."""
    return decimal_words(round(value, 8), 2)


def span_rows(facts: DatasheetFacts) -> list[SpanRow]:
    rows = [row for row in facts.spans.rows if row.round is None and row.pair is None]
    return rows if any(row.sizes.n_items for row in rows) else []


def span_table(rows: Sequence[SpanRow], facts: DatasheetFacts) -> str:
    names = {category.key: inline(category.name) for category in facts.categories}
    lines = [
        (
            names[row.category] if row.category else "all",
            row.sizes.n_items,
            [figure_words(row, each.key) for each in SPAN_COLUMNS],
        )
        for row in rows
    ]
    return table_of("Category", [each.title for each in SPAN_COLUMNS], lines)


def figure_words(row: SpanRow, name: str) -> str:
    """Return a figure in words. Over all categories alpha_u would only tell whether anything is marked at a place."""
    value = None if row.category is None and name == "alpha_u" else row.figures[name].value
    return DASH if value is None else rounded(value)


def agreement_words(facts: DatasheetFacts) -> str:
    """Return one sentence on each stage's alpha, for the question about noise; empty where there is none."""
    said = []
    for tally in facts.tallies:
        row = facts.agreement.get(tally.stage.key)
        name = COEFFICIENT_OF.get(tally.stage.measure, "")
        if row is not None and row.values.get(name) is not None:
            said.append(f"{inline(tally.stage.title)} {value_words(row, name)}")
    return f"Annotators disagree; Krippendorff's α by stage: {', '.join(said)}." if said else ""


def errors(facts: DatasheetFacts) -> str:
    """Describe repetitions, omitted lines and noisy labels; errors in the texts cannot be computed."""
    if said := nothing_yet(facts):
        return said
    same = "No two items have the same text, to the character."
    if n := facts.given.repeated:
        same = f"{n:,} of {several(facts.given.items, 'item')} have a text that another item has too. All are kept."
    return bullets(filter(None, [same, *skipped_lines(facts), agreement_words(facts)]))
