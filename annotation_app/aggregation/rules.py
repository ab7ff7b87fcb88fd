"""What a stage's label is once several people have answered: pure, over one item's majorities and votes."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from annotation_app.codebook.gates import open_answers, open_stages
from annotation_app.codebook.stages import Codebook

State = Literal["majority", "adjudicated", "tie", "no_majority", "not_applicable"]
# Label counts by stage: {stage: {label: n}}.
Votes = Mapping[str, Mapping[str, int]]


@dataclass(frozen=True)
class Aggregated:
    """One stage of one item. `label` only where the state is majority or adjudicated; `votes` are all that were given.

    A tie has no majority either: two labels or more share the highest count.
    """

    state: State
    label: str | None = None
    votes: dict[str, int] = field(default_factory=dict)

    @property
    def differs(self) -> bool:
        """People gave two labels or more. One answer alone disagrees with nobody."""
        return len(self.votes) > 1


def settled(codebook: Codebook, majorities: Mapping[str, str]) -> dict[str, str]:
    """The aggregated labels: majorities of the stages that the aggregated labels before them open."""
    return open_answers(codebook, majorities)


def aggregate(
    codebook: Codebook, majorities: Mapping[str, str], votes: Votes, decided: Mapping[str, str] | None = None
) -> dict[str, Aggregated]:
    """Every stage of the codebook, in its order.

    `majorities` is {stage: label} for the stages where more than half of the slots gave one label; `decided` is what
    was adjudicated, which goes before them. A stage that the aggregated labels leave closed is not applicable, whatever
    some annotators answered there. Whoever passes no votes is told of no tie.
    """
    decided = decided or {}
    labels = settled(codebook, {**majorities, **decided})
    opened = frozenset(open_stages(codebook, labels))
    return {
        stage.key: Aggregated(
            state=_state(stage.key, labels, opened, decided, votes.get(stage.key, {})),
            label=labels.get(stage.key),
            votes=_in_order(stage.label_keys, votes.get(stage.key, {})),
        )
        for stage in codebook.stages
    }


def _state(
    stage: str, labels: Mapping[str, str], opened: frozenset[str], decided: Mapping[str, str], votes: Mapping[str, int]
) -> State:
    if stage not in opened:
        return "not_applicable"
    if stage in labels:
        return "adjudicated" if stage in decided else "majority"
    return "tie" if is_tie(votes) else "no_majority"


def is_tie(votes: Mapping[str, int]) -> bool:
    """Two labels or more share the highest count."""
    return list(votes.values()).count(max(votes.values(), default=0)) > 1


def _in_order(labels: Iterable[str], votes: Mapping[str, int]) -> dict[str, int]:
    return {label: votes[label] for label in labels if label in votes}
