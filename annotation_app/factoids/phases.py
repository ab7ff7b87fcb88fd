"""Open the phases of work on a text set, and close them. Each phase has people's lists, or one list of a consensus."""

from collections.abc import Sequence
from uuid import UUID

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from annotation_app.factoids.copies import consensus_list_make, lists_copy, second_looks_make
from annotation_app.factoids.events import event_of
from annotation_app.factoids.relations import newest_relations
from annotation_app.factoids.states import factoid_states
from annotation_app.models import (
    Capability,
    FactoidList,
    FactoidPhase,
    FactoidRelation,
    Membership,
    SetText,
    TextSet,
    User,
    event_write,
)
from annotation_app.projects.writable import writable_lock
from annotation_app.refusals import Invalid, Refused

NOT_OPENED = "The phase was not opened."
Kind, Step = FactoidPhase.Kind, FactoidPhase.Step


@transaction.atomic
def phase_open(
    *,
    text_set: TextSet,
    actor: User,
    kind: str,
    step: str,
    members: Sequence[UUID] = (),
    given: UUID | None = None,
    follows: UUID | None = None,
) -> FactoidPhase:
    """Open a phase with its lists and items. `given` is a published list, `follows` a closed phase, by their ids.

    Raises Invalid and Refused; nothing is stored then.
    """
    writable_lock(text_set.project_id)
    if step == Step.INDEPENDENT:
        if follows is not None:
            raise invalid("follows", "An independent phase follows no other: leave this out.")
        phase = phase_create(text_set, actor, kind, step, given=given_list(text_set, kind, given))
        people_add(phase, members)
    else:
        before = followed_phase(text_set, kind, step, follows)
        if members or given is not None:
            raise invalid("members" if members else "given", "The phase takes this from the one that it follows.")
        phase = phase_create(text_set, actor, kind, step, given=before.given, follows=before)
        if step == Step.SECOND_LOOK:
            second_looks_make(phase, before)
        else:
            consensus_list_make(phase, before)
    event_write(
        verb="factoid_phase_opened",
        **event_of(phase.text_set, actor),
        phase=phase.number,
        kind=kind,
        step=step,
        people=phase.lists.count(),
    )
    return phase


def invalid(field: str, message: str) -> Invalid:
    return Invalid({field: [message]}, NOT_OPENED)


def given_list(text_set: TextSet, kind: str, given: UUID | None) -> FactoidList | None:
    """Return the published list that people annotate with; None in a definition."""
    if kind == Kind.DEFINITION:
        if given is not None:
            raise invalid("given", "In a definition people make lists of their own: leave this out.")
        return None
    found = text_set.lists.filter(uuid=given, published_at__isnull=False).first() if given else None
    if found is None:
        raise invalid("given", "Choose a published list of this text set, with which people annotate.")
    return found


def followed_phase(text_set: TextSet, kind: str, step: str, follows: UUID | None) -> FactoidPhase:
    phases = text_set.phases.select_related("given", "follows__follows")
    found = phases.filter(uuid=follows).first() if follows else None
    if found is None:
        raise invalid("follows", "Choose the closed phase that this one goes on from.")
    if found.kind != kind:
        raise invalid("kind", f"Phase {found.number} is of another kind ({found.kind}).")
    if step == Step.CONSENSUS and kind == Kind.DEFINITION:
        raise invalid("step", "Lists of a definition come to a consensus by their relations: propose a consensus list.")
    before = (Step.INDEPENDENT,) if step == Step.SECOND_LOOK else (Step.INDEPENDENT, Step.SECOND_LOOK)
    if found.step not in before:
        raise invalid("follows", f"Phase {found.number} is no {' or '.join(before).replace('_', ' ')} phase.")
    if found.closed_at is None:
        raise Refused("phase_open", f"Phase {found.number} is open: close it first.")
    if FactoidPhase.objects.filter(follows=found).exists():
        raise Refused("followed", f"Another phase goes on from phase {found.number} already.")
    return found


def phase_create(
    text_set: TextSet,
    actor: User,
    kind: str,
    step: str,
    *,
    given: FactoidList | None,
    follows: FactoidPhase | None = None,
) -> FactoidPhase:
    number = text_set.phases.count() + 1
    return FactoidPhase.objects.create(
        text_set=text_set, number=number, kind=kind, step=step, given=given, follows=follows, opened_by=actor
    )


