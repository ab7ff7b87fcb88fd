"""The order of a conversation: times before replies before the file, and the report that says which."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation_app.ingest.order import RowPosition, document_order, order_notes, reply_order, seconds_of
from annotation_app.ingest.selectors import report_of
from annotation_app.models import Utterance
from tests.ingest.conftest import ImportText


def rows(*given: tuple[str, float | None, str | None]) -> list[RowPosition]:
    return [RowPosition(line, *each) for line, each in enumerate(given, start=1)]


@pytest.mark.parametrize(
    ("given", "by", "lines", "incomplete"),
    [
        ([("a", 2.0, None), ("b", 1.0, None), ("c", 3.0, None)], "timestamp", [2, 1, 3], False),
        # Equal times follow the replies: c answers b.
        ([("c", 1.0, "b"), ("b", 1.0, None), ("a", 0.0, None)], "timestamp", [3, 2, 1], False),
        # Times that are all the same say nothing.
        ([("b", 5.0, "a"), ("a", 5.0, None)], "reply_to", [2, 1], False),
        ([("a", 5.0, None), ("b", 5.0, None)], "file", [1, 2], False),
        ([("a", 9.0, None), ("b", None, None), ("c", 1.0, None)], "file", [1, 2, 3], True),
        ([("c", 9.0, "b"), ("b", None, "a"), ("a", None, None)], "reply_to", [3, 2, 1], True),
        # Replies to rows elsewhere do not count.
        ([("a", None, "x"), ("b", None, "b")], "file", [1, 2], False),
    ],
)
def test_it_orders_by_what_the_rows_say(given: Any, by: str, lines: list[int], incomplete: bool) -> None:
    assert document_order(rows(*given)) == (by, lines, incomplete)


def test_threads_stay_together() -> None:
    given = rows(("a", None, None), ("b", None, "a"), ("c", None, "a"), ("d", None, "b"), ("e", None, None))
    assert reply_order(given) == [1, 2, 4, 3, 5]


def test_rows_that_answer_one_another_in_a_circle_stay() -> None:
    assert reply_order(rows(("a", None, "b"), ("b", None, "a"), ("c", None, None))) == [3, 1, 2]


@given(st.lists(st.tuples(st.none() | st.sampled_from([0.0, 1.0, 2.0]), st.none() | st.integers(0, 9)), max_size=10))
def test_no_row_is_lost(given: list[tuple[float | None, int | None]]) -> None:
    places = [RowPosition(n, str(n), said_at, None if to is None else str(to)) for n, (said_at, to) in enumerate(given)]
    assert sorted(document_order(places).lines) == list(range(len(given)))


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        (12, 12.0),
        ("1344542400.5", 1344542400.5),
        ("2012-08-09T20:00:00Z", 1344542400.0),
        ("2012-08-09 20:00", 1344542400.0),
        ("2012-08-09T22:00:00+02:00", 1344542400.0),
        (None, None),
        (True, None),
        ("soon", None),
        (float("nan"), None),
        (10**400, None),
        ([1], None),
    ],
)
def test_times_are_read(value: Any, seconds: float | None) -> None:
    assert seconds_of(value) == seconds


def positions() -> list[str]:
    return list(Utterance.objects.order_by("document__external_id", "position").values_list("external_id", flat=True))


@pytest.mark.django_db(transaction=True)
def test_an_import_orders_each_conversation_and_says_how(import_bytes: ImportText) -> None:
    lines: list[dict[str, Any]] = [
        {"id": "t2", "document_id": "times", "timestamp": 20},
        {"id": "t1", "document_id": "times", "timestamp": "10"},
        {"id": "r2", "document_id": "replies", "reply-to": "r1"},
        {"id": "r1", "document_id": "replies"},
        {"id": "p2", "document_id": "positions", "position": 2, "timestamp": 1},
        {"id": "p1", "document_id": "positions", "position": 1, "timestamp": 2},
        {"id": "f1", "document_id": "file"},
        {"id": "f2", "document_id": "file"},
        {"id": "alone", "document_id": "one", "timestamp": 3},
    ]
    text = "".join(json.dumps({"text": "A b c d.", **line}) + "\n" for line in lines)
    imported = import_bytes(text, rows="utterance", unit="utterance")
    assert positions() == ["f1", "f2", "alone", "p1", "p2", "r1", "r2", "t1", "t2"]
    order = report_of(imported)["order"]
    assert order == {"position": 1, "timestamp": 1, "reply_to": 1, "file": 1, "moved": 2, "incomplete": 0}
    assert order_notes(order) == [
        "Rows of documents were ordered: 1 by position, 1 by time, 1 by reply, 1 by place in the file.",
        "In 2 of them the file had another order than time or replies say.",
    ]
