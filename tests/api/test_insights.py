"""What rounds tell, over HTTP, from rows written by hand; the counts are those of the tables below."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from annotation_app.models import Batch, Membership
from tests.agreement.tables import Row, Said, fill
from tests.conftest import People
from tests.factories import unpublish
from tests.rounds.measured import WORKED, filled, round_of

ClientOf = Callable[[Membership], APIClient]

FIGURES = {"n": 4, "macro_f1": 0.7, "accuracy": 0.75, "per_label": {}, "confusion": {}}
PER_LABEL = {
    "yes": {"n": 2, "precision": 1.0, "recall": 0.5, "f1": 2 / 3},
    "no": {"n": 2, "precision": 2 / 3, "recall": 1.0, "f1": 0.8},
}
QUANTILES = dict.fromkeys(("min", "q05", "q25", "median", "q75", "q95", "max", "mean"), 0.5)
METRICS = {
    "training": FIGURES | {"per_label": PER_LABEL},
    "held_out": None,
    "pool": {
        "n": 10,
        "predicted_share": {"yes": 0.4, "no": 0.6},
        "predicted_positive_share": 0.4,
        "entropy_over_ln_c": QUANTILES,
        "entropy_histogram": [0] * 19 + [10],
        "positive_histogram": [6] + [0] * 18 + [4],
    },
}


@pytest.fixture
def get(people: People, client_of: ClientOf) -> Callable[..., dict[str, Any]]:
    def asked(**query: str) -> dict[str, Any]:
        response = client_of(people.admin).get(f"/api/projects/{people.project.uuid}/insights/", query)
        assert response.status_code == 200, response.json()
        return response.json()

    return asked


def test_it_tells_of_an_empty_project(get: Callable[..., dict[str, Any]]) -> None:
    body = get()
    assert body["stage"] == "opinion"
    assert body["positive"] == ["yes"]
    assert body["stages"][1] == {"key": "mp", "title": "Monetary policy"}
    assert body["budget"] == {"total": None, "spent": 0, "left": None}
    assert (body["baseline"], body["batches"]) == (None, [])
    assert {signal["status"] for signal in body["signals"]} == {"unknown"}


def test_it_counts_what_a_batch_came_to(people: People, get: Callable[..., dict[str, Any]]) -> None:
    first = round_of(people, filled(people, WORKED), "random", notices=["drawn"])
    people.project.annotation_budget = 12
    people.project.save()
    body = get()
    (batch,) = body["batches"]
    assert (batch["kind"], batch["number"], batch["round_id"]) == ("round", 1, str(first.uuid))
    assert (batch["strategy_used"], batch["model"], batch["notices"]) == ("random", "none", ["drawn"])
    assert (batch["size"], batch["complete"], batch["n_labeled"], batch["n_training"]) == (5, True, 5, 0)
    assert batch["class_counts"] == {"yes": 2, "no": 1, "ambiguous": 1, "no_majority": 1}
    assert batch["class_shares"]["yes"] == pytest.approx(0.4)
    positives = batch["positives"]
    assert (positives["count"], positives["n"], positives["share"]) == (2, 4, 0.5)
    assert (positives["low"], positives["high"]) == (pytest.approx(0.1500, abs=1e-4), pytest.approx(0.8500, abs=1e-4))
    assert (positives["lift"], positives["lift_low"]) == (None, None)
    assert (positives["n_annotations"], positives["per_100_annotations"]) == (15, pytest.approx(200 / 15))
    assert batch["informative"] is batch["pool"] is batch["training"] is batch["held_out"] is None
    # Of 15 pairs of answers to one item: 3 + 3 + 1 + 0 + 1 are alike.
    assert batch["agreement"]["n_units"] == 5
    assert batch["agreement"]["percent_agreement"] == pytest.approx(8 / 15)
    assert body["baseline"] == {
        "source": "first_random",
        "batch": 1,
        "positives": 2,
        "n": 4,
        "share": 0.5,
        "low": positives["low"],
        "high": positives["high"],
    }
    assert body["budget"] == {"total": 12, "spent": 5, "left": 7}


def test_it_compares_with_the_prototype_and_keeps_it_apart(people: People, get: Callable[..., dict[str, Any]]) -> None:
    prototype = {"p1": "YYY", "p2": "NNN", "p3": "NNN", "p4": "NNY"}
    filled(people, prototype, kind=Batch.Kind.PROTOTYPE)
    round_of(people, filled(people, WORKED), "random")
    before = get()["batches"][1]
    round_of(people, filled(people, {"i1": "YYY", "i2": "YYN", "i3": "NNN"}, number=2))
    body = get()
    assert (body["baseline"]["source"], body["baseline"]["share"], body["baseline"]["n"]) == ("prototype", 0.25, 4)
    first, second, third = body["batches"]
    assert (first["kind"], first["number"], first["round_id"]) == ("prototype", 1, None)
    assert (first["strategy_used"], first["model"], first["positives"]["lift"]) == ("random", "none", None)
    assert second == before
    assert second["positives"]["lift"] == pytest.approx(2)
    assert third["positives"]["lift"] == pytest.approx((2 / 3) / 0.25)
    assert third["positives"]["lift_low"] < third["positives"]["lift"] < third["positives"]["lift_high"]
    assert body["budget"]["spent"] == 8


def test_it_leaves_open_items_out(people: People, get: Callable[..., dict[str, Any]]) -> None:
    """i1 has its majority with two of three; i2 could still go either way; nobody was at i3."""
    filled(people, {"i1": "YY-", "i2": "YN-", "i3": "---"}, slots=3)
    place = people.project.batches.get().batch_items.order_by("rank")
    for item in place:
        for member in people.annotators:
            item.assignments.get_or_create(annotator=member, defaults={"position": 1, "state": "open"})
    body = get()
    (batch,) = body["batches"]
    assert (batch["complete"], batch["n_labeled"], body["baseline"]) == (False, 1, None)
    assert batch["class_counts"] == {"yes": 1, "no": 0, "ambiguous": 0, "no_majority": 0}
    assert batch["positives"]["n_annotations"] == 4


def test_it_counts_later_stages_over_first_stage_majorities(people: People, get: Callable[..., dict[str, Any]]) -> None:
    """Two items are opinions; one of them has a majority at the second stage. Table 2 divides by all three."""
    yes, no = {"opinion": "yes", "mp": "yes", "mp_context": "sentence"}, {"opinion": "yes", "mp": "no"}
    rows: dict[str, Row] = {
        "i1": [Said(yes)] * 3,
        "i2": [Said(yes), Said(no), Said({"opinion": "no"})],
        "i3": [Said({"opinion": "no"})] * 3,
    }
    fill(people.project, people.annotators, rows)
    (batch,) = get(stage="mp")["batches"]
    assert batch["class_counts"] == {"yes": 1, "no": 0, "ambiguous": 0, "no_majority": 1}
    assert (batch["positives"]["count"], batch["positives"]["n"], batch["n_labeled"]) == (1, 3, 2)


def said(opinion: str, mp: str = "") -> Row:
    """Three answers a stage, as letters; the second stage is open to those who said yes at the first."""
    names = {"Y": "yes", "N": "no", "A": "ambiguous"}
    return [
        Said({"opinion": names[first]} | ({"mp": names[second]} if first == "Y" and mp else {}))
        for first, second in zip(opinion, mp or "NNN", strict=True)
    ]


def test_it_prints_the_papers_table_2(people: People, get: Callable[..., dict[str, Any]]) -> None:
    """49 and 27 of 200 drawn by chance against 546 and 272 of the 1,044 of 1,050 that have a first-stage majority."""
    drawn = [said("YYY", "YYY")] * 27 + [said("YYY", "NNN")] * 22 + [said("NNN")] * 151
    chosen = [said("YYY", "YYY")] * 272 + [said("YYN", "NNN")] * 214 + [said("YYY", "AAN")]
    chosen += [said("YYY", "YNA")] * 59 + [said("NNN")] * 496 + [said("AAN")] * 2 + [said("YNA", "NNN")] * 6
    for kind, rows in ((Batch.Kind.PROTOTYPE, drawn), (Batch.Kind.ROUND, chosen)):
        fill(people.project, people.annotators, {f"{kind}-{n}": row for n, row in enumerate(rows)}, kind=kind)
    with connection.cursor() as cursor:
        # As autovacuum does while people label; it may have counted these tables when other tests had left them empty.
        cursor.execute("ANALYZE")
    body = get()
    assert body["baseline"]["n"] == 200
    first, second = (batch["positives"] for batch in body["batches"])
    assert [f"{first[name]:.3f}" for name in ("share", "low", "high")] == ["0.245", "0.191", "0.309"]
    assert (second["count"], second["n"]) == (546, 1044)
    assert [f"{second[name]:.3f}" for name in ("share", "low", "high")] == ["0.523", "0.493", "0.553"]
    assert [f"{second[name]:.2f}" for name in ("lift", "lift_low", "lift_high")] == ["2.13", "1.66", "2.74"]
    assert second["per_100_annotations"] == pytest.approx(100 * 546 / 3150)
    assert body["batches"][1]["class_counts"] == {"yes": 546, "no": 496, "ambiguous": 2, "no_majority": 6}
    later = get(stage="mp")["batches"]
    assert [(each["positives"]["count"], each["positives"]["n"]) for each in later] == [(27, 200), (272, 1044)]
    assert later[1]["class_counts"] == {"yes": 272, "no": 214, "ambiguous": 1, "no_majority": 59}


def test_it_shows_the_model_that_chose_the_batch(people: People, get: Callable[..., dict[str, Any]]) -> None:
    pairs = [[item, {"opinion": "yes"}] for item in "abcd"]
    round_of(people, filled(people, WORKED), metrics=METRICS, training_set=pairs)
    (batch,) = get()["batches"]
    assert batch["n_training"] == 4
    assert batch["training"]["per_label"] == PER_LABEL
    assert batch["pool"] == METRICS["pool"]
    assert batch["informative"] is True
    signals = {signal["key"]: signal for signal in get()["signals"]}
    assert signals["overall_uncertainty"]["values"] == [{"round": 1, "value": 0.5}]
    assert (signals["overall_uncertainty"]["status"], signals["overall_uncertainty"]["threshold"]) == (
        "not_reached",
        0.05,
    )
    (other,) = get(stage="mp")["batches"]
    assert other["pool"] is other["training"] is other["informative"] is None


def test_it_names_an_early_model_uninformative(people: People, get: Callable[..., dict[str, Any]]) -> None:
    one = METRICS["pool"] | {"predicted_share": {"yes": 0.0, "no": 1.0}}
    round_of(people, filled(people, WORKED), metrics=METRICS | {"pool": one})
    assert get()["batches"][0]["informative"] is False


def test_it_shows_rounds_from_before_histograms_were_kept(people: People, get: Callable[..., dict[str, Any]]) -> None:
    old = {key: value for key, value in METRICS["pool"].items() if not key.endswith("histogram")}
    round_of(people, filled(people, WORKED), metrics=METRICS | {"pool": old})
    pool = get()["batches"][0]["pool"]
    assert (pool["entropy_histogram"], pool["positive_histogram"]) == (None, None)


def test_it_takes_the_latest_rounds_stage_unless_told(people: People, get: Callable[..., dict[str, Any]]) -> None:
    row = round_of(people, filled(people, WORKED))
    row.learning_stages = ["mp"]
    row.save()
    assert get()["stage"] == "mp"
    assert get(stage="opinion")["stage"] == "opinion"


def test_it_refuses_what_it_cannot_tell(people: People, client_of: ClientOf) -> None:
    url = f"/api/projects/{people.project.uuid}/insights/"
    response = client_of(people.admin).get(url, {"stage": "tone"})
    assert response.status_code == 400
    assert response.json()["errors"] == {"stage": ["No published codebook of this project has a stage 'tone'."]}
    unpublish(people.project.codebooks.all())
    response = client_of(people.admin).get(url)
    assert (response.status_code, response.json()["code"]) == (409, "no_codebook")


def test_it_takes_the_same_queries_however_many_rounds(people: People, client_of: ClientOf) -> None:
    client = client_of(people.admin)

    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            assert client.get(f"/api/projects/{people.project.uuid}/insights/").status_code == 200
        asked = [query["sql"] for query in captured if "SAVEPOINT" not in query["sql"]]
        return len([sql for sql in asked if not sql.startswith("SET ")])

    filled(people, WORKED, kind=Batch.Kind.PROTOTYPE)
    round_of(people, filled(people, WORKED), "random")
    few = queries()
    for number in range(2, 7):
        round_of(people, filled(people, WORKED, number=number), metrics=METRICS)
    assert queries() == few == 21


def test_it_leaves_out_of_a_share_what_may_still_become_positive(
    people: People, get: Callable[..., dict[str, Any]]
) -> None:
    """Both items are opinions; the second waits for an answer about monetary policy, which may make it positive."""
    yes, no, to_come = {"opinion": "yes", "mp": "yes"}, {"opinion": "yes", "mp": "no"}, Said(state="open")
    fill(people.project, people.annotators, {"i1": [Said(no)] * 3, "i2": [Said(yes), Said(no), to_come]})
    counted = {stage: get(stage=stage)["batches"][0]["positives"] for stage in ("opinion", "mp", "stance_nli")}
    assert {stage: (each["count"], each["n"]) for stage, each in counted.items()} == {
        "opinion": (2, 2),
        "mp": (0, 1),
        "stance_nli": (0, 1),
    }


def test_its_agreement_has_the_overviews_intervals(
    people: People, client_of: ClientOf, get: Callable[..., dict[str, Any]]
) -> None:
    """Alpha: fifteen answers, 6 yes, 6 no, 3 ambiguous; 1 - 14 (2 + 3 + 2) / (225 - 81) = 23/72."""
    filled(people, WORKED)
    agreement = get()["batches"][0]["agreement"]
    assert agreement["alpha"] == pytest.approx(23 / 72)
    assert agreement["low"] < 23 / 72 < agreement["high"]
    (line,) = client_of(people.admin).get(f"/api/projects/{people.project.uuid}/overview/").json()["trend"]["batches"]
    assert [line["agreement"][name] for name in ("low", "high")] == [agreement["low"], agreement["high"]]
