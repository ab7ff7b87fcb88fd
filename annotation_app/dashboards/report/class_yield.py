"""Make Table 2: shares of positive labels by stage, in a uniform random batch and in all rounds together."""

from collections.abc import Iterator, Sequence

from al_worker.formats.intervals import wilson
from al_worker.formats.paper_tables import (
    Cell,
    Column,
    Table,
    decimal_bounds,
    decimal_words,
    nothing,
    reasons,
    share_cell,
    whole,
)
from annotation_app.codebook.question_types.label import LabelStage
from annotation_app.dashboards.intervals import share_ratio
from annotation_app.dashboards.outcomes import Profile, counts_at
from annotation_app.dashboards.report.facts import NO_MAJORITIES, NO_POSITIVE, ReportFacts, label_counts

NO_BASELINE = "No baseline yet: it comes with the first complete prototype batch or random round."
Share = tuple[int, int]


def table_2(facts: ReportFacts) -> Table:
    """Make the table. The denominator is always the items with a majority at the first stage (OP-FED Table 2)."""
    source, batch = facts.baseline
    drawn = [profile for profile in facts.profiles if batch is not None and profile.batch == batch.pk]
    base_title = baseline_title(source, batch.number if batch else None)
    missing = missing_of(facts)
    shown = [] if missing else [row(facts, stage, drawn, source) for stage in facts.positive_stages]
    return Table(
        key="table_2",
        title="Positive labels by stage",
        source="Table 2",
        about="Share of the items with a majority at the first stage that are positive at each stage. Items that may "
        "still get a label there are left out.",
        columns=(
            Column("stage", "Aspect", has_key=True),
            *share_columns("baseline", base_title),
            *share_columns("rounds", f"All rounds of {facts.project.name}"),
            Column("ratio", "Ratio", "number", has_interval=True),
        ),
        rows=shown,
        notes=[*notes(facts, source), *left_out(facts), *reasons(shown)],
        missing=missing,
    )


def share_columns(name: str, title: str) -> tuple[Column, Column, Column]:
    """Return columns of count and n by themselves: a spreadsheet would read 1/12 as a date."""
    return (
        Column(f"{name}_share", title, "number", has_interval=True),
        Column(f"{name}_positive", "positive", "number"),
        Column(f"{name}_n", "of", "number"),
    )


def baseline_title(source: str, number: int | None) -> str:
    names = {"prototype": f"Prototype batch {number}", "first_random": f"First random batch (round {number})"}
    return names.get(source, "Random baseline")


def missing_of(facts: ReportFacts) -> str:
    if facts.missing:
        return facts.missing
    if not facts.positive_stages:
        return NO_POSITIVE
    return "" if any(profile.first.state == "majority" for profile in facts.in_rounds) else NO_MAJORITIES


def notes(facts: ReportFacts, source: str) -> list[str]:
    named = [
        f"{stage.title}: {', '.join(stage.name_of(key) for key in stage.positive)}." for stage in facts.positive_stages
    ]
    beside = {
        "": NO_BASELINE,
        "prototype": "The prototype batch is drawn uniformly at random and is no part of the rounds.",
        "first_random": "There is no complete prototype batch: the first random round stands in for it. It is a "
        "part of all rounds too, so that the ratio has no interval.",
    }
    return ["Positive: " + " ".join(named), beside[source]] if named else []


def left_out(facts: ReportFacts) -> Iterator[str]:
    """Say how many items wait for answers, where any do; at the first stage those have no majority yet."""
    for stage in facts.positive_stages:
        n = sum(profile.n_items for profile in facts.in_rounds if stage.key in profile.to_come)
        if n:
            wait = "item waits" if n == 1 else "items wait"
            yield f"{stage.title}: {n:,} {wait} for answers and {'is' if n == 1 else 'are'} not counted."


def row(facts: ReportFacts, stage: LabelStage, drawn: Sequence[Profile], source: str) -> list[Cell]:
    base, chosen = share_of(drawn, stage), share_of(facts.in_rounds, stage)
    arrows = "→" * facts.depth(stage)
    return [
        Cell(f"{arrows} {stage.title}".strip(), stage.title, key=stage.key),
        *share_cells(base),
        *share_cells(chosen),
        ratio_cell(chosen, base, source),
    ]


def share_of(profiles: Sequence[Profile], stage: LabelStage) -> Share:
    """Return (positive items, items with a first-stage majority and a final outcome at the stage)."""
    counts = label_counts(profiles, stage.key)
    n = sum(profile.n_items for profile in profiles if counts_at(profile, stage.key))
    return sum(counts[label] for label in stage.positive), n


def share_cells(share: Share) -> tuple[Cell, Cell, Cell]:
    count, n = share
    if n == 0:
        return nothing(), nothing(), nothing()
    return share_cell(wilson(count, n)), whole(count), whole(n)


def ratio_cell(chosen: Share, base: Share, source: str) -> Cell:
    ratio = share_ratio(*chosen, *base)
    if ratio is None:
        return nothing()
    bounds = decimal_bounds(ratio.low, ratio.high, 2) if source == "prototype" else None
    return Cell(decimal_words(ratio.value, 2), ratio.value, interval=bounds)
