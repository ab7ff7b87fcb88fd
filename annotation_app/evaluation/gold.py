"""Find the gold labels of an evaluation: aggregated labels of the project, or those of a release."""

import json
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from zipfile import ZipFile

from django.core.files.storage import default_storage

from annotation_app.aggregation.selectors import Majority, majority_labels
from annotation_app.cached import Cache
from annotation_app.codebook.definition import codebook_of
from annotation_app.evaluation.questions import Question, not_evaluated, questions_of
from annotation_app.evaluation.spec import GoldSource
from annotation_app.models import Batch, BatchItem, CodebookVersion, Evaluation, Item, Project, Release
from annotation_app.refusals import Invalid
from annotation_app.rounds.batches import usable_batches
from annotation_app.rounds.training_set import Unusable, items_left_out, open_outcomes

AGGREGATED = "data/aggregated.jsonl"
# Of a release's items alone: an import that was undone has taken them away.
GONE = "no longer in the project"
Votes = Mapping[str, Mapping[str, int]]
# By release and stage, of 200,000 items at most: a person who looks at one error after the other reads the ZIP once.
VOTES: Cache[tuple[int, str], Votes] = Cache(200_000, size=lambda votes: len(votes) + 1)
# The strategy whose batches are random samples.
RANDOM = "random"


@dataclass(frozen=True)
class Gold:
    """Hold the gold label of one item, and how many people gave each label."""

    item_id: int
    external_id: str
    label: str
    votes: Mapping[str, int]

    @property
    def is_unanimous(self) -> bool | None:
        """Tell whether everybody gave the label; None where fewer than two people answered."""
        return set(self.votes) == {self.label} if sum(self.votes.values()) > 1 else None


@dataclass
class StageGold:
    """Hold a stage's gold labels, and how many of its items have none, by reason."""

    question: Question
    labels: list[Gold] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)

    @property
    def counts(self) -> dict[str, int]:
        """Count the gold labels, in the order of the stage's labels."""
        counted = Counter(gold.label for gold in self.labels)
        return {label: counted[label] for label in self.question.labels}

    def has_folds(self, n: int) -> bool:
        """Tell whether the gold labels can be split into n folds, which takes n items and two labels."""
        return len(self.labels) >= n and sum(count > 0 for count in self.counts.values()) > 1


def gold_labels(
    *, project: Project, source: GoldSource, version: CodebookVersion, stages: Sequence[str]
) -> dict[str, StageGold]:
    """Return the gold labels by stage, in the order of the codebook.

    Raises Invalid for a stage or a release that is not there.
    """
    codebook = codebook_of(version)
    questions = questions_of(codebook)
    unknown = {f"stages[{at}]": [not_evaluated(codebook, key)] for at, key in enumerate(stages) if key not in questions}
    if unknown:
        raise Invalid(unknown)
    asked = [question for key, question in questions.items() if key in stages]
    if source.kind == "release":
        return of_release(project, asked, release_found(project, source.release))
    if source.phase == 2 and not project.batches.filter(kind=Batch.Kind.SECOND_LOOK).exists():
        raise Invalid({"gold.phase": ["No batch has had a second look: choose 1, the independent answers."]})
    return {question.key: of_project(project, source, version, question) for question in asked}


def of_project(project: Project, source: GoldSource, version: CodebookVersion, question: Question) -> StageGold:
    """Return the gold labels of a stage from the labels that a round could learn from."""
    rows = outcomes(project, source, usable_batches(project, version), question)
    gold = StageGold(question)
    # An item that stands in two batches has the label of the later one, as in a training set.
    found: dict[int, Gold] = {}
    reasons: dict[int, str] = {}
    for row, label, unusable in open_outcomes(question.stage, rows, question.learnt, items_left_out(project)):
        if unusable is None:
            found[row.item_id] = gold_of(question, row.item_id, row.external_id, label, row.votes)
        else:
            reasons[row.item_id] = unusable
    gold.labels = list(found.values())
    gold.left_out = Counter(str(reason) for item, reason in reasons.items() if item not in found)
    return gold


def outcomes(project: Project, source: GoldSource, batches: Sequence[Batch], question: Question) -> list[Majority]:
    return majority_labels(
        project=project, stage=question.key, batches=batches, phase=source.phase, adjudicated=source.adjudicated
    )


