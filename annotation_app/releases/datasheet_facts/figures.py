"""Make the card's table of figures."""

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
    row = facts.agreement.get(facts.tallies[0].stage.key) if facts.tallies else None
    value = row.values.get("alpha_nominal") if row else None
    return [] if value is None else [(f"Krippendorff's α, {inline(facts.tallies[0].stage.title)}", rounded(value))]
