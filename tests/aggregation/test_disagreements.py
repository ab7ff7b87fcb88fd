"""Lists of disagreements, by hand: what stands in which, in what order, and at what cost."""

from uuid import UUID

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation_app.aggregation.anonymize import letter, shuffled
from annotation_app.aggregation.disagreements import Filters, disagreements, neighbours_of
from annotation_app.models import Assignment, Batch, BatchItem, Item
from tests.aggregation.decided import decide, second_look
from tests.agreement.tables import Said, at, fill
from tests.conftest import People

YES_YES = Said({"opinion": "yes", "mp": "yes"})
YES_NO = Said({"opinion": "yes", "mp": "no"})
NO = Said({"opinion": "no"})
UNSURE = Said({"opinion": "ambiguous"})
OPEN = Said({}, Assignment.State.OPEN)
SKIP = Said({}, Assignment.State.SKIPPED)


@pytest.fixture
def rounds(people: People) -> list[Batch]:
    """agreed: all no. dissent: two yes, one no. three: one each. mp: a tie at the second stage. skips: one answer of
    three. open: not all in."""
    first = {
        "agreed": [NO, NO, NO],
        "dissent": [YES_NO, YES_NO, NO],
        "three": [YES_YES, NO, UNSURE],
        "mp": [YES_YES, YES_NO, NO],
        "open": [YES_YES, NO, OPEN],
    }
    second = {"skips": [NO, SKIP, SKIP], "split": [YES_NO, NO, SKIP]}
    return [
        fill(people.project, people.annotators, table, number=number) for number, table in ((1, first), (2, second))
    ]


def listed(people: People, **filters: object) -> list[str]:
    page = disagreements(reader=people.admin, filters=Filters(**filters), page=1)  # type: ignore[arg-type]
    return [each.batch_item.item.external_id for each in page.items]


def test_it_lists_by_kind_in_the_order_of_rounds_and_ranks(people: People, rounds: list[Batch]) -> None:
    assert listed(people) == ["three", "mp", "skips", "split"]
    assert listed(people, kind="tie") == ["three", "mp", "split"]
    # One answer of three: too few for a majority, and nobody disagrees.
    assert (listed(people, kind="few"), listed(people, kind="no_majority")) == (["skips"], [])
    assert listed(people, kind="any") == ["dissent", "three", "mp", "split"]
    assert listed(people, kind="decided") == []


def test_it_lists_by_stage_and_round(people: People, rounds: list[Batch]) -> None:
    assert listed(people, stage="opinion") == ["three", "skips", "split"]
    assert listed(people, stage="mp") == ["mp"]
    # At mp_context nothing is open without a label at mp.
    assert listed(people, kind="any", stage="mp_context") == []
    assert listed(people, round=2) == ["skips", "split"]
    assert listed(people, kind="any", stage="opinion", round=1) == ["dissent", "three", "mp"]
    assert listed(people, round=9) == []


def test_it_counts_what_everything_came_to(people: People, rounds: list[Batch]) -> None:
    page = disagreements(reader=people.admin, filters=Filters(stage="opinion"), page=1)
    assert page.counts == {"open": 3, "tie": 2, "few": 1, "any": 4}
    states = page.outcomes.states()
    # agreed, dissent and mp have a majority; three and split are ties; skips has one answer of three.
    assert states["opinion"] == {"majority": 3, "tie": 2, "no_majority": 1}
    assert states["mp"] == {"not_applicable": 4, "majority": 1, "tie": 1}
    assert (page.outcomes.waiting, page.rounds) == (1, [1, 2])


def test_a_decision_moves_an_item_and_may_open_the_next_stage(people: People, rounds: list[Batch]) -> None:
    decide(people.admin, Item.objects.get(external_id="three"), {"opinion": "yes"})
    # mp is open now: one answer of three slots.
    assert listed(people, kind="few") == ["three", "skips"]
    assert listed(people, kind="few", stage="mp") == ["three"]
    assert listed(people, kind="any", stage="mp") == ["mp"]
    assert listed(people, kind="decided") == ["three"]
    assert listed(people, stage="opinion") == ["skips", "split"]
    decide(people.admin, Item.objects.get(external_id="three"), {"opinion": "no"})
    assert listed(people, kind="few") == ["skips"]


def test_it_finds_the_neighbours_of_what_has_left_the_list(people: People, rounds: list[Batch]) -> None:
    def near(name: str) -> tuple[str | None, str | None, int | None, int]:
        place = BatchItem.objects.select_related("batch__project").get(item__external_id=name)
        found = neighbours_of(place, Filters(), people.admin)
        names = {item.uuid: item.external_id for item in Item.objects.all()}
        return found.previous and names[found.previous], found.next and names[found.next], found.place, found.total

    assert near("three") == (None, "mp", 1, 4)
    assert near("skips") == ("mp", "split", 3, 4)
    decide(people.admin, Item.objects.get(external_id="skips"), {"opinion": "no"})
    assert near("skips") == ("mp", "split", None, 3)
    assert near("split") == ("mp", None, 3, 3)


def test_phase_two_holds_rounds_whose_second_look_is_over(people: People, rounds: list[Batch]) -> None:
    alice, bob, charlie = people.annotators
    three, mp = (Item.objects.get(external_id=name) for name in ("three", "mp"))
    assert listed(people, phase=2) == []
    no = {"opinion": "no"}
    second = second_look(rounds[0], {three: {alice: no, bob: no, charlie: None}, mp: {alice: None, bob: None}})
    assert listed(people, phase=2) == []
    second.frozen_at = second.opened_at
    second.save()
    # `three` has a majority now, `mp` nobody answered again.
    assert listed(people, phase=2) == ["mp"]
    assert listed(people, phase=2, kind="any") == ["dissent", "three", "mp"]
    assert listed(people, phase=1) == ["three", "mp", "skips", "split"]


def test_it_asks_as_much_for_two_hundred_items_as_for_two(people: People) -> None:
    def asked() -> int:
        with CaptureQueriesContext(connection) as captured:
            page = disagreements(reader=people.admin, filters=Filters(), page=1)
        assert len(page.items) == min(50, BatchItem.objects.count())
        return len(captured)

    fill(people.project, people.annotators, at("opinion", {"a1": "YNA", "a2": "YN-"}), number=1)
    few = asked()
    fill(people.project, people.annotators, at("opinion", {f"b{n}": "YNA" for n in range(198)}), number=2)
    page = disagreements(reader=people.admin, filters=Filters(), page=4)
    assert (len(page.items), page.n_pages, page.counts["tie"]) == (50, 4, 200)
    assert asked() == few


def test_letters_hide_who_is_who() -> None:
    people = [UUID(int=n) for n in range(5)]
    orders = {tuple(shuffled(people, reader=UUID(int=r), item=UUID(int=i))) for r in range(10) for i in range(10)}
    # A hundred pairs of reader and item give as good as a hundred of the 120 orders.
    assert len(orders) > 50
    order = shuffled(people, reader=people[0], item=people[1])
    assert shuffled(people[::-1], reader=people[0], item=people[1]) == order
    assert [letter(n) for n in (0, 25, 26, 51, 52, 701, 702)] == ["A", "Z", "AA", "AZ", "BA", "ZZ", "AAA"]
