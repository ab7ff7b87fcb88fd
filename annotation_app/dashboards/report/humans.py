"""Make Table 4's baselines: the majority class, and annotators against the majority of the others and of all."""

import json
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from al_worker.formats.intervals import wilson
from al_worker.formats.paper_tables import (
    Cell,
    Column,
    Table,
    decimal,
    decimal_bounds,
    nothing,
    reasons,
    words,
)
from annotation_app.aggregation.rules import aggregated_labels
from annotation_app.codebook.question_types.label import LabelStage
from annotation_app.dashboards.report.facts import NO_MAJORITIES, ReportFacts, label_counts, report_facts
from annotation_app.dashboards.report.statements import rows_of
from annotation_app.models import Annotation, Project

ALONE, NEEDED = "sentence alone", "context needed"


@dataclass(frozen=True)
class Score:
    """Count `right` of `answered` items; in `circular` of these everyone is right by construction."""

    right: int = 0
    answered: int = 0
    circular: int = 0

    @property
    def share(self) -> float | None:
        return self.right / self.answered if self.answered > self.circular else None


# {stage: {annotator: score}}.
Scores = Mapping[str, Mapping[int, Score]]
ABOUT = (
    "How often an annotator gives the majority's label. Against the others: the label that more than half of the "
    "item's other answers are, over all items; of two people it is the other's answer. Own vote included: the majority "
    "of all, so that these values are higher by construction; n: items with a majority that is not ambiguous. One's "
    "own ambiguous answer counts as wrong."
)
RIGHT_BY_CONSTRUCTION = (
    "circular: each of these items has just as many answers as a majority takes, so that every answer is the majority's"
)
NO_OTHERS = "no item where the others have a majority that is not ambiguous"
# (what a row's first words are, what follows them).
OTHERS, OWN = "against the others", "own vote included"


def table_4(facts: ReportFacts) -> Table:
    """Make the table after OP-FED Table 4, without its models.

    Context stages are two classes, made after the vote (OP-FED 6).
    """
    others = {} if facts.missing else others_scores(facts)
    own = {} if facts.missing else scores_of(facts)
    missing = facts.missing or ("" if own or has_any(others) else NO_MAJORITIES)
    shown = [] if missing else rows(facts, others, own)
    return Table(
        key="table_4",
        title="Accuracy of each annotator",
        source="Table 4, rows of baselines",
        about=ABOUT,
        columns=(Column("row", "Baseline"), *(stage_column(facts, stage) for stage in facts.stages)),
        rows=shown,
        notes=[*notes(facts), *circular_notes(facts, own), *reasons(shown)],
        missing=missing,
    )


def has_any(scores: Scores) -> bool:
    return any(score.answered for by_person in scores.values() for score in by_person.values())


def circular_notes(facts: ReportFacts, own: Scores) -> list[str]:
    """Say how many items of each stage have no more answers than a majority takes, where any have."""
    most = {key: max((score.circular for score in by_person.values()), default=0) for key, by_person in own.items()}
    found = [(stage.title, most.get(stage.key, 0)) for stage in facts.stages]
    named = ", ".join(f"{title} {n:,}" for title, n in found if n)
    return [f"Items of one annotator where everyone is right by construction, at most: {named}."] if named else []


def notes(facts: ReportFacts) -> list[str]:
    named = ", ".join(stage.title for stage in facts.context_stages)
    return [f"Two classes, context needed beyond the sentence or not: {named}."] if named else []


def stage_column(facts: ReportFacts, stage: LabelStage) -> Column:
    n = sum(classes(facts, stage).values())
    return Column(stage.key, f"{stage.title} (n = {n:,})", "number", has_interval=True, has_reason=True)


def classes(facts: ReportFacts, stage: LabelStage) -> Counter[str]:
    """Count items by the class of their majority label; those without a class are left out."""
    counts = Counter[str]()
    for label, n in label_counts(facts.in_rounds, stage.key).items():
        if (found := class_of(facts, stage, label)) is not None:
            counts[found] += n
    return counts


def class_of(facts: ReportFacts, stage: LabelStage, label: str) -> str | None:
    if label in facts.never_learned:
        return None
    if stage.asks_for_context:
        return ALONE if label == Annotation.ContextOpened.SENTENCE else NEEDED
    return label


