"""How many queries a list and a step take, whatever the size of the list."""

from collections.abc import Callable
from itertools import combinations
from uuid import uuid4

from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from annotation_app.models import Membership
from tests.conftest import People
from tests.factoids.api import change, factoid, step, stored
from tests.factoids.rows import in_texts, list_of, make_pairing, make_phase, make_short_set

Clients = Callable[[Membership], APIClient]


def test_a_list_and_a_step_take_as_many_queries_however_large_the_list(people: People, client_of: Clients) -> None:
    member = people.annotators[0]
    client = client_of(member)
    counts = []
    for size in (2, 30):
        texts = [f"M{number:02}" for number in range(size)]
        text_set = make_short_set(people.project, texts, f"Set of {size}")
        own = {f"F{number}": [f"{text}-001" for text in texts] for number in range(size)}
        row = list_of(make_phase(text_set, "definition", {member: own}, closed_at=None), member)
        with CaptureQueriesContext(connection) as reading:
            assert len(client.get(f"/api/factoid-lists/{row.uuid}/").json()["factoids"]) == size
        with CaptureQueriesContext(connection) as writing:
            stored(client, str(row.uuid), step(0, "new", change(factoid("N1", "M00-001"), uuid4())))
        counts.append((len(reading), len(writing)))
    assert counts[0] == counts[1]
    assert counts[0][1] < 25


def test_the_list_of_pairings_takes_as_many_queries_however_many_there_are(people: People, client_of: Clients) -> None:
    counts = []
    for number in (1, 3):
        text_set = make_short_set(people.project, "abc", f"{number} pairings")
        own = {member: in_texts({"F1": "ab", "F2": "c"}) for member in people.annotators}
        phase = make_phase(text_set, "definition", own)
        pairs = list(combinations(people.annotators, 2))[:number]
        for pair in pairs:
            make_pairing(*(list_of(phase, member) for member in pair))
        with CaptureQueriesContext(connection) as reading:
            answer = client_of(people.admin).get(f"/api/text-sets/{text_set.uuid}/pairings/")
        # The lists are alike, so that every factoid has a strong link.
        assert [each["n_strong"] for each in answer.json()["pairings"]] == [2] * number
        counts.append(len(reading))
    assert counts[0] == counts[1]
