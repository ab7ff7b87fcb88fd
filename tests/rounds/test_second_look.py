"""Second looks through the services: who gets what, what stays, and what a later round learns from. By hand."""

from collections.abc import Callable
from itertools import cycle

import pytest
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext

from annotation_app.agreement.selectors import Row, agreement_table
from annotation_app.annotation.services import annotation_submit
from annotation_app.assignment.members import member_deactivate
from annotation_app.assignment.services import next_window
from annotation_app.models import Assignment, Batch, Event, Item, Membership, Round, WorkerBeat
from annotation_app.refusals import Invalid, Refused
from annotation_app.rounds.second_look import second_look_close, second_looks
from annotation_app.rounds.services import round_cancel, round_start
from annotation_app.rounds.spec import RoundSpec
from tests.aggregation.decided import decide
from tests.agreement.tables import Said, at, fill
from tests.conftest import People
from tests.factories import make_items
from tests.floats import rounded
from tests.labels import submission
from tests.refusals import refusal
from tests.rounds.second_looks import PAIR, look_again, of_round, opened

Spec = Callable[..., RoundSpec]


@pytest.fixture
def pair(people: People) -> Round:
    """Alice and Bob on four items, two of which they disagree on."""
    return of_round(people, fill(people.project, people.annotators[:2], at("opinion", PAIR)))


def queue(member: Membership) -> list[str]:
    window = next_window(membership=member, ahead=10)
    return sorted(Item.objects.get(batch_items__assignments=row).external_id for row in window.assignments)


def everyone(people: People, phase: int) -> Row:
    table = agreement_table(project=people.project, scope="all", phase=phase)  # type: ignore[arg-type]
    return next(row for row in table.rows if row.stage == "opinion" and row.pair is None and row.round == 1)


def refused(people: People, row: Round) -> str:
    with pytest.raises(Refused) as error:
        opened(people, row)
    return error.value.code


def test_people_get_their_own_items_that_differ(people: People, pair: Round) -> None:
    look = opened(people, pair)
    alice, bob, charlie = people.annotators
    assert queue(alice) == queue(bob) == ["alice-yes", "bob-yes"]
    assert queue(charlie) == []
    assert (look.kind, look.number, look.second_look_of) == ("second_look", 1, pair.batch)
    event = Event.objects.get(verb="second_look_opened")
    assert event.data == {"number": 1, "items": 2, "assignments": 4}


def test_only_those_who_answered_what_differs_get_it(people: People) -> None:
    """Charlie skipped one item and closed the stage on the other."""
    no = Said({"opinion": "no"})
    yes_no, yes_yes = (Said({"opinion": "yes", "mp": label}) for label in ("no", "yes"))
    skip = Said({}, Assignment.State.SKIPPED)
    row = of_round(
        people,
        fill(people.project, people.annotators, {"skipped": [yes_no, no, skip], "mp": [yes_no, yes_yes, yes_no]}),
    )
    opened(people, row)
    assert [queue(member) for member in people.annotators] == [["mp", "skipped"], ["mp", "skipped"], ["mp"]]


def test_it_freezes_the_independent_answers(people: People, pair: Round) -> None:
    before = list(Assignment.objects.filter(batch_item__batch=pair.batch).order_by("pk").values("state", "current_id"))
    opened(people, pair)
    pair.batch.refresh_from_db()
    assert pair.batch.frozen_at is not None
    first = Assignment.objects.filter(batch_item__batch=pair.batch, annotator=people.annotators[0]).first()
    assert first is not None
    with refusal("closed"):
        annotation_submit(
            membership=people.annotators[0], assignment_uuid=first.uuid, body=submission({"opinion": "no"}, 1)
        )
    look_again(people.annotators[0], {"alice-yes": {"opinion": "no"}, "bob-yes": {"opinion": "no"}})
    after = list(Assignment.objects.filter(batch_item__batch=pair.batch).order_by("pk").values("state", "current_id"))
    assert rounded(after) == rounded(before)


