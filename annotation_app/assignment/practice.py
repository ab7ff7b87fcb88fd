"""Let people go through a practice: begin an attempt, see the key after each answer, and pass."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from django.db import transaction
from django.db.models import Exists, Max, OuterRef
from django.utils import timezone

from annotation_app.assignment.blinding import reveal_answers
from annotation_app.assignment.open_batch import BatchFacts, fetch_rows
from annotation_app.assignment.services import UNANSWERED, batch_open, member_lock
from annotation_app.models import (
    Assignment,
    Batch,
    BatchItem,
    Capability,
    KnownAnswer,
    Membership,
    Practice,
    PracticeAttempt,
    Project,
    event_write,
)
from annotation_app.projects.writable import writable_lock
from annotation_app.refusals import Refused


@dataclass(frozen=True)
class Attempt:
    """Hold how far one attempt is: `right` of `done` items, of `total` that are asked for."""

    number: int
    total: int
    done: int
    right: int
    pass_mark: int

    @property
    def is_finished(self) -> bool:
        return self.done == self.total

    @property
    def has_passed(self) -> bool:
        return self.is_finished and 100 * self.right >= self.pass_mark * self.total


class PracticeState(StrEnum):
    """Name how a person stands in a practice; `again` means failed with an attempt left."""

    NOT_BEGUN = "not_begun"
    WORKING = "working"
    AGAIN = "again"
    FAILED = "failed"
    PASSED = "passed"


@dataclass(frozen=True)
class PracticeStanding:
    """Hold one person's attempts at a practice, the first one first."""

    practice: Practice
    member: Membership
    attempts: Sequence[Attempt] = field(default_factory=list)

    @property
    def state(self) -> PracticeState:
        if not self.attempts:
            return PracticeState.NOT_BEGUN
        if any(attempt.has_passed for attempt in self.attempts):
            return PracticeState.PASSED
        if not self.attempts[-1].is_finished:
            return PracticeState.WORKING
        return PracticeState.AGAIN if self.attempts_left else PracticeState.FAILED

    @property
    def attempts_left(self) -> int:
        return max(0, self.practice.attempts - len(self.attempts))

    @property
    def may_begin(self) -> bool:
        is_next = self.state in (PracticeState.NOT_BEGUN, PracticeState.AGAIN)
        return is_next and self.practice.opened_at is not None and self.practice.closed_at is None


def attempts_of(practices: Iterable[Practice]) -> dict[tuple[int, int], list[Attempt]]:
    """Return the attempts by (practice id, membership id), in two queries.

    One of which nothing is left to ask, since all its items were left out, is none: the person may begin another.
    """
    rows = list(PracticeAttempt.objects.filter(practice__in=list(practices)).select_related("practice"))
    results = {batch: numbers for batch, *numbers in fetch_rows("attempt_results", batches=[r.batch_id for r in rows])}
    found: dict[tuple[int, int], list[Attempt]] = defaultdict(list)
    for row in sorted(rows, key=lambda each: each.number):
        if row.batch_id in results:
            total, done, right = results[row.batch_id]
            attempt = Attempt(row.number, total, done, right, row.practice.pass_mark)
            found[row.practice_id, row.annotator_id].append(attempt)
    return found


def standing_of(
    practice: Practice, member: Membership, attempts: Mapping[tuple[int, int], Sequence[Attempt]]
) -> PracticeStanding:
    return PracticeStanding(practice, member, attempts.get((practice.pk, member.pk), []))


def own_standings(membership: Membership) -> list[PracticeStanding]:
    """Return how the person stands in every practice that was opened; none for a role that does not rate."""
    if not membership.may(Capability.RATE):
        return []
    practices = list(Practice.objects.filter(project=membership.project_id, opened_at__isnull=False).order_by("number"))
    attempts = attempts_of(practices)
    return [standing_of(practice, membership, attempts) for practice in practices]


def not_passed(project: Project, members: Iterable[Membership]) -> dict[Practice, list[Membership]]:
    """Return who of the members has not passed a practice that rounds require. Practices may share a title."""
    required = Practice.objects.filter(project=project, is_required=True, opened_at__isnull=False)
    practices = list(required.order_by("number"))
    attempts = attempts_of(practices) if practices else {}
    people = sorted(members, key=lambda each: each.number)
    found = {
        practice: [member for member in people if standing_of(practice, member, attempts).state != PracticeState.PASSED]
        for practice in practices
    }
    return {practice: missing for practice, missing in found.items() if missing}


def not_passed_words(missing: Mapping[Practice, Sequence[Membership]]) -> list[str]:
    return [
        f"Practice {practice.number}, “{practice.title}”, has to be passed first, by "
        f"{', '.join(each.user.shown_name for each in people)}."
        for practice, people in missing.items()
    ]


