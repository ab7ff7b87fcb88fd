"""What the items of the rounds came to at each stage, as the aggregated file has it: pure."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from annotation_app.aggregation.outcomes import Outcome
from annotation_app.aggregation.rules import Aggregated
from annotation_app.codebook.stages import Stage


@dataclass
class StageTally:
    """Items at one stage, what was adjudicated included.

    `labels` are majorities and decisions, `adjudicated` of them decided. Without a label are `ties` and `no_majority`,
    whose answers are in, and those that are `waiting` for answers. `closed`: the labels before leave the stage unasked.
    Items of codebooks without the stage are not counted.
    """

    stage: Stage
    labels: Counter[str] = field(default_factory=Counter)
    adjudicated: int = 0
    ties: int = 0
    no_majority: int = 0
    waiting: int = 0
    closed: int = 0

    @property
    def labelled(self) -> int:
        return self.labels.total()

    @property
    def unlabelled(self) -> int:
        return self.ties + self.no_majority + self.waiting

    @property
    def keys(self) -> list[str]:
        """Labels in the codebook's order, then those that only an older version has."""
        return list(dict.fromkeys([*self.stage.label_keys, *sorted(self.labels)]))

    def name(self, key: str) -> str:
        return next((label.name for label in self.stage.labels if label.key == key), key)

    def add(self, result: Aggregated, n: int, *, finished: bool) -> None:
        if result.state == "not_applicable":
            self.closed += n
        elif result.label is not None:
            self.labels[result.label] += n
            self.adjudicated += n * (result.state == "adjudicated")
        elif not finished:
            self.waiting += n
        elif result.state == "tie":
            self.ties += n
        else:
            self.no_majority += n


def tallies_of(stages: Sequence[Stage], outcomes: Iterable[Outcome]) -> list[StageTally]:
    """One a stage, in the order of `stages`."""
    found = {stage.key: StageTally(stage) for stage in stages}
    for outcome in outcomes:
        for key, result in outcome.stages.items():
            found[key].add(result, len(outcome.batch_item_ids), finished=outcome.finished)
    return list(found.values())
