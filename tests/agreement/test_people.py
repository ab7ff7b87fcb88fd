"""Each person beside the others: worked by hand, against the pairs' own coefficients, and on random tables."""

from collections import Counter
from math import sqrt

import pytest
from scipy.stats import t as student

from annotation_app.aggregation.selectors import codebooks_of
from annotation_app.agreement.people import NOBODY_ELSE, BesideOthers, people_compared
from annotation_app.agreement.selectors import agreement_table
from annotation_app.models import Batch
from tests.agreement.second_opinions import Level, Patterns, alpha, labels_in, patterns_in
from tests.agreement.tables import LABELS, at, fill
from tests.conftest import People

ORDER = ("sentence", "utterance", "minus_5_sentences", "minus_200_tokens")
CONTEXT = dict(zip("SUMT", ORDER, strict=True))
TABLE = {
    f"i{n}": row
    for n, row in enumerate(
        ["SSS", "SSU", "UUU", "MU-", "TTT", "TTM", "S-S", "UMT", "SSS", "MMM", "T--", "UUS", "SUS", "MMT", "-SS", "UUU"]
        * 3
    )
}


def compared(people: People, batches: list[Batch] | None = None) -> dict[int, dict[str, BesideOthers]]:
    found = people_compared(project=people.project, codebooks=codebooks_of(people.project), batches=batches)
    return {number: dict(stages) for number, stages in found.agreement.items()}


def beside(patterns: Patterns, person: int) -> Patterns:
    """The person's answer with each other one to the item, which weigh one item together."""
    found: Counter[tuple[tuple[int, str], ...]] = Counter()
    for pattern, n in patterns.items():
        own = [said for said in pattern if said[0] == person]
        others = [said for said in pattern if said[0] != person]
        for other in others if own else []:
            found[(own[0], (0, other[1]))] += n / len(others)  # type: ignore[assignment]
    return found


@pytest.mark.parametrize(("stage", "level"), [("mp_context", "ordinal"), ("opinion", "nominal")])
def test_it_is_the_coefficient_of_a_person_and_the_others_as_one(people: People, stage: str, level: Level) -> None:
    names = CONTEXT if stage == "mp_context" else dict(zip("SUMT", [*LABELS.values(), "no"], strict=True))
    fill(people.project, people.annotators, at(stage, TABLE, names))
    found = compared(people)
    numbers = [member.number for member in people.annotators]
    patterns = patterns_in(TABLE.values(), numbers, names)
    order = ORDER if level == "ordinal" else labels_in(patterns)
    for number in numbers:
        weighted = beside(patterns, number)
        told = found[number][stage]
        assert told.value == pytest.approx(alpha(weighted, order, level), abs=1e-9)
        assert told.n == sum(n for p, n in patterns.items() if len(p) > 1 and number in dict(p)) and told.reason == ""
        low, high = exact_interval(patterns, number, order, level)
        assert told.ci is not None
        # It treats the pairs of an item as if each could be left out alone, so that it is never the narrower one.
        assert told.ci[0] <= low + 1e-3 and told.ci[1] >= high - 1e-3
        assert told.ci[1] - told.ci[0] < 1.6 * (high - low)


def exact_interval(patterns: Patterns, person: int, order: object, level: Level) -> tuple[float, float]:
    """By leaving out whole items."""
    kept = Counter({p: n for p, n in patterns.items() if person in dict(p) and len(p) > 1})
    size, value = kept.total(), alpha(beside(kept, person), list(order), level)  # type: ignore[call-overload]
    without = [
        (alpha(beside(kept - Counter([p]), person), list(order), level), n)  # type: ignore[call-overload]
        for p, n in kept.items()
    ]
    mean = sum(v * n for v, n in without) / size
    half = student.ppf(0.975, size - 1) * sqrt((size - 1) / size * sum(n * (v - mean) ** 2 for v, n in without))
    return value - half, min(value + half, 1.0)


def test_of_two_people_it_is_their_own_coefficient_with_its_interval(people: People) -> None:
    alice, bob, _ = people.annotators
    fill(
        people.project, [alice, bob], at("opinion", {"a": "YY", "b": "YN", "c": "NN", "d": "AY", "e": "NN", "f": "YY"})
    )
    [pair] = [
        row for row in agreement_table(project=people.project, scope="all").rows if row.pair and row.round is None
    ]
    for member in (alice, bob):
        told = compared(people)[member.number]["opinion"]
        assert told.value == pytest.approx(pair.values["alpha_nominal"])
        assert told.ci == pytest.approx(pair.ci["alpha_nominal"])
        assert told.percent_agreement == pytest.approx(4 / 6)


def test_it_says_where_nobody_else_answered_and_keeps_to_the_batches(people: People) -> None:
    alice, bob, charlie = people.annotators
    first = fill(people.project, [alice, bob], at("opinion", {"a": "YY", "b": "NN", "c": "NY"}))
    fill(people.project, [charlie], at("opinion", {"d": "Y"}), number=2)
    found = compared(people)
    assert charlie.number not in found and BesideOthers().reason == NOBODY_ELSE
    assert compared(people, [first])[alice.number]["opinion"] == found[alice.number]["opinion"]
    trial = fill(people.project, [alice, charlie], at("opinion", {"p": "YN", "q": "NY"}), kind=Batch.Kind.PROTOTYPE)
    assert compared(people)[alice.number] == found[alice.number]
    alone = compared(people, [trial])
    assert alone[charlie.number]["opinion"].n == 2 and bob.number not in alone
    assert alone[charlie.number]["opinion"].value == pytest.approx(-0.5)


def test_label_shares_are_beside_the_others_of_the_same_items(people: People) -> None:
    batch = fill(people.project, people.annotators, at("opinion", {"a": "YNN", "b": "YYN", "c": "Y--"}))
    found = people_compared(project=people.project, codebooks=codebooks_of(people.project), batches=[batch])
    habits = found.labels[people.annotators[0].number]["opinion"]
    assert habits.n == 2
    assert (habits.by_label["yes"].own, habits.by_label["yes"].others) == (1.0, 0.25)
    assert not habits.by_label["yes"].much_more, "two items show no habit"
