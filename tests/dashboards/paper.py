"""A project with OP-FED's marginals: its printed label counts, accuracies and minutes, and made-up answers behind them.

Each annotator's number of dissents is chosen so that the printed minimum and maximum come out. Who dissents at a gate
does not answer what is behind it.
"""

from collections.abc import Iterable, Iterator, Sequence
from random import Random

from django.db import connection

from annotation_app.models import Batch, Membership, Project
from tests.agreement.tables import Row, Said, fill

A, B, C = range(3)
EVERYONE = (A, B, C)
STAGES = ("opinion", "mp", "mp_context", "stance_nli", "stance_nli_context")
LADDER = ("sentence", "utterance", "minus_5_sentences", "minus_200_tokens")
# OP-FED Table 8, minutes by batch and annotator.
MINUTES = [
    (90, 120, 145),
    (135, 105, 180),
    (90, 135, 105),
    (120, 120, 120),
    (130, 140, 130),
    (120, 135, 135),
    (130, 120, 120),
]
# What one annotator answered, stage by stage as far as they came; and an item: what the three did.
Answers = tuple[str, ...]
Item = tuple[Answers, Answers, Answers]
NO: Answers = ("no",)
OTHER_SUBJECT: Answers = ("yes", "no")
ASTRAY: Answers = ("yes", "yes", "sentence", "neutral", "sentence")


def turns(a: int, b: int, c: int) -> list[int]:
    """Whose turn it is to dissent."""
    return [A] * a + [B] * b + [C] * c


def with_one(usual: Answers, who: int, other: Answers) -> Item:
    first, second, third = (other if person == who else usual for person in EVERYONE)
    return first, second, third


def items_of(usual: Answers, n: int, dissent: Sequence[int], other: Answers) -> Iterator[Item]:
    """`n` items: as many with a dissenter as there are turns, the rest unanimous."""
    yield from (with_one(usual, who, other) for who in dissent)
    yield from [(usual, usual, usual)] * (n - len(dissent))


def labels(counts: dict[str, int]) -> list[str]:
    found = [label for label, n in counts.items() for _ in range(n)]
    Random(1).shuffle(found)
    return found


def voted(gold: Iterable[str], dissent: Sequence[int], other: dict[str, str]) -> Iterator[tuple[str, str, str]]:
    """Three labels an item with a majority: the dissenters take their turns first."""
    left = list(dissent)
    for label in gold:
        who = left.pop(0) if left else None
        first, second, third = (other[label] if person == who else label for person in EVERYONE)
        yield first, second, third


def paper_items() -> list[Item]:
    """1,050: 546 opinions, 496 none, 2 ambiguous, 6 without a majority."""
    items = [
        *items_of(NO, 496, turns(26, 78, 65), OTHER_SUBJECT),
        *[(("ambiguous",),) * 3] * 2,
        *[(OTHER_SUBJECT, NO, ("ambiguous",))] * 6,
        # At mp: 1 ambiguous, 59 without a majority, 214 no (168 where one did not see an opinion), 272 yes.
        (("yes", "ambiguous"),) * 3,
        *[(ASTRAY, OTHER_SUBJECT, ("yes", "ambiguous"))] * 59,
        *items_of(OTHER_SUBJECT, 168, turns(26, 78, 64), NO),
        *items_of(OTHER_SUBJECT, 46, turns(14, 17, 15), ASTRAY),
        *on_policy(),
    ]
    Random(2).shuffle(items)
    return items


def on_policy() -> Iterator[Item]:
    """272 items about monetary policy: 121 where one annotator said that they are not, 151 where three go on."""
    absent = turns(18, 22, 20) + turns(19, 22, 20)
    context = labels({"sentence": 99, "utterance": 119, "minus_5_sentences": 20, "minus_200_tokens": 4})
    stance = labels({"entailment": 47, "neutral": 18, "contradiction": 94})
    after = labels({"sentence": 24, "utterance": 111, "minus_5_sentences": 22, "minus_200_tokens": 5})
    for number, who in enumerate(absent):
        labelled = number < 60
        pair = (stance[number],) * 2 if labelled else ("entailment", "contradiction")
        needed = after[number] if labelled else "utterance"
        both = iter([("yes", "yes", context[number], given, needed) for given in pair])
        first, second, third = (OTHER_SUBJECT if person == who else next(both) for person in EVERYONE)
        yield first, second, third
    yield from three_go_on(context[121:], stance[60:], after[60:])


def three_go_on(context: list[str], stance: list[str], after: list[str]) -> Iterator[Item]:
    """121 of 151 have a majority at mp_context, 114 at stance_nli (15 ambiguous), 102 of these on its context."""
    crossing = dict.fromkeys(LADDER, "sentence") | {"sentence": "utterance"}
    contexts = [*voted(context, turns(23, 28, 26), crossing), *[LADDER[:3]] * 30]
    dissent = {"entailment": "ambiguous", "contradiction": "neutral", "neutral": "contradiction"}
    stances = [
        *voted(stance, turns(16, 29, 21), dissent),
        *[("ambiguous",) * 3] * 15,
        *[("entailment", "neutral", "contradiction")] * 37,
    ]
    afters = [*voted(after, turns(10, 21, 13), crossing), *[LADDER[:3]] * 12, *[("utterance",) * 3] * 37]
    for at_context, at_stance, at_after in zip(contexts, stances, afters, strict=True):
        first, second, third = (("yes", "yes", *given) for given in zip(at_context, at_stance, at_after, strict=True))
        yield first, second, third


def prototype_items() -> list[Answers]:
    """200 by one person: 49 opinions, 27 on policy, 15 with a stance."""
    stances = ["entailment"] * 8 + ["contradiction"] * 7 + ["neutral"] * 12
    return [
        *(("yes", "yes", "utterance", stance, "utterance") for stance in stances),
        *[OTHER_SUBJECT] * 22,
        *[NO] * 151,
    ]


def said(answers: Answers, minutes: int = 1) -> Said:
    """An annotator who opened what they last declared; their batch of 150 took so many minutes, 4/5 of them active."""
    named = dict(zip(STAGES, answers, strict=False))
    opened = named.get("stance_nli_context", named.get("mp_context", "sentence"))
    return Said(named, context_opened=opened, wall_ms=400 * minutes, active_ms=320 * minutes)


def fill_paper(project: Project, annotators: Sequence[Membership]) -> list[Batch]:
    """The prototype batch, then seven batches of 150."""
    drawn: dict[str, Row] = {f"p{n}": [said(answers)] for n, answers in enumerate(prototype_items())}
    batches = [fill(project, annotators[:1], drawn, kind=Batch.Kind.PROTOTYPE)]
    items = paper_items()
    for number, minutes in enumerate(MINUTES):
        rows: dict[str, Row] = {
            f"s{number}-{n}": [said(answers, spent) for answers, spent in zip(item, minutes, strict=True)]
            for n, item in enumerate(items[150 * number : 150 * (number + 1)])
        }
        batches.append(fill(project, annotators, rows, number=number + 1))
    with connection.cursor() as cursor:
        # As autovacuum does while people label; it may have counted these tables when other tests had left them empty.
        cursor.execute("ANALYZE")
    return batches
