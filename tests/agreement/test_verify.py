"""`manage.py agreement_verify`: says how far the second opinions are off, and fails where they are."""

import io

import pytest
from django.core.management import CommandError, call_command
from django.db.models import F

from annotation_app.models import AgreementCache, Item, LabelCombination
from tests.aggregation.decided import second_look
from tests.agreement.tables import Said, at, fill
from tests.agreement.worked import WORKED
from tests.conftest import People


def verified(people: People) -> str:
    out = io.StringIO()
    call_command("agreement_verify", str(people.project.uuid), stdout=out)
    return out.getvalue()


def test_it_compares_every_figure_with_a_second_opinion(people: People) -> None:
    fill(people.project, people.annotators, at("opinion", WORKED), number=1)
    fill(people.project, people.annotators, at("opinion", {"j1": "YNA", "j2": "NNY", "j3": "AA-"}), number=2)
    every, majority = verified(people).splitlines()
    # Five stages without rounds, of which four have no answers; opinion has three margins and nine pairs.
    assert every.startswith("Board, phase 1, all: 16 rows, ")
    assert float(every.partition("largest difference ")[2].split()[0]) < 1e-9
    assert majority.startswith("Board, phase 1, majority: ")


def test_it_compares_second_looks_too(people: People) -> None:
    """Charlie answers a stage more at the second look, which nobody answered before; Bob takes an answer back."""
    alice, bob, charlie = people.annotators
    both = Said({"opinion": "yes", "mp": "no"})
    said = [Said({"opinion": "no"}), both, Said({"opinion": "no"})]
    first = fill(people.project, people.annotators, at("opinion", WORKED) | {"i6": said})
    items = {name: Item.objects.get(project=people.project, external_id=name) for name in ("i3", "i6")}
    looked = {bob: {"opinion": "no"}, charlie: {"opinion": "yes", "mp": "yes"}}
    second_look(first, {items["i3"]: {alice: None, bob: {"opinion": "yes"}}, items["i6"]: looked})
    lines = verified(people).splitlines()
    assert [line.partition(":")[0] for line in lines] == [
        f"Board, phase {phase}, {scope}" for phase in (1, 2) for scope in ("all", "majority")
    ]
    assert lines[2].partition(": ")[2] != lines[0].partition(": ")[2]


def test_it_fails_where_the_figures_differ(people: People) -> None:
    fill(people.project, people.annotators, at("opinion", WORKED))
    verified(people)
    LabelCombination.objects.filter(labels=["yes", "yes", "yes"]).update(n=F("n") + 1)
    AgreementCache.objects.all().delete()
    with pytest.raises(CommandError, match="The figures differ by up to"):
        verified(people)
