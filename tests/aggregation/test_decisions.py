"""Decisions: what is taken, what is refused, and what they leave alone. By hand."""

from uuid import uuid4

import pytest

from annotation_app.aggregation.decision import AdjudicationBody
from annotation_app.aggregation.selectors import majority_labels
from annotation_app.aggregation.services import adjudication_submit
from annotation_app.agreement.selectors import agreement_table
from annotation_app.annotation.revisions import Stale
from annotation_app.models import AdjudicatedLabel, Adjudication, Assignment, Event, Item, Membership
from annotation_app.refusals import Invalid, NotYours, Refused
from tests.aggregation.decided import decide, decision, second_look, withdraw
from tests.agreement.tables import Said, at, fill
from tests.conftest import People
from tests.factories import make_member
from tests.floats import rounded
from tests.refusals import refusal


@pytest.fixture
def judge(people: People) -> Membership:
    return make_member(people.project, "judge", "adjudicator")


def item(name: str) -> Item:
    return Item.objects.get(external_id=name)


def outcome(people: People, name: str, stage: str, *, adjudicated: bool = True) -> tuple[str, str | None]:
    rows = majority_labels(project=people.project, stage=stage, adjudicated=adjudicated)
    return next((row.state, row.label) for row in rows if row.external_id == name)


def faults(people: People, name: str, labels: dict, **changes: object) -> dict[str, list[str]]:
    with pytest.raises(Invalid) as invalid:
        decide(people.admin, item(name), labels, **changes)
    return invalid.value.errors


def test_it_stores_what_was_decided_and_by_whom(people: People, judge: Membership) -> None:
    fill(people.project, people.annotators, at("opinion", {"i1": "YNA"}))
    body = decision({"opinion": "yes", "mp": "no"})
    taken = adjudication_submit(membership=judge, item_uuid=item("i1").uuid, body=body)
    row = Adjudication.objects.get()
    assert (taken.row, taken.created) == (row, True)
    assert (row.adjudicator, row.revision, row.source, row.reason) == (judge, 1, "adjudication", body.reason)
    assert dict(row.labels.values_list("stage", "label")) == {"opinion": "yes", "mp": "no"}
    assert outcome(people, "i1", "opinion") == ("adjudicated", "yes")
    assert outcome(people, "i1", "mp") == ("adjudicated", "no")
    event = Event.objects.get(verb="adjudication_submitted")
    assert (event.actor, event.subject) == (judge.user, str(item("i1").uuid))
    assert event.data == {"revision": 1, "source": "adjudication", "labels": {"opinion": "yes", "mp": "no"}}


def test_it_gives_the_same_answer_to_a_replay(people: People) -> None:
    fill(people.project, people.annotators, at("opinion", {"i1": "YNA"}))
    body = decision({"opinion": "yes"})
    first = adjudication_submit(membership=people.admin, item_uuid=item("i1").uuid, body=body)
    again = adjudication_submit(membership=people.admin, item_uuid=item("i1").uuid, body=body)
    assert (again.row, again.created) == (first.row, False)
    other = AdjudicationBody(body.client_id, 1, {"opinion": "no"}, "Another.")
    with refusal("client_id_reused"):
        adjudication_submit(membership=people.admin, item_uuid=item("i1").uuid, body=other)
    assert Adjudication.objects.count() == AdjudicatedLabel.objects.count() == 1


def test_it_refuses_a_decision_from_an_old_page(people: People, judge: Membership) -> None:
    fill(people.project, people.annotators, at("opinion", {"i1": "YNA"}))
    decide(judge, item("i1"), {"opinion": "yes"})
    with pytest.raises(Stale) as stale:
        adjudication_submit(membership=people.admin, item_uuid=item("i1").uuid, body=decision({"opinion": "no"}))
    assert stale.value.latest == Adjudication.objects.get()
    # From the page as it is now, the later decision counts and the earlier one is kept.
    decide(people.admin, item("i1"), {"opinion": "no"})
    assert outcome(people, "i1", "opinion") == ("adjudicated", "no")
    assert Adjudication.objects.count() == 2


def test_it_takes_a_decision_back(people: People) -> None:
    fill(people.project, people.annotators, at("opinion", {"i1": "YNA"}))
    assert faults(people, "i1", {}, withdraw=True) == {"withdraw": ["There is no decision to take back."]}
    decide(people.admin, item("i1"), {"opinion": "yes"})
    withdraw(people.admin, item("i1"))
    assert outcome(people, "i1", "opinion") == ("tie", None)
    assert [row.withdraws for row in Adjudication.objects.order_by("revision")] == [False, True]
    assert faults(people, "i1", {}, withdraw=True) == {"withdraw": ["There is no decision to take back."]}
    assert Event.objects.filter(verb="adjudication_withdrawn").count() == 1