def scores_of(facts: ReportFacts) -> Scores:
    """Score against the majority of all, the annotator's own vote included, over items with one that is a class.

    From the counts that the facts' tables of agreement brought up to date.
    """
    stages = {stage.key: stage for stage in facts.stages}
    found: dict[str, dict[int, Score]] = defaultdict(dict)
    known: dict[tuple[int, str], Mapping[str, str]] = {}
    for codebook, majorities, stage, rater, label, circular, n in rows_of("answers_and_majorities", facts.project):
        if (labels := known.get((codebook, majorities))) is None:
            labels = known[codebook, majorities] = aggregated_labels(facts.codebooks[codebook], json.loads(majorities))
        gold = class_of(facts, stages[stage], labels[stage]) if stage in labels and stage in stages else None
        if gold is not None:
            is_right = class_of(facts, stages[stage], label) == gold
            found[stage][rater] = added(found[stage].get(rater), n, is_right, circular)
    return found


def others_scores(facts: ReportFacts) -> Scores:
    """Score against the majority of the others, over all items of a stage where it is a class."""
    stages = {stage.key: stage for stage in facts.stages}
    found: dict[str, dict[int, Score]] = defaultdict(dict)
    for stage, rater, label, others, n in rows_of("answers_and_others", facts.project):
        if stage not in stages:
            continue
        gold = None if others is None else class_of(facts, stages[stage], others)
        score = found[stage].get(rater, Score())
        is_right = gold is not None and class_of(facts, stages[stage], label) == gold
        found[stage][rater] = score if gold is None else added(score, n, is_right, circular=False)
    return found


def added(score: Score | None, n: int, is_right: bool, circular: bool) -> Score:
    before = score or Score()
    return Score(before.right + n * is_right, before.answered + n, before.circular + n * circular)


def rows(facts: ReportFacts, others: Scores, own: Scores) -> list[list[Cell]]:
    return [
        [words("Majority class"), *(majority_class(classes(facts, stage)) for stage in facts.stages)],
        *score_rows(facts, others, OTHERS, NO_OTHERS),
        *score_rows(facts, own, OWN, RIGHT_BY_CONSTRUCTION),
    ]


def score_rows(facts: ReportFacts, scores: Scores, how: str, why: str) -> list[list[Cell]]:
    """Return the lowest and the highest annotator, then each."""
    keys = [stage.key for stage in facts.stages]
    people = sorted({number for by_person in scores.values() for number in by_person})
    shares = {
        key: [score.share for score in by_person.values() if score.share is not None]
        for key, by_person in scores.items()
    }
    return [
        [words(f"Lowest annotator, {how}"), *(decimal(min(shares.get(key, []), default=None), 2) for key in keys)],
        [words(f"Highest annotator, {how}"), *(decimal(max(shares.get(key, []), default=None), 2) for key in keys)],
        *(
            [words(f"Annotator {number}, {how}"), *(person_cell(scores.get(key, {}).get(number), why) for key in keys)]
            for number in people
        ),
    ]


def majority_class(counts: Counter[str]) -> Cell:
    n = sum(counts.values())
    return decimal(max(counts.values()) / n, 2) if n else nothing("no item with a majority")


def person_cell(score: Score | None, why: str) -> Cell:
    if score is None:
        return nothing()
    if score.share is None:
        return nothing(why)
    share = wilson(score.right, score.answered)
    bounds = decimal_bounds(share.low, share.high, 2) if share else None
    return Cell(f"{score.share:.2f} (n = {score.answered:,})", score.share, interval=bounds)


def humans_figures(project: Project) -> dict[str, Any]:
    """Return Table 4's figures of annotators for programs, by stage: as `Humans` of docs/methods/evaluation.md."""
    facts = report_facts(project)
    if facts.missing:
        return {stage.key: {"reason": facts.missing} for stage in facts.stages}
    own, others = scores_of(facts), others_scores(facts)
    return {
        stage.key: {"own": annotators(own.get(stage.key, {})), "others": annotators(others.get(stage.key, {}))}
        for stage in facts.stages
    }


def annotators(scores: Mapping[int, Score]) -> dict[str, Any]:
    shares = [score.share for score in scores.values() if score.share is not None]
    rows = []
    for number, score in sorted(scores.items()):
        bounds = wilson(score.right, score.answered) if score.share is not None else None
        rows.append(
            {
                "annotator": number,
                "n": score.answered,
                "accuracy": score.share,
                "low": bounds.low if bounds else None,
                "high": bounds.high if bounds else None,
            }
        )
    return {"lowest": min(shares, default=None), "highest": max(shares, default=None), "annotators": rows}
