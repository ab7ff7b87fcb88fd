"""The demo as a newcomer finds it: work for each annotator, and something to look at for the admin."""

import re
import signal
from collections.abc import Iterator

import pytest

from annotation_app.embedded.servers import temporary_state
from tests.embedded.launching import launch, processes_of, wait_for
from tests.loop.client import Person

pytestmark = pytest.mark.loop


@pytest.fixture(scope="module")
def people() -> Iterator[dict[str, Person]]:
    """The five demo people, signed in with what the launcher printed."""
    with temporary_state() as state:
        started = launch("up", "--state-dir", str(state.folder), "--port", "0")
        printed = started.hear("(validates)", seconds=400.0)
        assert "no finished round" not in printed
        url = re.search(r"ready at (http://\S+)/$", printed, re.MULTILINE)
        assert url, printed
        sign_ins = re.findall(r"^\s+(demo-\w+)\s+(\S+)", printed, re.MULTILINE)
        yield {name: Person(url[1], name, password) for name, password in sign_ins}
        started.stop(signal.SIGINT)
        assert wait_for(lambda: not processes_of(str(state.folder)))


def projects(person: Person) -> dict[str, str]:
    found = person.get("projects/")
    return {project["name"].split()[0]: project["id"] for project in found}


@pytest.mark.parametrize(("name", "n"), [("demo-anna", 3), ("demo-bruno", 2), ("demo-chloe", 2)])
def test_every_annotator_has_work_in_their_projects(people: dict[str, Person], name: str, n: int) -> None:
    windows = [people[name].get(f"projects/{id_}/next/") for id_ in projects(people[name]).values()]
    assert [(window["state"], window["progress"]["done"]) for window in windows] == [("ok", 0)] * n


def test_two_annotators_have_begun_to_define_factoids(people: dict[str, Person]) -> None:
    project = projects(people["demo-admin"])["Monetary"]
    found = {}
    for name in ("demo-anna", "demo-bruno", "demo-chloe"):
        for row in people[name].get(f"projects/{project}/text-sets/")["mine"]:
            shown = people[name].get(f"factoid-lists/{row['list']}/")
            found[name] = (shown["may_edit"], len(shown["texts"]), len(shown["factoids"]))
    assert found == {"demo-anna": (True, 6, 9), "demo-bruno": (True, 6, 12)}


def test_the_admin_finds_a_finished_round_and_what_came_of_it(people: dict[str, Person]) -> None:
    admin = people["demo-admin"]
    project = projects(admin)["Monetary"]
    rounds = {row["number"]: row for row in admin.get(f"projects/{project}/rounds/")["rounds"]}
    assert {number: row["state"] for number, row in rounds.items()} == {1: "complete", 2: "annotating"}
    assert (rounds[2]["strategy_used"], rounds[2]["model"]) == ("entropy", "bow-logreg")
    assert rounds[2]["n_training"] >= 30
    opinion = next(
        row
        for row in admin.get(f"projects/{project}/agreement/?scope=all")["rows"]
        if row["stage"] == "opinion" and row["pair"] is None and row["round"] == 1
    )
    assert opinion["n_items"] >= 30 and 0 < opinion["alpha_nominal"] < 1
    assert admin.get(f"projects/{project}/adjudication/")["items"]
    assert admin.get(f"projects/{project}/report/")
    assert len(admin.lines(f"projects/{project}/export/?kind=aggregated&format=jsonl")) >= 36


def test_the_notes_are_settled_and_grouped_so_that_a_model_can_learn_from_them(people: dict[str, Person]) -> None:
    admin = people["demo-admin"]
    project = projects(admin)["Notes"]
    shown = admin.get(f"projects/{project}/equivalence/")["evaluations"]
    assert [(row["name"], row["in_depth"], row["n_classes"], row["n_unused"]) for row in shown] == [
        ("direction of policy", False, 3, 0),
        ("aim", False, 3, 0),
        ("begins now or on Monday", True, 2, 0),
    ]
    reviews = [(row["n_validated"], row["n_returned"]) for row in shown]
    assert reviews == [(3, 0), (1, 1), (0, 0)]
    data = admin.get(f"projects/{project}/interpretations/choices/")["data"]
    assert [(sum(row["targets"].values()), row["reason"]) for row in data] == [(54, "")]
    anna = people["demo-anna"]
    assert anna.get(f"projects/{project}/equivalence/")["hidden_items"] == 0
