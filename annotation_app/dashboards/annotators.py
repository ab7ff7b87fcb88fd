"""Put together what admins see of each annotator: work, time, agreement with the others, labels and practice."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from annotation_app.aggregation.selectors import codebooks_of, newest_stages
from annotation_app.agreement.details import Habits
from annotation_app.agreement.people import BesideOthers, people_compared
from annotation_app.assignment.practice import PracticeStanding, attempts_of, standing_of
from annotation_app.codebook.question_types.stage import Stage
from annotation_app.dashboards.report.minutes import Spent, times_of
from annotation_app.models import Batch, Capability, Membership, Practice, Project

# Batches whose answers are independent of each other, and count as data.
KINDS = (Batch.Kind.ROUND, Batch.Kind.PROTOTYPE, Batch.Kind.CHOSEN)


@dataclass(frozen=True)
class AnnotatorFigures:
    """Hold the figures of one annotator.

    `spent`, `agreement` and `labels` are of the chosen batches; the latter two are by stage. `practices` are all of
    the project's that were opened, whatever batches are chosen.
    """

    member: Membership
    spent: Spent
    agreement: Mapping[str, BesideOthers] = field(default_factory=dict)
    labels: Mapping[str, Habits] = field(default_factory=dict)
    practices: Sequence[PracticeStanding] = ()


@dataclass(frozen=True)
class Annotators:
    """Hold the annotators by number, with the batches that can be chosen and the stages, each as its newest version."""

    batches: list[Batch]
    stages: list[Stage]
    people: list[AnnotatorFigures]


def batches_to_choose(project: Project) -> list[Batch]:
    """Return the batches over which annotators can be compared, the oldest first."""
    return list(project.batches.filter(kind__in=KINDS).order_by("opened_at", "pk"))


def annotators_figures(*, project: Project, batches: Sequence[Batch] | None) -> Annotators:
    """Return the figures of everybody who may annotate, or has, over these batches or over the rounds."""
    codebooks = codebooks_of(project)
    compared = people_compared(project=project, codebooks=codebooks, batches=batches)
    spent: dict[int, Spent] = defaultdict(Spent)
    for (_, number), part in times_of(project, None if batches is None else [batch.pk for batch in batches]).items():
        spent[number] += part
    practices = list(Practice.objects.filter(project=project, opened_at__isnull=False).order_by("number"))
    attempts = attempts_of(practices)
    members = project.memberships.select_related("user").order_by("number")
    return Annotators(
        batches=batches_to_choose(project),
        stages=list(newest_stages(codebooks).values()),
        people=[
            AnnotatorFigures(
                member=member,
                spent=spent[member.number],
                agreement=compared.agreement.get(member.number, {}),
                labels=compared.labels.get(member.number, {}),
                practices=[standing_of(practice, member, attempts) for practice in practices],
            )
            for member in members
            if member.may(Capability.RATE) or member.number in spent
        ],
    )