def test_agreement_is_reported_for_both_phases(people: People, pair: Round) -> None:
    """Four units of two: YY NN YN NY, then YY NN NN NY.

    Phase 1: n = 8, n_Y = n_N = 4, two units differ: alpha = 1 - 7 * 4 / (64 - 32) = 1/8; 2 of 4 pairs agree.
    Phase 2: n_Y = 3, n_N = 5, one unit differs: alpha = 1 - 7 * 2 / (64 - 9 - 25) = 8/15; 3 of 4 agree.
    """
    opened(people, pair)
    assert everyone(people, 2).values == everyone(people, 1).values
    # Alice corrects one and confirms the other; Bob confirms one and leaves the other alone.
    look_again(people.annotators[0], {"alice-yes": {"opinion": "no"}, "bob-yes": {"opinion": "no"}})
    look_again(people.annotators[1], {"alice-yes": {"opinion": "no"}})
    first, second = everyone(people, 1), everyone(people, 2)
    assert first.values["alpha_nominal"] == pytest.approx(1 / 8)
    assert first.values["percent_agreement"] == pytest.approx(2 / 4)
    assert second.values["alpha_nominal"] == pytest.approx(8 / 15)
    assert second.values["percent_agreement"] == pytest.approx(3 / 4)
    assert (first.n_units, second.n_units) == (4, 4)


def test_an_answer_that_opens_a_stage_counts_there_in_phase_two(people: People, pair: Round) -> None:
    opened(people, pair)
    look_again(people.annotators[0], {"bob-yes": {"opinion": "yes", "mp": "no"}})
    tables = [agreement_table(project=people.project, scope="all", phase=phase) for phase in (1, 2)]  # type: ignore[arg-type]
    items = [[row.n_items for row in table.rows if row.stage == "mp" and row.round == 1] for table in tables]
    assert items == [[], [1]]


def test_it_is_refused_with_a_reason(people: People) -> None:
    first = of_round(people, fill(people.project, people.annotators[:2], at("opinion", {"a": "YY", "b": "NN"})))
    assert refused(people, first) == "nothing_differs"
    open_ = Said({}, Assignment.State.OPEN)
    table = {"c": [Said({"opinion": "yes"}), Said({"opinion": "no"})], "d": [Said({"opinion": "yes"}), open_]}
    second = of_round(people, fill(people.project, people.annotators[:2], table, number=2))
    assert refused(people, second) == "batch_open"
    # A refusal freezes nothing.
    assert not Batch.objects.filter(frozen_at__isnull=False).exists()
    third = of_round(people, fill(people.project, people.annotators[:2], at("opinion", {"e": "YN"}), number=3))
    opened(people, third)
    assert refused(people, third) == "second_look_exists"
    with pytest.raises(Refused):
        second_look_close(row=first, actor=people.admin.user)


def test_who_left_is_not_asked_again(people: People, pair: Round) -> None:
    member_deactivate(member=people.annotators[1], actor=people.admin.user)
    opened(people, pair)
    assert queue(people.annotators[0]) == ["alice-yes", "bob-yes"]
    # Bob's first answers count in both phases.
    assert everyone(people, 2).n_units == 4
    [place] = second_looks(people.project)
    assert place.look is not None
    assert (place.look.progress.total, [each.display_name for each in place.look.annotators]) == (2, ["Alice"])


def test_nobody_left_is_a_refusal(people: People, pair: Round) -> None:
    for member in people.annotators:
        member_deactivate(member=member, actor=people.admin.user)
    assert refused(people, pair) == "nobody_left"


def test_it_is_listed_with_its_progress_at_a_constant_cost(people: People, pair: Round) -> None:
    def asked() -> int:
        with CaptureQueriesContext(connection) as captured:
            second_looks(people.project)
        return len(captured)

    [place] = second_looks(people.project)
    assert (place.size, place.n_differing, place.look, place.reason) == (4, 2, None, None)
    opened(people, pair)
    look_again(people.annotators[0], {"bob-yes": {"opinion": "no"}})
    [place] = second_looks(people.project)
    assert place.look is not None
    assert (place.look.progress.done, place.look.progress.total, place.look.closed) == (1, 4, False)
    assert place.reason is not None
    one = asked()
    for number in (2, 3, 4):
        table = at("opinion", {f"{number}-a": "YN", f"{number}-b": "NN"})
        opened(people, of_round(people, fill(people.project, people.annotators[:2], table, number=number)))
    assert asked() == one


