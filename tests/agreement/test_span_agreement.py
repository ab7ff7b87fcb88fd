"""Agreement on spans against values worked by hand, over real rows."""

import pytest

from annotation_app.agreement.span_selectors import span_agreement
from annotation_app.models import Membership
from tests.agreement.span_tables import fill_spans, marked, span_codebook
from tests.conftest import People


@pytest.fixture
def team(people: People) -> dict[str, Membership]:
    """Alice, Bob and Charlie, numbers 2 to 4, and a codebook of the categories act, actor and motive."""
    span_codebook(people.project)
    return dict(zip("abc", people.annotators, strict=True))


# 25 code points and five tokens: The [0:3] board [4:9] raised [10:16] interest [17:25] rates [26:31]
TEXT = "The board raised interest rates"


def test_probe(people: People, team: dict[str, Membership]) -> None:
    fill_spans(people.project, team, [marked(TEXT, a=["act: raised interest rates"], b=["act: raised interest"], c=[])])
    for row in []:
        print(row)
    assert 0