@transaction.atomic
def phase_people_add(*, phase: FactoidPhase, actor: User, members: Sequence[UUID]) -> FactoidPhase:
    """Give more people a list in an open independent phase. Raises Invalid and Refused."""
    writable_lock(phase.text_set.project_id)
    phase = phase_lock(phase)
    if phase.step != Step.INDEPENDENT:
        raise Refused("not_independent", "This phase has the people of the one that it follows.")
    if phase.closed_at is not None:
        raise Refused("closed", "This phase is closed. Reopen it to add people.")
    people_add(phase, members)
    event_write(verb="factoid_people_added", **event_of(phase.text_set, actor), phase=phase.number, people=len(members))
    return phase


def people_add(phase: FactoidPhase, members: Sequence[UUID]) -> None:
    """Give each of these members a list. Raises Invalid for those who may not rate, or have one."""
    raters = Membership.objects.filter(project=phase.text_set.project_id).active_with(Capability.RATE)
    people = list(raters.filter(uuid__in=members).order_by("number"))
    if not members or len(people) != len(set(members)):
        raise invalid("members", "Choose active members of this project whose role lets them annotate.")
    there = FactoidList.objects.filter(phase=phase, owner__in=people).select_related("owner__user").first()
    if there is not None and there.owner is not None:
        raise invalid("members", f"{there.owner.user.shown_name} has a list in this phase already.")
    lists = [
        FactoidList(text_set_id=phase.text_set_id, phase=phase, owner=person, started_from=phase.given)
        for person in people
    ]
    made = FactoidList.objects.bulk_create(lists)
    if phase.given is not None:
        # Who annotates decides alone where a factoid is: they are given no links.
        lists_copy(dict.fromkeys(made, factoid_states(phase.given)), with_links=False)


@transaction.atomic
def phase_close(*, phase: FactoidPhase, actor: User) -> FactoidPhase:
    """Close a phase, after which its lists never change. Raises Refused while an item of a consensus is open."""
    writable_lock(phase.text_set.project_id)
    phase = phase_lock(phase)
    if phase.closed_at is not None:
        return phase
    # Steps on their way are stored first, and later ones are refused.
    lists = list(phase.lists.select_for_update(no_key=True).order_by("pk"))
    if phase.step == Step.CONSENSUS:
        n_open = sum(row.items.filter(is_there=None).count() for row in lists)
        if n_open:
            raise Refused("unfinished", f"{n_open:,} items of the consensus are open: decide them first.")
    phase.closed_at, phase.closed_by = timezone.now(), actor
    phase.save(update_fields=["closed_at", "closed_by"])
    event_write(verb="factoid_phase_closed", **event_of(phase.text_set, actor), phase=phase.number)
    return phase


@transaction.atomic
def phase_reopen(*, phase: FactoidPhase, actor: User) -> FactoidPhase:
    """Let people go on with a closed phase. Raises Refused where something was made from its lists."""
    writable_lock(phase.text_set.project_id)
    phase = phase_lock(phase)
    if phase.closed_at is None:
        return phase
    if used := use_of(phase):
        raise Refused("used", f"{used}, so the lists of phase {phase.number} must stay as they are.")
    phase.closed_at, phase.closed_by = None, None
    phase.save(update_fields=["closed_at", "closed_by"])
    phase.lists.update(done_at=None)
    event_write(verb="factoid_phase_reopened", **event_of(phase.text_set, actor), phase=phase.number)
    return phase


def use_of(phase: FactoidPhase) -> str | None:
    """Return what was made from the lists of a closed phase, in words; None where nothing was."""
    later = FactoidPhase.objects.filter(follows=phase).first()
    if later is not None:
        return f"Phase {later.number} goes on from them"
    # What a pairing took over from the phase before was not judged on these lists.
    judged = newest_relations(FactoidRelation.objects.filter(pairing__first__phase=phase))
    if judged.filter(decided_at__gte=F("pairing__created_at")).exists():
        return "Relations between their factoids were judged"
    if is_drafted(phase):
        return "A consensus list was made from them"
    if phase.step == Step.INDEPENDENT:
        # Its lists would become about these texts too.
        since = SetText.objects.filter(text_set=phase.text_set_id, created_at__gt=phase.closed_at).order_by("position")
        if (text := since.first()) is not None:
            return f"The text {text.external_id} was added since"
    return None


def is_drafted(phase: FactoidPhase) -> bool:
    """Return whether a list that is not discarded was made from the phase's, also by way of discarded ones."""
    made = list(FactoidList.objects.filter(started_from__phase=phase))
    while made:
        if any(row.discarded_at is None for row in made):
            return True
        made = list(FactoidList.objects.filter(started_from__in=made))
    return False


def phase_lock(phase: FactoidPhase) -> FactoidPhase:
    """Lock a phase. Its project is locked before it, by everyone."""
    locked = FactoidPhase.objects.select_for_update(no_key=True, of=("self",)).select_related(
        "text_set__project", "given", "follows__follows"
    )
    return locked.get(pk=phase.pk)
