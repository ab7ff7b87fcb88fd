"""Letters in place of people: the order is the reader's own, and nobody else's."""

from hashlib import sha256
from uuid import UUID

from annotation_app.aggregation.anonymize import letter, shuffled

ROWS = [UUID(int=n) for n in range(1, 6)]
READER, ITEM = UUID(int=77), UUID(int=99)


def test_the_order_is_that_of_the_hashes() -> None:
    by_hash = sorted(
        ROWS,
        key=lambda row: sha256(
            b"00000000-0000-0000-0000-00000000004d:00000000-0000-0000-0000-000000000063:" + str(row).encode()
        ).hexdigest(),
    )
    assert shuffled(ROWS, reader=READER, item=ITEM) == by_hash
    assert shuffled(reversed(ROWS), reader=READER, item=ITEM) == by_hash


def test_over_items_and_readers_every_row_comes_first_about_equally_often() -> None:
    """Of 1,000 items each of five rows leads 200 times on average; 5 standard deviations are 63."""
    for fixed in (True, False):
        first = [
            shuffled(ROWS, reader=READER if fixed else UUID(int=n), item=UUID(int=n) if fixed else ITEM)[0]
            for n in range(1_000)
        ]
        assert all(137 < first.count(row) < 263 for row in ROWS)


def test_letters_go_on_after_z() -> None:
    assert [letter(place) for place in (0, 1, 25, 26, 27, 51, 52, 701, 702)] == [
        "A",
        "B",
        "Z",
        "AA",
        "AB",
        "AZ",
        "BA",
        "ZZ",
        "AAA",
    ]
