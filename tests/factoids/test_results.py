"""What comes of factoid lists over the API: agreement, disagreements, scores, stability, and their files."""

import csv
import io
import json
from collections.abc import Callable
from typing import Any

import pytest
from rest_framework.test import APIClient

from al_worker.factoids.reading import factoid_list
from al_worker.factoids.scores import votes_of
from al_worker.factoids.stability import rank_stability
from annotation_app.demo.paths import FACTOIDS
from annotation_app.models import FactoidList, Membership, TextSet
from tests.conftest import People
from tests.factoids.rows import (
    add_text,
    in_texts,
    judge,
    list_of,
    make_pairing,
    make_phase,
    make_set,
    make_short_set,
    publish_list,
)

Client = Callable[[Membership], APIClient]
DEMO_LIST = json.loads((FACTOIDS / "list_a.json").read_text(encoding="utf-8"))


def demo_set(people: People) -> tuple[TextSet, FactoidList]:
    """The demo's texts with its first list as a published version."""
    lines = map(json.loads, (FACTOIDS / "texts.jsonl").read_text(encoding="utf-8").splitlines())
    row = make_set(people.project, {each["id"]: [part["text"] for part in each["sentences"]] for each in lines})
    row.texts.filter(external_id="H06").update(is_system=True)
    return row, publish_list(row, {each["id"]: each["sentences"] for each in DEMO_LIST["factoids"]})


def get(client: APIClient, path: str, status: int = 200) -> Any:
    answer = client.get(f"/api/{path}")
    assert answer.status_code == status, answer.content
    return answer.json() if answer["Content-Type"].startswith("application/json") else answer


def rows_of(answer: Any) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(answer.content.decode())))


def test_texts_are_scored_by_a_published_list(people: People, client_of: Client) -> None:
    _, published = demo_set(people)
    address = f"factoid-lists/{published.uuid}/scores/"
    found = get(client_of(people.admin), f"{address}?share=0.8&gold=H01")
    # By hand in the engine's test of the same list, in which H06 is a system's text.
    assert found["weights"] == {"P1": 1.0, "P6": 0.8} | {f"P{at}": 0.4 for at in (2, 3, 4, 5, 7, 8, 9)}
    assert found["consensus"] == ["P1", "P6"]
    scores = {each["text"]: each for each in found["scores"]}
    assert list(scores) == ["H01", "H02", "H03", "H04", "H05", "H06"]
    assert scores["H04"] == {
        "text": "H04",
        "is_system": False,
        "is_later": False,
        "score": 9 / 14,
        "reason": None,
        "gold": 4 / 7,
        "gold_reason": None,
    }
    assert (scores["H06"]["is_system"], scores["H06"]["score"], scores["H01"]["gold"]) == (True, 13 / 15, None)
    refused = get(client_of(people.admin), f"{address}?gold=H07", 400)
    assert refused["errors"]["gold"][0].startswith("This list is about no text 'H07'. Name one of H01, H02")


def test_what_has_no_score_says_why(people: People, client_of: Client) -> None:
    row = make_short_set(people.project, "ab")
    published = publish_list(row, in_texts({"P1": "a"}))
    found = get(client_of(people.admin), f"factoid-lists/{published.uuid}/scores/?gold=b")["scores"]
    assert [(each["score"], each["reason"], each["gold_reason"]) for each in found] == [
        (None, "No other text has a factoid.", "The gold text has no factoid."),
        (None, "The text has no factoid.", None),
    ]
    row.texts.update(is_system=True)
    refused = get(client_of(people.admin), f"factoid-lists/{published.uuid}/scores/", 409)
    assert (refused["code"], refused["detail"][:24]) == ("few_texts", "Weights need two texts t")


def test_a_text_that_is_added_later_changes_no_score_and_says_why_it_has_none(
    people: People, client_of: Client
) -> None:
    row, published = demo_set(people)
    client, address = client_of(people.admin), f"factoid-lists/{published.uuid}/scores/?gold=H01"
    before = get(client, address)
    add_text(row, "S01", ["A system wrote this."], is_system=True)
    after = get(client, address)
    said = "This list was made before the text was added: score the text by a list of a later annotation phase."
    late = {"text": "S01", "is_system": True, "is_later": True, "score": None, "reason": said}
    late |= {"gold": None, "gold_reason": said}
    assert after == before | {"scores": [*before["scores"], late]}
    shown = rows_of(get(client, f"text-sets/{row.uuid}/files/scores.csv/?list={published.uuid}"))[-1]
    assert (shown["text"], shown["by"], shown["score"]) == ("S01", "system", "")
    assert shown["score_undefined_because"] == said.rstrip(".")
    refused = get(client, address.replace("H01", "S01"), 400)["errors"]["gold"]
    assert refused == ["This list is about no text 'S01'. Name one of H01, H02, H03, H04, H05, H06."]