@transaction.atomic
def attempt_begin(*, practice: Practice, membership: Membership) -> PracticeAttempt:
    """Give the person the practice's items, before all that they have in hand. Raises Refused.

    The keys are copied with the items, so that an attempt is always graded by the key that the person was shown.
    """
    writable_lock(practice.project_id)
    member_lock(membership)
    practice = Practice.objects.select_related("batch__codebook", "project").get(pk=practice.pk)
    if not membership.may(Capability.RATE):
        raise Refused("wrong_role", "Your role in this project does not annotate, so there is nothing to practise.")
    standing = standing_of(practice, membership, attempts_of([practice]))
    if not standing.may_begin:
        raise Refused("no_attempt", refusal_words(standing))
    known = KnownAnswer.objects.filter(batch_item__batch=practice.batch, batch_item__item__left_out="")
    keys = {key.batch_item.item_id: key for key in known.select_related("batch_item").order_by("batch_item__rank")}
    if not keys:
        raise Refused("no_items", "All items of this practice were left out. Ask an admin for another one.")
    batch = batch_open(
        project=practice.project,
        codebook=practice.batch.codebook,
        items=[(item, None) for item in keys],
        annotators=[membership],
        annotators_per_item=1,
        kind=Batch.Kind.PRACTICE,
        number=next_practice_number(practice.project),
        actor_id=membership.user_id,
    )
    KnownAnswer.objects.bulk_create(
        KnownAnswer(batch_item=row, answers=key.answers, explanation=key.explanation, explanations=key.explanations)
        for row in BatchItem.objects.filter(batch=batch)
        for key in [keys[row.item_id]]
    )
    begun = PracticeAttempt.objects.filter(practice=practice, annotator=membership)
    number = (begun.aggregate(last=Max("number"))["last"] or 0) + 1
    attempt = PracticeAttempt.objects.create(practice=practice, annotator=membership, number=number, batch=batch)
    event_write(
        verb="practice_begun",
        project=practice.project,
        actor_id=membership.user_id,
        subject=practice.uuid,
        attempt=number,
    )
    return attempt


def next_practice_number(project: Project) -> int:
    """Return the number of the next practice batch. The caller holds the project's lock."""
    last = project.batches.filter(kind=Batch.Kind.PRACTICE).aggregate(last=Max("number"))["last"]
    return (last or 0) + 1


def refusal_words(standing: PracticeStanding) -> str:
    match standing.state:
        case PracticeState.PASSED:
            return "You have passed this practice already."
        case PracticeState.WORKING:
            return "You are at this practice already: its items are on the page Label."
        case PracticeState.FAILED:
            return "You have no attempt left. Ask an admin for another practice."
    return "This practice is not open."


def practice_answered(*, membership: Membership, assignment_id: int, batch_id: int) -> None:
    """Lock the answer, since its key is shown from now on, and end the attempt with its last answer.

    It stands in the transaction of the submit, which holds the person's lock. The key may tell others' answers to the
    same item in an earlier batch, so that it counts there as a reveal. Raises Refused (answer_first).
    """
    row = Assignment.objects.select_related("batch_item__item").get(pk=assignment_id)
    row.answers_revealed_at = timezone.now()
    row.save(update_fields=["answers_revealed_at"])
    item = row.batch_item.item
    elsewhere = BatchItem.objects.filter(item=item).exclude(batch__kind=Batch.Kind.PRACTICE)
    reveal_answers(
        reader=membership, batch_items=list(elsewhere.values_list("pk", flat=True)), subject=item.uuid, lock_own=True
    )
    attempts_end([batch_id])


def attempts_end(batches: Iterable[int]) -> None:
    """Freeze those of the attempts' batches in which nothing waits, so that the result stays.

    The caller's transaction holds the locks of their people.
    """
    waiting = Assignment.objects.filter(batch_item__batch=OuterRef("pk"), state__in=UNANSWERED)
    begun = Batch.objects.filter(pk__in=list(batches), kind=Batch.Kind.PRACTICE, frozen_at__isnull=True)
    begun.filter(~Exists(waiting)).update(frozen_at=timezone.now())


@dataclass(frozen=True)
class ShownKey:
    """Hold the key of a practice's item, with the stages at which the person's answer is another one.

    `explanations` are by stage, and `explanation` is of all of them.
    """

    answers: Mapping[str, str]
    explanation: str
    explanations: Mapping[str, str]
    differs: list[str]


def shown_key(row: Assignment, batch: BatchFacts, own: Mapping[str, str]) -> ShownKey | None:
    """Return the key of a practice's item that the person has answered, and `own` are the answers; None for all else.

    Known answers outside a practice are never shown.
    """
    if not batch.is_practice or row.answers_revealed_at is None:
        return None
    key = KnownAnswer.objects.get(batch_item=row.batch_item_id)
    differs = [stage for stage, answer in key.answers.items() if own.get(stage) != answer]
    return ShownKey(key.answers, key.explanation, key.explanations, differs)
