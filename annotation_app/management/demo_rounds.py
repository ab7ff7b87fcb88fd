"""Make the demo's work: a round answered by programs, and open batches for people. The workers must be running."""

import time
from collections.abc import Callable, Sequence
from uuid import UUID, uuid5

from django.db import transaction

from al_worker.formats.models import BOW_LOGREG
from annotation_app.annotation.services import annotation_submit
from annotation_app.annotation.submission import Submission
from annotation_app.assignment.services import next_window
from annotation_app.demo.coders import TASTES, Taste, answers, dice
from annotation_app.management.demo_notes import notes_annotate, notes_group, notes_validate
from annotation_app.models import Assignment, Item, Membership, Project, Role, Round, User, WorkerBeat
from annotation_app.rounds.models_offered import offered_models
from annotation_app.rounds.services import round_start
from annotation_app.rounds.spec import RoundSpec

FIRST, NEXT, REPORTS, NOTES, NOTES_NEXT = 36, 24, 6, 54, 6
READY_SECONDS, ROUND_SECONDS = 60.0, 180.0
NAMESPACE = UUID("6f0d4c1e-5d2b-4b53-9a77-0e2f6a1d8c10")
COMMENT = "I am not sure whether this is the speaker's own view."
SKIP = "The sentence breaks off."


class DemoFailed(RuntimeError):
    """The workers did not do their part; the message says which and where to look."""


def demo_work(stages: Project | None, spans: Project | None, notes: Project | None, admin: User) -> None:
    """Make the work of the demo projects that are given. Their rounds are chosen side by side. Raises DemoFailed."""
    wait_until(lambda: WorkerBeat.alive("models"), READY_SECONDS, "The model worker does not run: see its log.")
    stages_first = stages and round_begin(stages, admin, strategy="random", size=FIRST, stages=("opinion",))
    notes_first = notes and round_begin(notes, admin, strategy="random", size=NOTES)
    chosen = [round_begin(spans, admin, strategy="random", size=REPORTS)] if spans else []
    if stages and stages_first:
        round_wait(stages_first)
        for member, taste in zip(annotators_of(stages), TASTES, strict=True):
            round_answer(stages_first, member, taste)
        model = quick_model()
        chosen.append(round_begin(stages, admin, strategy="entropy", size=NEXT, model=model, stages=("opinion",)))
    if notes and notes_first:
        round_wait(notes_first)
        notes_settle(notes, notes_first, admin)
        chosen.append(round_begin(notes, admin, strategy="random", size=NOTES_NEXT))
    for row in chosen:
        round_wait(row)


def notes_settle(project: Project, first: Round, admin: User) -> None:
    """Have the notes of a round marked, validated and grouped."""
    (annotator,) = annotators_of(project)
    validator = project.memberships.select_related("user").get(role=Role.ADJUDICATOR)
    notes_annotate(first, annotator)
    notes_validate(first, validator)
    notes_group(project, admin, validator.user)


def quick_model() -> str:
    """Give the bag of words, which trains in a second, where the operator offers it; else the first model here."""
    names = [model.name for model in offered_models() if model.available]
    if not names:
        raise DemoFailed("No model of QUORUM_MODELS is on this machine.")
    return BOW_LOGREG if BOW_LOGREG in names else names[0]


def annotators_of(project: Project) -> list[Membership]:
    return list(project.memberships.filter(role=Role.ANNOTATOR).order_by("number"))


def round_begin(
    project: Project, admin: User, *, strategy: str, size: int, model: str = "", stages: Sequence[str] = ()
) -> Round:
    """Start a round in which everybody who annotates gets every item."""
    people = annotators_of(project)
    spec = RoundSpec(
        strategy=strategy,
        query_size=size,
        random_state=13,
        model=model,
        learning_stages=tuple(stages),
        annotators=tuple(member.uuid for member in people),
        annotators_per_item=len(people),
    )
    return round_start(project=project, spec=spec, actor=admin)


def round_wait(row: Round) -> None:
    """Wait until the worker has opened the round's batch."""

    def chosen() -> bool:
        row.refresh_from_db()
        if row.state in (Round.State.FAILED, Round.State.CANCELLED):
            raise DemoFailed(f"Round {row.number} of {row.project.name} is {row.state}: {row.failure}")
        return row.state == Round.State.ANNOTATING

    wait_until(
        chosen, ROUND_SECONDS, f"Round {row.number} of {row.project.name} is still at work: see the worker's log."
    )


def wait_until(done: Callable[[], bool], seconds: float, message: str) -> None:
    """Raise DemoFailed with the message where it is not done in time."""
    until = time.monotonic() + seconds
    while not done():
        if time.monotonic() > until:
            raise DemoFailed(message)
        time.sleep(0.2)


@transaction.atomic
def round_answer(row: Round, member: Membership, taste: Taste) -> None:
    """Answer all that a person has of a round's batch, through the service that takes people's answers."""
    while rows := next_window(membership=member, ahead=10).assignments:
        for assignment in rows:
            body = submission(assignment, assignment.batch_item.item, taste)
            annotation_submit(membership=member, assignment_uuid=assignment.uuid, body=body)


def submission(assignment: Assignment, item: Item, taste: Taste) -> Submission:
    name = item.external_id
    skipped = dice(taste, name, "skip") < 2
    found = {} if skipped else answers(taste, {"text": item.text, "external_id": name})
    active = 3_000 + 90 * dice(taste, name, "time")
    return Submission(
        client_id=uuid5(NAMESPACE, str(assignment.uuid)),
        base_revision=0,
        answers=found,
        context_opened="utterance" if len(found) > 1 else "sentence",
        active_ms=active,
        wall_ms=active + 1_500,
        comment=COMMENT if not skipped and dice(taste, name, "comment") < 6 else "",
        skip_reason=SKIP if skipped else "",
    )
