"""Make the card's table of figures."""

from annotation_app.agreement.statistics import COEFFICIENT_OF
from annotation_app.releases.datasheet_facts.agreement import rounded
from annotation_app.releases.datasheet_facts.facts import DatasheetFacts
from annotation_app.releases.datasheet_facts.people import minutes
from annotation_app.releases.datasheet_facts.size import unit
from annotation_app.releases.markdown import inline


def figures_table(facts: DatasheetFacts) -> str:
    """Return the table; empty before the first round."""
    if not facts.rounds:
        return ""
    given, worked = facts.given, facts.first_look
    rows = [
        (f"{unit(facts).capitalize()}s", f"{given.items:,}"),
        ("Documents they are from", f"{given.documents:,}"),
        ("Pool they were chosen from", f"{facts.corpus.pool:,}"),
        ("Rounds", f"{len(facts.rounds):,}"),
        ("Annotators", f"{len(worked):,}"),
        ("Answers", f"{sum(each.answers for each in worked):,}"),
    ]
    if facts.has_spans:
        rows.append(("Spans", f"{sum(n for n, _ in facts.marked.values()):,}"))
    if worked:
        rows.append(("Minutes of annotation", minutes(sum(each.wall_ms for each in worked))))
    if again := facts.second_look:
        rows.append(("Answers in second looks", f"{sum(each.answers for each in again):,}"))
        rows.append(("Minutes of second looks", minutes(sum(each.wall_ms for each in again))))
    rows += agreement_rows(facts)
    return "\n".join(["| In this release | |", "|---|---:|", *(f"| {name} | {value} |" for name, value in rows)])


def agreement_rows(facts: DatasheetFacts) -> list[tuple[str, str]]:
    """Return the rows of the first stage, which every item has."""
    first = facts.tallies[0].stage if facts.tallies else None
    row = facts.agreement.get(first.key) if first else None
    if first is None or row is None or first.measure == "none":
        return []
    key = COEFFICIENT_OF[first.measure]
    value = row.values[key]
    return [] if value is None else [(f"Krippendorff's α, {inline(first.title)}", rounded(value))]