def test_it_keeps_to_paths_that_the_codebook_opens(people: People) -> None:
    yes, no = Said({"opinion": "yes", "mp": "yes"}), Said({"opinion": "no"})
    fill(people.project, people.annotators, {"i1": [yes, no, Said({"opinion": "ambiguous"})], "i2": [yes, yes, no]})
    # i1 has no opinion yet: a decision about mp needs one.
    closed = faults(people, "i1", {"mp": "yes"})
    assert list(closed) == ["labels.mp"]
    assert "opinion" in closed["labels.mp"][0]
    assert list(faults(people, "i1", {"opinion": "no", "mp": "yes"})) == ["labels.mp"]
    # i2 has majorities for both: the decision about a later stage goes with them.
    decide(people.admin, item("i2"), {"mp_context": "sentence"})
    assert outcome(people, "i2", "opinion") == ("majority", "yes")
    assert outcome(people, "i2", "mp_context") == ("adjudicated", "sentence")
    # Closing the first one leaves nothing behind it, whatever was said there.
    decide(people.admin, item("i2"), {"opinion": "no"})
    assert outcome(people, "i2", "opinion") == ("adjudicated", "no")
    assert outcome(people, "i2", "mp") == ("not_applicable", None)
    assert outcome(people, "i2", "mp", adjudicated=False) == ("majority", "yes")


def test_it_names_every_fault(people: People) -> None:
    fill(people.project, people.annotators, at("opinion", {"i1": "YNA"}))
    assert set(faults(people, "i1", {"tone": "yes", "opinion": "perhaps"}, reason=" ")) == {
        "labels.tone",
        "labels.opinion",
        "reason",
    }
    assert faults(people, "i1", {"opinion": ["yes"]})["labels.opinion"][0] == "Must be a label key (a text)."
    assert set(faults(people, "i1", {})) == {"labels"}
    decide(people.admin, item("i1"), {"opinion": "yes"})
    assert set(faults(people, "i1", {"opinion": "no"}, withdraw=True)) == {"labels"}
    assert set(faults(people, "i1", {"opinion": "no"}, reason="x" * 1001)) == {"reason"}


def test_it_waits_until_every_answer_is_in(people: People) -> None:
    opened = Said({}, Assignment.State.OPEN)
    yes = Said({"opinion": "no"})
    fill(people.project, people.annotators, {"i1": [yes, yes, opened], "i2": [opened, opened, opened]})
    for name in ("i1", "i2"):
        with pytest.raises(Refused) as waits:
            decide(people.admin, item(name), {"opinion": "yes"})
        assert waits.value.code == "waiting"


def test_it_is_for_admins_and_adjudicators_of_the_project(people: People) -> None:
    fill(people.project, people.annotators, at("opinion", {"i1": "YNA"}))
    for member in (people.annotators[0], people.outsider):
        with pytest.raises(NotYours):
            decide(member, item("i1"), {"opinion": "yes"})
    with pytest.raises(NotYours):
        adjudication_submit(membership=people.admin, item_uuid=uuid4(), body=decision({"opinion": "yes"}))


def test_it_changes_no_majority_and_no_agreement(people: People) -> None:
    fill(people.project, people.annotators, at("opinion", {"i1": "YNA", "i2": "YYN", "i3": "NNN"}))
    before = (
        agreement_table(project=people.project, scope="all"),
        agreement_table(project=people.project, scope="majority"),
    )
    decide(people.admin, item("i1"), {"opinion": "yes"})
    decide(people.admin, item("i2"), {"opinion": "no"})
    after = (
        agreement_table(project=people.project, scope="all"),
        agreement_table(project=people.project, scope="majority"),
    )
    assert rounded(after) == rounded(before)
    assert outcome(people, "i1", "opinion", adjudicated=False) == ("tie", None)
    assert outcome(people, "i2", "opinion", adjudicated=False) == ("majority", "yes")


def test_a_consensus_follows_a_second_look_and_is_the_admins(people: People, judge: Membership) -> None:
    alice, bob, charlie = people.annotators
    first = fill(people.project, people.annotators, at("opinion", {"i1": "YNN", "i2": "YNA"}))
    with pytest.raises(Refused) as none:
        decide(people.admin, item("i2"), {"opinion": "yes"}, source="consensus")
    assert none.value.code == "no_second_look"
    no = {"opinion": "no"}
    second = second_look(first, {item("i2"): {alice: None, bob: no, charlie: no}})
    with pytest.raises(Refused):
        decide(people.admin, item("i2"), {"opinion": "yes"}, source="consensus")
    second.frozen_at = second.opened_at
    second.save()
    with pytest.raises(NotYours):
        decide(judge, item("i2"), {"opinion": "no"}, source="consensus")
    taken = decide(people.admin, item("i2"), {"opinion": "yes"}, source="consensus")
    assert taken.row.source == "consensus"
    assert outcome(people, "i2", "opinion") == ("adjudicated", "yes")


def test_who_has_a_second_look_to_take_sees_nothing_before(people: People) -> None:
    """An admin who annotates is blind as everyone is."""
    raters = [people.admin, *people.annotators[:2]]
    first = fill(people.project, raters, at("opinion", {"i1": "YNA"}))
    second_look(first, {item("i1"): dict.fromkeys(raters)})
    with pytest.raises(Refused) as own:
        decide(people.admin, item("i1"), {"opinion": "yes"})
    assert own.value.code == "second_look"
