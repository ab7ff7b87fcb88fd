"""The revisions of a list replayed give its factoids, and the inverse of every step gives back what was before."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from uuid import UUID, uuid4

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from annotation_app.factoids.revisions import list_step_store
from annotation_app.factoids.states import FactoidState, factoid_states
from annotation_app.factoids.steps import Change, Step
from annotation_app.models import FactoidList, Membership
from annotation_app.refusals import Invalid
from tests.conftest import People
from tests.factoids.rows import list_of, make_phase, make_set

KEYS = [UUID(int=number) for number in range(1, 5)]
SENTENCES = ["a-001", "a-002", "b-001", "b-002"]
Stored = Sequence[Mapping[str, Any]]


@st.composite
def changes(draw: st.DrawFn) -> list[Change]:
    """What a step may make of a small list: some of it wrong, which the server refuses."""
    keys = draw(st.lists(st.sampled_from(KEYS), min_size=1, max_size=3, unique=True))
    return [Change(key, draw(st.none() | state(key))) for key in keys]


def state(key: UUID) -> st.SearchStrategy[FactoidState]:
    sentences = st.lists(st.sampled_from(SENTENCES), unique=True).map(tuple)
    return st.builds(FactoidState, st.just(key), st.sampled_from("PQRS"), st.sampled_from(["", "it sank"]), sentences)


def store(row: FactoidList, member: Membership, kind: str, sent: Sequence[Change]) -> Stored | None:
    """Send a step from the newest revision. None where it is refused."""
    base = FactoidList.objects.get(pk=row.pk).revision
    try:
        stored = list_step_store(row=row, member=member, step=Step(uuid4(), base, kind, sent))
    except Invalid:
        return None
    return list(stored.row.changes)


def replayed(revisions: Iterable[Stored]) -> dict[UUID, FactoidState]:
    """An independent reading of what a revision means."""
    found: dict[UUID, FactoidState] = {}
    for revision in revisions:
        for each in revision:
            key = UUID(each["key"])
            before = found.pop(key, None)
            assert (before and before.written()) == each["before"]
            if each["after"] is not None:
                found[key] = read(key, each["after"])
    return found


def read(key: UUID, written: Mapping[str, Any]) -> FactoidState:
    lists = tuple(written["sentences"]), tuple(written["absent"])
    return FactoidState(key, written["id"], written["description"], *lists)


def inverse(revision: Stored) -> list[Change]:
    keys = [(UUID(each["key"]), each["before"]) for each in revision]
    return [Change(key, before and read(key, before)) for key, before in keys]


def test_replayed_revisions_are_the_list_and_undone_ones_leave_nothing(people: People) -> None:
    text_set = make_set(people.project, {"a": ["One.", "Two."], "b": ["Three.", "Four."]})
    member = people.annotators[0]

    @settings(max_examples=25, suppress_health_check=list(HealthCheck), derandomize=True)
    @given(st.lists(changes(), min_size=1, max_size=6))
    def each(steps: list[list[Change]]) -> None:
        row = list_of(make_phase(text_set, "definition", {member: {}}, closed_at=None), member)
        stored = [done for sent in steps if (done := store(row, member, "new", sent)) is not None]
        revisions = [list(revision.changes) for revision in row.revisions.order_by("revision")]
        assert revisions == stored
        assert replayed(revisions) == factoid_states(row)
        for number in range(len(stored) - 1, -1, -1):
            assert store(row, member, "undo", inverse(stored[number])) is not None
            assert factoid_states(row) == replayed(stored[:number])
        assert factoid_states(row) == {}
        assert FactoidList.objects.get(pk=row.pk).revision == row.revisions.count() == 2 * len(stored)

    each()
