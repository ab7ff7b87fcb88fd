"""Table 4's rows of baselines: the majority class, and annotators against the majority label."""

import json
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from annotation_app.aggregation.rules import settled
from annotation_app.agreement.statements import CHOSEN
from annotation_app.codebook.stages import Stage
from annotation_app.dashboards.intervals import wilson
from annotation_app.dashboards.report.facts import NO_MAJORITIES, Facts, label_counts
from annotation_app.dashboards.report.statements import rows_of
from annotation_app.dashboards.report.tables import (
    Cell,
    Column,
    Table,
    decimal,
    decimal_bounds,
    nothing,
    reasons,
    words,
)
from annotation_app.models import Annotation

ALONE, NEEDED = "sentence alone", "context needed"
# Right and answered, in items.
Score = tuple[int, int]
Scores = Mapping[str, Mapping[int, Score]]
ABOUT = (
    "Accuracy against the majority label; n: items with a majority that is not ambiguous. The minimum and maximum are "
    "over the annotators, each on the items that they answered there; their own ambiguous counts as wrong."
)


def table_4(facts: Facts) -> Table:
    """OP-FED Table 4 without its models. Context stages are two classes, made after the vote (OP-FED 6)."""
    scores: Scores = scores_of(facts) if not facts.missing else {}
    missing = facts.missing or ("" if scores else NO_MAJORITIES)
    people = sorted({number for by_person in scores.values() for number in by_person})
    shown = [] if missing else rows(facts, scores, people)
    return Table(
        key="table_4",
        title="Accuracy of annotators against the majority",
        source="Table 4, rows of baselines",
        about=ABOUT,
        columns=(Column("row", "Baseline"), *(stage_column(facts, stage) for stage in facts.stages)),
        rows=shown,
        notes=[*notes(facts), *reasons(shown)],
        missing=missing,
    )


def notes(facts: Facts) -> list[str]:
    named = ", ".join(stage.title for stage in facts.context_stages)
    return [f"Two classes, context needed beyond the sentence or not: {named}."] if named else []


def stage_column(facts: Facts, stage: Stage) -> Column:
    n = sum(classes(facts, stage).values())
    return Column(stage.key, f"{stage.title} (n = {n:,})", "number", has_interval=True)


def classes(facts: Facts, stage: Stage) -> Counter[str]:
    """Items by the class of their majority label; those without a class are left out."""
    counts = Counter[str]()
    for label, n in label_counts(facts.in_rounds, stage.key).items():
        if (found := class_of(facts, stage, label)) is not None:
            counts[found] += n
    return counts


def class_of(facts: Facts, stage: Stage, label: str) -> str | None:
    if label in facts.never_learned:
        return None
    if stage in facts.context_stages:
        return ALONE if label == Annotation.ContextOpened.SENTENCE else NEEDED
    return label


def scores_of(facts: Facts) -> Scores:
    """{stage: {annotator: (right, answered)}} over items with a majority that is a class.

    From the counts that the facts' table of agreement brought up to date.
    """
    stages = {stage.key: stage for stage in facts.stages}
    found: dict[str, dict[int, Score]] = defaultdict(dict)
    known: dict[tuple[int, str], Mapping[str, str]] = {}
    for codebook, majorities, stage, rater, label, n in rows_of("against_majority", facts.project, parts=CHOSEN[1]):
        if (labels := known.get((codebook, majorities))) is None:
            labels = known[codebook, majorities] = settled(facts.codebooks[codebook], json.loads(majorities))
        gold = class_of(facts, stages[stage], labels[stage]) if stage in labels and stage in stages else None
        if gold is not None:
            right, answered = found[stage].get(rater, (0, 0))
            found[stage][rater] = right + n * (class_of(facts, stages[stage], label) == gold), answered + n
    return found


def rows(facts: Facts, scores: Scores, people: Sequence[int]) -> list[list[Cell]]:
    shares = {key: [right / answered for right, answered in by_person.values()] for key, by_person in scores.items()}
    keys = [stage.key for stage in facts.stages]
    return [
        [words("Majority class"), *(majority_class(classes(facts, stage)) for stage in facts.stages)],
        [words("Human min."), *(decimal(min(shares.get(key, []), default=None), 2) for key in keys)],
        [words("Human max."), *(decimal(max(shares.get(key, []), default=None), 2) for key in keys)],
        *(
            [words(f"Annotator {number}"), *(person_cell(scores.get(key, {}).get(number)) for key in keys)]
            for number in people
        ),
    ]


def majority_class(counts: Counter[str]) -> Cell:
    n = sum(counts.values())
    return decimal(max(counts.values()) / n, 2) if n else nothing("no item with a majority")


def person_cell(score: Score | None) -> Cell:
    if score is None:
        return nothing()
    share = wilson(*score)
    bounds = decimal_bounds(share.low, share.high, 2) if share else None
    right, answered = score
    return Cell(f"{right / answered:.2f} (n = {answered:,})", right / answered, interval=bounds)