def test_the_database_keeps_one_second_look_a_batch(people: People, pair: Round) -> None:
    look = opened(people, pair)
    with pytest.raises(IntegrityError), transaction.atomic():
        Batch.objects.create(
            project=people.project,
            kind="second_look",
            number=9,
            codebook=look.codebook,
            annotators_per_item=1,
            second_look_of=pair.batch,
        )
    with pytest.raises(IntegrityError), transaction.atomic():
        Batch.objects.filter(pk=look.pk).update(second_look_of=None)


@pytest.fixture
def pool(people: People) -> list[Item]:
    words = cycle(["rates should rise", "the report was filed"])
    return make_items(people.project, [f"{next(words)} says line {n}" for n in range(20)], "pool")


def started(people: People, spec: RoundSpec) -> Round:
    return round_start(project=people.project, spec=spec, actor=people.admin.user)


def learnt(row: Round) -> dict[str, str]:
    return {item: labels["opinion"] for item, labels in row.training_set}


def test_a_round_learns_from_independent_answers_unless_asked(
    people: People, pair: Round, pool: list[Item], worker: WorkerBeat, spec: Spec
) -> None:
    """Second look: both say no to alice-yes. Decided: bob-yes is yes."""
    opened(people, pair)
    no = {"opinion": "no"}
    look_again(people.annotators[0], {"alice-yes": no, "bob-yes": no})
    look_again(people.annotators[1], {"alice-yes": no, "bob-yes": {"opinion": "yes", "mp": "no"}})
    decide(people.admin, Item.objects.get(external_id="bob-yes"), {"opinion": "yes"})
    two = {"both-no": "no", "both-yes": "yes"}
    plain = started(people, spec())
    assert (learnt(plain), plain.label_phase, plain.use_adjudicated, plain.notices) == (two, 1, False, [])
    round_cancel(row=plain, actor=people.admin.user)
    later = started(people, spec(label_phase=2))
    assert learnt(later) == two | {"alice-yes": "no"}
    assert later.notices == ["The labels are those after the second looks."]
    round_cancel(row=later, actor=people.admin.user)
    assert later.training_set_hash != plain.training_set_hash
    decided = started(people, spec(use_adjudicated=True))
    assert learnt(decided) == two | {"bob-yes": "yes"}
    assert decided.notices == ["Of the labels of the training set 1 was adjudicated."]
    decided.refresh_from_db()
    assert (decided.label_phase, decided.use_adjudicated) == (1, True)
    round_cancel(row=decided, actor=people.admin.user)
    decided.refresh_from_db()
    kept = decided.record["training_set"]
    assert (kept["label_phase"], kept["use_adjudicated"]) == (1, True)
    assert learnt(started(people, spec(label_phase=2, use_adjudicated=True))) == two | {
        "alice-yes": "no",
        "bob-yes": "yes",
    }


def test_an_open_second_look_blocks_no_round_but_one_that_wants_its_answers(
    people: People, pair: Round, pool: list[Item], worker: WorkerBeat, spec: Spec
) -> None:
    with pytest.raises(Invalid) as none:
        started(people, spec(label_phase=2))
    assert set(none.value.errors) == {"label_phase"}
    look = opened(people, pair)
    with pytest.raises(Refused) as open_:
        started(people, spec(label_phase=2))
    assert open_.value.code == "second_look_open"
    round_cancel(row=started(people, spec()), actor=people.admin.user)
    # It went on meanwhile, and the independent answers stay frozen after the cancel.
    look.refresh_from_db()
    pair.batch.refresh_from_db()
    assert look.frozen_at is None
    assert pair.batch.frozen_at is not None
    look_again(people.annotators[0], {"alice-yes": {"opinion": "no"}})
    second_look_close(row=pair, actor=people.admin.user)
    assert learnt(started(people, spec(label_phase=2))) == {"both-no": "no", "both-yes": "yes", "alice-yes": "no"}
    # Closed: what was not looked at again stays as it was said first.
    assert queue(people.annotators[1]) == []
    assert Event.objects.filter(verb="second_look_closed").count() == 1
