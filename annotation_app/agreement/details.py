"""Compute one stage in detail: confusions, how often annotators give each label, and accuracy against the majority."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db.backends.utils import CursorWrapper

from annotation_app.aggregation.planner import one_snapshot
from annotation_app.aggregation.selectors import codebooks_of
from annotation_app.aggregation.statements import Phase
from annotation_app.agreement.label_habits import says_much_more
from annotation_app.agreement.selectors import Slices, kept, parameters_of, people_named, settled_now, stamp_of
from annotation_app.agreement.services import patterns_refresh
from annotation_app.agreement.statements import (
    Scope,
    against_statement,
    confusion_statement,
    habits_statement,
    leave_one_out_statement,
    shares_statement,
)
from annotation_app.codebook.question_types.label import LabelStage
from annotation_app.codebook.stages import Codebook
from annotation_app.models import Membership, Project


@dataclass(frozen=True)
class Confusion:
    """Hold the confusion matrix of a pair. `n` is the sum of the counts.

    counts[i][j] is the number of items where the first of the pair gave labels[i] and the second labels[j].
    """

    pair: tuple[int, int]
    n: int
    counts: list[list[int]]


@dataclass(frozen=True)
class Habit:
    """Hold mean shares of a label, from 0 to 1, over the same items: the annotator's own and the others'.

    The others are all who answered these items too. `standard_error` is that of the difference, None for a single item.
    `much_more` is the result of `says_much_more`.
    """

    own: float
    others: float
    standard_error: float | None
    much_more: bool


@dataclass(frozen=True)
class Habits:
    """Hold an annotator's habits by label, over the `n` items that somebody else answered too.

    A label that none of these items got has none.
    """

    n: int = 0
    by_label: dict[str, Habit] = field(default_factory=dict)


@dataclass(frozen=True)
class LabelShares:
    """Hold how many of the `n` items that an annotator answered got each label, and which share, in the labels' order.

    `habits` are in that order too. They cover the `n_compared` of these items that somebody else answered as well.
    The list is empty where there are none.
    """

    annotator: int
    n: int
    counts: list[int]
    shares: list[float]
    n_compared: int
    habits: list[Habit]


@dataclass(frozen=True)
class AgainstMajority:
    """Hold how often an annotator agreed with the majority.

    The `n` items are those that the annotator answered and that have a majority which is not ambiguous.
    The majority is everyone's, or that of the others. `accuracy` is `n_right` / `n`, from 0 to 1.
    On `n_circular` items everyone is right by construction; `reason` says why there is no accuracy.
    `collapsed` is the accuracy where an ordered stage's lowest label is taken against all others, after the vote.
    At other stages it is None.
    """

    annotator: int
    n: int
    n_right: int
    accuracy: float | None
    n_collapsed: int | None
    collapsed: float | None
    n_circular: int = 0
    reason: str = ""


@dataclass(frozen=True)
class Details:
    """Hold the details of one stage.

    `n_majority` counts the items with a majority label that is none of `ambiguous`.
    `n_circular` counts those of them that have no more answers than a majority takes.
    `leave_one_out` compares each annotator with the majority of the others.
    """

    stage: LabelStage
    labels: list[str]
    ambiguous: list[str]
    annotators: list[Membership]
    confusion: list[Confusion]
    label_shares: list[LabelShares]
    n_majority: int
    n_circular: int
    against_majority: list[AgainstMajority]
    leave_one_out: list[AgainstMajority]


def stage_of(codebooks: Mapping[int, Codebook], key: str) -> tuple[LabelStage, Codebook] | None:
    """Return the stage and its codebook, as the newest codebook that has the stage defines it.

    Return None where no codebook has it, or where it is not answered with labels.
    """
    having = [(stage, book) for book in codebooks.values() for stage in book.label_stages if stage.key == key]
    return having[-1] if having else None


def agreement_details(
    *,
    project: Project,
    stage: str,
    scope: Scope,
    round: int | None = None,
    phase: Phase = 1,
) -> Details | None:
    """Return the details of one stage over all rounds together, or in one round.

    Return None where no published codebook has the stage.
    `phase` is as in `agreement_table`, and results of phase 1 are cached in the same way.
    The number of statements does not grow with the data.
    """
    codebooks = codebooks_of(project)
    found = stage_of(codebooks, stage)
    if found is None:
        return None
    row, codebook = found
    ambiguous = [label for label in row.label_keys if label in codebook.never_learned]
    parameters = {
        **parameters_of(project, codebooks, scope, Slices(stage=stage, round=round or 0)),
        "round": round or 0,
        "ambiguous": ambiguous,
        "lowest": row.label_keys[0] if row.scale == "ordinal" else None,
    }
    confused, said, compared, against, alone = detail_rows(project, codebooks, parameters, phase)
    everyone, *people = [AgainstMajority(*values) for values in against]
    labels = list(dict.fromkeys([*row.label_keys, *(label for _, label, _, _ in said)]))
    return Details(
        stage=row,
        labels=labels,
        ambiguous=ambiguous,
        annotators=people_named(project, {rater for rater, *_ in said}),
        confusion=matrices(confused, labels),
        label_shares=shares_of(said, compared, labels),
        n_majority=everyone.n,
        n_circular=everyone.n_circular,
        against_majority=people,
        leave_one_out=[AgainstMajority(*values) for values in alone],
    )


def detail_rows(
    project: Project, codebooks: Mapping[int, Codebook], parameters: Mapping[str, Any], phase: Phase
) -> list[list[Any]]:
    """Return the rows of the five statements, all from one snapshot.

    In phase 1 they are cached until a count changes.
    """
    scope: Scope = parameters["scope"]
    statements = [
        confusion_statement(scope, phase),
        shares_statement(scope, phase),
        habits_statement(scope, phase),
        against_statement(phase),
        leave_one_out_statement(phase),
    ]

    def count(cursor: CursorWrapper) -> list[list[Any]]:
        bound = {**parameters, "settled": settled_now(cursor, codebooks, parameters, phase)}
        return [fetched(cursor, statement, bound) for statement in statements]

    if phase == 2:
        with one_snapshot() as cursor:
            return count(cursor)
    patterns_refresh(project=project)
    view = f"details {stamp_of(*(parameters[name] for name in ('scope', 'stage', 'round')))[:32]}"
    made_from = [*statements, list(codebooks), parameters]
    return list(kept(project=project, view=view, made_from=made_from, count=count))


def fetched(cursor: CursorWrapper, statement: str, parameters: Mapping[str, Any]) -> list[Any]:
    """Run a statement and return its rows."""
    cursor.execute(statement, parameters)
    return [list(row) for row in cursor.fetchall()]


def matrices(rows: Iterable[tuple[int, int, str, str, int]], labels: Sequence[str]) -> list[Confusion]:
    """Return a confusion matrix for each pair, from rows (a, b, a's label, b's label, n)."""
    found: dict[tuple[int, int], list[list[int]]] = {}
    for a, b, first, second, n in rows:
        counts = found.setdefault((a, b), [[0] * len(labels) for _ in labels])
        counts[labels.index(first)][labels.index(second)] = n
    return [Confusion(pair, sum(map(sum, counts)), counts) for pair, counts in found.items()]


def shares_of(
    said: Iterable[tuple[int, str, int, float]],
    compared: Iterable[tuple[int, str, float, float, float, float | None]],
    labels: Sequence[str],
) -> list[LabelShares]:
    """Return each annotator's label shares.

    `said` are rows (rater, label, n, share).
    `compared` are rows (rater, label, n, own share, others' share, standard error).
    """
    by_rater: dict[int, dict[str, tuple[int, float]]] = {}
    for rater, label, n, share in said:
        by_rater.setdefault(rater, {})[label] = (n, share)
    beside = habits_of(compared)
    nobody = Habit(0.0, 0.0, 0.0, much_more=False)
    return [
        LabelShares(
            annotator=rater,
            n=sum(n for n, _ in found.values()),
            counts=[found.get(label, (0, 0.0))[0] for label in labels],
            shares=[found.get(label, (0, 0.0))[1] for label in labels],
            n_compared=beside.get(rater, Habits()).n,
            habits=[beside[rater].by_label.get(label, nobody) for label in labels] if rater in beside else [],
        )
        for rater, found in by_rater.items()
    ]


def habits_of(rows: Iterable[Sequence[Any]]) -> dict[int, Habits]:
    """Return habits by annotator, from rows (rater, label, n, own share, others' share, standard error)."""
    found: dict[int, Habits] = {}
    for rater, label, items, own, others, error in rows:
        n = int(items)
        much_more = says_much_more(n=n, own=own, others=others, standard_error=error)
        found.setdefault(rater, Habits(n)).by_label[label] = Habit(own, others, error, much_more)
    return found
