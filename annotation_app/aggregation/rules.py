"""Aggregate one item's majorities and votes into a label for each stage. Pure: no I/O."""

from collections.abc import Container, Mapping
from dataclasses import dataclass, field
from typing import Literal

from annotation_app.codebook.gates import open_answers, stages_with_answers
from annotation_app.codebook.stages import Codebook

State = Literal["majority", "adjudicated", "tie", "no_majority", "not_applicable"]
# Label counts by stage: {stage: {label: n}}.
Votes = Mapping[str, Mapping[str, int]]


@dataclass(frozen=True)
class Aggregated:
    """Hold the outcome of one stage of one item.

    `label` is set only where the state is majority or adjudicated; `votes` are all that were given. In a tie two labels
    or more share the highest count, so that a tie has no majority either.
    """

    state: State
    label: str | None = None
    votes: dict[str, int] = field(default_factory=dict)

    @property
    def differs(self) -> bool:
        """Tell whether people gave two labels or more."""
        return len(self.votes) > 1


def aggregated_labels(codebook: Codebook, majorities: Mapping[str, str | None]) -> dict[str, str]:
    """Return the majorities of those stages that the aggregated labels before them open, by stage.

    Whatever counts labels of items comes through here: agreement, insights, report, export, training sets.
    """
    return open_answers(codebook, majorities)


def aggregate(
    codebook: Codebook, majorities: Mapping[str, str], votes: Votes, decided: Mapping[str, str] | None = None
) -> dict[str, Aggregated]:
    """Return the outcome of every stage of the codebook, in its order.

    `majorities` is {stage: label} for the stages where more than half of the slots gave one label. `decided` has been
    adjudicated, and goes before them. A stage that the aggregated labels leave closed is not applicable, whatever some
    annotators answered there. Without votes no tie is reported.
    """
    decided = decided or {}
    opened = stages_with_answers(codebook, {**majorities, **decided})
    labels = {stage: label for stage, label in opened.items() if label is not None}
    return {
        stage.key: Aggregated(
            state=_state(stage.key, labels, opened, decided, votes.get(stage.key, {})),
            label=labels.get(stage.key),
            votes={answer: votes[stage.key][answer] for answer in stage.in_order(votes.get(stage.key, ()))},
        )
        for stage in codebook.stages
    }


def _state(
    stage: str, labels: Mapping[str, str], opened: Container[str], decided: Mapping[str, str], votes: Mapping[str, int]
) -> State:
    if stage not in opened:
        return "not_applicable"
    if stage in labels:
        return "adjudicated" if stage in decided else "majority"
    return "tie" if is_tie(votes) else "no_majority"


def is_tie(votes: Mapping[str, int]) -> bool:
    """Tell whether two labels or more share the highest count."""
    return list(votes.values()).count(max(votes.values(), default=0)) > 1
