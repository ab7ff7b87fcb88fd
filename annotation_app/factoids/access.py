"""Say who may read and who may change a factoid list."""

from django.db.models import Q

from annotation_app.models import Capability, FactoidList, FactoidPhase, Membership, TextSet
from annotation_app.refusals import Refused

PHASE_CLOSED = "This phase is closed, so its lists can't be changed any more."
ARCHIVED = "This project is archived. It accepts no work unless an admin restores it."
PUBLISHED = "This list is published, so it can't be changed any more. Start a draft from it instead."


def is_readable(row: FactoidList, reader: Membership) -> bool:
    """Return whether a member of its project may read a list.

    People see their own. Whoever resolves disagreements sees lists of nobody's own, and others' once the phase is
    closed. A discarded draft is hidden from all.
    """
    if row.discarded_at is not None:
        return False
    if row.owner_id is not None and row.owner_id == reader.pk:
        return True
    is_open = row.phase is not None and row.phase.closed_at is None
    return reader.may(Capability.RESOLVE) and (row.owner_id is None or not is_open)


def answers_check(reader: Membership, shown: FactoidPhase | TextSet) -> None:
    """Raise Refused (answer_first) for others' answers in a phase, or in all of a set.

    Whoever has a list of their own in an open phase that follows could change it by what they read.
    """
    if isinstance(shown, TextSet):
        follows = Q(text_set=shown, follows__isnull=False)
    else:
        follows = Q(follows=shown) | Q(follows__follows=shown)
    own = FactoidPhase.objects.filter(follows, closed_at=None, lists__owner=reader).first()
    if own is not None:
        raise Refused(
            "answer_first",
            f"You have a list of your own in phase {own.number}, which is open. "
            "Until it is closed, other people's answers stay hidden from you.",
        )


def list_answers_check(reader: Membership, row: FactoidList) -> None:
    """Raise Refused as `answers_check` for a list of others, and for a consensus list that was made from such lists."""
    if row.owner_id == reader.pk:
        return
    while row.phase is None and row.started_from is not None:
        row = row.started_from
    if row.phase is not None:
        answers_check(reader, row.phase)


def editor_needs(row: FactoidList) -> Capability:
    """Return what a role must allow to those who change the list: rating for one's own, resolving for nobody's own."""
    return Capability.RESOLVE if row.owner_id is None else Capability.RATE


def is_open(row: FactoidList) -> bool:
    if row.phase is not None:
        return row.phase.closed_at is None
    return row.published_at is None and row.discarded_at is None


def open_check(row: FactoidList) -> None:
    """Raise Refused for a list that never changes again."""
    if not is_open(row):
        raise Refused("closed", PUBLISHED if row.published_at is not None else PHASE_CLOSED)


def may_edit(row: FactoidList, reader: Membership) -> bool:
    """Return whether a member who may read the list may change it now."""
    is_theirs = row.owner_id is None or row.owner_id == reader.pk
    return is_theirs and reader.may(editor_needs(row)) and is_open(row) and reader.project.archived_at is None
