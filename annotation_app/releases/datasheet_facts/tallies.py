"""Count the outcomes of the rounds' items at each stage, as the aggregated file has them. Pure: no I/O."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from annotation_app.aggregation.outcomes import Outcome
from annotation_app.aggregation.rules import Aggregated
from annotation_app.codebook.question_types.stage import Stage


@dataclass
class StageTally:
    """Count items at one stage, decisions included.

    `labels` are the answers that majorities and decisions came to, of which `adjudicated` were decided. `ties` and
    `no_majority` have all their answers and no label; `waiting` items still lack answers. `closed` items are not asked
    at this stage. Items of codebooks without the stage are not counted.
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
    def parts(self) -> Counter[str]:
        """Count items by label: of sets of labels, each item at every label of its set."""
        found = Counter[str]()
        for answer, n in self.labels.items():
            found.update(dict.fromkeys(self.stage.labels_of(answer), n))
        return found

    @property
    def keys(self) -> list[str]:
        """Return labels in the codebook's order, then those that only an older version has."""
        return list(dict.fromkeys([*self.stage.offered, *sorted(self.parts)]))

    def name(self, key: str) -> str:
        return self.stage.label_name(key)

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
    """Return one tally a stage, in the order of `stages`."""
    found = {stage.key: StageTally(stage) for stage in stages}
    for outcome in outcomes:
        for key, result in outcome.stages.items():
            if key in found:
                found[key].add(result, len(outcome.batch_item_ids), finished=outcome.finished)
    return list(found.values())