def test_stability_is_what_the_engine_finds(people: People, client_of: Client) -> None:
    row, published = demo_set(people)
    row.texts.update(is_system=False)
    address = f"factoid-lists/{published.uuid}/stability/?draws=20&seed=3"
    found = get(client_of(people.admin), address)["points"]
    given = factoid_list(DEMO_LIST, "A")
    expected = list(rank_stability(votes_of(given, given.texts), 20, 3))
    assert [(each["m"], each["n"], each["rho"], each["sd"], each["reason"]) for each in found] == [
        (each.m, each.n, each.rho, each.sd, each.reason) for each in expected
    ]
    assert get(client_of(people.admin), address.replace("draws=20", "draws=0"), 400)["errors"].keys() == {"draws"}


def test_a_list_of_an_open_phase_is_nobodys_to_score(people: People, client_of: Client) -> None:
    alice = people.annotators[0]
    row = make_short_set(people.project, "ab")
    phase = make_phase(row, "definition", {alice: in_texts({"P1": "a"})}, closed_at=None)
    address = f"factoid-lists/{list_of(phase, alice).uuid}"
    for part in ("scores", "stability"):
        get(client_of(people.admin), f"{address}/{part}/", 404)
        get(client_of(alice), f"{address}/{part}/", 403)


def test_agreement_and_what_people_differ_on(people: People, client_of: Client) -> None:
    alice, bob, _ = people.annotators
    client, row = client_of(people.admin), make_short_set(people.project, "abcde")
    lists = {alice: in_texts({"P30": "ace"}), bob: in_texts({"F9.21": "a", "F9.22": "ce"})}
    phase = make_phase(row, "definition", lists)
    pairing = make_pairing(list_of(phase, alice), list_of(phase, bob))
    judge(pairing, ("P30", "F9.21", "subsumes"), ("P30", "F9.22", "subsumes"))
    found = get(client, f"text-sets/{row.uuid}/agreement/")
    assert found["annotation"] == []
    assert [each["relation"] for each in found["definition"]] == [None, "equal", "subsumes", "subsumed"]
    assert (found["definition"][0]["K"], found["definition"][0]["N"]) == (pytest.approx(13 / 33), 10)
    assert found["definition"][0]["phase_id"] == str(phase.uuid)
    address = f"factoid-phases/{phase.uuid}/disagreements/"
    page = get(client, f"{address}?pairing={pairing.uuid}&limit=2&offset=1")
    assert (page["total"], [(each["id_b"], each["text"]) for each in page["items"]]) == (
        3,
        [("F9.21", "e"), ("F9.22", "a")],
    )
    assert list(get(client, address, 400)["errors"]) == ["pairing"]
    other = make_phase(row, "definition", lists)
    strange = get(client, f"factoid-phases/{other.uuid}/disagreements/?pairing={pairing.uuid}", 400)
    assert strange["errors"] == {"pairing": ["This phase has no such pairing of its lists."]}


def test_tables_are_files_without_names(people: People, client_of: Client) -> None:
    alice, bob, _ = people.annotators
    client, row = client_of(people.admin), make_short_set(people.project, "abcde")
    lists = {alice: in_texts({"P30": "ace"}), bob: in_texts({"F9.21": "a", "F9.22": "ce"})}
    phase = make_phase(row, "definition", lists)
    pairing = make_pairing(list_of(phase, alice), list_of(phase, bob), threshold=0.8)
    judge(pairing, ("P30", "F9.21", "subsumes"), ("P30", "F9.22", "subsumes"))
    files = f"text-sets/{row.uuid}/files"
    agreement, *_ = rows_of(get(client, f"{files}/agreement.csv/"))
    assert (agreement["annotators"], agreement["N"]) == ("annotator 2, annotator 3", "10")
    assert float(agreement["K"]) == pytest.approx(13 / 33)
    links = rows_of(get(client, f"{files}/pairing.csv/?pairing={pairing.uuid}"))
    # P30 and F9.22 share two of five sentences: F = 4/5, strong. F9.21 shares one of four: F = 1/2, weak.
    assert [(each["a"], each["b"], float(each["f"]), each["link"], each["relation"]) for each in links] == [
        ("P30", "F9.22", 0.8, "strong", "subsumes"),
        ("P30", "F9.21", 0.5, "weak, B to A", "subsumes"),
    ]
    relations = rows_of(get(client, f"{files}/relations.csv/?pairing={pairing.uuid}"))
    assert relations[1] == {"relation": "subsumes", "strong": "1", "A<-B": "1", "A->B": "0", "unlinked": "0"}
    rates = {each["rate_key"]: each for each in rows_of(get(client, f"{files}/rates.csv/?pairing={pairing.uuid}"))}
    assert rates["subsumption_linked"]["value"] == "1.0"
    assert rates["equal_strong"]["value_undefined_because"] == "there is no such pair"
    for name in ("pairing", "relations", "rates"):
        latex = get(client, f"{files}/{name}.tex/?pairing={pairing.uuid}").content.decode()
        assert rf"\label{{tab:factoid-{name}}}" in latex
        assert list(get(client, f"{files}/{name}.csv/", 400)["errors"]) == ["pairing"]
    assert "Alice" not in get(client, f"{files}/agreement.tex/").content.decode()