def gold_of(question: Question, item_id: int, external_id: str, label: str, votes: Mapping[str, int]) -> Gold:
    """Return the gold label as the question has it, with its votes."""
    return Gold(item_id, external_id, question.asked(label), votes_asked(question, votes))


def votes_asked(question: Question, votes: Mapping[str, int]) -> dict[str, int]:
    """Return how many people gave each label, as the question has it."""
    asked = Counter[str]()
    for answer, n in votes.items():
        asked[question.asked(answer)] += n
    return dict(asked)


def release_found(project: Project, number: int) -> Release:
    release = project.releases.filter(number=number, state=Release.State.DONE).first()
    if release is None:
        raise Invalid({"gold.number": [f"There is no finished release {number}."]})
    return release


def of_release(project: Project, questions: Sequence[Question], release: Release) -> dict[str, StageGold]:
    """Return the gold labels of stages from a release's files."""
    stages = {question.key: StageGold(question) for question in questions}
    found = [(record["id"], record.get("labels", {})) for record in release_records(release)]
    names = [name for name, _ in found]
    ids = dict(project.items.filter(external_id__in=names).values_list("external_id", "pk"))
    for name, labels in found:
        for key, gold in stages.items():
            outcome = labels.get(key, {"state": "not_applicable"})
            if outcome["state"] == "not_applicable":
                continue
            reason = unusable_of(outcome["label"], gold.question.learnt, name in ids)
            if reason is not None:
                gold.left_out[reason] += 1
                continue
            gold.labels.append(gold_of(gold.question, ids[name], name, outcome["label"], given_votes(outcome)))
    return stages


def unusable_of(label: str | None, learnt: Sequence[str], is_there: bool) -> str | None:
    if label is None:
        return Unusable.NO_MAJORITY
    if label not in learnt:
        return Unusable.NEVER_LEARNED
    return None if is_there else GONE


def release_records(release: Release) -> Iterator[dict[str, Any]]:
    """Yield the records of the release's items from its ZIP."""
    with default_storage.open(release.path) as file, ZipFile(file) as packed:
        [name] = [name for name in packed.namelist() if name.endswith(f"/{AGGREGATED}")]
        with packed.open(name) as lines:
            for line in lines:
                yield json.loads(line)


def is_random_sample(project: Project, source: GoldSource, version: CodebookVersion) -> bool | None:
    """Tell whether chance alone chose the items with gold labels; None where the source does not tell."""
    if source.kind == "release":
        return None
    batches = usable_batches(project, version)
    return bool(batches) and all(batch.round is not None and batch.round.strategy_used == RANDOM for batch in batches)


def votes_of_release(question: Question, release: Release, items: Collection[int]) -> dict[int, dict[str, int]]:
    key = release.pk, question.key
    given = VOTES.read([key], lambda keys: {key: release_votes(release, question.key)})[key]
    names = Item.objects.filter(pk__in=items).values_list("external_id", "pk")
    return {pk: votes_asked(question, given[name]) for name, pk in names if name in given}


def release_votes(release: Release, stage: str) -> Votes:
    """Return the votes of a stage by the ids of the items that have any. It reads the whole release."""
    found = ((record["id"], given_votes(record["labels"].get(stage))) for record in release_records(release))
    return {name: votes for name, votes in found if votes}


def given_votes(outcome: Mapping[str, Any] | None) -> dict[str, int]:
    """Return the labels of a release's outcome that somebody gave, with how many people did."""
    return {label: n for label, n in outcome["votes"].items() if n} if outcome else {}


def votes_of(row: Evaluation, stage: str, items: Collection[int]) -> dict[int, dict[str, int]]:
    """Return how many people gave each label to the items: in the release, or in the project as it is now."""
    question = questions_of(codebook_of(row.codebook))[stage]
    source = GoldSource.model_validate(row.spec["gold"])
    if source.kind == "release":
        return votes_of_release(question, release_found(row.project, source.release), items)
    with_items = set(BatchItem.objects.filter(item__in=items, is_check=False).values_list("batch_id", flat=True))
    batches = [batch for batch in usable_batches(row.project, row.codebook) if batch.pk in with_items]
    rows = outcomes(row.project, source, batches, question)
    return {each.item_id: votes_asked(question, each.votes) for each in rows if each.item_id in items and each.votes}
