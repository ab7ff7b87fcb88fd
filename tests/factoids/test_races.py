"""Steps on a list and judgements that meet: retries, two tabs, and the closing of the phase."""

from concurrent.futures import ThreadPoolExecutor
from uuid import uuid4

import pytest
from django.db import OperationalError, connection, transaction

from annotation_app.annotation.revisions import Stale
from annotation_app.factoids.list_files import list_import
from annotation_app.factoids.pairings import relation_judge
from annotation_app.factoids.phases import phase_close
from annotation_app.factoids.progress import list_done_set
from annotation_app.factoids.revisions import list_step_store
from annotation_app.factoids.states import FactoidState, factoid_states
from annotation_app.factoids.steps import Change, Step
from annotation_app.models import FactoidList, FactoidPhase, FactoidRelation, FactoidRevision
from annotation_app.projects.lifecycle import project_archive
from annotation_app.projects.writable import ProjectArchived
from annotation_app.refusals import Refused
from tests.assignment.batches import at_once
from tests.conftest import People
from tests.factoids.rows import in_texts, key_of, list_of, make_pairing, make_phase, make_short_set

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def row(people: People) -> FactoidList:
    text_set = make_short_set(people.project, ["a", "b"])
    member = people.annotators[0]
    return list_of(make_phase(text_set, "definition", {member: {}}, closed_at=None), member)


def new(name: str, base: int = 0) -> Step:
    key = uuid4()
    return Step(uuid4(), base, "new", [Change(key, FactoidState(key, name, "", ("a-001",)))])


def outcome(row: FactoidList, step: Step) -> str:
    assert row.owner is not None
    try:
        stored = list_step_store(row=row, member=row.owner, step=step)
    except Refused as refusal:
        return refusal.code
    except Stale:
        return "stale"
    return "created" if stored.created else "replayed"


def closing(people: People) -> str:
    """Close the phase, or tell that it waits for somebody else."""
    phase = FactoidPhase.objects.select_related("text_set__project").get()
    try:
        with transaction.atomic():
            with connection.cursor() as cursor:
                cursor.execute("SET LOCAL lock_timeout = '300ms'")
            phase_close(phase=phase, actor=people.admin.user)
    except OperationalError:
        return "waits"
    return "closed"


def test_a_retry_that_overtakes_the_first_try_makes_one_revision(row: FactoidList) -> None:
    step = new("F1")
    assert sorted(at_once([lambda: outcome(row, step)] * 4)) == ["created"] + ["replayed"] * 3
    assert FactoidRevision.objects.count() == 1


def test_of_two_tabs_one_is_told_that_it_is_behind(row: FactoidList) -> None:
    tabs = [lambda name=name: outcome(row, new(name)) for name in ("F1", "F2", "F3")]
    assert sorted(at_once(tabs)) == ["created", "stale", "stale"]
    assert len(factoid_states(row)) == FactoidList.objects.get(pk=row.pk).revision == 1


def test_the_closing_of_a_phase_waits_for_a_step_on_its_way(people: People, row: FactoidList) -> None:
    with transaction.atomic():
        assert outcome(row, new("F1")) == "created"
        assert at_once([lambda: closing(people)]) == ["waits"]
    assert at_once([lambda: closing(people)]) == ["closed"]
    assert outcome(row, new("F2", base=1)) == "closed"
    assert [state.id for state in factoid_states(row).values()] == ["F1"]


def test_a_retry_of_a_judgement_that_meets_the_first_try_answers_as_it(people: People) -> None:
    text_set = make_short_set(people.project, ["a", "b"])
    own = dict(zip(people.annotators[:2], map(in_texts, ({"P1": "a"}, {"Q1": "b"})), strict=True))
    phase = make_phase(text_set, "definition", own)
    first, second = (list_of(phase, member) for member in own)
    pairing, actor = make_pairing(first, second), people.admin.user
    sent = {"client_id": uuid4(), "a": key_of(first, "P1"), "b": key_of(second, "Q1"), "relation": "equal"}
    found = at_once([lambda: relation_judge(pairing=pairing, sent=sent, actor=actor)] * 4)
    assert {row.pk for row in found} == {FactoidRelation.objects.get().pk}


@pytest.mark.parametrize("does", ["done", "import"])
def test_what_meets_an_archiving_finds_the_project_archived(people: People, row: FactoidList, does: str) -> None:
    def act() -> str:
        assert row.owner is not None
        assert row.phase is not None
        of = {"phase": row.phase.uuid, "member": row.owner.uuid, "data": b'{"id": "F1"}', "filename": "a.json"}
        try:
            if does == "done":
                list_done_set(row=row, is_done=True)
            else:
                list_import(text_set=row.text_set, actor=people.admin.user, **of)
        except ProjectArchived as refusal:
            return refusal.code
        return "stored"

    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            project_archive(project=people.project, actor=people.admin.user)
            waiting = pool.submit(at_once, [act])
            with pytest.raises(TimeoutError):
                waiting.result(timeout=0.5)
        assert waiting.result(timeout=60) == ["archived"]
