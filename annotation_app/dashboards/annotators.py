"""Put together what admins see of each annotator: work, time, agreement with the others, labels and practice."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from annotation_app.aggregation.selectors import codebooks_of, newest_stages
from annotation_app.agreement.details import Habits
from annotation_app.agreement.people import BesideOthers, people_compared
from annotation_app.assignment.practice import PracticeStanding, attempts_of, standing_of
from annotation_app.codebook.question_types.stage import Stage
from annotation_app.dashboards.check_results import CheckResult, check_results
from annotation_app.dashboards.report.minutes import Spent, times_of
from annotation_app.models import Assignment, Batch, Capability, Membership, Practice, Project

# Batches whose answers are independent of each other, and count as data.
KINDS = (Batch.Kind.ROUND, Batch.Kind.PROTOTYPE, Batch.Kind.CHOSEN)


@dataclass(frozen=True)
class AnnotatorFigures:
    """Hold the figures of one annotator.

    `spent`, `agreement` and `labels` are of the chosen batches; the latter two are by stage. `practices` are all of
    the project's that were opened, whatever batches are chosen. `checks` are of those batches that are not hidden.
    """

    member: Membership
    spent: Spent
    agreement: Mapping[str, BesideOthers] = field(default_factory=dict)
    labels: Mapping[str, Habits] = field(default_factory=dict)
    practices: Sequence[PracticeStanding] = ()
    checks: CheckResult = field(default_factory=CheckResult)


@dataclass(frozen=True)
class Annotators:
    """Hold the annotators by number, with the batches that can be chosen and the stages, each as its newest version."""

    batches: list[Batch]
    # Of the chosen ones, those whose labels the reader may not see yet: only work and time of them are told.
    hidden: list[Batch]
    stages: list[Stage]
    people: list[AnnotatorFigures]


def batches_to_choose(project: Project) -> list[Batch]:
    """Return the batches over which annotators can be compared, the oldest first."""
    return list(project.batches.filter(kind__in=KINDS).order_by("opened_at", "pk"))


def hidden_batches(reader: Membership, batches: Sequence[Batch]) -> list[Batch]:
    """Return the batches in which the reader can still answer or revise without having looked at the answers."""
    own = Assignment.objects.filter(annotator=reader, answers_revealed_at=None).exclude(
        state=Assignment.State.WITHDRAWN
    )
    at_stake = set(own.filter(batch_item__batch__frozen_at=None).values_list("batch_item__batch", flat=True).distinct())
    # A round's second look shows the round's answers again.
    looked_at = set(Batch.objects.filter(pk__in=at_stake).values_list("second_look_of", flat=True))
    return [batch for batch in batches if batch.pk in at_stake | looked_at]


def annotators_figures(*, reader: Membership, batches: Sequence[Batch] | None) -> Annotators:
    """Return the figures of everybody who may annotate, or has, over these batches or over the rounds.

    Agreement, label shares and check items leave the batches out that are hidden from the reader.
    """
    project, codebooks = reader.project, codebooks_of(reader.project)
    to_choose = batches_to_choose(project)
    chosen = [batch for batch in to_choose if batch.kind == Batch.Kind.ROUND] if batches is None else batches
    hidden = hidden_batches(reader, chosen)
    shown = [batch for batch in chosen if batch not in hidden] if hidden else batches
    compared = people_compared(project=project, codebooks=codebooks, batches=shown)
    spent: dict[int, Spent] = defaultdict(Spent)
    for (_, number), part in times_of(project, None if batches is None else [batch.pk for batch in batches]).items():
        spent[number] += part
    practices = list(Practice.objects.filter(project=project, opened_at__isnull=False).order_by("number"))
    attempts = attempts_of(practices)
    checks = check_results([batch for batch in chosen if batch not in hidden])
    members = project.memberships.select_related("user").order_by("number")
    return Annotators(
        batches=to_choose,
        hidden=hidden,
        stages=list(newest_stages(codebooks).values()),
        people=[
            AnnotatorFigures(
                member=member,
                spent=spent[member.number],
                agreement=compared.agreement.get(member.number, {}),
                labels=compared.labels.get(member.number, {}),
                practices=[standing_of(practice, member, attempts) for practice in practices],
                checks=checks.get(member.pk, CheckResult()),
            )
            for member in members
            if member.may(Capability.RATE) or member.number in spent or member.pk in checks
        ],
    )


@dataclass(frozen=True)
class CheckedPerson(CheckResult):
    """Hold the result of one person."""

    member: Membership = field(kw_only=True)


@dataclass(frozen=True)
class BatchChecks:
    """Hold how many check items a batch has, and how its people did; `is_hidden`: the reader may not see it yet."""

    size: int
    is_hidden: bool
    people: Sequence[CheckedPerson] = ()


def batch_checks(reader: Membership, batch: Batch) -> BatchChecks:
    """Return how people did with the check items of a batch.

    Whoever can still answer or revise in the batch does not see it: results tell what their own answers were worth.
    """
    size = batch.batch_items.filter(is_check=True).count()
    if hidden_batches(reader, [batch]):
        return BatchChecks(size, True)
    results = check_results([batch])
    members = batch.project.memberships.filter(pk__in=results).select_related("user").order_by("number")
    return BatchChecks(size, False, [CheckedPerson(**vars(results[member.pk]), member=member) for member in members])