def test_a_table_says_where_a_figure_is_missing(people: People, client_of: Client) -> None:
    row = make_short_set(people.project, "ab")
    own = ({"P1": "a"}, {"P1": "a"}, {"P1": "ab"})
    make_phase(row, "annotation", dict(zip(people.annotators, map(in_texts, own), strict=True)))
    everyone, alike, *_ = rows_of(get(client_of(people.admin), f"text-sets/{row.uuid}/files/agreement.csv/"))
    assert (float(everyone["K"]), everyone["cohen"], everyone["K_undefined_because"]) == (pytest.approx(1 / 4), "", "")
    assert (alike["annotators"], alike["K"], alike["K_low"]) == ("annotator 2, annotator 3", "1.0", "")
    latex = get(client_of(people.admin), f"text-sets/{row.uuid}/files/agreement.tex/").content.decode()
    assert "No interval: without one of the items the coefficient is undefined" in latex


def test_scores_and_stability_are_files(people: People, client_of: Client) -> None:
    row, published = demo_set(people)
    client, files, of = client_of(people.admin), f"text-sets/{row.uuid}/files", f"list={published.uuid}"
    weights = rows_of(get(client, f"{files}/weights.csv/?{of}&share=0.8"))
    assert [(each["factoid"], each["weight"], each["in_summary"]) for each in weights[:3]] == [
        ("P1", "1.0", "yes"),
        ("P6", "0.8", "yes"),
        ("P2", "0.4", "no"),
    ]
    assert weights[0]["description"] == "what P1 says"
    scores = rows_of(get(client, f"{files}/scores.csv/?{of}&gold=H01"))
    assert (scores[3]["score"], scores[3]["gold"], scores[5]["by"]) == (str(9 / 14), str(4 / 7), "system")
    (point,) = rows_of(get(client, f"{files}/stability.csv/?{of}"))
    assert (point["m"], point["n"]) == ("2", "100")
    for name in ("weights", "scores", "stability"):
        assert r"\toprule" in get(client, f"{files}/{name}.tex/?{of}").content.decode()
        assert list(get(client, f"{files}/{name}.csv/", 400)["errors"]) == ["list"]
    svg = get(client, f"{files}/stability.svg/?{of}")
    assert (svg["Content-Type"], b"Texts in a half" in svg.content) == ("image/svg+xml", True)
    assert get(client, f"{files}/stability.png/?{of}").content.startswith(b"\x89PNG")
    for name in ("stability.pdf", "scores.svg", "nothing.csv", "csv"):
        get(client, f"{files}/{name}/?{of}", 404)
    elsewhere = publish_list(make_short_set(people.project, "ab", "Other"), in_texts({"P1": "a"}))
    get(client, f"{files}/scores.csv/?list={elsewhere.uuid}", 404)


def test_annotators_and_strangers_see_no_results(people: People, client_of: Client) -> None:
    row, published = demo_set(people)
    paths = [
        f"text-sets/{row.uuid}/agreement/",
        f"text-sets/{row.uuid}/files/agreement.csv/",
        f"text-sets/{row.uuid}/export/",
    ]
    for path in paths:
        get(client_of(people.annotators[0]), path, 403)
        get(client_of(people.outsider), path, 404)
    get(client_of(people.annotators[0]), f"factoid-lists/{published.uuid}/scores/", 403)
