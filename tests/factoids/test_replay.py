"""The revisions of a list replayed give its factoids and items, and each step's inverse gives back what was before."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple
from uuid import UUID, uuid4

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from annotation_app.factoids.copies import second_looks_make
from annotation_app.factoids.revisions import list_step_store
from annotation_app.factoids.states import FactoidState, factoid_states
from annotation_app.factoids.steps import Change, Decision, Step
from annotation_app.models import FactoidList, FactoidRevision, Membership
from annotation_app.refusals import Invalid
from tests.conftest import People
from tests.factoids.rows import list_of, make_phase, make_set, publish_list

KEYS = [UUID(int=number) for number in range(1, 5)]
TEXTS = {"a": ["One.", "Two."], "b": ["Three.", "Four."]}
SENTENCES = ["a-001", "a-002", "b-001", "b-002"]
EXAMPLES = settings(max_examples=25, suppress_health_check=list(HealthCheck), derandomize=True)
Sent = tuple[Sequence[Change], Decision | None]
Factoids = dict[UUID, FactoidState]
Items = dict[UUID, Mapping[str, Any]]


@st.composite
def changes(draw: st.DrawFn) -> list[Change]:
    """What a step may make of a small list: some of it wrong, which the server refuses."""
    keys = draw(st.lists(st.sampled_from(KEYS), min_size=1, max_size=3, unique=True))
    return [Change(key, draw(st.none() | state(key))) for key in keys]


def state(key: UUID) -> st.SearchStrategy[FactoidState]:
    names = st.sampled_from("PQRS"), st.sampled_from(["", "it sank"])
    return st.builds(FactoidState, st.just(key), *names, some(SENTENCES))


def some(names: Iterable[str]) -> st.SearchStrategy[tuple[str, ...]]:
    return st.lists(st.sampled_from(list(names)), unique=True).map(tuple)


def store(row: FactoidList, member: Membership, kind: str, sent: Sent) -> FactoidRevision | None:
    """Send a step from the newest revision. None where it is refused."""
    base = FactoidList.objects.get(pk=row.pk).revision
    try:
        return list_step_store(row=row, member=member, step=Step(uuid4(), base, kind, *sent)).row
    except Invalid:
        return None


def replayed(factoids: Factoids, items: Items, revisions: Iterable[FactoidRevision]) -> tuple[Factoids, Items]:
    """An independent reading of what revisions make of a list."""
    factoids, items = dict(factoids), dict(items)
    for revision in revisions:
        for each in revision.changes:
            key = UUID(each["key"])
            before = factoids.pop(key, None)
            assert (before and before.written()) == each["before"]
            if each["after"] is not None:
                factoids[key] = read(key, each["after"])
        if revision.item is not None:
            key = UUID(revision.item["id"])
            assert items[key] == revision.item["before"]
            items[key] = revision.item["after"]
    return factoids, items


def read(key: UUID, written: Mapping[str, Any]) -> FactoidState:
    lists = tuple(written["sentences"]), tuple(written["absent"])
    return FactoidState(key, written["id"], written["description"], *lists)


def inverse(revision: FactoidRevision) -> Sent:
    keys = [(UUID(each["key"]), each["before"]) for each in revision.changes]
    item = revision.item and Decision(UUID(revision.item["id"]), **revision.item["before"])
    return [Change(key, before and read(key, before)) for key, before in keys], item


def items_of(row: FactoidList) -> Items:
    return {item.uuid: {"is_there": item.is_there, "note": item.note} for item in row.items.all()}


def replay_check(row: FactoidList, member: Membership, kind: str, steps: Iterable[Sent]) -> int:
    """Store steps, replay what is stored, and undo it step by step. Return how many steps were stored."""
    start = factoid_states(row), items_of(row)
    done = [stored for sent in steps if (stored := store(row, member, kind, sent)) is not None]
    # As they are in the database.
    stored = list(row.revisions.order_by("revision"))
    assert stored == done
    assert replayed(*start, stored) == (factoid_states(row), items_of(row))
    for number in range(len(stored) - 1, -1, -1):
        assert store(row, member, "undo", inverse(stored[number])) is not None
        assert (factoid_states(row), items_of(row)) == replayed(*start, stored[:number])
    assert (factoid_states(row), items_of(row)) == start
    assert replayed(*start, row.revisions.order_by("revision")) == start
    assert FactoidList.objects.get(pk=row.pk).revision == row.revisions.count() == 2 * len(stored)
    return len(stored)


def test_a_list_of_ones_own_is_what_its_revisions_say(people: People) -> None:
    text_set = make_set(people.project, TEXTS)
    member = people.annotators[0]

    @EXAMPLES
    @given(st.lists(changes(), min_size=1, max_size=6))
    def each(steps: list[list[Change]]) -> None:
        row = list_of(make_phase(text_set, "definition", {member: {}}, closed_at=None), member)
        replay_check(row, member, "new", [(sent, None) for sent in steps])
        assert factoid_states(row) == {}

    each()


def marked(of: FactoidState) -> st.SearchStrategy[Change]:
    """What an annotator may say of a given factoid, which is refused where it is both there and absent."""
    return st.builds(
        lambda sentences, absent: Change(of.key, replace(of, sentences=sentences, absent=absent)),
        some(SENTENCES),
        some(TEXTS),
    )


def test_an_annotation_with_absences_is_what_its_revisions_say(people: People) -> None:
    text_set = make_set(people.project, TEXTS)
    member = people.annotators[0]
    given_list = publish_list(text_set, {"P": [], "Q": []})
    states = list(factoid_states(given_list).values())
    counts = []

    @EXAMPLES
    @given(st.lists(st.sampled_from(states).flatmap(marked), min_size=1, max_size=6))
    def each(steps: list[Change]) -> None:
        own = {"P": ["a-001"], "Q": []}
        row = list_of(make_phase(text_set, "annotation", {member: own}, given=given_list, closed_at=None), member)
        counts.append(replay_check(row, member, "absent", [([change], None) for change in steps]))

    each()
    assert max(counts) >= 3


class Answer(NamedTuple):
    """An answer to the item of a number, with what becomes of its factoid in its text."""

    number: int
    is_there: bool | None
    note: str
    sentences: tuple[str, ...]
    is_absent: bool


@st.composite
def answer(draw: st.DrawFn) -> Answer:
    """What a person may answer. Where `fits` is false, the links may say something else, which is refused."""
    is_there, fits = draw(st.sampled_from([True, False, None])), draw(st.booleans())
    sentences, is_absent = draw(some(["001", "002"])), draw(st.booleans())
    if fits:
        sentences, is_absent = (sentences or ("001",)) if is_there else (), is_there is False
    return Answer(draw(st.integers(0, 2)), is_there, draw(st.sampled_from(["", "It sank."])), sentences, is_absent)


def decided(row: FactoidList, said: Answer) -> Sent:
    """The step that gives an answer, over the list as it is now."""
    item = row.items.select_related("set_text").order_by("pk")[said.number]
    text, now = item.set_text.external_id, factoid_states(row)[item.key]
    sentences = [name for name in now.sentences if not name.startswith(text)] + [
        f"{text}-{at}" for at in said.sentences
    ]
    absent = [name for name in now.absent if name != text] + [text] * said.is_absent
    change = Change(item.key, replace(now, sentences=tuple(sentences), absent=tuple(absent)))
    return [change], Decision(item.uuid, said.is_there, said.note)


def test_the_items_of_a_second_look_are_what_its_revisions_say(people: People) -> None:
    text_set = make_set(people.project, TEXTS)
    member, other = people.annotators[:2]
    # They differ on P in b, and on Q in a and b: three items.
    own = {member: {"P": ["a-001", "b-001"], "Q": []}, other: {"P": ["a-001"], "Q": ["a-002", "b-002"]}}
    counts = []

    @EXAMPLES
    @given(st.lists(answer(), min_size=1, max_size=6))
    def each(answers: list[Answer]) -> None:
        before = make_phase(text_set, "annotation", own)
        phase = make_phase(
            text_set, "annotation", {}, step="second_look", follows=before, given=before.given, closed_at=None
        )
        second_looks_make(phase, before)
        row = list_of(phase, member)
        assert list(items_of(row).values()) == [{"is_there": None, "note": ""}] * 3
        counts.append(replay_check(row, member, "decide", (decided(row, said) for said in answers)))

    each()
    assert max(counts) >= 3
